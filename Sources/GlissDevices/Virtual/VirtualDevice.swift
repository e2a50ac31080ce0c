import CLibevdev
import CLinux
import Glibc
public import GlissEvents

/// A uinput device without hardware: what is written to it, the kernel emits as from any other
/// device.
///
/// It stays plugged in until ``close()``, or until the object is released.
public final class VirtualDevice {
  /// The device node, such as `/dev/input/event5`.
  public let path: String
  private var handle: OpaquePointer?
  /// The descriptor it was created with. This object closes it.
  let descriptor: Int32

  /// Plugs in a device with the description of `device`. udev's rules run for it a little later.
  ///
  /// - Parameters:
  ///   - nameBytes: The name if it is not valid text; `nil` for the device's name. The kernel keeps
  ///     79 bytes.
  ///   - repeatsKeys: Let the kernel repeat held keys, as for keyboards.
  /// - Throws: If `/dev/uinput` is not writable, or the kernel rejects the device.
  public convenience init(
    _ device: Device, nameBytes: [UInt8]? = nil, repeatsKeys: Bool = false
  ) throws(DeviceError) {
    try self.init(device, nameBytes: nameBytes, repeatsKeys: repeatsKeys, others: [:], place: nil)
  }

  /// Plugs in a device that supports the codes in `others` besides keys and axes.
  package convenience init(_ device: Device, others: [EvdevType: [UInt16]]) throws(DeviceError) {
    try self.init(device, nameBytes: nil, repeatsKeys: false, others: others, place: nil)
  }

  /// Plugs in a device that Gliss types on and never reads (``OwnDevice``).
  ///
  /// - Parameters:
  ///   - place: Its purpose.
  ///   - others: The codes it supports besides keys and axes.
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

  /// Unplugs the device. For its readers, all its keys and touches end.
  public func close() {
    guard let handle else { return }
    libevdev_uinput_destroy(handle)
    Glibc.close(descriptor)
    self.handle = nil
  }

  /// Checks whether this process may create devices, without creating one.
  ///
  /// - Throws: Why not, and what to do about it.
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
        advice: "load it with 'sudo modprobe uinput'; a container must be given /dev/uinput")
    case EACCES, EPERM:
      DeviceError(
        place, failed: code,
        // not the input group: its members may read devices, but access here lets them press keys
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

  /// Writes one event without a timestamp; the kernel sets it. Readers see the event once the
  /// packet ends (`SYN_REPORT`).
  ///
  /// The kernel drops events that change nothing, such as an axis value that is already set, and
  /// events the device does not support.
  ///
  /// - Throws: If the device was closed, or the kernel rejects the event.
  public func write(_ event: EvdevEvent) throws(DeviceError) {
    try write([input_event(event)])
  }

  /// Writes a packet in one call, as a driver does.
  package func write(_ packet: [EvdevEvent]) throws(DeviceError) {
    try write(packet.map { input_event($0) })
  }

  /// Writes events in one call, as a driver does.
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
  /// Copies the event without its time, which the kernel sets.
  init(_ event: EvdevEvent) {
    self.init(
      time: timeval(), type: event.type.rawValue, code: event.code, value: event.value)
  }
}

extension VirtualDevice {
  /// Writes `events` at the pace of their timestamps, starting now. Returns once the last is
  /// written.
  ///
  /// Each packet is written in one piece, when its end is due. A packet that is due before its
  /// predecessor follows it at once. The kernel stamps each event with the time of writing.
  ///
  /// - Parameter didWrite: Called after each packet.
  /// - Throws: If the device was closed, or the kernel rejects the events.
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
  /// Sleeps until `time`, even if signals arrive.
  static func sleep(until time: EventTime) {
    let microseconds = max(0, time.microseconds)
    var due = timespec(
      tv_sec: time_t(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, nil) == EINTR {}
  }
}
