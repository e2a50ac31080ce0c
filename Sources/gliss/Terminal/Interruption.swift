import ArgumentParser
import Glibc
import Gliss
import Synchronization

/// Handles Ctrl-C and other signals that end the process.
///
/// The handler ends the process itself: at once, or after the current line if one is being written.
/// So a reader never gets half a line, and neither sleeps nor terminal reads need to check for
/// signals. A second Ctrl-C does not wait for the line, because the line's reader may be stuck.
///
/// A command that must finish its work lets the first signal stop its loop instead
/// (``redirect(to:)``). Then only a second signal ends the process. That is why these signals are not
/// read as ``SignalQueue`` reads them: a process that is stuck reads nothing.
enum Interruption {
  private static let idle = 0
  private static let writing = 1

  /// `idle`, `writing`, or ``writing`` plus the number of the signal that waits for the end of the
  /// line.
  private static let state = Atomic<Int>(idle)
  /// What to restore on the terminal before exit: 1 the cursor, 2 the progress line, 4 the echo.
  private static let toRestore = Atomic<Int>(0)
  nonisolated(unsafe) private static var loop: InputLoop.Handle?
  private static let hasLoop = Atomic<Bool>(false)
  /// The signal that asked the process to end; 0 if none has.
  private static let ending = Atomic<Int32>(0)
  /// Terminal changes not handled yet: 1 its size, 2 its whole contents.
  private static let changes = Atomic<Int>(0)
  private static let watchesTerminal = Atomic<Bool>(false)
  /// Whether Ctrl-Z has stopped the process or is about to.
  private static let isStopping = Atomic<Bool>(false)
  /// When `ending` was set, in µs; 0 if it was not.
  private static let endingTime = Atomic<Int64>(0)

  /// timeout(1) and a hang-up of the terminal each send their signal twice. A second signal within
  /// this time, in µs, counts as the same one. Nobody presses Ctrl-C twice that fast.
  private static let repetition: Int64 = 100_000

  /// Catches the signals that end the process, and turns writing to a closed pipe, or beyond the
  /// limit of a file's size, into an error of write(2).
  static func prepare() {
    // Initialize all of these before a handler can read them.
    state.store(idle, ordering: .sequentiallyConsistent)
    toRestore.store(0, ordering: .sequentiallyConsistent)
    loop = nil
    hasLoop.store(false, ordering: .sequentiallyConsistent)
    ending.store(0, ordering: .sequentiallyConsistent)
    endingTime.store(0, ordering: .sequentiallyConsistent)
    changes.store(0, ordering: .sequentiallyConsistent)
    isStopping.store(false, ordering: .sequentiallyConsistent)
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    for number in [SIGINT, SIGTERM, SIGHUP] { handle(number, caught) }
    // They end the process at once, as by default. Swift's runtime catches SIGQUIT on a terminal
    // and treats Ctrl-\ as a crash.
    for number in [SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU] { handle(number, caughtAbruptly) }
  }

  /// nohup and plain shells' background jobs start with signals ignored: these stay ignored.
  private static func handle(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    if !SignalQueue.isIgnored(number) { signal(number, handler) }
    SignalQueue.unblock(number)
  }

  /// Runs `body`, which writes a line. A signal that arrives meanwhile takes effect after it.
  static func holding<Result>(_ body: () -> Result) -> Result {
    state.store(writing, ordering: .sequentiallyConsistent)
    let result = body()
    let (exchanged, found) = state.compareExchange(
      expected: writing, desired: idle, ordering: .sequentiallyConsistent)
    // `idle` if another thread has written meanwhile
    if !exchanged, found > writing {
      let number = Int32(truncatingIfNeeded: found - writing)
      if number != SIGTSTP { leave(signal: number) }
      state.store(idle, ordering: .sequentiallyConsistent)
      stop()
    }
    return result
  }

  static func markCursorHidden(_ isHidden: Bool) { mark(1, isHidden) }
  static func markProgressShown(_ isShown: Bool) { mark(2, isShown) }

  static var isProgressShown: Bool { toRestore.load(ordering: .sequentiallyConsistent) & 2 != 0 }

  /// Stops the terminal from echoing typed text, until ``showTyping()``, exit or Ctrl-Z.
  static func hideTyping() {
    guard isInForeground, tcgetattr(STDIN_FILENO, echoing) == 0 else { return }
    mark(4, true)
    quieten()
  }

  static func showTyping() {
    guard toRestore.load(ordering: .sequentiallyConsistent) & 4 != 0 else { return }
    echo()
    mark(4, false)
  }

