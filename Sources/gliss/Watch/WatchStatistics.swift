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
