import Glibc
import Synchronization

/// Ctrl-C, and what else ends the process from outside.
///
/// The handler ends the process itself, at once where no line is being written and after the line where
/// one is. So a reader never gets half a line, and neither a sleep nor a read of a terminal has to notice.
/// A second Ctrl-C does not wait for the line: whoever reads it may be stuck.
enum Interruption {
  private static let idle = 0
  private static let writing = 1

  /// `idle`, `writing`, or the number of the signal (plus ``writing``) that waits for the line's end.
  private static let state = Atomic<Int>(idle)
  /// Whether the terminal must be put right before leaving: 1 the cursor, 2 the line of progress.
  private static let untidy = Atomic<Int>(0)

  /// A closed pipe becomes an error of write(2) instead of a signal; signals that end us are caught.
  static func prepare() {
    // Both cells exist before a handler can ask for them.
    state.store(idle, ordering: .sequentiallyConsistent)
    untidy.store(0, ordering: .sequentiallyConsistent)
    signal(SIGPIPE, SIG_IGN)
    // whoever starts us from a thread that blocks signals hands that down: it is not meant for us
    var ours = sigset_t()
    sigemptyset(&ours)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      // nohup and background jobs of plain shells ask for signals to be ignored: keep it so
      var before = sigaction()
      sigaction(number, nil, &before)
      if before.__sigaction_handler.sa_handler == nil { signal(number, caught) }
      sigaddset(&ours, number)
    }
    sigprocmask(SIG_UNBLOCK, &ours, nil)
  }

  /// Calls `body`, which writes a line, and lets a signal that came meanwhile take effect after it.
  static func holding<Result>(_ body: () -> Result) -> Result {
    state.store(writing, ordering: .sequentiallyConsistent)
    let result = body()
    let (exchanged, found) = state.compareExchange(
      expected: writing, desired: idle, ordering: .sequentiallyConsistent)
    if !exchanged { leave(signal: Int32(truncatingIfNeeded: found - writing)) }
    return result
  }

  static func markCursorHidden(_ isHidden: Bool) { mark(1, isHidden) }
  static func markProgressShown(_ isShown: Bool) { mark(2, isShown) }

  private static func mark(_ bit: Int, _ isSet: Bool) {
    if isSet {
      untidy.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    } else {
      untidy.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
    }
  }

  private static let caught: @convention(c) (Int32) -> Void = { number in
    let (exchanged, _) = state.compareExchange(
      expected: writing, desired: writing + Int(number), ordering: .sequentiallyConsistent)
    if !exchanged { leave(signal: number) }
  }

  /// Only calls that are allowed in a signal handler.
  private static func leave(signal number: Int32) -> Never {
    let marks = untidy.load(ordering: .sequentiallyConsistent)
    if marks & 2 != 0 { tell(STDERR_FILENO, "\r\u{1b}[K") }
    if marks & 1 != 0 { tell(STDOUT_FILENO, "\u{1b}[?25h\u{1b}[0m\n") }
    _exit(128 &+ number)
  }

  private static func tell(_ descriptor: Int32, _ text: StaticString) {
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}
