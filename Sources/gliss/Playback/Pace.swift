import Glibc
import Gliss

/// Lets a recording's time pass as ours does, or as many times faster.
struct Pace {
  private let factor: Double
  private let origin: EventTime
  private let start = EventLoop.now

  /// - Parameter factor: seconds of the recording for each second of ours.
  init(from origin: EventTime, times factor: Double) {
    self.factor = factor
    self.origin = origin
  }

  /// When `time` is due on our clock.
  func due(_ time: EventTime) -> EventTime {
    // a time that jumps ahead by years is a broken recording: do not sit it out in one go
    start + .milliseconds(min((time - origin).seconds / factor, 1e9) * 1000)
  }

  /// Sleeps; a signal that ends the process does so by itself and need not be noticed here.
  ///
  /// - Returns: whether it is time; a signal that does not end the process ends the sleep.
  static func sleep(until time: EventTime) -> Bool {
    guard time > EventLoop.now else { return true }
    let due = timespec(
      tv_sec: time_t(time.microseconds / 1_000_000),
      tv_nsec: Int(time.microseconds % 1_000_000) * 1000)
    return withUnsafePointer(to: due) { clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, $0, nil) }
      != EINTR
  }
}
