import CLibevdev
import CLinux
import Glibc
package import GlissEvents

/// A uinput device without hardware: what is written to it, the kernel emits as from any other
/// device.
///
/// It stays plugged in until ``close()``, or until the object is released.
package final class VirtualDevice {
  /// The device node, such as `/dev/input/event5`.
  package let path: String
  private var handle: OpaquePointer?
  /// The descriptor it was created with. This object closes it.
  let descriptor: Int32

  /// Plugs in a device with the description of `device`. udev's rules run for it a little later.
  ///
  /// - Parameters:
  ///   - nameBytes: The name if it is not valid text; `nil` for the device's name. The kernel keeps
  ///     79 bytes.
  ///   - others: The codes it supports besides keys and axes.
  ///   - place: The purpose of a device that Gliss makes for others and never reads
  ///     (``OwnDevice``).
  /// - Throws: If `/dev/uinput` is not writable, or the kernel rejects the device.
  package init(
    _ device: Device, nameBytes: [UInt8]? = nil, others: [EvdevType: [UInt16]] = [:],
    place: String? = nil
  ) throws(SystemError) {
    let description = try VirtualDescription()
    description.setName(nameBytes ?? Array(device.name.utf8))
    try description.describe(device)
    try description.describe(others)
    let descriptor = open(Self.place, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    if let place { _ = gliss_uinput_place(descriptor, OwnDevice.mark + place) }
    var handle: OpaquePointer?
    let code = libevdev_uinput_create_from_device(description.pointer, descriptor, &handle)
    guard code == 0, let handle else {
      Glibc.close(descriptor)
      throw Self.failure(-code)
    }
    self.descriptor = descriptor
    guard let node = libevdev_uinput_get_devnode(handle) else {
      libevdev_uinput_destroy(handle)
      Glibc.close(descriptor)
      throw SystemError(
        Self.place, "the new device has no node",
        advice: "check that /sys is there and evdev is loaded")
    }
    self.handle = handle
    path = String(cString: node)
  }

  deinit { close() }

  /// Unplugs the device. For its readers, all its keys and touches end.
  package func close() {
    guard let handle else { return }
    libevdev_uinput_destroy(handle)
    Glibc.close(descriptor)
    self.handle = nil
  }

  /// Checks whether this process may create devices, without creating one.
  ///
  /// - Throws: Why not, and what to do about it.
  package static func checkAccess() throws(SystemError) {
    let descriptor = open(place, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    Glibc.close(descriptor)
  }

  private static let place = "/dev/uinput"

  private static func failure(_ code: Int32) -> SystemError {
    switch code {
    case ENOENT, ENODEV, ENXIO:
      SystemError(
        place, failed: code,
        advice: "load it with 'sudo modprobe uinput'; a container must be given /dev/uinput")
    case EACCES, EPERM:
      SystemError(
        place, failed: code,
        // not the input group: its members may read devices, but access here lets them press keys
        advice:
          "run this as root, or let a group of its own have it ('sudo groupadd --system uinput') by a udev rule: "
          + #"KERNEL=="uinput", GROUP="uinput", MODE="0660", OPTIONS+="static_node=uinput""#)
    case EINVAL:
      SystemError(
        place, "the kernel rejects the device",
        advice: "it needs a name and at most 100 slots, and no axis may end before it begins or be "
          + "flat beyond its length",
        code: code)
    case _: SystemError(place, failed: code)
    }
  }

  // MARK: Writing

  /// Writes a packet in one call, as a driver does. The kernel sets the timestamps. It drops events
  /// that change nothing, such as an axis value that is already set, and events the device does not
  /// support. Readers see the others once the packet ends (`SYN_REPORT`). Throws if the device was
  /// closed, or the kernel rejects an event.
  package func write(_ packet: [EvdevEvent]) throws(SystemError) {
    guard handle != nil else { throw SystemError(path, failed: ENODEV) }
    let code = withUnsafeTemporaryAllocation(of: input_event.self, capacity: packet.count) {
      events -> Int32 in
      for index in packet.indices { events[index] = input_event(packet[index]) }
      var rest = UnsafeRawBufferPointer(events)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
      }
      return 0
    }
    guard code == 0 else { throw SystemError(path, failed: code) }
  }
}

extension input_event {
  /// Copies the event without its time, which the kernel sets.
  init(_ event: EvdevEvent) {
    self.init(
      time: timeval(), type: event.type.rawValue, code: event.code, value: event.value)
  }
}

/// libevdev's description of a device to be created.
struct VirtualDescription: ~Copyable {
  let pointer: OpaquePointer

  /// The kernel's limit (`input_mt_init_slots`). libevdev has none and would try to allocate all
  /// memory.
  private static let slotLimit = 1024

  init() throws(SystemError) {
    guard let new = libevdev_new() else { throw SystemError("libevdev", failed: ENOMEM) }
    pointer = new
  }

  deinit { libevdev_free(pointer) }

  func setName(_ bytes: [UInt8]) {
    libevdev_set_name(pointer, bytes.map { CChar(bitPattern: $0) } + [0])
  }

  /// Copies all of `device`'s description except its name.
  func describe(_ device: Device) throws(SystemError) {
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
  func describe(_ others: [EvdevType: [UInt16]]) throws(SystemError) {
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

  private func require(_ isTaken: Bool, _ what: String) throws(SystemError) {
    guard !isTaken else { return }
    throw SystemError(
      "/dev/uinput", "no device can have \(what)", advice: "leave it out of the description")
  }
}
