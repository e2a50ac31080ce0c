/// One event as the kernel's evdev interface delivers it, with its time on the device's clock.
public struct EvdevEvent: Hashable, Sendable, BitwiseCopyable {
  /// When the kernel got it, on the source's clock.
  public var time: EventTime
  /// What kind of value it is.
  public var type: EvdevType
  /// Which key, axis or other thing of its type has changed.
  public var code: UInt16
  /// The new value: of an axis in its units; of a key 0 up, 1 down, 2 repeated.
  public var value: Int32

  /// An event as the kernel writes it.
  ///
  /// - Parameter type: such as `EV_ABS`, of Linux's `input-event-codes.h`.
  public init(time: EventTime, type: UInt16, code: UInt16, value: Int32) {
    self.init(time: time, type: EvdevType(rawValue: type), code: code, value: value)
  }

  package init(time: EventTime, type: EvdevType, code: UInt16, value: Int32) {
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
// Public: `==` on a package type of another module is a call, which cost 670 instructions a frame.
public struct EvdevType: RawRepresentable, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `EV_SYN`: ends a packet, or says that events were lost.
  public static let synchronization = EvdevType(rawValue: 0)
  /// `EV_KEY`: keys and buttons.
  public static let key = EvdevType(rawValue: 1)
  /// `EV_REL`: motion of mice, steps of wheels.
  public static let relative = EvdevType(rawValue: 2)
  /// `EV_ABS`: positions, pressure, contacts.
  public static let absolute = EvdevType(rawValue: 3)
  /// `EV_MSC`: scan codes and timestamps.
  public static let miscellaneous = EvdevType(rawValue: 4)
  /// `EV_SW`: a laptop's lid, for example.
  public static let `switch` = EvdevType(rawValue: 0x05)
  /// `EV_LED`: a keyboard's lights.
  public static let light = EvdevType(rawValue: 0x11)
  /// `EV_SND`: beeps.
  public static let sound = EvdevType(rawValue: 0x12)
  /// `EV_REP`: how a keyboard repeats keys.
  public static let repetition = EvdevType(rawValue: 0x14)
}

/// The codes of `EV_SYN`.
package enum SynchronizationCode {
  /// `SYN_REPORT`: the packet is complete.
  package static let report: UInt16 = 0
  /// `SYN_CONFIG`, which the kernel no longer sends.
  package static let configuration: UInt16 = 1
  /// `SYN_MT_REPORT`: separates contacts in the older protocol without slots.
  package static let multitouchReport: UInt16 = 2
  /// `SYN_DROPPED`: the reader was too slow, and events are missing.
  package static let dropped: UInt16 = 3
}

/// An absolute axis (`ABS_*`); an open set.
public struct AbsoluteAxis: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `ABS_X`: the position of the only or first contact.
  public static let x = AbsoluteAxis(rawValue: 0x00)
  /// `ABS_Y`: the position of the only or first contact.
  public static let y = AbsoluteAxis(rawValue: 0x01)
  /// `ABS_PRESSURE`, in the device's units.
  public static let pressure = AbsoluteAxis(rawValue: 0x18)
  /// `ABS_TOOL_WIDTH`: the width of a finger, in the device's units.
  public static let toolWidth = AbsoluteAxis(rawValue: 0x1c)
  /// `ABS_MT_SLOT`: the contact that the following events belong to.
  public static let slot = AbsoluteAxis(rawValue: 0x2f)
  /// `ABS_MT_TOUCH_MAJOR`: a contact's larger diameter.
  public static let touchMajor = AbsoluteAxis(rawValue: 0x30)
  /// `ABS_MT_TOUCH_MINOR`: a contact's smaller diameter.
  public static let touchMinor = AbsoluteAxis(rawValue: 0x31)
  /// `ABS_MT_ORIENTATION`: the angle of a contact's ellipse, in the device's units.
  public static let orientation = AbsoluteAxis(rawValue: 0x34)
  /// `ABS_MT_POSITION_X`: a contact's position.
  public static let positionX = AbsoluteAxis(rawValue: 0x35)
  /// `ABS_MT_POSITION_Y`: a contact's position.
  public static let positionY = AbsoluteAxis(rawValue: 0x36)
  /// `ABS_MT_TOOL_TYPE`: what touches: 0 a finger, 1 a pen, 2 a palm.
  public static let toolType = AbsoluteAxis(rawValue: 0x37)
  /// `ABS_MT_TRACKING_ID`: a new number is a new contact, -1 the end of one.
  public static let trackingID = AbsoluteAxis(rawValue: 0x39)
  /// `ABS_MT_PRESSURE`: a contact's pressure, in the device's units.
  public static let touchPressure = AbsoluteAxis(rawValue: 0x3a)
  /// `ABS_MT_DISTANCE`: how far a finger hovers above the surface, in the device's units.
  public static let distance = AbsoluteAxis(rawValue: 0x3b)

  public static func < (a: AbsoluteAxis, b: AbsoluteAxis) -> Bool { a.rawValue < b.rawValue }
}

/// A device property (`INPUT_PROP_*`); an open set.
public struct DeviceProperty: RawRepresentable, Hashable, Comparable, Sendable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// `INPUT_PROP_POINTER`: it moves a pointer.
  public static let pointer = DeviceProperty(rawValue: 0)
  /// A touchscreen: the user touches what is displayed.
  public static let direct = DeviceProperty(rawValue: 1)
  /// `INPUT_PROP_BUTTONPAD`: the whole pad is a button.
  public static let buttonPad = DeviceProperty(rawValue: 2)
  /// The positions are the corners of the fingers' bounding box, not the fingers themselves.
  public static let semiMultitouch = DeviceProperty(rawValue: 3)

  public static func < (a: DeviceProperty, b: DeviceProperty) -> Bool { a.rawValue < b.rawValue }
}

/// `MT_TOOL_*`, the values of ``AbsoluteAxis/toolType``.
package enum ToolType {
  /// `MT_TOOL_FINGER`.
  package static let finger: Int32 = 0
  /// `MT_TOOL_PALM`: the device takes it for a palm.
  package static let palm: Int32 = 2
}
