import ArgumentParser
import Glibc
import Gliss
import Synchronization

/// A destination for the bytes of events.
protocol ByteOutput {
  func write(_ bytes: [UInt8])

  /// Whether the reader has stalled and bytes are waiting.
  var isBehind: Bool { get }
}

extension ByteOutput {
  /// Writes text for people, in characters that can be shown to them.
  func write(text: String) { write(Array(Charset.current.text(text).utf8)) }

  func write(line text: String) { write(text: text.hasSuffix("\n") ? text : text + "\n") }
}

/// All output of the process, except live events (``LiveOutput``).
///
/// Each call is one write(2) if the kernel accepts it whole, so that a reader of a pipe gets each
/// line at once. A write error ends the process: silently if the reader has gone, otherwise with a
/// message and status 1.
struct Output: ByteOutput {
  let descriptor: Int32

  /// Always false, because a call returns when everything is written.
  var isBehind: Bool { false }

  static let standard = Output(descriptor: STDOUT_FILENO)
  static let diagnostics = Output(descriptor: STDERR_FILENO)

  func write(_ text: TextBuffer) { write(text.bytes) }

  func write(_ bytes: [UInt8]) {
    if bytes.isEmpty { return }
    let failure = Interruption.holding { Self.deliver(bytes, to: descriptor) }
    if failure != 0 { end(failure) }
  }

  /// Returns 0 or the `errno` of the failed write.
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
          // somebody else has made the terminal or pipe non-blocking
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
    // standard error is lost with the terminal that hung up
    if descriptor == STDERR_FILENO { exit(max(ExitStatus.failed, Interruption.toldStatus ?? 0)) }
    if failure == EPIPE { exit(Diagnostics.worstStatus) }
    Self.reportFailure(failure)
    exit(ExitStatus.failed)
  }

  static func reportFailure(_ failure: Int32) {
    Diagnostics.say("cannot write the output: \(String(cString: strerror(failure)))")
  }
}

/// Prints errors on standard error, one per line.
enum Diagnostics {
  private static let worst = Atomic<Int32>(ExitStatus.done)

  /// The exit status according to the errors so far.
  static var worstStatus: Int32 { worst.load(ordering: .relaxed) }

  static func say(_ message: String) {
    Progress.clear()
    Output.diagnostics.write(line: "gliss: \(message)")
  }

  /// Reports bad input that ends the command. The caller throws the result.
  static func refusal(_ message: String) -> ExitCode {
    say(message.printable)
    return ExitCode(ExitStatus.badInput)
  }

  /// Reports bad input and remembers it for the exit status. The next file is still processed.
  static func badInput(_ message: String) {
    worst.store(ExitStatus.badInput, ordering: .relaxed)
    say(message)
  }
}

/// The standard descriptors, which a process should be started with.
enum Descriptors {
  /// Opens those that are closed. Otherwise a file opened later would get the number, and messages
  /// meant for the terminal would be written into it.
  ///
  /// Standard input is opened for writing and output for reading, so that using them still fails
  /// and is reported.
  static func open() {
    let ways = [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_WRONLY)]
    for (descriptor, way) in ways
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // open(2) uses the lowest free number, which is this one
      _ = Glibc.open("/dev/null", way)
    }
  }
}
