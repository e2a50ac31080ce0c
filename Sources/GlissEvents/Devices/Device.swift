/// A device's number within one process; never reused for another device.
public struct DeviceID: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

/// The range of an absolute axis: the kernel's `input_absinfo` without its current value.
public struct AxisRange: Hashable, Sendable {
  /// The smallest value, in the axis' units.
  public var minimum: Int32
  /// The largest value, in the axis' units.
  public var maximum: Int32
  /// Changes up to this many units may be noise, according to the driver.
  public var fuzz: Int32
  /// Values up to this far from the middle count as the middle; for joysticks.
  public var flat: Int32
  /// Units per mm for positions; 0 if the device does not report it.
  public var resolution: Int32

  /// A range in the axis' units, with its resolution in units per mm.
  public init(
    minimum: Int32, maximum: Int32, fuzz: Int32 = 0, flat: Int32 = 0, resolution: Int32 = 0
  ) {
    self.minimum = minimum
    self.maximum = maximum
    self.fuzz = fuzz
    self.flat = flat
    self.resolution = resolution
  }
}

/// A device's description of itself, values only: the same whether it is plugged in or recorded.
public struct Device: Hashable, Sendable {
  /// The kind of device, derived from its axes, keys and properties.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A pad for fingers that moves a pointer.
    case touchpad
    /// A screen that fingers touch.
    case touchscreen
    /// Has any key of a keyboard, even if only a power key.
    case keyboard
    /// Reports relative motion.
    case mouse
    /// None of these, for example a joystick.
    case other
  }

  /// The kernel's `input_id`.
  public struct Identifier: Hashable, Sendable {
    /// The bus, `BUS_*` of `linux/input.h`: 3 is USB, 5 Bluetooth, 0x18 I²C.
    public var bus: UInt16
    /// The vendor's number on that bus.
    public var vendor: UInt16
    /// The vendor's number for the product.
    public var product: UInt16
    /// The product's version.
    public var version: UInt16

    /// An identifier; all four are 0 for a device that names none.
    public init(bus: UInt16 = 0, vendor: UInt16 = 0, product: UInt16 = 0, version: UInt16 = 0) {
      self.bus = bus
      self.vendor = vendor
      self.product = product
      self.version = version
    }
  }

  /// The number that a session gives it; 0 until then.
  public var id: DeviceID
  /// What the device calls itself, for people.
  public var name: String
  /// A session numbers devices of one name that are present at the same time, from 1.
  public package(set) var unit = 1
  /// Bus, vendor, product and version.
  public var identifier: Identifier
  /// Its absolute axes, and the range of each.
  public var axes: [AbsoluteAxis: AxisRange]
  /// Keys and buttons the device can press.
  public var keys: Set<Key>
  /// Relative axes (`REL_*` codes) the device reports.
  public var relativeAxes: Set<UInt16>
  /// What the kernel knows of the kind of device (`INPUT_PROP_*`).
  public var properties: Set<DeviceProperty>

  /// A description; all that a device does not have is empty.
  public init(
    id: DeviceID = DeviceID(rawValue: 0), name: String, identifier: Identifier = Identifier(),
    axes: [AbsoluteAxis: AxisRange] = [:], keys: Set<Key> = [], relativeAxes: Set<UInt16> = [],
    properties: Set<DeviceProperty> = []
  ) {
    self.id = id
    self.name = name
    self.identifier = identifier
    self.axes = axes
    self.keys = keys
    self.relativeAxes = relativeAxes
    self.properties = properties
  }

  /// The kind of device. One that is several things counts as a touch device before a mouse, and as
  /// a mouse before a keyboard.
  public var kind: Kind {
    let hasPositions = axes[.positionX] != nil || axes[.x] != nil
    if hasPositions && (keys.contains(.toolFinger) || axes[.positionX] != nil) {
      if properties.contains(.direct) { return .touchscreen }
      if keys.contains(.toolFinger) || properties.contains(.buttonPad) { return .touchpad }
      if properties.contains(.pointer) { return .touchpad }
      return .touchscreen
    }
    if hasPositions && keys.contains(.touch) && !keys.contains(.toolPen) { return .touchscreen }
    if relativeAxes.contains(0) && relativeAxes.contains(1) { return .mouse }
    if keys.contains(where: { $0.rawValue < 0x100 }) { return .keyboard }
    return .other
  }

  /// The kinds of event it can produce.
  public var eventKinds: EventMask {
    switch kind {
    case .touchpad, .touchscreen: [.gesture, .touch, .pointer]
    case .mouse: keys.contains { !$0.isButton } ? [.key, .pointer, .scroll] : [.pointer, .scroll]
    case .keyboard: relativeAxes.isEmpty ? .key : [.key, .pointer, .scroll]
    case .other: [.key, .pointer, .scroll]
    }
  }

  /// How many contacts the device can distinguish: its number of slots, or 1.
  public var slotCount: Int {
    guard let slots = axes[.slot] else { return 1 }
    return max(1, min(Int(slots.maximum) - Int(slots.minimum) + 1, 1 << 16))
  }

  /// The axis that x positions come from: the multitouch one, if there is one.
  public var horizontal: AxisRange? { axes[.positionX] ?? axes[.x] }
  /// The axis that y positions come from: the multitouch one, if there is one.
  public var vertical: AxisRange? { axes[.positionY] ?? axes[.y] }

  /// The size of a touch device, as its axes report it.
  package var size: DeviceSize { DeviceSize(of: self) }
  /// The width and height of a touch device in mm, as its axes report them.
  public var millimetres: Vector2 { size.millimetres }
  /// The width and height of a touch device in points of 1/72 inch, as in `NSTouch.deviceSize`.
  public var points: Vector2 { size.points }
  /// Whether the device reports no plausible resolution, so that 100 × 65 mm is assumed.
  public var isSizeAssumed: Bool { size.isAssumed }
}

