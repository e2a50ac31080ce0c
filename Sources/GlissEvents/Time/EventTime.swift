/// An instant on the clock of the events: microseconds on CLOCK_MONOTONIC, or on a recording's own
/// clock.
///
/// Not `ContinuousClock`, which is CLOCK_BOOTTIME on Linux, while the kernel stamps input with
/// CLOCK_MONOTONIC. Arithmetic saturates: times come from outside and must never trap.
public struct EventTime: Hashable, Comparable, Sendable {
  /// Microseconds since the clock's origin.
  public var microseconds: Int64

  /// The clock's origin.
  public static let zero = EventTime(microseconds: 0)

  /// A time this many µs after the clock's origin.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  public static func < (a: EventTime, b: EventTime) -> Bool { a.microseconds < b.microseconds }

  /// The earlier of two instants, either of which may be `nil`; `nil` if both are.
  public static func earlier(_ a: EventTime?, _ b: EventTime?) -> EventTime? {
    guard let a, let b else { return a ?? b }
    return min(a, b)
  }

  /// The instant `interval` later.
  public static func + (time: EventTime, interval: EventInterval) -> EventTime {
    EventTime(microseconds: saturatingSum(time.microseconds, interval.microseconds))
  }

  /// Moves the instant by `interval`.
  public static func += (time: inout EventTime, interval: EventInterval) { time = time + interval }

  /// The interval from `b` to `a`; negative if `a` is earlier.
  public static func - (a: EventTime, b: EventTime) -> EventInterval {
    EventInterval(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }
}

/// A length of time in whole microseconds.
///
/// `Duration` has 128 bits and needs a division in every conversion, so the event path uses this
/// instead.
public struct EventInterval: Hashable, Comparable, Sendable {
  /// The length in µs; negative if the end is before the beginning.
  public var microseconds: Int64

  /// No time at all.
  public static let zero = EventInterval(microseconds: 0)

  /// An interval of this many µs.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The interval of `ms` milliseconds, rounded to the microsecond; values beyond `Int64` saturate.
  public static func milliseconds(_ ms: Double) -> EventInterval {
    EventInterval(microseconds: Int64(saturating: (ms * 1000).rounded()))
  }

  /// The interval of `ms` milliseconds; values beyond `Int64` saturate.
  @inlinable public static func milliseconds(_ ms: some BinaryInteger) -> EventInterval {
    let (whole, overflow) = Int64(clamping: ms).multipliedReportingOverflow(by: 1000)
    return EventInterval(microseconds: overflow ? (ms < 0 ? .min : .max) : whole)
  }

  /// The interval of `s` seconds, rounded to the microsecond; values beyond `Int64` saturate.
  public static func seconds(_ s: Double) -> EventInterval {
    EventInterval(microseconds: Int64(saturating: (s * 1_000_000).rounded()))
  }

  /// The whole microseconds of `duration`; values beyond `Int64` saturate.
  public init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
    let rest = attoseconds / 1_000_000_000_000
    microseconds = overflow ? (seconds < 0 ? .min : .max) : saturatingSum(whole, rest)
  }

  /// The interval in milliseconds.
  public var milliseconds: Double { Double(microseconds) / 1000 }
  /// The interval in seconds.
  public var seconds: Double { Double(microseconds) / 1_000_000 }

  public static func < (a: EventInterval, b: EventInterval) -> Bool {
    a.microseconds < b.microseconds
  }
}

extension EventInterval {
  /// The sum; values beyond `Int64` saturate.
  public static func + (a: EventInterval, b: EventInterval) -> EventInterval {
    EventInterval(microseconds: saturatingSum(a.microseconds, b.microseconds))
  }

  /// The difference; values beyond `Int64` saturate.
  public static func - (a: EventInterval, b: EventInterval) -> EventInterval {
    EventInterval(microseconds: saturatingDifference(a.microseconds, b.microseconds))
  }

  /// The product, rounded to the microsecond; values beyond `Int64` saturate.
  public static func * (interval: EventInterval, factor: Double) -> EventInterval {
    let product = Double(interval.microseconds) * factor
    return EventInterval(microseconds: Int64(saturating: product.rounded()))
  }
}

extension Duration {
  /// The same length of time.
  public init(_ interval: EventInterval) { self = .microseconds(interval.microseconds) }
}

extension Int64 {
  /// Truncated; beyond ±9.2 × 10^18 the largest or smallest; 0 for NaN.
  package init(saturating value: Double) {
    if value.isNaN {
      self = 0
    } else if value >= 9.2e18 {
      self = .max
    } else if value <= -9.2e18 {
      self = .min
    } else {
      self = Int64(value)
    }
  }
}

@inline(__always)
private func saturatingSum(_ a: Int64, _ b: Int64) -> Int64 {
  let (sum, overflow) = a.addingReportingOverflow(b)
  return overflow ? (b < 0 ? .min : .max) : sum
}

@inline(__always)
private func saturatingDifference(_ a: Int64, _ b: Int64) -> Int64 {
  let (difference, overflow) = a.subtractingReportingOverflow(b)
  return overflow ? (b < 0 ? .max : .min) : difference
}

/// Converts the times of a clock that may stand still, repeat or go back into times that never go
/// back.
///
/// A time slightly earlier than the last one is late and counts as the last one. A time much
/// earlier means that the clock was set back: its times then count from one second after the last
/// one, which preserves the intervals between them. The real length of the break is unknown; a
/// second is too long for anything before it to continue.
package struct RisingTime: Sendable {
  /// Events of one clock may be late by less than this; a larger step back means another clock.
  package static let tolerance = EventInterval(microseconds: 1_000_000)

  /// The last time returned.
  package private(set) var last: EventTime?
  private var offset = EventInterval.zero
  /// The next time may come from another clock.
  private var isRestarted = false

  /// A clock that has seen no time yet.
  package init() {}

  /// The time on the original clock, as it is now, for `risen`.
  package func original(_ risen: EventTime) -> EventTime {
    risen + EventInterval(microseconds: -offset.microseconds)
  }

  /// Lets the next time come from another clock: if it is earlier than the last one, by however
  /// little, it is not late.
  package mutating func restart() { isRestarted = true }

  /// Converts `time` to a clock that never goes back.
  package mutating func rise(_ time: EventTime) -> EventTime {
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
