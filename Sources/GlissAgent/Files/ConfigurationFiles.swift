import Glibc
package import GlissConfiguration
import GlissDevices
import GlissEvents

/// The places of configuration files, and their contents.
///
/// The system's files are read first, then the user's. In each place the main file is read first,
/// then the drop-ins beside it, in byte order of their names.
package struct ConfigurationFiles: Hashable, Sendable {
  package var userFolder: String
  package var systemFolder = "/etc/gliss"
  /// A file that is read instead of all others.
  package var only: String?
  /// Whether files that another one includes are read too.
  package var followsIncludes = true
  /// Whether files of any owner are read, even those that others can write, in order to check them.
  package var trustsAll = false
  /// A group whose only member is the reading user. Files it can write are safe from everyone else.
  package var privateGroup: UInt32?
  private var home: String { environmentVariable("HOME") ?? Account.home ?? "/" }

  /// What was found: texts in order, and errors for files that were refused or unreadable.
  package struct Found: Hashable, Sendable {
    package var texts: [ConfigurationText] = []
    package var errors: [ConfigurationFileError] = []
    /// The paths of the files that others include, whether they exist or not.
    package fileprivate(set) var included: [String] = []
    fileprivate var read: Set<String> = []

    /// The rules of all texts; no configuration if there is no file at all.
    package var rules: ConfigurationReading {
      texts.isEmpty
        ? ConfigurationReading(configuration: nil, mistakes: []) : Configuration.read(texts)
    }
  }
}

extension ConfigurationFiles {
  /// The places defined by the XDG base directory specification. Variables without an absolute path
  /// are ignored.
  ///
  /// - Parameter only: made absolute, so that later changes to the working folder do not matter.
  package init(only: String? = nil, environment: (String) -> String? = environmentVariable) {
    self.init(
      userFolder: Self.baseFolder(environment) + "/gliss", only: only.map(Self.fromRoot),
      privateGroup: Account.privateGroup)
  }

  private static func fromRoot(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }

  /// The folder of the user's configuration files, of Gliss and of other programs.
  package static func baseFolder(
    _ environment: (String) -> String? = environmentVariable
  ) -> String {
    let named = environment("XDG_CONFIG_HOME") ?? ""
    let home = environment("HOME") ?? ""
    return named.hasPrefix("/")
      ? named : (home.isEmpty ? Account.home ?? "" : home) + "/.config"
  }

  /// The path of the user's main file, whether it exists or not.
  package var userFile: String { "\(userFolder)/\(Self.mainName)" }

  /// The paths of the main files, whether they exist or not.
  package var files: [String] {
    only.map { [$0] } ?? [systemFolder, userFolder].map { "\($0)/\(Self.mainName)" }
  }

  package var folders: [String] {
    only == nil ? [systemFolder, userFolder].map { "\($0)/\(Self.dropInName)" } : []
  }

  private static let mainName = "gliss.yaml"
  private static let dropInName = "gliss.d"

  /// Whether a file of that name in a drop-in folder counts. Hidden files do not.
  static func isDropIn(_ name: String) -> Bool { name.hasSuffix(".yaml") && !name.hasPrefix(".") }

  /// Reads all files. If there are none at all, the user's main file is reported missing.
  package func read() -> Found {
    var found = Found()
    if let only {
      readOnly(only, into: &found)
      return found
    }
    readPlace(systemFolder, into: &found)
    for index in found.texts.indices { found.texts[index].isSystem = true }
    readPlace(userFolder, into: &found)
    if found.texts.isEmpty, found.errors.isEmpty {
      found.errors.append(ConfigurationFileError(userFile, .missing))
    }
    return found
  }

  /// The texts, each after those it includes.
  package func read(_ texts: [ConfigurationText]) -> Found {
    var found = Found()
    for text in texts { add(text, into: &found) }
    return found
  }

  private func readOnly(_ path: String, includer: Place? = nil, into found: inout Found) {
    let (folder, name) = path.folderAndName
    do throws(ConfigurationFileError) {
      // in a sticky folder others may add files, but cannot replace this one
      let trusted = try TrustedFolder(
        folder, privateGroup: privateGroup, acceptsSticky: true, trustsAll: trustsAll)
      add(try trusted.text(of: name, path: path), into: &found)
    } catch {
      var error = error
      if error.reason == .unreadable(ENOENT) {
        error = ConfigurationFileError(path, .missing)
      }
      error.includer = includer
      found.errors.append(error)
    }
  }

