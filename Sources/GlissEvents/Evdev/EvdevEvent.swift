/// One event as the kernel's evdev interface delivers it, with its time on the device's clock.
public struct EvdevEvent: Hashable, Sendable, BitwiseCopyable {
  public var time: EventTime
  public var type: EvdevType
  public var code: UInt16
  public var value: Int32

  public init(time: EventTime, type: EvdevType, code: UInt16, value: Int32) {
    self.time = time
    self.type = type
    self.code = code
    self.value = value
  }

  /// The end of a packet.
  public static func report(at time: EventTime) -> EvdevEvent {
    EvdevEvent(time: time, type: .synchronization, code: SynchronizationCode.report, value: 0)
  }

  /// Whether this ends a packet.
  public var isReport: Bool { type == .synchronization && code == SynchronizationCode.report }

  /// An absolute axis' new value.
  public static func absolute(_ axis: AbsoluteAxis, _ value: Int32, at time: EventTime)
    -> EvdevEvent
  {
    EvdevEvent(time: time, type: .absolute, code: axis.rawValue, value: value)
  }

  /// A key or button: 1 pressed, 0 released, 2 repeated.
  public static func key(_ key: Key, _ value: Int32, at time: EventTime) -> EvdevEvent {
    EvdevEvent(time: time, type: .key, code: key.rawValue, value: value)
  }
}

extension EventTime: BitwiseCopyable {}
extension EventInterval: BitwiseCopyable {}

/// An event type (`EV_*`); an open set, so that unknown ones survive.
public struct EvdevType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let synchronization = EvdevType(rawValue: 0)
  public static let key = EvdevType(rawValue: 1)
  public static let relative = EvdevType(rawValue: 2)
  public static let absolute = EvdevType(rawValue: 3)
  public static let miscellaneous = EvdevType(rawValue: 4)
  public static let `switch` = EvdevType(rawValue: 0x05)
  public static let light = EvdevType(rawValue: 0x11)
  public static let sound = EvdevType(rawValue: 0x12)
  public static let repetition = EvdevType(rawValue: 0x14)
}

/// The codes of `EV_SYN`.
public enum SynchronizationCode {
  public static let report: UInt16 = 0
  public static let configuration: UInt16 = 1
  public static let multitouchReport: UInt16 = 2
  public static let dropped: UInt16 = 3
}

/// An absolute axis (`ABS_*`); an open set.
public struct AbsoluteAxis: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let x = AbsoluteAxis(rawValue: 0x00)
  public static let y = AbsoluteAxis(rawValue: 0x01)
  public static let pressure = AbsoluteAxis(rawValue: 0x18)
  public static let toolWidth = AbsoluteAxis(rawValue: 0x1c)
  public static let slot = AbsoluteAxis(rawValue: 0x2f)
  public static let touchMajor = AbsoluteAxis(rawValue: 0x30)
  public static let touchMinor = AbsoluteAxis(rawValue: 0x31)
  public static let orientation = AbsoluteAxis(rawValue: 0x34)
  public static let positionX = AbsoluteAxis(rawValue: 0x35)
  public static let positionY = AbsoluteAxis(rawValue: 0x36)
  public static let toolType = AbsoluteAxis(rawValue: 0x37)
  public static let trackingID = AbsoluteAxis(rawValue: 0x39)
  public static let touchPressure = AbsoluteAxis(rawValue: 0x3a)
  public static let distance = AbsoluteAxis(rawValue: 0x3b)

  public static func < (a: AbsoluteAxis, b: AbsoluteAxis) -> Bool { a.rawValue < b.rawValue }
}

/// A device property (`INPUT_PROP_*`); an open set.
public struct DeviceProperty: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let pointer = DeviceProperty(rawValue: 0)
  /// A touchscreen: the user touches what is displayed.
  public static let direct = DeviceProperty(rawValue: 1)
  public static let buttonPad = DeviceProperty(rawValue: 2)
  /// The positions are the corners of the fingers' bounding box, not the fingers themselves.
  public static let semiMultitouch = DeviceProperty(rawValue: 3)

  public static func < (a: DeviceProperty, b: DeviceProperty) -> Bool { a.rawValue < b.rawValue }
}

/// `MT_TOOL_*`, the values of ``AbsoluteAxis/toolType``.
public enum ToolType {
  public static let finger: Int32 = 0
  public static let pen: Int32 = 1
  public static let palm: Int32 = 2
}
