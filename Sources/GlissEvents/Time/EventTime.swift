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
  public var microseconds: Int64

  public static let zero = EventInterval(microseconds: 0)

  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// The interval of `ms` milliseconds, rounded to the microsecond; values beyond `Int64` saturate.
  public static func milliseconds(_ ms: Double) -> EventInterval {
    EventInterval(microseconds: Int64(saturating: (ms * 1000).rounded()))
  }

  /// The interval in milliseconds.
  public var milliseconds: Double { Double(microseconds) / 1000 }
  /// The interval in seconds.
  public var seconds: Double { Double(microseconds) / 1_000_000 }

  public static func < (a: EventInterval, b: EventInterval) -> Bool {
    a.microseconds < b.microseconds
  }
}

extension Int64 {
  /// The nearest representable integer; 0 for NaN.
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
