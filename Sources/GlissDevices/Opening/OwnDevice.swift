import CLinux

/// The mark of the keyboards that Gliss makes to type on.
///
/// It is where a device says it is plugged in: whoever makes one may say what they like there, no hardware says this, and
/// sysfs and an ioctl both tell it, with udev or without. A device with the mark is never read, recorded or grabbed by
/// Gliss, in whichever process: what was read from it would be typed on it again.
enum OwnDevice {
  /// What follows says what the device is for.
  static let mark = "gliss/"

  /// - Parameter place: where the device says it is plugged in (`phys`).
  static func isMarked(_ place: String) -> Bool { place.hasPrefix(mark) }

  /// Whether `descriptor` is open on one.
  static func isOpen(on descriptor: Int32) -> Bool {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { room in
      room.initialize(repeating: 0)
      // what is longer is cut off, and the last byte stays 0
      guard gliss_evdev_place(descriptor, room.baseAddress, Int32(room.count - 1)) > 0,
        let start = room.baseAddress
      else { return false }
      return isMarked(String(cString: start))
    }
  }
}
