import Glibc
import Gliss

/// Says what the command is waiting for if the reply is slow: a password prompt may be open
/// elsewhere.
enum Reminder {
  /// Delay before the message, in µs. The broker's own replies take only a few milliseconds.
  private static let delay: suseconds_t = 700_000

  /// Calls `body`, which waits for the broker.
  static func around<Result, Failure>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    signal(SIGALRM, remind)
    Interruption.unblock([SIGALRM])
    ring(in: delay)
    defer { ring(in: 0) }
    return try body()
  }

  private static func ring(in microseconds: suseconds_t) {
    var timer = itimerval()
    timer.it_value.tv_usec = microseconds
    setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &timer, nil)
  }

  /// Only async-signal-safe calls are allowed here.
  private static let remind: @convention(c) (Int32) -> Void = { _ in
    let code = errno
    defer { errno = code }
    let text: StaticString =
      "gliss: waiting for an administrator to agree; Ctrl-C withdraws the question\n"
    _ = write(STDERR_FILENO, text.utf8Start, text.utf8CodeUnitCount)
  }
}
