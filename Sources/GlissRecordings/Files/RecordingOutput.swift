import Glibc

/// An output file, closed with its last reference. Only its owner may read it, as it shows what the
/// user did.
final class RecordingOutput {
  private let descriptor: Int32
  /// Whether it is a regular file that keeps what is written, unlike a pipe or a device.
  let isRegular: Bool
  private var length: off_t = 0

  /// Opens a new file, or truncates an existing one.
  convenience init(path: String) throws(RecordingError) {
    try self.init(path, O_CREAT | O_TRUNC)
  }

  private init(_ path: String, _ flags: Int32) throws(RecordingError) {
    descriptor = open(path, flags | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor < 0 { throw RecordingInput.systemError("it cannot be written") }
    var status = stat()
    isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Opens a file that does not exist yet, or something that is not a regular file.
  ///
  /// - Parameter replacing: truncate an existing file instead of throwing.
  static func create(_ path: String, replacing: Bool) throws(RecordingError) -> RecordingOutput {
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try RecordingOutput(path, 0) }
    if isThere, !replacing {
      throw RecordingError("it is there already", advice: "give another name")
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
