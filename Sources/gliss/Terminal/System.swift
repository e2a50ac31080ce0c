import ArgumentParser
import Glibc
import Gliss

enum CalendarTime {
  /// Parses `2026-12-31`, which is the start of that day, `2026-12-31T18:00` or
  /// `2026-12-31T18:00:30`; a final `Z` means UTC. `nil` for anything else, and for dates that do
  /// not exist.
  static func instant(_ text: String) -> WallTime? {
    let isUniversal = text.hasSuffix("Z")
    let text = isUniversal ? String(text.dropLast()) : text
    var numbers = text.split { "-T:".contains($0) }.compactMap { Int32($0) }
    let formats = [3: "%Y-%m-%d", 5: "%Y-%m-%dT%H:%M", 6: "%Y-%m-%dT%H:%M:%S"]
    // a later year is a slip, and does not fit the columns it is shown in
    guard let format = formats[numbers.count], (1970...9999).contains(numbers[0]) else {
      return nil
    }
    numbers += [0, 0, 0]
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday) = (numbers[0] - 1900, numbers[1] - 1, numbers[2])
    (parts.tm_hour, parts.tm_min, parts.tm_sec) = (numbers[3], numbers[4], numbers[5])
    // let the time zone decide about daylight saving time
    parts.tm_isdst = -1
    let asked = parts
    let seconds = isUniversal ? timegm(&parts) : mktime(&parts)
    // both turn February 30 into a day in March; the text must be what would be written for it
    guard parts.tm_mday == asked.tm_mday, parts.tm_mon == asked.tm_mon, numbers[3] < 24,
      numbers[4] < 60, numbers[5] < 60, seconds > 0, WallTime.text(of: asked, format) == text
    else { return nil }
    return WallTime(seconds: Int64(seconds))
  }

  /// A length of time, such as `5.2 s`, `12 min` or `3 d`; seconds have `places` decimals.
  static func age(_ seconds: Double, places: Int) -> String {
    let seconds = max(0, seconds)
    return switch seconds {
    case ..<120: "\(seconds.fixed(places)) s"
    case ..<7200: "\((seconds / 60).fixed(0)) min"
    case ..<172_800: "\((seconds / 3600).fixed(0)) h"
    case _: "\((seconds / 86_400).fixed(0)) d"
    }
  }
}

enum Users {
  /// The name of `uid`, or the number if no user has it.
  static func name(_ uid: UInt32) -> String {
    guard let entry = getpwuid(uid), let name = entry.pointee.pw_name else { return "\(uid)" }
    return String(cString: name).printable
  }

  static func uid(_ text: String) -> UInt32? {
    if let entry = getpwnam(text) { return entry.pointee.pw_uid }
    guard let uid = UInt32(text), uid != .max else { return nil }
    return uid
  }

  /// The user the command acts for. With sudo this is the user who typed it.
  static var principal: UInt32 {
    guard getuid() == 0 else { return getuid() }
    for name in ["SUDO_UID", "PKEXEC_UID"] {
      if let uid = environmentVariable(name).flatMap({ UInt32($0) }), uid != .max {
        return uid
      }
    }
    return getuid()
  }
}

/// Writes files completely or not at all.
enum WholeFile {
  /// Reports bad input if a regular file is at `path`, which would be overwritten.
  static func refuse(existing path: String) throws(ExitCode) {
    if isRegular(path) {
      throw Diagnostics.refusal(
        "\(path): the file exists; name another file, or overwrite it with --force")
    }
  }

  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// The path of a regular file without links; `nil` if it is not one.
  static func withoutLinks(_ path: String) -> String? {
    guard isRegular(path), let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(validatingCString: resolved)
  }

  static func areSame(_ path: String, _ other: String) -> Bool {
    var (one, two) = (stat(), stat())
    return stat(path, &one) == 0 && stat(other, &two) == 0 && one.st_dev == two.st_dev
      && one.st_ino == two.st_ino
  }

  /// Replaces the file at `path` with `bytes`. They are on disk afterwards.
  ///
  /// - Parameter isPrivate: whether only its owner can read it. If not, it keeps the old file's
  ///   permissions; a new file has the usual ones.
  static func write(
    _ bytes: [UInt8], to path: String, isPrivate: Bool = true
  ) throws(SystemError) {
    var status = stat()
    let exists = stat(path, &status) == 0
    // the link would be replaced, and not what it points to
    if !exists, lstat(path, &status) == 0 {
      throw SystemError(path, "it is a link to a file that does not exist")
    }
    // a device or pipe cannot be replaced as a whole; a link keeps pointing to its target
    let mode = exists ? status.st_mode & 0o777 : 0o666 & ~mask
    let code =
      exists && !isRegular(path)
      ? fill(path, bytes)
      : FileBytes.replace(
        withoutLinks(path) ?? path, with: bytes, mode: isPrivate ? 0o600 : mode)
    // the reader of a pipe may close it early, as that of standard output may
    if code != 0, code != EPIPE {
      throw SystemError(path, "it cannot be written: \(String(cString: strerror(code)))")
    }
  }

  /// What new files are denied, which can only be read by setting it.
  private static var mask: mode_t {
    let mask = umask(0o077)
    umask(mask)
    return mask
  }

  private static func fill(_ path: String, _ bytes: [UInt8]) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    return FileBytes.write(bytes[...], to: descriptor).code
  }

  /// Reads a whole file, or standard input if the path is `-`; EFBIG if it is over the limit.
  static func read(_ path: String, limit: Int) throws(SystemError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(path, failed: errno) }
    defer { if path != "-" { close(descriptor) } }
    guard path == "-" || hasEnd(descriptor, path) else {
      throw SystemError(path, "not a file; name a file")
    }
    return try FileBytes.read(descriptor, of: path, limit: limit)
  }

  /// Whether it can be read to an end: neither a folder nor a device, other than a terminal and
  /// /dev/null.
  private static func hasEnd(_ descriptor: Int32, _ path: String) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return true }
    switch status.st_mode & S_IFMT {
    case S_IFDIR, S_IFBLK: return false
    case S_IFCHR: return isatty(descriptor) == 1 || areSame(path, "/dev/null")
    case _: return true
    }
  }
}