/// The size of a touch device.
package struct DeviceSize: Hashable, Sendable {
  /// Width and height in mm.
  package var millimetres: Vector2
  /// Whether the device reports no plausible resolution, so that 100 × 65 mm is assumed.
  package var isAssumed: Bool

  /// The size assumed if the real one is unknown, in mm: an ordinary laptop's pad.
  package static let assumed = Vector2(x: 100, y: 65)
  /// Points per mm: 72 to the inch, as in `NSTouch.deviceSize`.
  package static let pointsPerMillimetre = 72 / 25.4

  /// A size in mm.
  package init(millimetres: Vector2, isAssumed: Bool = false) {
    self.millimetres = millimetres
    self.isAssumed = isAssumed
  }

  /// Width and height in points of 1/72 inch.
  package var points: Vector2 { millimetres * Self.pointsPerMillimetre }

  /// The size a device reports, or ``assumed`` if that is missing or absurd (a side below 5 mm,
  /// above 500 mm for a touchpad, or above 5 m).
  init(of device: Device) {
    let longest = device.kind == .touchpad ? 500.0 : 5000
    guard let width = Self.side(device.horizontal, upTo: longest),
      let height = Self.side(device.vertical, upTo: longest)
    else {
      self.init(millimetres: Self.assumed, isAssumed: true)
      return
    }
    self.init(millimetres: Vector2(x: width, y: height))
  }

  private static func side(_ axis: AxisRange?, upTo longest: Double) -> Double? {
    guard let axis, axis.resolution > 0 else { return nil }
    let length = (Double(axis.maximum) - Double(axis.minimum)) / Double(axis.resolution)
    return length >= 5 && length <= longest ? length : nil
  }
}

extension DeviceSize: CustomStringConvertible {
  /// Width and height in whole mm: `100 × 65 mm`.
  package var description: String {
    "\(millimetres.x.fixed(0)) × \(millimetres.y.fixed(0)) mm"
  }
}

/// A device was added or removed.
public struct DeviceEvent: Hashable, Sendable, BitwiseCopyable {
  /// Whether a device came or went.
  package enum Change: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    /// It was plugged in, or was there at the beginning.
    case added
    /// It was unplugged, or reading it failed. Nothing more comes from it.
    case removed
  }

  /// When the source noticed.
  public var time: EventTime
  /// The device, by its number in the session.
  public var device: DeviceID
  /// Whether it came or went.
  package var change: Change

  /// Whether it was plugged in or was there at the beginning. Otherwise it was unplugged or reading
  /// it failed, and nothing more comes from it.
  public var isAdded: Bool { change == .added }

  /// The arrival or the end of a device.
  public init(time: EventTime, device: DeviceID, isAdded: Bool) {
    self.init(time: time, device: device, change: isAdded ? .added : .removed)
  }

  package init(time: EventTime, device: DeviceID, change: Change) {
    self.time = time
    self.device = device
    self.change = change
  }
}

/// The kernel has dropped events of a device because nobody read them in time (`SYN_DROPPED`).
///
/// If the session reads the kernel's own events (touchpads, keyboards with consumed hotkeys,
/// recordings), everything in progress on the device is cancelled and its keys are released. All
/// other devices are read through libinput, which asks the kernel for the current state and reports
/// what has changed: there, everything goes on. What happened in between is unknown.
public struct LossEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the loss was noticed; events not read by then may be lost as well.
  public var time: EventTime
  /// The device whose events were dropped.
  public var device: DeviceID
  /// The device's last touch, key or button before the loss; later ones are missing. `nil` if there
  /// was none, or if the receiver of this event may not know it.
  public var since: EventTime?
  /// The kinds of event that may be missing. `Codable` has them; the lines of `--format jsonl` and
  /// the broker do not.
  public var kinds: EventMask

  /// A loss on a device that lasted until `time`.
  public init(
    time: EventTime, device: DeviceID, since: EventTime? = nil, kinds: EventMask = []
  ) {
    self.time = time
    self.device = device
    self.since = since
    self.kinds = kinds
  }
}
