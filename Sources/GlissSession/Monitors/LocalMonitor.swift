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
}

/// Identifies a local monitor, to remove it.
public struct LocalMonitorID: Hashable, Sendable {
  let number: UInt64
}

extension Session {
  /// Adds a monitor that sees events of the kinds in `mask` before recognizers, hotkeys and
  /// handlers do.
  ///
  /// Monitors are called in the order they were added; each sees what the earlier ones let through.
  /// Whatever they decide, everyone after them sees complete sequences. If the press of a key was
  /// swallowed, its release is swallowed too; the release of a reported press cannot be swallowed.
  /// Touches and gestures swallowed in the middle end as cancelled, and nothing more is reported
  /// about them. What only a recognizer knows, such as ``GlissEvents/Touch/isResting`` of thumbs,
  /// is not known yet.
  ///
  /// A monitor is called inline. It may remove itself, but must not feed the session.
  ///
  /// - Returns: the identifier to pass to ``removeLocalMonitor(_:)``.
  @discardableResult
  public func addLocalMonitor(
    matching mask: EventMask = .all, _ monitor: @escaping (InputEvent) -> MonitorVerdict
  ) -> LocalMonitorID {
    monitors.add(mask, monitor)
  }

  /// Stops calling the monitor. A sequence whose beginning it swallowed stays swallowed to its end.
  public func removeLocalMonitor(_ monitor: LocalMonitorID) { monitors.remove(monitor) }
}
