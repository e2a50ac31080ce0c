import GlissEvents

/// The local monitors of a session, each with the stories it has interfered with.
final class MonitorChain {
  private final class Stage {
    let id: LocalMonitorID
    let mask: EventMask
    /// `nil` once it is removed.
    var monitor: ((InputEvent) -> MonitorVerdict)?
    var screen = MonitorScreen()

    init(
      _ id: LocalMonitorID, _ mask: EventMask, _ monitor: @escaping (InputEvent) -> MonitorVerdict
    ) {
      self.id = id
      self.mask = mask
      self.monitor = monitor
    }
  }

  private var stages: [Stage] = []
  private var lastNumber: UInt64 = 0
  private var isPassing = false

  /// What any of them wants to see.
  private(set) var mask: EventMask = []

  func add(_ mask: EventMask, _ monitor: @escaping (InputEvent) -> MonitorVerdict)
    -> LocalMonitorID
  {
    lastNumber += 1
    let id = LocalMonitorID(number: lastNumber)
    stages.append(Stage(id, mask, monitor))
    self.mask.formUnion(mask)
    return id
  }

  func remove(_ id: LocalMonitorID) {
    stages.first { $0.id == id }?.monitor = nil
    // one that is being asked may still have to answer for what it says
    if !isPassing { forgetTheDone() }
  }

  /// What is left of `event` behind the last of them; `nil` where nothing is.
  func pass(_ event: InputEvent) -> InputEvent? {
    isPassing = true
    defer {
      isPassing = false
      forgetTheDone()
    }
    var event = event
    // those that come while this goes on are asked for the next one
    for stage in stages where stage.mask.contains(event.mask) {
      let verdict = stage.monitor?(event) ?? .pass
      guard let left = stage.screen.apply(verdict, to: event) else { return nil }
      event = left
    }
    return event
  }

  /// Those that were removed stay until what they have swallowed is over.
  private func forgetTheDone() {
    guard stages.contains(where: { $0.monitor == nil && $0.screen.isIdle }) else { return }
    stages.removeAll { $0.monitor == nil && $0.screen.isIdle }
    mask = stages.reduce(into: []) { $0.formUnion($1.mask) }
  }
}
