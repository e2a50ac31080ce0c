import Glibc
import Gliss

/// Where the bytes of events go.
protocol ByteOutput {
  func write(_ bytes: [UInt8])

  /// Whoever reads it has stalled, and bytes wait to be read.
  var isBehind: Bool { get }
}

extension ByteOutput {
  /// What people read, in the characters that they can be shown.
  func write(text: String) { write(Array(Charset.current.text(text).utf8)) }

  func write(line text: String) { write(text: text.hasSuffix("\n") ? text : text + "\n") }
}

/// The one way bytes leave the process, but for those of live events (``LiveOutput``).
///
/// Each call is one write(2) where the kernel takes it whole, so that a reader of a pipe sees every line
/// at once. What cannot be written ends the process: quietly where the reader has gone, with a message
/// and status 1 for anything else.
struct Output: ByteOutput {
  let descriptor: Int32

  /// A call returns when all is written.
  var isBehind: Bool { false }

  static let standard = Output(descriptor: STDOUT_FILENO)
  static let diagnostics = Output(descriptor: STDERR_FILENO)

  func write(_ text: TextBuffer) { write(text.bytes) }

  func write(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    let failure = Interruption.holding { Self.deliver(bytes, to: descriptor) }
    if failure != 0 { end(failure) }
  }

  /// 0, or the `errno` that stopped it.
  private static func deliver(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { (all: UnsafeRawBufferPointer) -> Int32 in
      var rest = all[...]
      while !rest.isEmpty {
        let written = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if written > 0 {
          rest = rest.dropFirst(written)
        } else if written == 0 {
          return EIO
        } else if errno == EAGAIN {
          // a terminal or pipe that somebody else set to non-blocking
          var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          _ = poll(&waiting, 1, -1)
        } else if errno != EINTR {
          return errno
        }
      }
      return 0
    }
  }

  private func end(_ failure: Int32) -> Never {
    // with the terminal that hung up, standard error went too
    if descriptor == STDERR_FILENO { exit(max(ExitStatus.failed, Interruption.toldStatus ?? 0)) }
    if failure == EPIPE { exit(Diagnostics.worstStatus) }
    Self.reportFailure(failure)
    exit(ExitStatus.failed)
  }

  static func reportFailure(_ failure: Int32) {
    Diagnostics.say("cannot write the output: \(String(cString: strerror(failure)))")
  }
}
