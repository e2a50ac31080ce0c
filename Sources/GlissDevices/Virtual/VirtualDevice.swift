import CLibevdev
import CLinux
import Glibc
public import GlissEvents

/// A device without hardware: what is written to it comes out of the kernel as from any other (uinput).
///
/// It is plugged in until ``close()``, or as long as the object is there.
public final class VirtualDevice {
  /// The device node, such as `/dev/input/event5`.
  public let path: String
  private var handle: OpaquePointer?
  /// What it was made with, which is ours to close.
  let descriptor: Int32

  /// Plugs in a device that says of itself what `device` does. udev's rules run for it a little later.
  ///
  /// - Parameters:
  ///   - nameBytes: what it is called where that is no text; the device's name otherwise. The kernel keeps 79 bytes.
  ///   - repeatsKeys: has the kernel repeat keys that are held, as it does for keyboards.
  /// - Throws: where `/dev/uinput` may not be written, or there can be no such device.
  public convenience init(
    _ device: Device, nameBytes: [UInt8]? = nil, repeatsKeys: Bool = false
  ) throws(DeviceError) {
    try self.init(device, nameBytes: nameBytes, repeatsKeys: repeatsKeys, others: [:], place: nil)
  }

  /// Plugs in one that can tell, or be told, `others` beside keys and axes.
  package convenience init(_ device: Device, others: [EvdevType: [UInt16]]) throws(DeviceError) {
    try self.init(device, nameBytes: nil, repeatsKeys: false, others: others, place: nil)
  }

  /// Plugs in one that Gliss types on and never reads (``OwnDevice``).
  ///
  /// - Parameters:
  ///   - place: what it is for.
  ///   - others: what it can tell, or be told, beside keys and axes.
  convenience init(_ device: Device, place: String, others: [EvdevType: [UInt16]] = [:])
    throws(DeviceError)
  {
    try self.init(
      device, nameBytes: nil, repeatsKeys: false, others: others, place: OwnDevice.mark + place)
  }

  private init(
    _ device: Device, nameBytes: [UInt8]?, repeatsKeys: Bool, others: [EvdevType: [UInt16]],
    place: String?
  ) throws(DeviceError) {
    let description = try VirtualDescription()
    description.setName(nameBytes ?? Array(device.name.utf8))
    try description.describe(device)
    try description.describe(others)
    if repeatsKeys { description.repeatKeys() }
    let descriptor = open(Self.place, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    if let place { _ = gliss_uinput_place(descriptor, place) }
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
      throw DeviceError(
        Self.place, "the new device has no node", advice: "see that /sys is there, and evdev loaded"
      )
    }
    self.handle = handle
    path = String(cString: node)
  }

  deinit { close() }

  /// Unplugs it. What it had pressed or touched is over for those who read it.
  public func close() {
    guard let handle else { return }
    libevdev_uinput_destroy(handle)
    Glibc.close(descriptor)
    self.handle = nil
  }

  /// Whether this process may plug in devices; none is.
  ///
  /// - Throws: why not, and what to do about it.
  public static func checkAccess() throws(DeviceError) {
    let descriptor = open(place, O_RDWR | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw failure(errno) }
    Glibc.close(descriptor)
  }

  private static let place = "/dev/uinput"

  private static func failure(_ code: Int32) -> DeviceError {
    switch code {
    case ENOENT, ENODEV, ENXIO:
      DeviceError(
        place, failed: code,
        advice: "load it: 'sudo modprobe uinput'; a container has it only where it is given it")
    case EACCES, EPERM:
      DeviceError(
        place, failed: code,
        // not input, whose members may read: who has this presses keys
        advice:
          "run this as root, or let a group of its own have it ('sudo groupadd --system uinput') by a udev rule: "
          + #"KERNEL=="uinput", GROUP="uinput", MODE="0660", OPTIONS+="static_node=uinput""#)
    case EINVAL:
      DeviceError(
        place, "the kernel takes no such device",
        advice: "it needs a name and at most 100 slots, and no axis may end before it begins or be "
          + "flat beyond its length",
        code: code)
    case _: DeviceError(place, failed: code)
    }
  }

  // MARK: Writing

  /// Writes one event and leaves its time to the kernel. Readers see it with the packet's end (`SYN_REPORT`).
  ///
  /// The kernel drops what changes nothing, such as the value an axis has already, and what the device does not have.
  ///
  /// - Throws: where the device was closed, or the kernel does not take it.
  public func write(_ event: EvdevEvent) throws(DeviceError) {
    try write([input_event(event)])
  }

  /// Writes a packet at once, as a driver does.
  package func write(_ packet: [EvdevEvent]) throws(DeviceError) {
    try write(packet.map { input_event($0) })
  }

  /// Writes events at once, as a driver does.
  func write(_ events: [input_event]) throws(DeviceError) {
    guard handle != nil else { throw DeviceError(path, failed: ENODEV) }
    let code = events.withUnsafeBytes { bytes -> Int32 in
      var rest = bytes[...]
      while !rest.isEmpty {
        let raw = UnsafeRawBufferPointer(rebasing: rest)
        let count = Glibc.write(descriptor, raw.baseAddress, raw.count)
        if count < 0 && errno == EINTR { continue }
        guard count > 0 else { return count < 0 ? errno : EIO }
        rest = rest.dropFirst(count)
      }
      return 0
    }
    guard code == 0 else { throw DeviceError(path, failed: code) }
  }
}

extension input_event {
  /// The event without a time: the kernel gives it its own.
  init(_ event: EvdevEvent) {
    self.init(
      time: timeval(), type: event.type.rawValue, code: event.code, value: event.value)
  }
}
