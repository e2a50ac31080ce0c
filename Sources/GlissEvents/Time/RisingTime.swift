/// Makes times rise that came from a clock which may stand still, repeat or go back.
///
/// A time a little earlier than the last one is late, and counts as the last one. One that is much earlier says that the
/// clock was set back: from there on its times count from a second after the last one, so that the intervals between
/// them survive. Nobody knows how long the break was; a second is too long for what was before it to go on.
public struct RisingTime: Sendable {
  /// Events of one clock may be late by less than this; what goes back farther is another clock.
  public static let tolerance = EventInterval(microseconds: 1_000_000)

  /// The last time that was given.
  public private(set) var last: EventTime?
  private var offset = EventInterval.zero
  /// The next time may come from another clock.
  private var isRestarted = false

  public init() {}

  /// The time of the clock as it is now that `risen` stands for.
  public func original(_ risen: EventTime) -> EventTime {
    risen + EventInterval(microseconds: -offset.microseconds)
  }

  /// The next time begins anew: if it is earlier than the last one, however little, it is from another clock.
  public mutating func restart() { isRestarted = true }

  /// `time` on a clock that never goes back.
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
