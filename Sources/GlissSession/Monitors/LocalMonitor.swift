public import GlissEvents

/// What a local monitor makes of an event.
public enum MonitorVerdict: Sendable {
  /// Those behind it see the event as it is.
  case pass
  /// Nobody behind it sees the event.
  case swallow
  /// Those behind it see this instead, which must be of the same case.
  ///
  /// What an event belongs to stays: device, phase and the identities of touches are the original's, whatever the
  /// replacement says; a press may be replaced with another key's, whose release then follows.
  case replace(InputEvent)
}

/// Names a local monitor, to remove it.
public struct LocalMonitorID: Hashable, Sendable {
  let number: UInt64
}

extension Session {
  /// Sees events of the kinds in `mask` before anybody else does: recognizers, hotkeys and handlers.
  ///
  /// Monitors are asked in the order they were added, each for what those before it let through. Whatever they answer,
  /// all who come after see whole stories: a key whose press was swallowed has its release swallowed too, and the
  /// release of one that was told cannot be; touches and gestures that are swallowed in the middle end as cancelled,
  /// and nothing more is told of them. What only a recognizer can say, ``GlissEvents/Touch/isResting`` of thumbs, is not
  /// known yet.
  ///
  /// A monitor is called inline and may remove itself, but must not feed the session.
  ///
  /// - Returns: what ``removeLocalMonitor(_:)`` takes.
  @discardableResult
  public func addLocalMonitor(
    matching mask: EventMask = .all, _ monitor: @escaping (InputEvent) -> MonitorVerdict
  ) -> LocalMonitorID {
    monitors.add(mask, monitor)
  }

  /// Asks the monitor no more. What it has swallowed the beginning of stays swallowed to its end.
  public func removeLocalMonitor(_ monitor: LocalMonitorID) { monitors.remove(monitor) }
}
