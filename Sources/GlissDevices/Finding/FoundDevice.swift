import Glibc
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

  /// A device as udev describes it.
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

  /// A touchpad.
  public static let touchpad = DeviceClasses(rawValue: 1)
  /// A touchscreen.
  public static let touchscreen = DeviceClasses(rawValue: 2)
  /// Has the keys of a full keyboard.
  public static let keyboard = DeviceClasses(rawValue: 4)
  /// Has at least some keys.
  public static let key = DeviceClasses(rawValue: 8)
  /// A mouse.
  public static let mouse = DeviceClasses(rawValue: 16)
  /// A stick between the keys.
  public static let trackpoint = DeviceClasses(rawValue: 32)
  /// A drawing tablet.
  public static let tablet = DeviceClasses(rawValue: 64)
  /// A joystick or game controller.
  public static let joystick = DeviceClasses(rawValue: 128)
  /// A laptop's lid, or another switch.
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

extension FoundDevice: CustomStringConvertible {
  /// The name and the node: `“Pad” at /dev/input/event5`.
  public var description: String { "“\(name)” at \(path)" }
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

  package init(found: FoundDevice, device: Device? = nil, refusal: RefusedDevice? = nil) {
    self.found = found
    self.device = device
    self.refusal = refusal
  }

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

  /// How many fingers a touch device that can be opened tells apart.
  package var slotCount: Int? { isTouchDevice ? device?.slotCount : nil }
}

extension DeviceReport {
  /// Opens the device briefly to read its description.
  package init(opening found: FoundDevice) {
    self.init(found: found)
    switch DeviceNode.open(found.path) {
    case .failure(let failure): refuse(failure.reason)
    case .success(let descriptor):
      defer { close(descriptor) }
      do {
        device = try Device(fileDescriptor: descriptor)
      } catch {
        refuse(DeviceNode.reason(error.code, found.path))
      }
      // touchpads need neither libinput nor udev
      if let device, !found.isInitialized, device.kind != .touchpad { refuse(.unknownToUdev) }
    }
  }

  private mutating func refuse(_ reason: RefusedDevice.Reason) {
    refusal = RefusedDevice(path: found.path, name: found.name, reason: reason)
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

  /// The bus of a ``busName``; `nil` if it is neither known nor hexadecimal.
  static func bus(_ name: String) -> UInt16? {
    buses.first { $0.name == name }?.number ?? UInt16(name, radix: 16)
  }

  /// Always four hexadecimal digits.
  package var vendorText: String { Self.hexadecimal(vendor) }
  /// Always four hexadecimal digits.
  package var productText: String { Self.hexadecimal(product) }
  /// Always four hexadecimal digits.
  var versionText: String { Self.hexadecimal(version) }

  private static func hexadecimal(_ value: UInt16) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}

extension DeviceClasses: Codable {
  /// Reads an array of words such as `touchpad`.
  public init(from decoder: any Decoder) throws {
    self = []
    for word in try [String](from: decoder) {
      guard let found = Self.names.first(where: { $0.name == word }) else {
        throw DecodingError.invalid("there is no such class: “\(word)”", at: decoder)
      }
      formUnion(found.classes)
    }
  }

  /// Writes an array of words such as `touchpad`.
  public func encode(to encoder: any Encoder) throws { try words.encode(to: encoder) }
}

extension DeviceClasses: CustomStringConvertible {
  /// The words: `keyboard, keys`.
  public var description: String { words.joined(separator: ", ") }
}

// By way of JSON, which `gliss devices` prints too.
extension FoundDevice: Codable {
  private enum CodingKeys: String, CodingKey {
    case path, name, classes, seat, bus, vendor, product, version, initialized, own
  }

  /// Reads a device, also from what `gliss devices --format json` prints; only the path is needed.
  public init(from decoder: any Decoder) throws {
    let members = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String? {
      try members.decodeIfPresent(String.self, forKey: key)
    }
    func number(_ key: CodingKeys, _ parse: (String) -> UInt16?) throws -> UInt16 {
      guard let text = try text(key) else { return 0 }
      guard let number = parse(text) else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: members, debugDescription: "it is neither known nor hexadecimal")
      }
      return number
    }
    func flag(_ key: CodingKeys) throws -> Bool? {
      try members.decodeIfPresent(Bool.self, forKey: key)
    }
    self.init(
      path: try members.decode(String.self, forKey: .path), name: try text(.name) ?? "",
      identifier: Device.Identifier(
        bus: try number(.bus, Device.Identifier.bus),
        vendor: try number(.vendor) { UInt16($0, radix: 16) },
        product: try number(.product) { UInt16($0, radix: 16) },
        version: try number(.version) { UInt16($0, radix: 16) }),
      seat: try text(.seat) ?? "seat0",
      classes: try members.decodeIfPresent(DeviceClasses.self, forKey: .classes) ?? [],
      isInitialized: try flag(.initialized) ?? true)
    isOwn = try flag(.own) ?? false
  }

  /// Writes the members that `gliss devices --format json` prints, and those that it leaves out.
  public func encode(to encoder: any Encoder) throws {
    let rest: JSON = .members([
      "version": .string(identifier.versionText),
      "initialized": isInitialized ? nil : false, "own": isOwn ? true : nil,
    ])
    try JSON.object(jsonMembers + (rest.object ?? [])).encode(to: encoder)
  }

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
