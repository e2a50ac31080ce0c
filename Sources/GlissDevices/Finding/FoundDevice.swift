public import GlissEvents

/// An input device as udev knows it, opened or not.
public struct FoundDevice: Hashable, Sendable {
  /// The device node, such as `/dev/input/event5`.
  public var path: String
  /// What it calls itself; what is not UTF-8 in it is replaced.
  public var name: String
  /// The kernel's `input_id`, where the system tells it without opening the device.
  public var identifier: Device.Identifier
  /// The seat it belongs to; `seat0` where nothing else is said.
  public var seat: String
  /// What udev says it is (`ID_INPUT_*`); empty where udev's database has nothing of it.
  public var classes: DeviceClasses
  /// Whether udev's rules have run for it: without them libinput takes no device.
  public var isInitialized: Bool
  /// Whether Gliss has made it to type on: it is never read.
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

  /// What udev knows nothing of: opening it will say what it is.
  public static func unknown(_ path: String) -> FoundDevice {
    FoundDevice(path: path, name: "", isInitialized: false)
  }
}

/// What udev says a device is; it may be several things at once.
public struct DeviceClasses: OptionSet, Hashable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let touchpad = DeviceClasses(rawValue: 1)
  public static let touchscreen = DeviceClasses(rawValue: 2)
  /// Has the keys of a whole keyboard.
  public static let keyboard = DeviceClasses(rawValue: 4)
  /// Has keys, if only a few.
  public static let key = DeviceClasses(rawValue: 8)
  public static let mouse = DeviceClasses(rawValue: 16)
  public static let trackpoint = DeviceClasses(rawValue: 32)
  public static let tablet = DeviceClasses(rawValue: 64)
  public static let joystick = DeviceClasses(rawValue: 128)
  public static let lidOrSwitch = DeviceClasses(rawValue: 256)

  /// The words of `gliss devices`, in the order they are listed.
  public static let names: [(classes: DeviceClasses, name: String)] = [
    (.touchpad, "touchpad"), (.touchscreen, "touchscreen"), (.keyboard, "keyboard"),
    (.key, "keys"), (.mouse, "mouse"), (.trackpoint, "trackpoint"), (.tablet, "tablet"),
    (.joystick, "joystick"), (.lidOrSwitch, "switch"),
  ]

  /// What it is, in these words.
  public var words: [String] { Self.names.filter { contains($0.classes) }.map(\.name) }
}

/// Which devices are read.
public enum DeviceSelection: Hashable, Sendable {
  /// All of a seat, also those that are plugged in later.
  case seat(String)
  /// These device nodes only.
  case paths([String])
  /// Devices that were opened already, by logind or a broker; they are not closed.
  case descriptors([Int32])

  /// The seat of a machine that has one.
  public static let defaultSeat = DeviceSelection.seat("seat0")
}
