import CLibudev
import Glibc
package import GlissEvents

/// Lists the input devices udev knows, and reports when one comes or goes.
package final class DeviceFinder {
  package enum Change: Hashable, Sendable {
    /// A device was plugged in, or its rules ran again.
    case present(FoundDevice)
    case gone(path: String)
    /// Changes were lost because they were not read in time: the devices must be listed again.
    case missed
  }

  private let udev: OpaquePointer
  private var monitor: OpaquePointer?

  package init() throws(SystemError) {
    guard let udev = udev_new() else { throw SystemError("udev", failed: errno) }
    self.udev = udev
  }

  deinit {
    if let monitor { udev_monitor_unref(monitor) }
    udev_unref(udev)
  }

  // MARK: Present devices

  /// Whether udev runs, so that newly plugged-in devices are set up.
  package var isUdevRunning: Bool {
    guard let queue = udev_queue_new(udev) else { return false }
    defer { udev_queue_unref(queue) }
    return udev_queue_get_udev_is_active(queue) > 0
  }

  /// All input devices with a node, sorted by number. Throws if the system cannot list the devices.
  package func devices() throws(SystemError) -> [FoundDevice] {
    // udev treats a system without sysfs as one without devices
    guard access("/sys/class", R_OK | X_OK) == 0 else {
      throw SystemError(
        "/sys/class", failed: errno, advice: "devices are listed there: mount sysfs on /sys")
    }
    guard let enumeration = udev_enumerate_new(udev) else {
      throw SystemError("udev", failed: errno)
    }
    defer { udev_enumerate_unref(enumeration) }
    udev_enumerate_add_match_subsystem(enumeration, "input")
    udev_enumerate_add_match_sysname(enumeration, "event*")
    let code = udev_enumerate_scan_devices(enumeration)
    guard code >= 0 else { throw SystemError("udev", failed: -code) }
    var found: [FoundDevice] = []
    var entry = udev_enumerate_get_list_entry(enumeration)
    while let current = entry {
      if let path = udev_list_entry_get_name(current),
        let device = udev_device_new_from_syspath(udev, path)
      {
        if let described = Self.describe(device) { found.append(described) }
        udev_device_unref(device)
      }
      entry = udev_list_entry_get_next(current)
    }
    return found.sorted { Self.number($0.path) < Self.number($1.path) }
  }

  /// The device at `path`; `nil` if udev knows none there.
  package func device(at path: String) -> FoundDevice? {
    guard let number = DeviceNode.number(path), var found = device(numbered: number) else {
      return nil
    }
    found.path = path
    return found
  }

  /// The devices at `paths`, known to udev or not. A device that is named twice, even through a
  /// link, is listed once.
  package func devices(at paths: [String]) -> [FoundDevice] {
    var numbers: Set<dev_t> = []
    return paths.filter { path in
      DeviceNode.number(path).map { numbers.insert($0).inserted } ?? true
    }.map { device(at: $0) ?? .unknown($0) }
  }

  /// The device that `descriptor` is open on; `nil` if udev does not know it.
  package func device(of descriptor: Int32) -> FoundDevice? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFCHR else { return nil }
    return device(numbered: status.st_rdev)
  }

  private func device(numbered number: dev_t) -> FoundDevice? {
    guard let device = udev_device_new_from_devnum(udev, CChar(UInt8(ascii: "c")), number) else {
      return nil
    }
    defer { udev_device_unref(device) }
    return Self.describe(device)
  }

  /// The number in `/dev/input/event5`, so that 10 sorts after 9.
  static func number(_ path: String) -> Int {
    let digits = path.utf8.reversed().prefix { (48...57).contains($0) }
    return Int(String(decoding: digits.reversed(), as: UTF8.self)) ?? .max
  }

  // MARK: Changes

  /// Starts listening: from now on ``change()`` reports what happens. Returns a descriptor that
  /// becomes readable then.
  package func listen() throws(SystemError) -> Int32 {
    if let monitor { return udev_monitor_get_fd(monitor) }
    guard let monitor = udev_monitor_new_from_netlink(udev, "udev") else {
      throw SystemError(
        "udev", failed: errno,
        advice: "devices that are plugged in later are not seen without AF_NETLINK sockets")
    }
    udev_monitor_filter_add_match_subsystem_devtype(monitor, "input", nil)
    let code = udev_monitor_enable_receiving(monitor)
    guard code >= 0 else {
      udev_monitor_unref(monitor)
      throw SystemError("udev", failed: -code)
    }
    self.monitor = monitor
    return udev_monitor_get_fd(monitor)
  }

  /// The next unreported change; `nil` without one.
  package func change() -> Change? {
    guard let monitor else { return nil }
    errno = 0
    while let device = udev_monitor_receive_device(monitor) {
      defer { udev_device_unref(device) }
      guard Self.isEventNode(device), let node = udev_device_get_devnode(device) else { continue }
      switch udev_device_get_action(device).map({ String(cString: $0) }) {
      case "remove": return .gone(path: String(cString: node))
      case "add", "change", "bind", "online", "move":
        if let found = Self.describe(device) { return .present(found) }
      case _: break
      }
      errno = 0
    }
    return errno == ENOBUFS ? .missed : nil
  }

  // MARK: udev properties

  private static func isEventNode(_ device: OpaquePointer) -> Bool {
    guard let name = udev_device_get_sysname(device) else { return false }
    return strncmp(name, "event", 5) == 0
  }

  private static func describe(_ device: OpaquePointer) -> FoundDevice? {
    guard isEventNode(device), let node = udev_device_get_devnode(device) else { return nil }
    let path = String(cString: node)
    let parent = udev_device_get_parent_with_subsystem_devtype(device, "input", nil)
    let name = parent.flatMap { udev_device_get_sysattr_value($0, "name") }
    let identifier = Device.Identifier(
      bus: attribute("id/bustype", parent), vendor: attribute("id/vendor", parent),
      product: attribute("id/product", parent), version: attribute("id/version", parent))
    let place = parent.flatMap { udev_device_get_sysattr_value($0, "phys") }
    return FoundDevice(
      path: path, name: name.map { String(cString: $0) } ?? "", identifier: identifier,
      seat: property("ID_SEAT", device) ?? "seat0", classes: classes(device),
      isInitialized: udev_device_get_is_initialized(device) > 0,
      isOwn: place.map { OwnDevice.isMarked(String(cString: $0)) } ?? false)
  }

  private static func attribute(_ name: String, _ parent: OpaquePointer?) -> UInt16 {
    guard let text = parent.flatMap({ udev_device_get_sysattr_value($0, name) }) else { return 0 }
    return UInt16(String(cString: text), radix: 16) ?? 0
  }

  private static func property(_ name: String, _ device: OpaquePointer) -> String? {
    udev_device_get_property_value(device, name).map { String(cString: $0) }
  }

  /// What udev knows of the device that `descriptor` is open on; empty if it does not know it.
  static func properties(_ names: [String], of descriptor: Int32) -> [String: String] {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let udev = udev_new() else { return [:] }
    defer { udev_unref(udev) }
    guard let device = udev_device_new_from_devnum(udev, CChar(UInt8(ascii: "c")), status.st_rdev)
    else { return [:] }
    defer { udev_device_unref(device) }
    return names.reduce(into: [:]) { $0[$1] = property($1, device) }
  }

  /// The dots per inch of the starred entry, as in `400@125 *800@125`, or else of the first.
  static func dotsPerInch(_ property: String) -> Double? {
    let entries = property.split(separator: " ")
    let entry = entries.first { $0.first == "*" } ?? entries.first
    return entry?.drop { $0 == "*" }.split(separator: "@").first.flatMap { Double($0) }
      .flatMap { (1...100_000).contains($0) ? $0 : nil }
  }

  private static let properties: [(name: String, classes: DeviceClasses)] = [
    ("ID_INPUT_TOUCHPAD", .touchpad), ("ID_INPUT_TOUCHSCREEN", .touchscreen),
    ("ID_INPUT_KEYBOARD", .keyboard), ("ID_INPUT_KEY", .key), ("ID_INPUT_MOUSE", .mouse),
    ("ID_INPUT_POINTINGSTICK", .trackpoint), ("ID_INPUT_TABLET", .tablet),
    ("ID_INPUT_TABLET_PAD", .tablet), ("ID_INPUT_JOYSTICK", .joystick),
    ("ID_INPUT_SWITCH", .lidOrSwitch),
  ]

  private static func classes(_ device: OpaquePointer) -> DeviceClasses {
    var classes: DeviceClasses = []
    for (name, kind) in properties where property(name, device) == "1" { classes.formUnion(kind) }
    return classes
  }
}

