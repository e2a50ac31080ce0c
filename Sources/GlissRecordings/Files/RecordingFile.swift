import Glibc

/// The bytes of a recording: a file, standard input, or memory.
final class RecordingInput {
  /// How many bytes to request at a time.
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

  /// Copies what was read from a pipe, and the rest of the pipe, to a temporary file without a
  /// name.
  func spooled(after prefix: [UInt8]) throws(RecordingError) -> RecordingInput {
    // Not /tmp, which is often in memory.
    let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/var/tmp"
    var template = Array("\(folder)/gliss-XXXXXX".utf8CString)
    let copy = mkstemp(&template)
    guard copy >= 0 else { throw Self.systemError("no temporary file can be made in \(folder)") }
    unlink(template)
    _ = fcntl(copy, F_SETFD, FD_CLOEXEC)
    do {
      try Self.write(prefix.span, to: copy)
      var buffer = [UInt8](repeating: 0, count: Self.chunk)
      while case let count = try read(into: &buffer, at: 0), count > 0 {
        try Self.write(buffer.span.extracting(0..<count), to: copy)
      }
    } catch {
      close(copy)
      throw error
    }
    lseek(copy, 0, SEEK_SET)
    return RecordingInput(descriptor: copy, ownsDescriptor: true)
  }

  /// Writes all of `bytes`.
  static func write(_ bytes: Span<UInt8>, to descriptor: Int32) throws(RecordingError) {
    let isWritten = bytes.withUnsafeBytes { bytes in
      var start = 0
      while start < bytes.count {
        let count = Glibc.write(
          descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        if count < 0 && errno != EINTR { return false }
        start += max(0, count)
      }
      return true
    }
    if !isWritten { throw systemError("it cannot be written") }
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
    if isThere, !replacing {
      throw exists
    }
    return try RecordingOutput(path, isThere ? O_TRUNC : O_CREAT | O_EXCL)
  }

  /// Writes all of `bytes`. If a regular file cannot take all of them, it gets none.
  func write(_ bytes: Span<UInt8>) throws(RecordingError) {
    do {
      try RecordingInput.write(bytes, to: descriptor)
      length += off_t(bytes.count)
    } catch {
      if isRegular {
        ftruncate(descriptor, length)
        lseek(descriptor, length, SEEK_SET)
      }
      throw error
    }
  }

  /// Flushes the written bytes to the disk.
  func synchronize() throws(RecordingError) {
    if fsync(descriptor) != 0 { throw RecordingInput.systemError("it cannot be written") }
  }
}
