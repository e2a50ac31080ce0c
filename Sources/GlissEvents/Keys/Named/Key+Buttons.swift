// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Buttons of mice, pads, pens and game controllers.
extension Key {
  /// `BTN_0`.
  public static let button0 = Key(rawValue: 0x100)
  /// `BTN_1`.
  public static let button1 = Key(rawValue: 0x101)
  /// `BTN_2`.
  public static let button2 = Key(rawValue: 0x102)
  /// `BTN_3`.
  public static let button3 = Key(rawValue: 0x103)
  /// `BTN_4`.
  public static let button4 = Key(rawValue: 0x104)
  /// `BTN_5`.
  public static let button5 = Key(rawValue: 0x105)
  /// `BTN_6`.
  public static let button6 = Key(rawValue: 0x106)
  /// `BTN_7`.
  public static let button7 = Key(rawValue: 0x107)
  /// `BTN_8`.
  public static let button8 = Key(rawValue: 0x108)
  /// `BTN_9`.
  public static let button9 = Key(rawValue: 0x109)
  /// `BTN_LEFT`.
  public static let leftButton = Key(rawValue: 0x110)
  /// `BTN_RIGHT`.
  public static let rightButton = Key(rawValue: 0x111)
  /// `BTN_MIDDLE`.
  public static let middleButton = Key(rawValue: 0x112)
  /// `BTN_SIDE`.
  public static let sideButton = Key(rawValue: 0x113)
  /// `BTN_EXTRA`.
  public static let extraButton = Key(rawValue: 0x114)
  /// `BTN_FORWARD`.
  public static let forwardButton = Key(rawValue: 0x115)
  /// `BTN_BACK`.
  public static let backButton = Key(rawValue: 0x116)
  /// `BTN_TASK`.
  public static let taskButton = Key(rawValue: 0x117)
  /// `BTN_TRIGGER`.
  public static let triggerButton = Key(rawValue: 0x120)
  /// `BTN_THUMB`.
  public static let thumbButton = Key(rawValue: 0x121)
  /// `BTN_THUMB2`.
  public static let thumbButton2 = Key(rawValue: 0x122)
  /// `BTN_TOP`.
  public static let topButton = Key(rawValue: 0x123)
  /// `BTN_TOP2`.
  public static let topButton2 = Key(rawValue: 0x124)
  /// `BTN_PINKIE`.
  public static let pinkieButton = Key(rawValue: 0x125)
  /// `BTN_BASE`.
  public static let baseButton = Key(rawValue: 0x126)
  /// `BTN_BASE2`.
  public static let baseButton2 = Key(rawValue: 0x127)
  /// `BTN_BASE3`.
  public static let baseButton3 = Key(rawValue: 0x128)
  /// `BTN_BASE4`.
  public static let baseButton4 = Key(rawValue: 0x129)
  /// `BTN_BASE5`.
  public static let baseButton5 = Key(rawValue: 0x12a)
  /// `BTN_BASE6`.
  public static let baseButton6 = Key(rawValue: 0x12b)
  /// `BTN_DEAD`.
  public static let deadButton = Key(rawValue: 0x12f)
  /// `BTN_SOUTH`.
  public static let southButton = Key(rawValue: 0x130)
  /// `BTN_EAST`.
  public static let eastButton = Key(rawValue: 0x131)
  /// `BTN_C`.
  public static let cButton = Key(rawValue: 0x132)
  /// `BTN_NORTH`.
  public static let northButton = Key(rawValue: 0x133)
  /// `BTN_WEST`.
  public static let westButton = Key(rawValue: 0x134)
  /// `BTN_Z`.
  public static let zButton = Key(rawValue: 0x135)
  /// `BTN_TL`.
  public static let leftTriggerButton = Key(rawValue: 0x136)
  /// `BTN_TR`.
  public static let rightTriggerButton = Key(rawValue: 0x137)
  /// `BTN_TL2`.
  public static let leftTriggerButton2 = Key(rawValue: 0x138)
  /// `BTN_TR2`.
  public static let rightTriggerButton2 = Key(rawValue: 0x139)
  /// `BTN_SELECT`.
  public static let selectButton = Key(rawValue: 0x13a)
  /// `BTN_START`.
  public static let startButton = Key(rawValue: 0x13b)
  /// `BTN_MODE`.
  public static let modeButton = Key(rawValue: 0x13c)
  /// `BTN_THUMBL`.
  public static let leftThumbButton = Key(rawValue: 0x13d)
  /// `BTN_THUMBR`.
  public static let rightThumbButton = Key(rawValue: 0x13e)
  /// `BTN_TOOL_PEN`.
  public static let toolPen = Key(rawValue: 0x140)
  /// `BTN_TOOL_RUBBER`.
  public static let toolRubber = Key(rawValue: 0x141)
  /// `BTN_TOOL_BRUSH`.
  public static let toolBrush = Key(rawValue: 0x142)
  /// `BTN_TOOL_PENCIL`.
  public static let toolPencil = Key(rawValue: 0x143)
  /// `BTN_TOOL_AIRBRUSH`.
  public static let toolAirbrush = Key(rawValue: 0x144)
  /// `BTN_TOOL_FINGER`.
  public static let toolFinger = Key(rawValue: 0x145)
  /// `BTN_TOOL_MOUSE`.
  public static let toolMouse = Key(rawValue: 0x146)
  /// `BTN_TOOL_LENS`.
  public static let toolLens = Key(rawValue: 0x147)
  /// `BTN_TOOL_QUINTTAP`.
  public static let toolQuintTap = Key(rawValue: 0x148)
  /// `BTN_STYLUS3`.
  public static let stylus3 = Key(rawValue: 0x149)
  /// `BTN_TOUCH`.
  public static let touch = Key(rawValue: 0x14a)
  /// `BTN_STYLUS`.
  public static let stylus = Key(rawValue: 0x14b)
  /// `BTN_STYLUS2`.
  public static let stylus2 = Key(rawValue: 0x14c)
  /// `BTN_TOOL_DOUBLETAP`.
  public static let toolDoubleTap = Key(rawValue: 0x14d)
  /// `BTN_TOOL_TRIPLETAP`.
  public static let toolTripleTap = Key(rawValue: 0x14e)
  /// `BTN_TOOL_QUADTAP`.
  public static let toolQuadTap = Key(rawValue: 0x14f)
  /// `BTN_GEAR_DOWN`.
  public static let gearDown = Key(rawValue: 0x150)
  /// `BTN_GEAR_UP`.
  public static let gearUp = Key(rawValue: 0x151)
}
