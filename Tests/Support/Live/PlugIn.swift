import CLibudev
import Foundation
package import GlissDevices
package import GlissEvents

extension VirtualDevice {
  /// Plugs in a device and waits until udev's rules have run for it: before that libinput does not take it.
  package static func settled(_ device: Device, nameBytes: [UInt8]? = nil) throws -> VirtualDevice {
    try settled(path: \.path) { try VirtualDevice(device, nameBytes: nameBytes) }
  }

  /// The same for whatever plugs one in.
  package static func settled<Plugged>(
    path: (Plugged) -> String, _ plugIn: () throws -> Plugged
  ) throws -> Plugged {
    let before = InputLoop.now
    let plugged = try plugIn()
    let path = path(plugged)
    // what udev knew of the last device that had this node does not count
    try wait(for: "udev to set up \(path): does systemd-udevd run?") {
      try initialization(of: path).map { $0 >= before } ?? false
    }
    return plugged
  }

  package func write(_ event: EvdevEvent) throws(SystemError) { try write([event]) }

  /// Writes `events` at the pace of their times, starting now: each packet in one piece, when its end is due or later.
  package func play(_ events: some Sequence<EvdevEvent>, didWrite: () -> Void = {}) throws {
    var shift: EventInterval?
    var packet: [EvdevEvent] = []
    for event in events {
      packet.append(event)
      guard event.isReport else { continue }
      // the first packet is due now
      let due = event.time + (shift ?? InputLoop.now - event.time)
      shift = due - event.time
      while InputLoop.now < due {
        usleep(UInt32(max(0, (due - InputLoop.now).microseconds)))
      }
      try write(packet)
      didWrite()
      packet.removeAll()
    }
    if !packet.isEmpty { try write(packet) }
  }

  /// When udev's rules had run for the device at `path`; `nil` where they have not.
  private static func initialization(of path: String) throws -> EventTime? {
    var status = stat()
    guard stat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
    guard let udev = udev_new() else { throw CocoaError(.featureUnsupported) }
    defer { udev_unref(udev) }
    let character = CChar(bitPattern: UInt8(ascii: "c"))
    guard let device = udev_device_new_from_devnum(udev, character, status.st_rdev) else {
      return nil
    }
    defer { udev_device_unref(device) }
    guard let value = udev_device_get_property_value(device, "USEC_INITIALIZED") else { return nil }
    return Int64(String(cString: value)).map { EventTime(microseconds: $0) }
  }
}
