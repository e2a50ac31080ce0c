import CLinux
import Glibc
public import GlissEvents

extension VirtualDevice {
  /// Writes `events` at the pace of their timestamps, starting now. Returns once the last is
  /// written.
  ///
  /// Each packet is written in one piece, when its end is due. A packet that is due before its
  /// predecessor follows it at once. The kernel stamps each event with the time of writing.
  ///
  /// - Parameter didWrite: Called after each packet.
  /// - Throws: If the device was closed, or the kernel rejects the events.
  public func play(
    _ events: some Sequence<EvdevEvent>, didWrite: () throws(DeviceError) -> Void = {}
  ) throws(DeviceError) {
    var offset: EventInterval?
    var packet: [input_event] = []
    for event in events {
      packet.append(input_event(event))
      guard event.isReport else { continue }
      // the first packet is due now
      let shift = offset ?? EventLoop.now - event.time
      offset = shift
      EventLoop.sleep(until: event.time + shift)
      try write(packet)
      try didWrite()
      packet.removeAll(keepingCapacity: true)
    }
    if !packet.isEmpty { try write(packet) }
  }
}

extension EventLoop {
  /// Sleeps until `time`, even if signals arrive.
  static func sleep(until time: EventTime) {
    let microseconds = max(0, time.microseconds)
    var due = timespec(
      tv_sec: time_t(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
  }
}
