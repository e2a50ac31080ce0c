public import GlissEvents

/// An input device udev knows, whether opened or not.
public struct FoundDevice: Hashable, Sendable {
  /// The device node, such as `/dev/input/event5`.
  public var path: String
  /// The device's own name, with invalid UTF-8 replaced.
  public var name: String
  /// The kernel's `input_id`, if it can be read without opening the device.
  public var identifier: Device.Identifier
  /// The seat it belongs to; `seat0` by default.
  public var seat: String
  /// The classes udev reports (`ID_INPUT_*`); empty if udev's database has no entry.
  public var classes: DeviceClasses
  /// Whether udev's rules have run for it. Without them libinput rejects the device.
  public var isInitialized: Bool
  /// Whether Gliss created it to type on. Such a device is never read.
  public var isOwn = false

  public init(
    path: String, name: String, identifier: Device.Identifier = .init(), seat: String = "seat0",
    classes: DeviceClasses = [], isInitialized: Bool = true
  ) {
    self.path = path
    self.name = name
    self.identifier = identifier
    self.seat = seat
    self.classes = classes
    self.isInitialized = isInitialized
  }

  /// A device udev does not know. Opening it shows what it is.
  public static func unknown(_ path: String) -> FoundDevice {
    FoundDevice(path: path, name: "", isInitialized: false)
  }
}

/// What udev says a device is. It can be several things at once.
public struct DeviceClasses: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let touchpad = DeviceClasses(rawValue: 1)
  public static let touchscreen = DeviceClasses(rawValue: 2)
  /// Has the keys of a full keyboard.
  public static let keyboard = DeviceClasses(rawValue: 4)
  /// Has at least some keys.
  public static let key = DeviceClasses(rawValue: 8)
  public static let mouse = DeviceClasses(rawValue: 16)
  public static let trackpoint = DeviceClasses(rawValue: 32)
  public static let tablet = DeviceClasses(rawValue: 64)
  public static let joystick = DeviceClasses(rawValue: 128)
  public static let lidOrSwitch = DeviceClasses(rawValue: 256)

  /// The words `gliss devices` uses, in listing order.
  public static let names: [(classes: DeviceClasses, name: String)] = [
    (.touchpad, "touchpad"), (.touchscreen, "touchscreen"), (.keyboard, "keyboard"),
    (.key, "keys"), (.mouse, "mouse"), (.trackpoint, "trackpoint"), (.tablet, "tablet"),
    (.joystick, "joystick"), (.lidOrSwitch, "switch"),
  ]

  /// The same in words.
  public var words: [String] { Self.names.filter { contains($0.classes) }.map(\.name) }
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