/// An input device udev knows, whether opened or not.
package struct FoundDevice: Hashable, Sendable {
  /// The device node, such as `/dev/input/event5`.
  package var path: String
  /// The device's own name, with invalid UTF-8 replaced.
  package var name: String
  /// The kernel's `input_id`, if it can be read without opening the device.
  package var identifier = Device.Identifier()
  package var seat = "seat0"
  /// The classes udev reports (`ID_INPUT_*`); empty if udev's database has no entry.
  package var classes: DeviceClasses = []
  /// Whether udev's rules have run for it. Without them libinput rejects the device.
  package var isInitialized = true
  /// Whether Gliss itself made it. Such a device is never read.
  package var isOwn = false

  /// A device udev does not know. Opening it shows what it is.
  package static func unknown(_ path: String) -> FoundDevice {
    FoundDevice(path: path, name: "", isInitialized: false)
  }
}

/// What udev says a device is. It can be several things at once.
package struct DeviceClasses: OptionSet, Hashable, Sendable {
  package let rawValue: UInt16
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  package static let touchpad = DeviceClasses(rawValue: 1)
  package static let touchscreen = DeviceClasses(rawValue: 2)
  /// Has the keys of a full keyboard.
  package static let keyboard = DeviceClasses(rawValue: 4)
  /// Has at least some keys.
  package static let key = DeviceClasses(rawValue: 8)
  package static let mouse = DeviceClasses(rawValue: 16)
  /// A stick between the keys.
  package static let trackpoint = DeviceClasses(rawValue: 32)
  package static let tablet = DeviceClasses(rawValue: 64)
  package static let joystick = DeviceClasses(rawValue: 128)
  /// A laptop's lid, or another switch.
  package static let lidOrSwitch = DeviceClasses(rawValue: 256)

  /// The words `gliss devices` uses, in listing order.
  package static let names: [(classes: DeviceClasses, name: String)] = [
    (.touchpad, "touchpad"), (.touchscreen, "touchscreen"), (.keyboard, "keyboard"),
    (.key, "keys"), (.mouse, "mouse"), (.trackpoint, "trackpoint"), (.tablet, "tablet"),
    (.joystick, "joystick"), (.lidOrSwitch, "switch"),
  ]

  package var words: [String] { Self.names.filter { contains($0.classes) }.map(\.name) }
}

