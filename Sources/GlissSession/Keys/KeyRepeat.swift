public import GlissEvents

/// How a key that is held repeats.
public struct KeyRepeat: Hashable, Sendable {
  /// From the press to the first repeat.
  public let delay: EventInterval
  /// From one repeat to the next.
  public let interval: EventInterval

  /// The delays that make sense: 50 ms to 10 s.
  public static let delays = EventInterval.milliseconds(50)...EventInterval.milliseconds(10_000)
  /// The intervals that make sense: 5 ms (200 a second) to 5 s.
  public static let intervals = EventInterval.milliseconds(5)...EventInterval.milliseconds(5000)

  /// After 600 ms 25 times a second: the default of wlroots' compositors and of KWin; X.Org has 660 ms and the same
  /// rate, GNOME 500 ms and 33 a second, the kernel 250 ms and 30.
  public static let standard = KeyRepeat(delay: .milliseconds(600), interval: .milliseconds(40))

  /// What lies outside ``delays`` and ``intervals`` counts as their nearer end.
  public init(delay: EventInterval, interval: EventInterval) {
    self.delay = min(max(delay, Self.delays.lowerBound), Self.delays.upperBound)
    self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
  }
}
