/// Converts the times of a clock that may stand still, repeat or go back into times that never go
/// back.
///
/// A time slightly earlier than the last one is late and counts as the last one. A time much
/// earlier means that the clock was set back: its times then count from one second after the last
/// one, which preserves the intervals between them. The real length of the break is unknown; a
/// second is too long for anything before it to continue.
public struct RisingTime: Sendable {
  /// Events of one clock may be late by less than this; a larger step back means another clock.
  public static let tolerance = EventInterval(microseconds: 1_000_000)

  /// The last time returned.
  public private(set) var last: EventTime?
  private var offset = EventInterval.zero
  /// The next time may come from another clock.
  private var isRestarted = false

  public init() {}

  /// The time on the original clock, as it is now, for `risen`.
  public func original(_ risen: EventTime) -> EventTime {
    risen + EventInterval(microseconds: -offset.microseconds)
  }

  /// Lets the next time come from another clock: if it is earlier than the last one, by however
  /// little, it is not late.
  public mutating func restart() { isRestarted = true }

  /// Converts `time` to a clock that never goes back.
  public mutating func rise(_ time: EventTime) -> EventTime {
    let shifted = time + offset
    let isRestarted = isRestarted
    self.isRestarted = false
    guard let last, shifted < last else {
      self.last = shifted
      return shifted
    }
    guard isRestarted || last - shifted > Self.tolerance else { return last }
    let resumed = last + Self.tolerance
    offset = resumed - time
    self.last = resumed
    return resumed
  }
}
