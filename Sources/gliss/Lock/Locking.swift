import Gliss

/// Holds the lock while a command runs. The command runs even without the broker, because a screen
/// locked only by the locker is better than an unlocked one.
final class Locking {
  private let path: String
  private let command: [String]
  private let loop: EventLoop
  private var hold: ScreenLockHold?
  private var backoff: Backoff
  /// Whether the user knows that it is not held.
  private var isKnownMissing = false
  /// Whether the user knows why.
  private var isExplained = false

  /// How long the locker and its signals wait for a broker that does not reply.
  private static let patience = EventInterval.milliseconds(2000)

  init(path: String, command: [String]) throws(DeviceError) {
    self.path = path
    self.command = command
    loop = try EventLoop()
    // a hold that is lost is tried again at once
    backoff = Backoff(at: EventLoop.now, first: .zero, longest: .milliseconds(2000))
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
      try loop.wait(until: backoff.deadline)
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
      reportFailure(error)
      _ = backoff.missed(at: EventLoop.now)
      return
    }
    try watch()
  }

  private func watch() throws(DeviceError) {
    guard let descriptor = hold?.descriptor else { return }
    _ = backoff.found()
    if isKnownMissing { Diagnostics.say("the lock is held again") }
    isKnownMissing = false
    try loop.watch(descriptor) { [unowned self] in lose(descriptor) }
  }

  /// The broker sends nothing more after its first reply, so anything that arrives means the end.
  private func lose(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    hold = nil
    _ = backoff.missed(at: EventLoop.now)
    isKnownMissing = true
    isExplained = false
    Diagnostics.say(
      "THE LOCK WAS LOST: the broker has ended it; trying again while the locker runs")
  }

  private func retry() throws(DeviceError) {
    guard let deadline = backoff.deadline, deadline <= EventLoop.now else { return }
    do throws(ClientError) {
      hold = try ScreenLockHold(path: path, timeout: Self.patience)
    } catch {
      _ = backoff.missed(at: EventLoop.now)
      if !isExplained { reportFailure(error) }
      return
    }
    try watch()
  }

  private func reportFailure(_ error: ClientError) {
    isKnownMissing = true
    isExplained = true
    Diagnostics.say(ClientErrorText.text(error).printable)
    Diagnostics.say(
      "programs may be shown input while the screen is locked; trying again while the locker runs")
  }
}
