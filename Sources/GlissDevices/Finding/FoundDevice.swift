import Glibc
package import GlissEvents

/// An input device udev knows, whether opened or not.
package struct FoundDevice: Hashable, Sendable {
  /// The device node, such as `/dev/input/event5`.
  package var path: String
  /// The device's own name, with invalid UTF-8 replaced.
  package var name: String
  /// The kernel's `input_id`, if it can be read without opening the device.
  package var identifier = Device.Identifier()
  /// The seat it belongs to.
  package var seat = "seat0"
  /// The classes udev reports (`ID_INPUT_*`); empty if udev's database has no entry.
  package var classes: DeviceClasses = []
  /// Whether udev's rules have run for it. Without them libinput rejects the device.
  package var isInitialized = true
  /// Whether Gliss created it to type on. Such a device is never read.
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
  /// A joystick or game controller.
  package static let joystick = DeviceClasses(rawValue: 128)
  /// A laptop's lid, or another switch.
  package static let lidOrSwitch = DeviceClasses(rawValue: 256)

  /// The words `gliss devices` uses, in listing order.
  package static let names: [(classes: DeviceClasses, name: String)] = [
    (.touchpad, "touchpad"), (.touchscreen, "touchscreen"), (.keyboard, "keyboard"),
    (.key, "keys"), (.mouse, "mouse"), (.trackpoint, "trackpoint"), (.tablet, "tablet"),
    (.joystick, "joystick"), (.lidOrSwitch, "switch"),
  ]

  /// The same in words.
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
    do throws(DeviceNode.Refusal) {
      let descriptor = try DeviceNode.open(found.path)
      defer { close(descriptor) }
      let device = try DeviceNode.use(found.path) { () throws(SystemError) in
        try Device(fileDescriptor: descriptor)
      }
      self.device = device
      // touchpads need neither libinput nor udev
      if !found.isInitialized, device.kind != .touchpad {
        refusal = RefusedDevice(found, .unknownToUdev)
      }
    } catch {
      refusal = RefusedDevice(found, error.reason)
    }
  }
}

extension DeviceFinder {
  /// All input devices with a node, sorted by number. Each one that may be opened is opened
  /// briefly.
  ///
  /// - Parameter seat: Report only this seat's devices; `nil` for all.
  /// - Throws: If the system cannot list the devices.
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
  /// Always four hexadecimal digits.
  package var productText: String { Self.hexadecimal(product) }

  private static func hexadecimal(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension FoundDevice {
  /// The members that `gliss devices` begins each device with.
  package var jsonMembers: [JSON.Member] {
    [
      JSON.Member("path", .string(path)), JSON.Member("name", .string(name)),
      JSON.Member("classes", .strings(classes.words)), JSON.Member("seat", .string(seat)),
      JSON.Member("bus", .string(identifier.busName)),
      JSON.Member("vendor", .string(identifier.vendorText)),
      JSON.Member("product", .string(identifier.productText)),
    ]
  }
}
