import Gliss

/// Holds the lock while a command runs. The command runs even without the broker, because a screen
/// locked only by the locker is better than an unlocked one.
final class Locking {
  private let path: String
  private let command: [String]
  private let loop: EventLoop
  private var hold: ScreenLockHold?
  private var machine = HoldMachine(lostAt: nil)

  /// How long the locker and its signals wait for a broker that does not reply.
  private static let patience = EventInterval.milliseconds(2000)

  init(path: String, command: [String]) throws(DeviceError) {
    self.path = path
    self.command = command
    loop = try EventLoop()
  }

  /// - Returns: The exit status.
  func run() throws(DeviceError) -> Int32 {
    try begin()
    // register before the child can end
    let signals = Interruption.forward()
    let child: Child
    do throws(Child.Failure) {
      child = try Child(command)
    } catch {
      Diagnostics.say("\(command.first ?? ""): \(error.text)".printable)
      return error.status
    }
    if let signals { try loop.watch(signals) { [unowned self] in take(signals, child) } }
    // the child may have ended before the watch began
    child.reap()
    var wasTold = false
    while !child.isOver {
      if child.status != nil, !wasTold {
        wasTold = true
        Diagnostics.say("the locker runs in the background: locked until it ends")
      }
      try loop.wait(until: machine.deadline)
      try retry()
    }
    return child.status ?? ExitStatus.failed
  }

  private func take(_ signals: Int32, _ child: Child) {
    while let number = Interruption.next(from: signals) {
      if Interruption.isAboutChild(number) { child.reap() } else { child.send(number) }
    }
  }

  // MARK: The hold

  private func begin() throws(DeviceError) {
    do throws(ClientError) {
      hold = try ScreenLockHold(path: path, timeout: Self.patience)
    } catch {
      Diagnostics.say(ClientErrorText.text(error).printable)
      say(.stillLost)
      machine = HoldMachine(lostAt: EventLoop.now)
      return
    }
    try watch()
  }

  private func watch() throws(DeviceError) {
    guard let descriptor = hold?.descriptor else { return }
    try loop.watch(descriptor) { [unowned self] in lose(descriptor) }
  }

  /// The broker sends nothing more after its first reply, so anything that arrives means the end.
  private func lose(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    hold = nil
    say(machine.lose(at: EventLoop.now))
  }

  private func retry() throws(DeviceError) {
    guard let deadline = machine.deadline, deadline <= EventLoop.now else { return }
    do throws(ClientError) {
      hold = try ScreenLockHold(path: path, timeout: Self.patience)
    } catch {
      if let notice = machine.fail(at: EventLoop.now) {
        Diagnostics.say(ClientErrorText.text(error).printable)
        say(notice)
      }
      return
    }
    try watch()
    say(machine.regain())
  }

  private func say(_ notice: HoldMachine.Notice?) {
    switch notice {
    case nil: break
    case .lost: Diagnostics.say("THE LOCK WAS LOST: the broker has ended it; trying again")
    case .stillLost:
      Diagnostics.say("programs may be shown input while the screen is locked; trying again")
    case .regained: Diagnostics.say("the lock is held again")
    }
  }
}
