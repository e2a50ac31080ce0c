import Glibc
package import GlissEvents

/// The bytes of a recording: a file, standard input, or memory.
final class RecordingInput {
  static let chunk = 256 << 10

  private let descriptor: Int32
  private let ownsDescriptor: Bool
  private let memory: [UInt8]
  /// Where the recording begins in the file; earlier bytes may have been read already.
  private let origin: Int64
  /// Size in bytes, from the beginning of the recording; `nil` for a pipe.
  let size: Int64?

  /// Whether any part can be read again.
  var canSeek: Bool { size != nil }

  init(bytes: [UInt8]) {
    descriptor = -1
    ownsDescriptor = false
    memory = bytes
    origin = 0
    size = Int64(bytes.count)
  }

  private init(descriptor: Int32, ownsDescriptor: Bool) {
    self.descriptor = descriptor
    self.ownsDescriptor = ownsDescriptor
    memory = []
    var status = stat()
    let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    let place = isFile ? Int64(lseek(descriptor, 0, SEEK_CUR)) : 0
    origin = max(0, place)
    size = isFile ? max(0, Int64(status.st_size) - origin) : nil
  }

  deinit { if ownsDescriptor { close(descriptor) } }

  static func open(_ path: String) throws(RecordingError) -> RecordingInput {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw RecordingError(String(cString: strerror(errno))) }
    return RecordingInput(descriptor: descriptor, ownsDescriptor: true)
  }

  /// Standard input, from its current position.
  static var standardInput: RecordingInput {
    RecordingInput(descriptor: STDIN_FILENO, ownsDescriptor: false)
  }

  /// Reads what is available, up to the buffer's size; returns 0 at the end. A pipe ignores
  /// `offset` and reads on.
  func read(into buffer: inout [UInt8], at offset: Int64) throws(RecordingError) -> Int {
    if descriptor < 0 { return copy(into: &buffer, from: offset) }
    while true {
      let count = buffer.withUnsafeMutableBytes { bytes in
        canSeek
          ? pread(descriptor, bytes.baseAddress, bytes.count, off_t(origin &+ offset))
          : Glibc.read(descriptor, bytes.baseAddress, bytes.count)
      }
      if count >= 0 { return count }
      if errno != EINTR { throw Self.systemError("it cannot be read") }
    }
  }

  private func copy(into buffer: inout [UInt8], from offset: Int64) -> Int {
    let start = min(Int(clamping: offset), memory.count)
    let count = min(buffer.count, memory.count - start)
    buffer.replaceSubrange(0..<count, with: memory[start..<(start + count)])
    return count
  }

  /// A pipe in memory: what was read from it, and its rest.
  func kept(after prefix: [UInt8]) throws(RecordingError) -> RecordingInput {
    var bytes = prefix
    var buffer = [UInt8](repeating: 0, count: Self.chunk)
    while case let count = try read(into: &buffer, at: 0), count > 0 { bytes += buffer[..<count] }
    return RecordingInput(bytes: bytes)
  }

  /// The names of the files in a folder, in order; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }

  static func systemError(_ what: String) -> RecordingError {
    RecordingError("\(what): \(String(cString: strerror(errno)))")
  }
}

/// An output file, closed with its last reference. Only its owner may read it, because it shows
/// what the user did.
final class RecordingOutput {
  private let descriptor: Int32
  /// Whether it is a regular file that keeps what is written, unlike a pipe or a device.
  let isRegular: Bool
  private var length: off_t = 0

  private init(_ path: String, _ flags: Int32) throws(RecordingError) {
    descriptor = open(path, flags | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw RecordingInput.systemError("it cannot be written") }
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  static let exists = RecordingError("the file exists", advice: "give another name")

  /// Opens a file that does not exist yet, or something that is not a regular file.
  ///
  /// - Parameter replacing: truncate an existing file instead of throwing.
  static func create(_ path: String, replacing: Bool) throws(RecordingError) -> RecordingOutput {
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try RecordingOutput(path, 0) }
    if isThere, !replacing { throw exists }
    if !isThere { return try RecordingOutput(path, O_CREAT | O_EXCL) }
    let output = try RecordingOutput(path, 0)
    guard fchmod(output.descriptor, 0o600) == 0, ftruncate(output.descriptor, 0) == 0 else {
      var error = RecordingInput.systemError("it cannot be replaced")
      error.advice = "remove it first, or give another name"
      throw error
    }
    return output
  }

