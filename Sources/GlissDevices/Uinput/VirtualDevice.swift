import CLibevdev
import CLinux
import Glibc
package import GlissEvents

/// A device without hardware: what is written to it, the kernel emits as from any other device.
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
  ///   - nameBytes: The name if it is not valid text. The kernel keeps 79 bytes.
  ///   - place: The purpose of a device that Gliss never reads (``OwnDevice``).
  package init(
    _ device: Device, nameBytes: [UInt8]? = nil, others: [EvdevType: [UInt16]] = [:],
    place: String? = nil
  ) throws(SystemError) {
    guard let description = libevdev_new() else { throw SystemError("libevdev", failed: ENOMEM) }
    defer { libevdev_free(description) }
    let name = nameBytes ?? Array(device.name.utf8)
    libevdev_set_name(description, name.map { CChar(bitPattern: $0) } + [0])
    try Self.describe(device, others, in: description)
    let descriptor = open(Self.place, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    if let place { _ = gliss_uinput_place(descriptor, OwnDevice.mark + place) }
    var handle: OpaquePointer?
    let code = libevdev_uinput_create_from_device(description, descriptor, &handle)
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

extension VirtualDevice {
  /// The kernel's limit (`input_mt_init_slots`). libevdev has none and would try to allocate all
  /// memory.
  private static let slotLimit: Int32 = 1024

  /// Describes `device` without its name, and adds `others`: scan codes, lights, sounds and such.
  private static func describe(
    _ device: Device, _ others: [EvdevType: [UInt16]], in pointer: OpaquePointer
  ) throws(SystemError) {
    func add(
      _ type: EvdevType, _ code: UInt16, _ what: String, _ data: UnsafeRawPointer? = nil
    ) throws(SystemError) {
      let result = libevdev_enable_event_code(pointer, UInt32(type.rawValue), UInt32(code), data)
      try require(result == 0, what)
    }
    libevdev_set_id_bustype(pointer, Int32(device.identifier.bus))
    libevdev_set_id_vendor(pointer, Int32(device.identifier.vendor))
    libevdev_set_id_product(pointer, Int32(device.identifier.product))
    libevdev_set_id_version(pointer, Int32(device.identifier.version))
    for property in device.properties {
      let isTaken = libevdev_enable_property(pointer, UInt32(property.rawValue)) == 0
      try require(isTaken, "property \(property.rawValue)")
    }
    for key in device.keys { try add(.key, key.rawValue, "key \(key.rawValue)") }
    for axis in device.relativeAxes { try add(.relative, axis, "relative axis \(axis)") }
    // slots come first, because the kernel's data for each slot follows
    for (axis, range) in device.axes.sorted(by: { $0.key < $1.key }) {
      let what = "axis \(axis.rawValue) with the range \(range.minimum)…\(range.maximum)"
      try require(axis != .slot || (0..<slotLimit).contains(range.maximum), what)
      var data = input_absinfo(
        value: 0, minimum: range.minimum, maximum: range.maximum, fuzz: range.fuzz,
        flat: range.flat, resolution: range.resolution)
      try add(.absolute, axis.rawValue, what, &data)
    }
    for (type, codes) in others {
      for code in codes { try add(type, code, "type \(type.rawValue), code \(code)") }
    }
  }

  private static func require(_ isTaken: Bool, _ what: String) throws(SystemError) {
    guard !isTaken else { return }
    throw SystemError(
      place, "no device can have \(what)", advice: "leave it out of the description")
  }
}