  /// Adds a file after those it includes, each once.
  private func add(_ text: ConfigurationText, into found: inout Found) {
    // the same file may be named in several ways
    let real = realpath(text.name, nil)
    defer { free(real) }
    let name = real.map { String(cString: $0) } ?? text.name
    guard found.read.insert(name).inserted else { return }
    for (path, place) in followsIncludes ? text.includes : [] {
      let expanded = NamedFolders(home: home).expand(path)
      let folder = text.name.folderAndName.folder
      let full = expanded.hasPrefix("/") || folder == "." ? expanded : "\(folder)/\(expanded)"
      if found.included.contains(full) { continue }
      guard found.included.count < Self.mostIncluded else {
        let error = ConfigurationFileError(text.name, .includesTooMany)
        if found.errors.last?.reason != error.reason { found.errors.append(error) }
        break
      }
      found.included.append(full)
      readOnly(full, includer: place, into: &found)
    }
    found.texts.append(text)
  }

  /// More than anybody includes.
  static let mostIncluded = 256

  private func readPlace(_ folder: String, into found: inout Found) {
    do throws(ConfigurationFileError) {
      let place = try TrustedFolder(folder, privateGroup: privateGroup)
      read(Self.mainName, in: place, into: &found)
      let dropIns = try TrustedFolder("\(folder)/\(Self.dropInName)", privateGroup: privateGroup)
      for name in try dropIns.names() where Self.isDropIn(name) {
        read(name, in: dropIns, into: &found)
      }
    } catch {
      // a folder that does not exist is no mistake
      if error.reason != .unreadable(ENOENT) { found.errors.append(error) }
    }
  }

  private func read(_ name: String, in folder: borrowing TrustedFolder, into found: inout Found) {
    do throws(ConfigurationFileError) {
      add(try folder.text(of: name, path: "\(folder.path)/\(name)"), into: &found)
    } catch {
      let isAbsent = error.reason == .unreadable(ENOENT) && name == Self.mainName
      if !isAbsent { found.errors.append(error) }
    }
  }
}

package enum Account {
  /// The home folder, for when no variable gives it.
  package static var home: String? { entry?.home }

  /// The user's group, if it has the user's name and no other member.
  static var privateGroup: UInt32? {
    guard let entry, let group = getgrgid(entry.group), let members = group.pointee.gr_mem,
      members[0] == nil, String(cString: group.pointee.gr_name) == entry.name
    else { return nil }
    return entry.group
  }

  private static var entry: (name: String, home: String, group: gid_t)? {
    guard let entry = getpwuid(geteuid()) else { return nil }
    return (
      String(cString: entry.pointee.pw_name), String(cString: entry.pointee.pw_dir),
      entry.pointee.pw_gid
    )
  }
}

/// Why a configuration file was not read, and what to do about it.
package struct ConfigurationFileError: Error, Hashable, Sendable, CustomStringConvertible {
  package var path: String
  package var reason: Reason
  package var includer: Place?

  package init(_ path: String, _ reason: Reason) { (self.path, self.reason) = (path, reason) }

  package enum Reason: Hashable, Sendable {
    /// The system refused it with this error number.
    case unreadable(Int32)
    /// The named file, or the only possible one, does not exist.
    case missing
    /// It is a link to a file that does not exist.
    case dangling(target: String)
    /// It belongs to neither the reading user nor root.
    case foreign(owner: UInt32)
    case writable(mode: UInt32)
    /// A folder, a device or the like stands where a file must be.
    case notAFile
    /// It is larger than ``Configuration/largestFile``.
    case tooLarge
    /// Too many files are included, so those that this one includes are not read.
    case includesTooMany
  }

  package var description: String { (includer.map { "\($0): " } ?? "") + message }

  /// The mistake at the place that includes the file; `nil` if none does.
  package var mistake: Mistake? { includer.map { Mistake(message, at: $0) } }

  private var message: String { (includer == nil ? "" : "includes ") + sentence }

  private var sentence: String {
    switch reason {
    case .unreadable(let code): "\(path): \(String(cString: strerror(code)))"
    case .dangling(let target): "\(path): is a link to \(target), which does not exist"
    case .missing where includer != nil: "\(path), which does not exist"
    case .missing:
      "\(path): there is no such file; '\(makingFolder)gliss config example > \(path.quotedForShell)' makes one to"
        + " begin with"
    case .foreign(let owner):
      "\(path): belongs to user \(owner), who could run commands as you: make it yours with"
        + " 'chown', or remove it"
    case .writable(let mode):
      "\(path): others than its owner can write it (mode \(String(mode & 0o7777, radix: 8))), and"
        + " could run commands as you: 'chmod go-w \(path.quotedForShell)' fixes that"
    case .notAFile: "\(path): not a file; name a file"
    case .tooLarge: "\(path): the file is too large to be a configuration"
    case .includesTooMany:
      "\(path): more than \(ConfigurationFiles.mostIncluded) files are included in all; put their rules into"
        + " fewer files"
    }
  }

  private var makingFolder: String {
    let folder = path.folderAndName.folder
    return folder == "." || folder == "/" ? "" : "mkdir -p \(folder.quotedForShell) && "
  }
}

