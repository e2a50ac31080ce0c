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

  /// Plugs in a device that says of itself what `device` does. udev's rules run for it a little later.
  ///
  /// - Parameters:
  ///   - nameBytes: what it is called where that is no text; the device's name otherwise. The kernel keeps 79 bytes.
  ///   - repeatsKeys: has the kernel repeat keys that are held, as it does for keyboards.
  /// - Throws: where `/dev/uinput` may not be written, or there can be no such device.
  public init(_ device: Device, nameBytes: [UInt8]? = nil, repeatsKeys: Bool = false)
    throws(DeviceError)
  {
    let description = try VirtualDescription()
    description.setName(nameBytes ?? Array(device.name.utf8))
    try description.describe(device)
    if repeatsKeys { description.repeatKeys() }
    var handle: OpaquePointer?
    let code = libevdev_uinput_create_from_device(
      description.pointer, LIBEVDEV_UINPUT_OPEN_MANAGED.rawValue, &handle)
    guard code == 0, let handle else { throw Self.failure(-code) }
    guard let node = libevdev_uinput_get_devnode(handle) else {
      libevdev_uinput_destroy(handle)
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
    if let handle { libevdev_uinput_destroy(handle) }
    handle = nil
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
        advice: "run this as root, or let a group have it by a udev rule: "
          + #"KERNEL=="uinput", GROUP="input", MODE="0660", OPTIONS+="static_node=uinput""#)
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

  /// Writes events at once, as a driver does.
  func write(_ events: [input_event]) throws(DeviceError) {
    guard let handle else { throw DeviceError(path, failed: ENODEV) }
    let descriptor = libevdev_uinput_get_fd(handle)
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
