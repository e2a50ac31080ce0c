import Gliss

/// Counts durations in buckets whose width grows with the duration, to at most a sixteenth of it.
///
/// All memory is allocated at the start.
struct LatencyHistogram {
  /// Buckets per doubling.
  private static let share = 16
  /// Doublings above the first ``share`` µs, each of which has its own bucket. The last ends at 2
  /// hours.
  private static let doublings = 29

  private var buckets = [UInt64](repeating: 0, count: share * (doublings + 1))
  private(set) var count: UInt64 = 0
  private(set) var maximum = EventInterval.zero

  /// Counts `interval`. Negative intervals, from clocks that disagree, count as zero.
  mutating func record(_ interval: EventInterval) {
    count += 1
    maximum = max(maximum, interval)
    buckets[Self.index(of: interval.microseconds)] += 1
  }

  /// The duration that `share` of all (0…1) do not exceed, to within a bucket's width; `nil` if
  /// nothing was counted.
  func percentile(_ share: Double) -> EventInterval? {
    guard count > 0 else { return nil }
    let wanted = max(1, (Double(count) * share).rounded(.up))
    var seen: UInt64 = 0
    for (index, number) in buckets.enumerated() {
      seen += number
      if Double(seen) >= wanted {
        return min(maximum, EventInterval(microseconds: Self.upperBound(of: index)))
      }
    }
    return maximum
  }

  private static func index(of microseconds: Int64) -> Int {
    let value = Int(clamping: max(0, microseconds))
    guard value >= share else { return value }
    let exponent = Int.bitWidth - 1 - value.leadingZeroBitCount
    let doubling = exponent - 4
    let index = share * (doubling + 1) + (value >> doubling) - share
    return min(index, share * (doublings + 1) - 1)
  }

  /// The longest duration in a bucket.
  private static func upperBound(of index: Int) -> Int64 {
    guard index >= share else { return Int64(index) }
    let doubling = index / share - 1
    return (Int64(index % share + share + 1) << Int64(doubling)) - 1
  }
}