  /// Writes all of `bytes`. If a regular file cannot take all of them, it gets none.
  func write(_ bytes: Span<UInt8>) throws(RecordingError) {
    var start = 0
    while start < bytes.count {
      let rest = bytes.extracting(start..<bytes.count)
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno != EINTR {
        let error = RecordingInput.systemError("it cannot be written")
        if isRegular {
          ftruncate(descriptor, length)
          lseek(descriptor, length, SEEK_SET)
        }
        throw error
      }
      start += max(0, count)
    }
    length += off_t(bytes.count)
  }

  func synchronize() throws(RecordingError) {
    if fsync(descriptor) != 0 { throw RecordingInput.systemError("it cannot be written") }
  }
}

/// Writes a recording of one or more devices to a file while it is being made.
///
/// A recording holds one device's events after another's. So the first device's events go to the
/// file itself, and the others' to `FILE.2.part`, `FILE.3.part` and so on, until ``finish()`` joins
/// them. Each file is a valid recording at any moment, however the program ends.
package final class RecordingFiles {
  /// The path of the first device's file and of the final recording.
  package let path: String
  private let replaces: Bool
  private var writers: [RecordingWriter] = []

  /// - Parameters:
  ///   - path: a file that does not exist yet; for one device it may also be something that is not
  ///     a regular file.
  ///   - replacing: existing files may be overwritten.
  /// - Throws: if a file exists already or cannot be written.
  package init(path: String, replacing: Bool = false, devices: [RecordedDevice])
    throws(RecordingError)
  {
    var status = stat()
    let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
    if devices.count > 1, isOther {
      throw RecordingError("several devices can only be recorded to a file")
    }
    // A symbolic link keeps pointing to its target.
    self.path = isOther ? path : Self.resolved(path)
    replaces = replacing
    let outputs = try Self.open(devices.count, at: self.path, replacing)
    for (output, device) in zip(outputs, devices) {
      var writer = RecordingWriter { bytes throws(RecordingError) in try output.write(bytes.span) }
      try writer.add(device)
      writers.append(writer)
    }
  }

  /// Opens the file at `path` last, so that it stays as it is if a part cannot be written.
  private static func open(_ count: Int, at path: String, _ replacing: Bool) throws(RecordingError)
    -> [RecordingOutput]
  {
    var parts: [RecordingOutput] = []
    do throws(RecordingError) {
      for number in 1..<max(1, count) {
        let part = part(number, of: path)
        do {
          parts.append(try RecordingOutput.create(part, replacing: replacing))
        } catch {
          throw error.named(part)
        }
      }
      let whole = Self.whole(of: path)
      if count > 1, !replacing, access(whole, F_OK) == 0 {
        throw RecordingOutput.exists.named(whole)
      }
      return [try RecordingOutput.create(path, replacing: replacing)] + parts
    } catch {
      for made in parts.indices { unlink(part(made + 1, of: path)) }
      throw error
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func part(_ index: Int, of path: String) -> String {
    index == 0 ? path : "\(path).\(index + 1).part"
  }

  /// Where the parts are joined.
  private static func whole(of path: String) -> String { "\(path).whole.part" }

  /// Writes an event of the device with this index in the initial list.
  package func write(_ event: EvdevEvent, of device: Int) throws(RecordingError) {
    try writers[device].write(event)
  }

  /// Writes what is left, and joins the files of several devices.
  package func finish() throws(RecordingError) {
    for index in writers.indices { try writers[index].finish() }
    guard writers.count > 1 else { return }
    do {
      try join()
    } catch {
      throw RecordingError(
        "its parts could not be joined: \(error.problem)",
        advice: "\(path) and \(path).*.part are whole recordings of one device each")
    }
  }

  private func join() throws(RecordingError) {
    let whole = Self.whole(of: path)
    let output = try RecordingOutput.create(whole, replacing: replaces)
    do throws(RecordingError) {
      try output.write(RecordingWriter.head(deviceCount: writers.count).bytes.span)
      // Each file begins as a recording of one device.
      let head = RecordingWriter.head(deviceCount: 1).bytes.count
      for index in writers.indices {
        try Self.copy(Self.part(index, of: path), from: head, to: output)
      }
      try output.synchronize()
      guard rename(whole, path) == 0 else {
        throw RecordingInput.systemError("it cannot be renamed")
      }
    } catch {
      unlink(whole)
      throw error
    }
    for index in 1..<writers.count { unlink(Self.part(index, of: path)) }
  }

  private static func copy(_ path: String, from start: Int, to output: RecordingOutput)
    throws(RecordingError)
  {
    let input = try RecordingInput.open(path)
    var buffer = [UInt8](repeating: 0, count: RecordingInput.chunk)
    var offset = Int64(start)
    while case let count = try input.read(into: &buffer, at: offset), count > 0 {
      try output.write(buffer.span.extracting(0..<count))
      offset += Int64(count)
    }
  }
}
