import Glibc
import Gliss
import Synchronization

/// Ctrl-C, and what else ends the process from outside.
///
/// The handler ends the process itself, at once where no line is being written and after the line where
/// one is. So a reader never gets half a line, and neither a sleep nor a read of a terminal has to notice.
/// A second Ctrl-C does not wait for the line: whoever reads it may be stuck.
///
/// A command that has something to bring to its end asks to be told instead (``tell()``). Then only a second signal
/// ends the process.
enum Interruption {
  private static let idle = 0
  private static let writing = 1

  /// `idle`, `writing`, or the number of the signal (plus ``writing``) that waits for the line's end.
  private static let state = Atomic<Int>(idle)
  /// Whether the terminal must be put right before leaving: 1 the cursor, 2 the line of progress, 4 the echo.
  private static let untidy = Atomic<Int>(0)
  /// Where signals are told; -1 where they end the process.
  private static let teller = Atomic<Int32>(-1)
  /// The signal that asked for the end; 0 where none has.
  private static let ending = Atomic<Int32>(0)
  /// Changes of the terminal that were not looked at yet: 1 its size, 2 all that is on it.
  private static let changes = Atomic<Int>(0)
  private static let mindsTerminal = Atomic<Bool>(false)
  /// Ctrl-Z has stopped the process, or is about to.
  private static let isStopping = Atomic<Bool>(false)
  /// When it came, in µs; 0 where none has.
  private static let endingTime = Atomic<Int64>(0)

  /// timeout(1) sends its signal twice, and so does a terminal that hangs up: what follows this soon, in µs, is the
  /// same one. Nobody presses Ctrl-C twice in that time.
  private static let repetition: Int64 = 100_000

  /// A closed pipe becomes an error of write(2) instead of a signal; signals that end us are caught.
  static func prepare() {
    // All cells exist before a handler can ask for them.
    state.store(idle, ordering: .sequentiallyConsistent)
    untidy.store(0, ordering: .sequentiallyConsistent)
    teller.store(-1, ordering: .sequentiallyConsistent)
    ending.store(0, ordering: .sequentiallyConsistent)
    endingTime.store(0, ordering: .sequentiallyConsistent)
    changes.store(0, ordering: .sequentiallyConsistent)
    isStopping.store(false, ordering: .sequentiallyConsistent)
    signal(SIGPIPE, SIG_IGN)
    let ours = [SIGINT, SIGTERM, SIGHUP]
    for number in ours {
      // nohup and background jobs of plain shells ask for signals to be ignored: keep it so
      var before = sigaction()
      sigaction(number, nil, &before)
      if before.__sigaction_handler.sa_handler == nil { signal(number, caught) }
    }
    // Swift's runtime catches SIGQUIT on a terminal: to it, Ctrl-\ is a crash
    for number in abrupt where !isIgnored(number) { signal(number, caughtAbruptly) }
    unblock(ours + abrupt)
  }

  /// Signals that end the process at once, as they do where nobody catches them.
  private static let abrupt = [SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ]

  private static func isIgnored(_ number: Int32) -> Bool {
    var before = sigaction()
    sigaction(number, nil, &before)
    return unsafeBitCast(before.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  /// Whoever starts us from a thread that blocks signals hands that down: it is not meant for us.
  static func unblock(_ numbers: [Int32]) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    sigprocmask(SIG_UNBLOCK, &set, nil)
  }

  /// Calls `body`, which writes a line, and lets a signal that came meanwhile take effect after it.
  static func holding<Result>(_ body: () -> Result) -> Result {
    state.store(writing, ordering: .sequentiallyConsistent)
    let result = body()
    let (exchanged, found) = state.compareExchange(
      expected: writing, desired: idle, ordering: .sequentiallyConsistent)
    if !exchanged {
      let number = Int32(truncatingIfNeeded: found - writing)
      if number != SIGTSTP { leave(signal: number) }
      state.store(idle, ordering: .sequentiallyConsistent)
      stop()
    }
    return result
  }

  static func markCursorHidden(_ isHidden: Bool) { mark(1, isHidden) }
  static func markProgressShown(_ isShown: Bool) { mark(2, isShown) }

  /// The terminal no longer shows what is typed, until ``showTyping()``, the end, or Ctrl-Z.
  static func hideTyping() {
    guard isInForeground, tcgetattr(STDIN_FILENO, echoing) == 0 else { return }
    mark(4, true)
    quieten()
  }

  static func showTyping() {
    guard untidy.load(ordering: .sequentiallyConsistent) & 4 != 0 else { return }
    echo()
    mark(4, false)
  }

  // Written before the mark, and read only under it. Swift 6.3 gives a static variable of this type 57 bytes of 60.
  nonisolated(unsafe) private static let echoing = UnsafeMutablePointer<termios>.allocate(
    capacity: 1)

  private static func quieten() {
    var quiet = echoing.pointee
    quiet.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSANOW, &quiet)
  }