/// Which devices are read.
public enum DeviceSelection: Hashable, Sendable {
  /// All devices of a seat, including those plugged in later.
  case seat(String)
  /// These device nodes only.
  case paths([String])
  /// Devices that logind or a broker opened already. They are not closed.
  case descriptors([Int32])

  /// The default seat of a machine with one seat.
  public static let defaultSeat = DeviceSelection.seat("seat0")
}

/// What is known about a device without reading its events: udev's data, the device's own
/// description, and why it cannot be read.
package struct DeviceReport: Hashable, Sendable {
  package var found: FoundDevice
  /// The device's own description; `nil` if it cannot be opened.
  package var device: Device?
  /// Why it cannot be read; `nil` if it can.
  package var refusal: RefusedDevice?
  /// These four are only looked for in a ``Diagnosis``.
  var grab = Circumstances.Grab.unknown
  /// Only processes that this one may inspect.
  var holders: [Circumstances.Holder] = []
  /// For touchscreens that can be opened: whether libinput accepts it.
  var isAccepted = true
  /// For touchpads: whether the desktop reads a twin that Gliss has made.
  var hasTwin = false

  /// The classes udev reports, or those of the device's own axes and keys if udev reports none.
  package var classes: DeviceClasses {
    guard found.classes.isEmpty, let device else { return found.classes }
    switch device.kind {
    case .touchpad: return .touchpad
    case .touchscreen: return .touchscreen
    case .keyboard: return .key
    case .mouse: return .mouse
    case .other: return []
    }
  }

  package var isTouchDevice: Bool { !classes.isDisjoint(with: [.touchpad, .touchscreen]) }

  package var size: DeviceSize? { isTouchDevice ? device?.size : nil }

  /// How many fingers a touch device distinguishes, if it can be opened.
  package var slotCount: Int? { isTouchDevice ? device?.slotCount : nil }
}

extension DeviceReport {
  /// Opens the device briefly to read its description.
  package init(opening found: FoundDevice) {
    self.init(found: found)
    do throws(RefusedDevice.Reason) {
      let descriptor = try DeviceNode.open(found.path)
      defer { close(descriptor) }
      let device = try DeviceNode.device(found.path, descriptor)
      self.device = device
      // touchpads need neither libinput nor udev
      if !found.isInitialized, device.kind != .touchpad {
        refusal = RefusedDevice(found, .unknownToUdev)
      }
    } catch {
      refusal = RefusedDevice(found, error)
    }
  }
}

extension DeviceFinder {
  /// All input devices with a node, or only a seat's, sorted by number. Each one that may be opened
  /// is opened briefly.
  package func reports(seat: String? = nil) throws(SystemError) -> [DeviceReport] {
    try devices().filter { seat == nil || $0.seat == seat }.map { DeviceReport(opening: $0) }
  }
}

extension FoundDevice {
  /// The last part of ``path``, such as `event5`. This is the name people use.
  package var nodeName: String { path.split(separator: "/").last.map { String($0) } ?? path }
}

extension Device.Identifier {
  /// How the device is connected (`BUS_*`), or the number in hexadecimal if it has no name here.
  package var busName: String {
    Self.buses.first { $0.number == bus }?.name ?? Self.hexadecimal(bus)
  }

  private static let buses: [(number: UInt16, name: String)] = [
    (0x01, "pci"), (0x03, "usb"), (0x05, "bluetooth"), (0x06, "virtual"), (0x10, "isa"),
    (0x11, "ps/2"), (0x18, "i2c"), (0x19, "host"), (0x1c, "spi"), (0x1d, "rmi"),
  ]

  /// Always four hexadecimal digits.
  package var vendorText: String { Self.hexadecimal(vendor) }
  package var productText: String { Self.hexadecimal(product) }

  private static func hexadecimal(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
