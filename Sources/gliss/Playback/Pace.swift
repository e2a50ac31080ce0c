import Glibc
import Gliss

/// Plays a recording's time in real time, or a given factor faster.
struct Pace {
  private let factor: Double
  private let origin: EventTime
  private let start = EventLoop.now

  /// - Parameter factor: Seconds of the recording per second of real time.
  init(from origin: EventTime, times factor: Double) {
    self.factor = factor
    self.origin = origin
  }

  /// When `time` is due on the live clock.
  func due(_ time: EventTime) -> EventTime {
    // a broken recording may jump ahead by years; do not wait for that in one sleep
    start + .milliseconds(min((time - origin).seconds / factor, 1e9) * 1000)
  }

  /// Sleeps. A signal that ends the process does so by itself and need not be handled here.
  ///
  /// - Returns: Whether the time has come. A signal that does not end the process ends the sleep.
  static func sleep(until time: EventTime) -> Bool {
    guard time > EventLoop.now else { return true }
    let due = timespec(
      tv_sec: time_t(time.microseconds / 1_000_000),
      tv_nsec: Int(time.microseconds % 1_000_000) * 1000)
    return withUnsafePointer(to: due) { clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, $0, nil) }
      != EINTR
  }
}
