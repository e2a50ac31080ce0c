import CLibevdev
import CLinux
import Glibc
import GlissEvents

/// libevdev's description of a device to be created.
struct VirtualDescription: ~Copyable {
  let pointer: OpaquePointer

  /// The kernel's limit (`input_mt_init_slots`). libevdev has none and would try to allocate all
  /// memory.
  private static let slotLimit = 1024

  init() throws(DeviceError) {
    guard let new = libevdev_new() else { throw DeviceError("libevdev", failed: ENOMEM) }
    pointer = new
  }

  deinit { libevdev_free(pointer) }

  func setName(_ bytes: [UInt8]) {
    libevdev_set_name(pointer, bytes.map { CChar(bitPattern: $0) } + [0])
  }

  func repeatKeys() { libevdev_enable_event_type(pointer, UInt32(EV_REP)) }

  /// Copies all of `device`'s description except its name.
  func describe(_ device: Device) throws(DeviceError) {
    libevdev_set_id_bustype(pointer, Int32(device.identifier.bus))
    libevdev_set_id_vendor(pointer, Int32(device.identifier.vendor))
    libevdev_set_id_product(pointer, Int32(device.identifier.product))
    libevdev_set_id_version(pointer, Int32(device.identifier.version))
    for property in device.properties {
      let isTaken = libevdev_enable_property(pointer, UInt32(property.rawValue)) == 0
      try require(isTaken, "property \(property.rawValue)")
    }
    for key in device.keys { try require(enable(.key, key.rawValue), "key \(key.rawValue)") }
    for axis in device.relativeAxes {
      try require(enable(.relative, axis), "relative axis \(axis)")
    }
    // slots come first, because the kernel's data for each slot follows
    for (axis, range) in device.axes.sorted(by: { $0.key < $1.key }) {
      try require(
        enable(axis, range),
        "axis \(axis.rawValue) with the range \(range.minimum)…\(range.maximum)")
    }
  }

  /// Adds scan codes, lights, sounds and such, by type.
  func describe(_ others: [EvdevType: [UInt16]]) throws(DeviceError) {
    for (type, codes) in others {
      for code in codes { try require(enable(type, code), "type \(type.rawValue), code \(code)") }
    }
  }

  private func enable(_ type: EvdevType, _ code: UInt16) -> Bool {
    libevdev_enable_event_code(pointer, UInt32(type.rawValue), UInt32(code), nil) == 0
  }

  private func enable(_ axis: AbsoluteAxis, _ range: AxisRange) -> Bool {
    if axis == .slot && !(0..<Int32(Self.slotLimit)).contains(range.maximum) { return false }
    var information = input_absinfo(
      value: 0, minimum: range.minimum, maximum: range.maximum, fuzz: range.fuzz, flat: range.flat,
      resolution: range.resolution)
    let type = UInt32(EvdevType.absolute.rawValue)
    return libevdev_enable_event_code(pointer, type, UInt32(axis.rawValue), &information) == 0
  }

  private func require(_ isTaken: Bool, _ what: String) throws(DeviceError) {
    guard !isTaken else { return }
    throw DeviceError(
      "/dev/uinput", "no device can have \(what)", advice: "leave it out of the description")
  }
}
