import CLinux

/// The mark of the keyboards that Gliss creates to type on.
///
/// It is in the device's physical location (`phys`). The creator of a virtual device may choose
/// this freely, no hardware uses this value, and both sysfs and an ioctl report it, with or without
/// udev. No Gliss process ever reads, records or grabs a device with the mark, because events read
/// from it would be typed on it again.
enum OwnDevice {
  /// The device's purpose follows.
  static let mark = "gliss/"

  /// - Parameter place: The device's physical location (`phys`).
  static func isMarked(_ place: String) -> Bool { place.hasPrefix(mark) }

  /// Whether `descriptor` is open on a marked device.
  static func isOpen(on descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      room.initialize(repeating: 0)
      // longer text is truncated, and the last byte stays 0
      guard gliss_evdev_place(descriptor, room.baseAddress, Int32(room.count - 1)) > 0,
        let start = room.baseAddress
      else { return false }
      return isMarked(String(cString: start))
    }
  }
}