/// A folder that nobody else can change. It is kept open, so that it stays the folder that was
/// checked.
struct TrustedFolder: ~Copyable {
  let path: String
  private let descriptor: Int32
  private let privateGroup: gid_t?
  private let trustsAll: Bool

  /// - Parameters:
  ///   - acceptsSticky: whether others may create files of their own in it.
  ///   - trustsAll: whether anyone may own and write it.
  init(
    _ path: String, privateGroup: gid_t?, acceptsSticky: Bool = false, trustsAll: Bool = false
  ) throws(ConfigurationFileError) {
    self.path = path
    self.privateGroup = privateGroup
    self.trustsAll = trustsAll
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .init(path, .unreadable(errno)) }
    // all members are set, so if this throws, `deinit` closes the descriptor
    try check(descriptor, path, acceptsSticky: acceptsSticky)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The names of its entries, in byte order.
  borrowing func names() throws(ConfigurationFileError) -> [String] {
    // a descriptor with its own read position, closed with the stream
    let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard copy >= 0, let stream = fdopendir(copy) else {
      let code = errno
      if copy >= 0 { close(copy) }
      throw .init(path, .unreadable(code))
    }
    defer { closedir(stream) }
    return Folder.names(in: stream).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The text of a file in it, if nobody else can write the file.
  borrowing func text(
    of name: String, path: String
  ) throws(ConfigurationFileError) -> ConfigurationText {
    // opening a FIFO would otherwise block until it has a writer
    let file = openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else { throw .init(path, Self.whyUnread(path)) }
    defer { close(file) }
    let status = try check(file, path, needsFile: true)
    var link = stat()
    if fstatat(descriptor, name, &link, AT_SYMLINK_NOFOLLOW) != 0
      || link.st_mode & S_IFMT == S_IFLNK
    {
      try checkFolder(of: file, status, path)
    }
    return ConfigurationText(name: path, bytes: try Self.bytes(of: file, status.st_size, path))
  }

  private static func bytes(
    of file: Int32, _ size: off_t, _ path: String
  ) throws(ConfigurationFileError) -> [UInt8] {
    do throws(SystemError) {
      return try FileBytes.read(file, of: path, size: size, limit: Configuration.largestFile)
    } catch {
      throw .init(path, error.code == EFBIG ? .tooLarge : .unreadable(error.code))
    }
  }

  private static func whyUnread(_ path: String) -> ConfigurationFileError.Reason {
    let code = errno
    guard code == ENOENT, let target = Folder.target(of: path) else { return .unreadable(code) }
    return .dangling(target: target)
  }

  // MARK: Trust

  /// Checks what is open, so that it cannot be replaced between check and use.
  @discardableResult private borrowing func check(
    _ descriptor: Int32, _ path: String, acceptsSticky: Bool = false, needsFile: Bool = false
  ) throws(ConfigurationFileError) -> stat {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .init(path, .unreadable(errno)) }
    guard !needsFile || status.st_mode & S_IFMT == S_IFREG else { throw .init(path, .notAFile) }
    if trustsAll { return status }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      throw .init(path, .foreign(owner: status.st_uid))
    }
    let others = status.st_gid == privateGroup ? S_IWOTH : S_IWGRP | S_IWOTH
    let isSticky = acceptsSticky && status.st_mode & S_ISVTX != 0
    guard status.st_mode & others == 0 || isSticky else {
      throw .init(path, .writable(mode: status.st_mode))
    }
    return status
  }

  /// Checks the folder that a link led to. If others can write it, they could replace the file.
  private borrowing func checkFolder(
    of file: Int32, _ status: stat, _ path: String
  ) throws(ConfigurationFileError) {
    guard let target = Folder.target(of: "/proc/self/fd/\(file)") else {
      throw .init(path, .unreadable(errno))
    }
    let (folderPath, name) = target.folderAndName
    let folder = try TrustedFolder(
      folderPath, privateGroup: privateGroup, acceptsSticky: true, trustsAll: trustsAll)
    var there = stat()
    guard fstatat(folder.descriptor, name, &there, 0) == 0, there.st_ino == status.st_ino,
      there.st_dev == status.st_dev
    else { throw .init(path, .unreadable(ESTALE)) }
  }
}
