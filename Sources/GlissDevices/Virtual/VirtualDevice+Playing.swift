import CLinux
import Glibc
public import GlissEvents

extension VirtualDevice {
  /// Writes `events` as their times say, counted from the first packet's; returns once the last is written.
  ///
  /// Each packet is written as one, when its end is due; one that is due before another that was written follows at
  /// once. What comes out of the kernel has the times it was written at.
  ///
  /// - Parameter didWrite: called after each packet.
  /// - Throws: where the device was closed, or the kernel does not take it.
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
  /// Sleeps until `time`, whatever signals come.
  static func sleep(until time: EventTime) {
    let microseconds = max(0, time.microseconds)
    var due = timespec(
      tv_sec: time_t(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
  }
}
