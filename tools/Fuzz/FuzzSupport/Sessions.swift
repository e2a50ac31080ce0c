import GlissEvents
import TestSupport

/// Feeds the fuzzer's events to a session, and stops if begins and ends are not balanced.
///
/// The first byte picks the device; seven bytes each make an event.
public func checkSession(_ data: UnsafePointer<UInt8>?, _ count: Int) {
  guard let data, count > 1 else { return }
  let bytes = UnsafeBufferPointer(start: data, count: count)
  var time = EventTime(microseconds: 1_000_000)
  var events: [EvdevEvent] = []
  var place = 1
  while place + 7 <= count {
    var value: UInt32 = 0
    for offset in 3..<7 { value = value << 8 | UInt32(bytes[place + offset]) }
    events.append(
      Garbage.event(
        bytes[place], bytes[place + 1], bytes[place + 2], Int32(bitPattern: value), after: &time))
    place += 7
  }
  let device = Garbage.devices[Int(bytes[0]) % Garbage.devices.count]
  let ledger = Ledger.play(events, on: device, until: time)
  if let fault = ledger.faults.first { fatalError("\(device.name): \(fault)") }
}
