import Glibc
import GlissGate

extension WallTime {
  /// The system's clock.
  static var now: WallTime {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return WallTime(seconds: Int64(time.tv_sec))
  }
}
