import Glibc
import Gliss

/// The figures for `gliss watch --stats`.
struct WatchStatistics {
  private let start: EventTime
  private var latency = LatencyHistogram()
  private var gestures = 0

  init(from start: EventTime) { self.start = start }

  mutating func note(_ gesture: GestureEvent) {
    switch gesture.phase {
    case .began, .recognized: gestures += 1
    case .changed, .ended, .cancelled: break
    }
  }

  /// - Parameters:
  ///   - packet: The kernel's timestamp.
  ///   - now: When the packet has been handled.
  mutating func note(packetOf packet: EventTime, at now: EventTime) { latency.record(now - packet) }

  /// Prints the figures on standard error.
  func report(losses: Int) {
    let length = (EventLoop.now - start).seconds.fixed(3)
    Diagnostics.say("\(latency.count) packets and \(gestures) gestures in \(length) s")
    if let half = latency.percentile(0.5), let most = latency.percentile(0.99) {
      Diagnostics.say(
        "latency from the kernel's time of a packet until it was handled: p50 \(half.text), "
          + "p99 \(most.text), max \(latency.maximum.text)")
    }
    Diagnostics.say(
      "\(Self.processorTime.fixed(3)) s of CPU; losses (SYN_DROPPED) \(losses)")
  }

  /// The processor time used so far, in seconds.
  private static var processorTime: Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }
}

extension EventInterval {
  fileprivate var text: String { "\(microseconds) µs" }
}

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
