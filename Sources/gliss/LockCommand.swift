import ArgumentParser
import CLinux
import Glibc
import Gliss
import GlissAgent

struct LockCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lock",
    abstract: "Run a screen locker; no program receives input meanwhile.",
    usage: "gliss lock [--socket <path>] -- <command> [<argument> ...]",
    discussion: """
      For lockers that do not report to logind that the screen is locked. The broker
      is asked first, and then the command runs in any case. If the broker does not
      run or refuses, programs may receive input meanwhile: this is reported on
      standard error, and the broker is asked again while the command runs. Signals
      are passed on to the command, and its exit status becomes that of 'gliss
      lock'. If it moves to the background, 'gliss lock' waits for that process,
      too.

      EXAMPLES
        gliss lock -- swaylock
        gliss lock -- i3lock --nofork --color 000000

      EXIT STATUS
        1    it is not possible to wait for the command
        126  the command cannot be run
        127  the command does not exist
        else the command's own, or 128 plus the number of the signal that ended it
      """)

  /// Ignored; kept for compatibility. The command now always runs without the broker too.
  @Flag(help: .hidden)
  var anyway = false

  @OptionGroup var broker: BrokerOptions

  @Argument(parsing: .postTerminator, help: "The locker and its arguments, behind --.")
  var command: [String] = []

  func validate() throws {
    guard let name = command.first, !name.isEmpty else {
      throw ValidationError("name the locker behind --, as in: gliss lock -- swaylock")
    }
  }

  func run() throws {
    throw try Locking(path: broker.path, command: command).run()
  }
}

/// Holds the lock while a command runs. The command runs even without the broker, because a screen
/// locked only by the locker is better than an unlocked one.
final class Locking {
  private let path: String
  private let command: [String]
  private let loop: InputLoop
  private var lock: ScreenLockHold?
  private var backoff: Backoff
  /// Whether a message has said that the lock is not held.
  private var isKnownMissing = false
  /// Whether a message has said why.
  private var isExplained = false
  private var process: pid_t = 0
  /// The locker's own exit status; `nil` while it runs.
  private var status: Int32?
  /// Whether the locker and all processes it left behind have ended.
  private var isOver = false

  /// How long the locker and its signals wait for a broker that does not reply.
  private static let patience = Duration.seconds(2)

  init(path: String, command: [String]) throws(SystemError) {
    self.path = path
    self.command = command
    loop = try InputLoop()
    // a lost hold is tried again at once
    backoff = Backoff(at: InputLoop.now, first: .zero, longest: .milliseconds(2000))
  }

  func run() throws(SystemError) -> ExitCode {
    try hold()
    // a parent may ignore SIGCHLD, which would lose the status
    signal(SIGCHLD, SIG_DFL)
    // catch signals before the locker can end
    let signals = try? SignalQueue([
      SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGCHLD,
    ])
    // orphaned processes become children of this one, so that a locker that moves to the background
    // is still tracked
    _ = gliss_adopt_orphans()
    do throws(SystemError) {
      process = try Launch.start(command.first ?? "", command, inheriting: .session)
    } catch {
      let problem =
        error.code == ENOENT
        ? "command not found" : "it cannot be run: \(String(cString: strerror(error.code)))"
      Diagnostics.say("\(command.first ?? ""): \(problem)")
      return ExitCode(error.code == ENOENT ? 127 : 126)
    }
    var hasSignals = false
    if let signals {
      hasSignals = (try? loop.watch(signals.descriptor) { [unowned self] in take(signals) }) != nil
    }
    // it may have ended before the watch began
    reap()
    var wasTold = false
    while !isOver {
      if status != nil, !wasTold {
        wasTold = true
        Diagnostics.say("the locker runs in the background: locked until it ends")
      }
      // the system may have had no room to watch the signals
      let check = hasSignals ? nil : InputLoop.now + .milliseconds(1000)
      try loop.wait(until: .earlier(backoff.deadline, check))
      if !hasSignals {
        if let signals { take(signals) }
        reap()
      }
      if let deadline = backoff.deadline, deadline <= InputLoop.now { try hold() }
    }
    return ExitCode(status ?? 1)
  }

  private func take(_ signals: SignalQueue) {
    while let signal = signals.next() {
      if signal.number == SIGCHLD {
        reap()
      } else if !signal.isFromKernel, status == nil {
        // signals from the terminal reach its whole foreground anyway
        kill(process, signal.number)
      }
    }
  }

  private func reap() {
    while true {
      var found: Int32 = 0
      let ended = waitpid(-1, &found, WNOHANG)
      if ended == process { status = Launch.End(wait: found).shellStatus }
      if ended > 0 || (ended < 0 && errno == EINTR) { continue }
      isOver = ended < 0
      return
    }
  }

  // MARK: The hold

  private func hold() throws(SystemError) {
    do throws(ClientError) {
      lock = try ScreenLockHold(path: path, timeout: Self.patience)
    } catch {
      _ = backoff.missed(at: InputLoop.now)
      if isExplained { return }
      (isKnownMissing, isExplained) = (true, true)
      Diagnostics.say(error.advised)
      return Diagnostics.say(
        "programs may be shown input while the screen is locked; trying again while the locker runs"
      )
    }
    guard let descriptor = lock?.descriptor else { return }
    _ = backoff.found()
    if isKnownMissing { Diagnostics.say("the lock is held again") }
    isKnownMissing = false
    try loop.watch(descriptor) { [unowned self] in lose(descriptor) }
  }

  /// The broker sends nothing more after its first reply, so anything that arrives means the end.
  private func lose(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    lock = nil
    _ = backoff.missed(at: InputLoop.now)
    isKnownMissing = true
    isExplained = false
    Diagnostics.say(
      "THE LOCK WAS LOST: the broker has ended it; trying again while the locker runs")
  }
}
