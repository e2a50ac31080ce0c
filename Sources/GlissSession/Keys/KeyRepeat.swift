public import GlissEvents

/// How a held key repeats.
public struct KeyRepeat: Hashable, Sendable {
  /// From the press to the first repeat.
  public let delay: EventInterval
  /// From one repeat to the next.
  public let interval: EventInterval

  /// The valid delays: 50 ms to 10 s.
  public static let delays = EventInterval.milliseconds(50)...EventInterval.milliseconds(10_000)
  /// The valid intervals: 5 ms (200 a second) to 5 s.
  public static let intervals = EventInterval.milliseconds(5)...EventInterval.milliseconds(5000)

  /// 25 repeats a second after 600 ms: the default of wlroots' compositors and of KWin. X.Org has
  /// 660 ms and the same rate, GNOME 500 ms and 33 a second, the kernel 250 ms and 30.
  public static let standard = KeyRepeat(delay: .milliseconds(600), interval: .milliseconds(40))

  /// Values outside ``delays`` and ``intervals`` are clamped to them.
  public init(delay: EventInterval, interval: EventInterval) {
    self.delay = min(max(delay, Self.delays.lowerBound), Self.delays.upperBound)
    self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
  }
}
