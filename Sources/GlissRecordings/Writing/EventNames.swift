import GlissEvents

/// The kernel's names of event types and codes, for comments.
enum EventNames {
  static func name(of type: EvdevType) -> String {
    types[type.rawValue] ?? "EV_\(type.rawValue)"
  }

  static func name(of code: UInt16, type: EvdevType) -> String {
    switch type {
    case .key: Key(rawValue: code).name
    case .absolute: absolute[code] ?? "ABS_\(code)"
    case .relative: relative[code] ?? "REL_\(code)"
    case .synchronization: synchronization[code] ?? "SYN_\(code)"
    case .miscellaneous: miscellaneous[code] ?? "MSC_\(code)"
    case _: "\(code)"
    }
  }

  private static let types: [UInt16: String] = [
    0: "EV_SYN", 1: "EV_KEY", 2: "EV_REL", 3: "EV_ABS", 4: "EV_MSC", 5: "EV_SW", 0x11: "EV_LED",
    0x12: "EV_SND", 0x14: "EV_REP", 0x15: "EV_FF",
  ]

  private static let synchronization: [UInt16: String] = [
    0: "SYN_REPORT", 1: "SYN_CONFIG", 2: "SYN_MT_REPORT", 3: "SYN_DROPPED",
  ]

  private static let miscellaneous: [UInt16: String] = [
    0: "MSC_SERIAL", 1: "MSC_PULSELED", 2: "MSC_GESTURE", 3: "MSC_RAW", 4: "MSC_SCAN",
    5: "MSC_TIMESTAMP",
  ]

  private static let relative: [UInt16: String] = [
    0: "REL_X", 1: "REL_Y", 2: "REL_Z", 3: "REL_RX", 4: "REL_RY", 5: "REL_RZ", 6: "REL_HWHEEL",
    7: "REL_DIAL", 8: "REL_WHEEL", 9: "REL_MISC", 11: "REL_WHEEL_HI_RES", 12: "REL_HWHEEL_HI_RES",
  ]

  private static let absolute: [UInt16: String] = [
    0x00: "ABS_X", 0x01: "ABS_Y", 0x02: "ABS_Z", 0x03: "ABS_RX", 0x04: "ABS_RY", 0x05: "ABS_RZ",
    0x06: "ABS_THROTTLE", 0x07: "ABS_RUDDER", 0x08: "ABS_WHEEL", 0x09: "ABS_GAS",
    0x0a: "ABS_BRAKE", 0x18: "ABS_PRESSURE", 0x19: "ABS_DISTANCE", 0x1a: "ABS_TILT_X",
    0x1b: "ABS_TILT_Y", 0x1c: "ABS_TOOL_WIDTH", 0x20: "ABS_VOLUME", 0x28: "ABS_MISC",
    0x2f: "ABS_MT_SLOT", 0x30: "ABS_MT_TOUCH_MAJOR", 0x31: "ABS_MT_TOUCH_MINOR",
    0x32: "ABS_MT_WIDTH_MAJOR", 0x33: "ABS_MT_WIDTH_MINOR", 0x34: "ABS_MT_ORIENTATION",
    0x35: "ABS_MT_POSITION_X", 0x36: "ABS_MT_POSITION_Y", 0x37: "ABS_MT_TOOL_TYPE",
    0x38: "ABS_MT_BLOB_ID", 0x39: "ABS_MT_TRACKING_ID", 0x3a: "ABS_MT_PRESSURE",
    0x3b: "ABS_MT_DISTANCE", 0x3c: "ABS_MT_TOOL_X", 0x3d: "ABS_MT_TOOL_Y",
  ]
}