  // Written before the mark is set, and only read while it is. Allocated, because Swift 6.3
  // reserves only 57 of the 60 bytes for a static variable of this type.
  nonisolated(unsafe) private static let echoing = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)

  private static func quieten() {
    var quiet = echoing.pointee
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &quiet)
  }

  /// Turns echo on again. Text typed meanwhile is discarded, because it was not meant for the
  /// shell.
  private static func echo() {
    // a background process may not do this and would be stopped
    if isInForeground { tcsetattr(STDIN_FILENO, TCSAFLUSH, echoing) }
  }

  private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  private static func mark(_ bit: Int, _ isSet: Bool) {
    if isSet {
      watchTerminal()
      toRestore.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    } else {
      toRestore.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
    }
  }

  // MARK: Stopping a loop

  /// From now on the first signal stops `loop` instead of the process, and a change of the terminal
  /// wakes it: see ``takeChange()``.
  static func redirect(to loop: InputLoop) {
    self.loop = loop.handle
    hasLoop.store(true, ordering: .sequentiallyConsistent)
    watchTerminal()
  }

  /// The exit status of a command that runs until a signal stops its loop. Ctrl-C is the normal way
  /// to end it.
  static var status: ExitCode {
    switch ending.load(ordering: .sequentiallyConsistent) {
    case 0, SIGINT: .success
    case let number: ExitCode(128 &+ number)
    }
  }

  // MARK: The terminal

  /// `nil` if the terminal has not changed since the last call; otherwise whether the process was
  /// stopped and continued, so that others may have written. A change interrupts sleeps.
  static func takeChange() -> Bool? {
    let taken = changes.exchange(0, ordering: .sequentiallyConsistent)
    return taken == 0 ? nil : taken > 1
  }

  /// From now on the terminal is restored on every exit and before Ctrl-Z stops the process, and
  /// its changes are recorded.
  private static func watchTerminal() {
    if watchesTerminal.exchange(true, ordering: .sequentiallyConsistent) { return }
    atexit { Interruption.restoreTerminal() }
    signal(SIGWINCH, changed)
    SignalQueue.unblock(SIGWINCH)
    if SignalQueue.isIgnored(SIGTSTP) { return }
    handle(SIGTSTP, caughtStop)
    signal(SIGCONT, changed)
    SignalQueue.unblock(SIGCONT)
  }

  // MARK: The handlers: async-signal-safe calls only

  private static let caught: @convention(c) (Int32) -> Void = { number in
    let code = errno
    defer { errno = code }
    if hasLoop.load(ordering: .sequentiallyConsistent) {
      stopLoop(number)
    } else {
      let (exchanged, _) = state.compareExchange(
        expected: writing, desired: writing + Int(number), ordering: .sequentiallyConsistent)
      if !exchanged { leave(signal: number) }
    }
  }

  private static func stopLoop(_ number: Int32) {
    let now = InputLoop.now.microseconds
    // store the time first, because another signal may arrive before the next line
    let (isFirst, first) = endingTime.compareExchange(
      expected: 0, desired: now, ordering: .sequentiallyConsistent)
    if isFirst {
      ending.store(number, ordering: .sequentiallyConsistent)
      loop?.stop()
    } else if now - first > repetition {
      leave(signal: number)
    }
  }

  private static let changed: @convention(c) (Int32) -> Void = { number in
    let code = errno
    defer { errno = code }
    let marks = toRestore.load(ordering: .sequentiallyConsistent)
    if number == SIGCONT, marks & 4 != 0, isInForeground { quieten() }
    if number == SIGCONT { isStopping.store(false, ordering: .sequentiallyConsistent) }
    note(changeBy: number)
  }

  private static func note(changeBy number: Int32) {
    // a sender that ends the process may send SIGCONT too
    guard ending.load(ordering: .sequentiallyConsistent) == 0 else { return }
    changes.bitwiseOr(number == SIGWINCH ? 1 : 2, ordering: .sequentiallyConsistent)
    if hasLoop.load(ordering: .sequentiallyConsistent) { loop?.wake() }
  }

  private static let caughtStop: @convention(c) (Int32) -> Void = { number in
    let code = errno
    defer { errno = code }
    // finish the current line first; a second Ctrl-Z does not wait for it
    let (exchanged, _) = state.compareExchange(
      expected: writing, desired: writing + Int(number), ordering: .sequentiallyConsistent)
    if exchanged { return }
    // clear the waiting stop, so that the end of the line does not stop the process again
    _ = state.compareExchange(
      expected: writing + Int(number), desired: writing, ordering: .sequentiallyConsistent)
    stop()
  }

  private static func stop() {
    restoreTerminal()
    isStopping.store(true, ordering: .sequentiallyConsistent)
    signal(SIGTSTP, SIG_DFL)
    SignalQueue.unblock(SIGTSTP)
    raise(SIGTSTP)
    signal(SIGTSTP, caughtStop)
    // in an orphaned process group the kernel does not stop the process, and no SIGCONT follows
    if isStopping.exchange(false, ordering: .sequentiallyConsistent) { note(changeBy: SIGCONT) }
  }

  private static func restoreTerminal() {
    let marks = toRestore.load(ordering: .sequentiallyConsistent)
    if marks & 4 != 0 { echo() }
    if marks & 2 != 0 { write("\r\u{1b}[K", to: STDERR_FILENO) }
    if marks & 1 != 0 { write("\u{1b}[?25h\u{1b}[0m\n", to: STDOUT_FILENO) }
  }

  /// Ends the process as the uncaught signal would, including a core dump if enabled.
  private static let caughtAbruptly: @convention(c) (Int32) -> Void = { number in
    restoreTerminal()
    signal(number, SIG_DFL)
    SignalQueue.unblock(number)
    raise(number)
  }

  private static func leave(signal number: Int32) -> Never {
    restoreTerminal()
    _exit(128 &+ number)
  }

  private static func write(_ text: StaticString, to descriptor: Int32) {
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}
