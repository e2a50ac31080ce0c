import Glibc
import Gliss

/// Lets a recording's time pass as ours does, or as many times faster.
struct Pace {
  private let factor: Double
  private let origin: EventTime
  private let start = MonotonicClock.now

  /// - Parameter factor: seconds of the recording for each second of ours.
  init(from origin: EventTime, times factor: Double) {
    self.factor = factor
    self.origin = origin
  }

  /// How long until `time` is due, in µs; 0 where it is already.
  func wait(until time: EventTime) -> Int64 {
    // a time that jumps ahead by years is a broken recording: do not sit it out in one go
    let due = min((time - origin).seconds / factor, 1e9) * 1_000_000
    return max(0, Int64(due) - (MonotonicClock.now - start))
  }

  /// Sleeps; a signal ends the process by itself and need not be noticed here.
  static func sleep(microseconds: Int64) {
    guard microseconds > 0 else { return }
    let end = MonotonicClock.now + microseconds
    let due = timespec(
      tv_sec: time_t(end / 1_000_000), tv_nsec: Int(end % 1_000_000) * 1000)
    withUnsafePointer(to: due) { due in
      while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, due, nil) == EINTR {}
    }
  }
}
