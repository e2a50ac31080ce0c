import CLinux
import Glibc
import GlissEvents

/// A timer on a loop, for deadlines other than the devices'.
final class LoopTimer {
  private let loop: EventLoop
  private let descriptor: Int32

  /// When it fires; `nil` if it is off. A handler may set it again.
  var due: EventTime? {
    didSet { if due != oldValue { arm() } }
  }

  /// - Throws: If the process cannot open more descriptors.
  init(on loop: EventLoop, _ handler: @escaping () -> Void) throws(DeviceError) {
    self.loop = loop
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { throw DeviceError("timerfd", failed: errno) }
    do {
      try loop.watch(descriptor) { [weak self] in self?.ring(handler) }
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  deinit {
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
  }

  private func ring(_ handler: () -> Void) {
    var count: UInt64 = 0
    guard read(descriptor, &count, 8) == 8 else { return }
    due = nil
    handler()
  }

  private func arm() {
    var time = itimerspec()
    if let due {
      // 0 would turn the timer off
      let microseconds = max(1, due.microseconds)
      time.it_value = timespec(
        tv_sec: time_t(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }
}
