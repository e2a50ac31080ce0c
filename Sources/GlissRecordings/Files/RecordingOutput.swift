import Glibc

/// A file that is written, closed with its last reference. Only its owner may read it: it holds what somebody did.
final class RecordingOutput {
  private let descriptor: Int32
  /// It keeps what is written, unlike a pipe or a device.
  let isRegular: Bool
  private var length: off_t = 0

  /// Opens a new file, or makes an old one empty.
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

  /// Opens a file that is not there yet, or something that keeps nothing and can only be written to.
  ///
  /// - Parameter replacing: a file that is there is made empty.
  static func create(_ path: String, replacing: Bool) throws(RecordingError) -> RecordingOutput {
    var status = stat()
    let isThere = stat(path, &status) == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG { return try RecordingOutput(path, 0) }
    if isThere, !replacing {
      throw RecordingError("it is there already", advice: "give another name")
    }
    return try RecordingOutput(path, isThere ? O_TRUNC : O_CREAT | O_EXCL)
  }

  /// Writes all of `bytes`, or none of them to a file that is full.
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

  /// Has the system put on the disk what was written.
  func synchronize() throws(RecordingError) {
    if fsync(descriptor) != 0 { throw RecordingInput.systemError("it cannot be written") }
  }
}