  /// What was typed meanwhile was not meant for the shell.
  private static func echo() {
    // who is in the background may not, and would be stopped
    if isInForeground { tcsetattr(STDIN_FILENO, TCSAFLUSH, echoing) }
  }

  private static var isInForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  private static func mark(_ bit: Int, _ isSet: Bool) {
    if isSet {
      mindTerminal()
      untidy.bitwiseOr(bit, ordering: .sequentiallyConsistent)
    } else {
      untidy.bitwiseAnd(~bit, ordering: .sequentiallyConsistent)
    }
  }

  // MARK: Being told

  /// From now on signals are told, those about the terminal too: the descriptor has a byte for each, its number.
  ///
  /// - Returns: `nil` where the process may open no more descriptors.
  static func tell() -> Int32? {
    let descriptor = openTeller()
    if descriptor != nil { mindTerminal() }
    return descriptor
  }

  /// Where signals are told from now on.
  private static func openTeller() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    teller.store(ends[1], ordering: .sequentiallyConsistent)
    return ends[0]
  }

  /// The next signal that `descriptor`, of ``tell()``, has.
  static func next(from descriptor: Int32) -> Int32? {
    var number: UInt8 = 0
    return read(descriptor, &number, 1) == 1 ? Int32(number) : nil
  }

  /// The signal does not ask for the end but says that the terminal has changed: see ``takeChange()``.
  static func isAboutTerminal(_ number: Int32) -> Bool { number == SIGWINCH || number == SIGCONT }

  // MARK: The terminal

  /// What became of the terminal while nobody looked.
  enum TerminalChange {
    case resized
    /// The process was stopped and goes on: others have written since, and the size may be another.
    case resumed
  }

  /// What has changed since the last call; whoever sleeps is woken by it.
  static func takeChange() -> TerminalChange? {
    switch changes.exchange(0, ordering: .sequentiallyConsistent) {
    case 0: nil
    case 1: .resized
    case _: .resumed
    }
  }

  /// From now on every way out puts the terminal right, and so does Ctrl-Z before it stops the process; changes of the
  /// terminal are noted.
  private static func mindTerminal() {
    if mindsTerminal.exchange(true, ordering: .sequentiallyConsistent) { return }
    atexit { Interruption.tidy() }
    signal(SIGWINCH, changed)
    unblock([SIGWINCH])
    var before = sigaction()
    sigaction(SIGTSTP, nil, &before)
    guard before.__sigaction_handler.sa_handler == nil else { return }
    signal(SIGTSTP, caughtStop)
    signal(SIGCONT, changed)
    unblock([SIGTSTP, SIGCONT])
  }

  // MARK: Handing on

  /// From now on signals that another process sends are told and do nothing else, so that they can be handed on; and that
  /// a child has ended. What the terminal sends, all of its foreground is sent anyway.
  ///
  /// - Returns: `nil` where the process may open no more descriptors.
  static func forward() -> Int32? {
    guard let descriptor = openTeller() else { return nil }
    var action = sigaction()
    action.sa_flags = SA_SIGINFO | SA_RESTART
    action.__sigaction_handler.sa_sigaction = sent
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD]
    for number in numbers { sigaction(number, &action, nil) }
    unblock(numbers)
    return descriptor
  }

  /// The signal says that a child has ended.
  static func isAboutChild(_ number: Int32) -> Bool { number == SIGCHLD }

  private static let sent:
    @convention(c) (Int32, UnsafeMutablePointer<siginfo_t>?, UnsafeMutableRawPointer?) -> Void = {
      number, information, _ in
      let code = errno
      defer { errno = code }
      // above zero the kernel itself has sent it
      if number != SIGCHLD, let information, information.pointee.si_code > 0 { return }
      tell(number, to: teller.load(ordering: .sequentiallyConsistent))
    }

  /// The status to leave with after a signal that was told; `nil` where there was none.
  ///
  /// Ctrl-C is the ordinary end of what goes on until somebody ends it.
  static var toldStatus: Int32? {
    switch ending.load(ordering: .sequentiallyConsistent) {
    case 0: nil
    case SIGINT: ExitStatus.done
    case let number: 128 &+ number
    }
  }

  // MARK: The handler: only calls that are allowed in one

  private static let caught: @convention(c) (Int32) -> Void = { number in
    let code = errno
    defer { errno = code }
    let descriptor = teller.load(ordering: .sequentiallyConsistent)
    if descriptor >= 0 {
      told(number, descriptor)
    } else {
      let (exchanged, _) = state.compareExchange(
        expected: writing, desired: writing + Int(number), ordering: .sequentiallyConsistent)
      if !exchanged { leave(signal: number) }
    }
  }

  private static func told(_ number: Int32, _ descriptor: Int32) {
    let now = EventLoop.now.microseconds
    // the time first: another signal may come before the next line
    let (isFirst, first) = endingTime.compareExchange(
      expected: 0, desired: now, ordering: .sequentiallyConsistent)
    if isFirst {
      ending.store(number, ordering: .sequentiallyConsistent)
      tell(number, to: descriptor)
    } else if now - first > repetition {
      leave(signal: number)
    }
  }

  private static func tell(_ number: Int32, to descriptor: Int32) {
    var byte = UInt8(truncatingIfNeeded: number)
    _ = Glibc.write(descriptor, &byte, 1)
  }

  private static let changed: @convention(c) (Int32) -> Void = { number in
    let code = errno
    defer { errno = code }
    let marks = untidy.load(ordering: .sequentiallyConsistent)
    if number == SIGCONT, marks & 4 != 0, isInForeground { quieten() }
    if number == SIGCONT { isStopping.store(false, ordering: .sequentiallyConsistent) }
    note(changeBy: number)
  }

  private static func note(changeBy number: Int32) {
    // who ends us sends SIGCONT too
    guard ending.load(ordering: .sequentiallyConsistent) == 0 else { return }
    changes.bitwiseOr(number == SIGWINCH ? 1 : 2, ordering: .sequentiallyConsistent)
    let descriptor = teller.load(ordering: .sequentiallyConsistent)
    if descriptor >= 0 { tell(number, to: descriptor) }
  }

  private static let caughtStop: @convention(c) (Int32) -> Void = { number in
    let code = errno
    defer { errno = code }
    // a line under way comes to its end first; a second Ctrl-Z does not wait for it
    let (exchanged, _) = state.compareExchange(
      expected: writing, desired: writing + Int(number), ordering: .sequentiallyConsistent)
    if exchanged { return }
    // it is the stop that waited: the line's end must not stop the process again
    _ = state.compareExchange(
      expected: writing + Int(number), desired: writing, ordering: .sequentiallyConsistent)
    stop()
  }

  /// Returns when the process goes on.
  private static func stop() {
    tidy()
    isStopping.store(true, ordering: .sequentiallyConsistent)
    signal(SIGTSTP, SIG_DFL)
    unblock([SIGTSTP])
    raise(SIGTSTP)
    signal(SIGTSTP, caughtStop)
    // without a shell that could let it go on, the kernel does not stop it, and nobody sends SIGCONT
    if isStopping.exchange(false, ordering: .sequentiallyConsistent) { note(changeBy: SIGCONT) }
  }

  /// Puts the terminal right.
  private static func tidy() {
    let marks = untidy.load(ordering: .sequentiallyConsistent)
    if marks & 4 != 0 { echo() }
    if marks & 2 != 0 { tell(STDERR_FILENO, "\r\u{1b}[K") }
    if marks & 1 != 0 { tell(STDOUT_FILENO, "\u{1b}[?25h\u{1b}[0m\n") }
  }

  /// Ends the process as if nobody had caught the signal: a core is written if one is wanted.
  private static let caughtAbruptly: @convention(c) (Int32) -> Void = { number in
    tidy()
    signal(number, SIG_DFL)
    unblock([number])
    raise(number)
  }

  private static func leave(signal number: Int32) -> Never {
    tidy()
    _exit(128 &+ number)
  }

  private static func tell(_ descriptor: Int32, _ text: StaticString) {
    _ = Glibc.write(descriptor, text.utf8Start, text.utf8CodeUnitCount)
  }
}
