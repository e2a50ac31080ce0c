import Gliss

/// Holds the lock while a command runs.
final class Locking {
  private let path: String
  private let command: [String]
  private let isNeeded: Bool
  private let loop: EventLoop
  private var hold: ScreenLockHold?
  private var machine = HoldMachine(lostAt: nil)

  /// - Parameter isNeeded: without the hold the command does not run.
  init(path: String, command: [String], isNeeded: Bool) throws(DeviceError) {
    self.path = path
    self.command = command
    self.isNeeded = isNeeded
    loop = try EventLoop()
  }

  /// - Returns: the status to leave with.
  func run() throws(DeviceError) -> Int32 {
    guard try begin() else { return ExitStatus.failed }
    // before the child can end
    let signals = Interruption.forward()
    let child: Child
    do throws(Child.Failure) {
      child = try Child(command)
    } catch {
      Diagnostics.say("\(command.first ?? ""): \(error.text)".printable)
      return error.status
    }
    if let signals { try loop.watch(signals) { [unowned self] in take(signals, child) } }
    // it may have ended before anybody listened
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

  /// - Returns: whether the command may run.
  private func begin() throws(DeviceError) -> Bool {
    do throws(ClientError) {
      hold = try ScreenLockHold(path: path)
    } catch {
      Diagnostics.say(ClientErrorText.text(error).printable)
      Diagnostics.say(
        isNeeded
          ? "\(command.first ?? "") was not run: with --anyway it is, and programs are shown input"
            .printable
          : "programs may be shown input while the screen is locked; trying again")
      machine = HoldMachine(lostAt: EventLoop.now)
      return !isNeeded
    }
    try watch()
    return true
  }

  private func watch() throws(DeviceError) {
    guard let descriptor = hold?.descriptor else { return }
    try loop.watch(descriptor) { [unowned self] in lose(descriptor) }
  }

  /// The broker says no more: whatever comes here is the end.
  private func lose(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    hold = nil
    say(machine.lose(at: EventLoop.now))
  }

  private func retry() throws(DeviceError) {
    guard let deadline = machine.deadline, deadline <= EventLoop.now else { return }
    do throws(ClientError) {
      hold = try ScreenLockHold(path: path)
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
