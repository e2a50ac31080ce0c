import GlissEvents

/// The local monitors of a session, each with the event sequences it has changed.
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

  /// The events that any of them wants to see.
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
    // A monitor that is being called may still swallow the beginning of a sequence.
    if !isPassing { forgetTheDone() }
  }

  /// What all of them leave of `event`; `nil` if nothing.
  func pass(_ event: InputEvent) -> InputEvent? {
    isPassing = true
    defer {
      isPassing = false
      forgetTheDone()
    }
    var event = event
    // Monitors added meanwhile see only the next event.
    for stage in stages where stage.mask.contains(event.mask) {
      let verdict = stage.monitor?(event) ?? .pass
      guard let left = stage.screen.apply(verdict, to: event) else { return nil }
      event = left
    }
    return event
  }

  /// Removed monitors stay until the sequences they swallowed are over.
  private func forgetTheDone() {
    guard stages.contains(where: { $0.monitor == nil && $0.screen.isIdle }) else { return }
    stages.removeAll { $0.monitor == nil && $0.screen.isIdle }
    mask = stages.reduce(into: []) { $0.formUnion($1.mask) }
  }
}
