public import GlissEvents

/// A local monitor's decision about an event.
public enum MonitorVerdict: Sendable {
  /// Everyone after it sees the event unchanged.
  case pass
  /// Nobody after it sees the event.
  case swallow
  /// Everyone after it sees this event instead, which must be of the same case.
  ///
  /// The device, phase and touch identities stay those of the original, whatever the replacement
  /// says. A press may be replaced with another key's; its release is then replaced too.
  case replace(InputEvent)
  /// For a gesture: nobody after it sees the event yet.
  ///
  /// The monitor decides at a later event of the gesture. ``pass`` and ``replace(_:)`` pass the
  /// gesture from its beginning on, all at the time of that event; ``swallow`` hides it to its end.
  /// A gesture that ends while deferred is swallowed; one that was passed cannot be deferred again.
  /// Of a long gesture only the beginning and the newest events are kept. Events that are not
  /// gestures cannot wait: they pass.
  case deferred
}

extension Session {
  /// Adds a monitor that sees events of the kinds in `mask` before recognizers, hotkeys and
  /// handlers do.
  ///
  /// Monitors are called in the order they were added; each sees what the earlier ones let through.
  /// Whatever they decide, everyone after them sees complete sequences. If the press of a key was
  /// swallowed, its release is swallowed too; the release of a reported press cannot be swallowed.
  /// A touch swallowed in the middle ends as cancelled, and nothing more is reported about it. The
  /// changes of a gesture are swallowed one by one; if its end is swallowed, it ends as cancelled.
  /// What only a recognizer knows, such as ``GlissEvents/Touch/isResting`` of thumbs, is still
  /// missing.
  ///
  /// A monitor is called inline. It may remove itself, but must not feed the session.
  ///
  /// - Returns: a token that removes the monitor. A sequence whose beginning it swallowed then
  ///   stays swallowed to its end; a gesture that it deferred is passed.
  @discardableResult
  public func addLocalMonitor(
    matching mask: EventMask = .all, _ monitor: @escaping (InputEvent) -> MonitorVerdict
  ) -> HandlerToken {
    monitors.add(mask, monitor)
  }
}

/// The local monitors of a session, each with the event sequences it has changed.
final class MonitorChain {
  private final class Stage {
    let mask: EventMask
    /// `nil` once it is removed.
    var monitor: ((InputEvent) -> MonitorVerdict)?
    var screen = MonitorScreen()

    init(_ mask: EventMask, _ monitor: @escaping (InputEvent) -> MonitorVerdict) {
      self.mask = mask
      self.monitor = monitor
    }
  }

  private var stages: [Stage] = []
  private var isPassing = false

  /// The events that any of them wants to see.
  private(set) var mask: EventMask = []

  func add(
    _ mask: EventMask, _ monitor: @escaping (InputEvent) -> MonitorVerdict
  ) -> HandlerToken {
    let stage = Stage(mask, monitor)
    stages.append(stage)
    self.mask.formUnion(mask)
    return HandlerToken { [weak self, weak stage] in self?.remove(stage) }
  }

  private func remove(_ stage: Stage?) {
    let removed = stage?.monitor
    stage?.monitor = nil
    // It is released after the change: what it owns may add or remove others when it ends.
    defer { withExtendedLifetime(removed) {} }
    // A monitor that is being called may still swallow the beginning of a sequence.
    if !isPassing { forgetTheDone() }
  }

  /// What all of them leave of `event`; `nil` if nothing.
  ///
  /// - Parameter ahead: called first with what was deferred until now.
  func pass(_ event: InputEvent, ahead: (InputEvent) -> Void) -> InputEvent? {
    isPassing = true
    defer {
      isPassing = false
      forgetTheDone()
    }
    // Monitors added meanwhile see only the next event.
    return pass(event, stages[...], ahead)
  }

  private func pass(
    _ event: InputEvent, _ stages: ArraySlice<Stage>, _ ahead: (InputEvent) -> Void
  ) -> InputEvent? {
    var event = event
    for (index, stage) in zip(stages.indices, stages) where stage.mask.contains(event.mask) {
      let verdict = stage.monitor?(event) ?? .pass
      guard let left = stage.screen.apply(verdict, to: event) else { return nil }
      for gesture in stage.screen.takeReleased() {
        let rest = stages[(index + 1)...]
        if let left = pass(.gesture(gesture), rest, ahead) { ahead(left) }
      }
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
