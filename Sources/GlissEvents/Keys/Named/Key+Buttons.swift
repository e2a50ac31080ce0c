// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Buttons of mice, pads, pens and controllers; keys of remote controls and Braille.
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
  /// `KEY_OK`.
  public static let ok = Key(rawValue: 0x160)
  /// `KEY_SELECT`.
  public static let select = Key(rawValue: 0x161)
  /// `KEY_GOTO`.
  public static let goto = Key(rawValue: 0x162)
  /// `KEY_CLEAR`.
  public static let clear = Key(rawValue: 0x163)
  /// `KEY_POWER2`.
  public static let power2 = Key(rawValue: 0x164)
  /// `KEY_OPTION`.
  public static let option = Key(rawValue: 0x165)
  /// `KEY_INFO`.
  public static let information = Key(rawValue: 0x166)
  /// `KEY_TIME`.
  public static let time = Key(rawValue: 0x167)
  /// `KEY_VENDOR`.
  public static let vendor = Key(rawValue: 0x168)
  /// `KEY_ARCHIVE`.
  public static let archive = Key(rawValue: 0x169)
  /// `KEY_PROGRAM`.
  public static let program = Key(rawValue: 0x16a)
  /// `KEY_CHANNEL`.
  public static let channel = Key(rawValue: 0x16b)
  /// `KEY_FAVORITES`.
  public static let favorites = Key(rawValue: 0x16c)
  /// `KEY_EPG`.
  public static let epg = Key(rawValue: 0x16d)
  /// `KEY_PVR`.
  public static let pvr = Key(rawValue: 0x16e)
  /// `KEY_MHP`.
  public static let mhp = Key(rawValue: 0x16f)
  /// `KEY_LANGUAGE`.
  public static let language = Key(rawValue: 0x170)
  /// `KEY_TITLE`.
  public static let title = Key(rawValue: 0x171)
  /// `KEY_SUBTITLE`.
  public static let subtitle = Key(rawValue: 0x172)
  /// `KEY_ANGLE`.
  public static let angle = Key(rawValue: 0x173)
  /// `KEY_FULL_SCREEN`.
  public static let fullScreen = Key(rawValue: 0x174)
  /// `KEY_MODE`.
  public static let mode = Key(rawValue: 0x175)
  /// `KEY_KEYBOARD`.
  public static let keyboard = Key(rawValue: 0x176)
  /// `KEY_ASPECT_RATIO`.
  public static let aspectRatio = Key(rawValue: 0x177)
  /// `KEY_PC`.
  public static let pc = Key(rawValue: 0x178)
  /// `KEY_TV`.
  public static let tv = Key(rawValue: 0x179)
  /// `KEY_TV2`.
  public static let tv2 = Key(rawValue: 0x17a)
  /// `KEY_VCR`.
  public static let vcr = Key(rawValue: 0x17b)
  /// `KEY_VCR2`.
  public static let vcr2 = Key(rawValue: 0x17c)
  /// `KEY_SAT`.
  public static let sat = Key(rawValue: 0x17d)
  /// `KEY_SAT2`.
  public static let sat2 = Key(rawValue: 0x17e)
  /// `KEY_CD`.
  public static let cd = Key(rawValue: 0x17f)
  /// `KEY_TAPE`.
  public static let tape = Key(rawValue: 0x180)
  /// `KEY_RADIO`.
  public static let radio = Key(rawValue: 0x181)
  /// `KEY_TUNER`.
  public static let tuner = Key(rawValue: 0x182)
  /// `KEY_PLAYER`.
  public static let player = Key(rawValue: 0x183)
  /// `KEY_TEXT`.
  public static let text = Key(rawValue: 0x184)
  /// `KEY_DVD`.
  public static let dvd = Key(rawValue: 0x185)
  /// `KEY_AUX`.
  public static let aux = Key(rawValue: 0x186)
  /// `KEY_MP3`.
  public static let mp3 = Key(rawValue: 0x187)
  /// `KEY_AUDIO`.
  public static let audio = Key(rawValue: 0x188)
  /// `KEY_VIDEO`.
  public static let video = Key(rawValue: 0x189)
  /// `KEY_DIRECTORY`.
  public static let directory = Key(rawValue: 0x18a)
  /// `KEY_LIST`.
  public static let list = Key(rawValue: 0x18b)
  /// `KEY_MEMO`.
  public static let memo = Key(rawValue: 0x18c)
  /// `KEY_CALENDAR`.
  public static let calendar = Key(rawValue: 0x18d)
  /// `KEY_RED`.
  public static let red = Key(rawValue: 0x18e)
  /// `KEY_GREEN`.
  public static let green = Key(rawValue: 0x18f)
  /// `KEY_YELLOW`.
  public static let yellow = Key(rawValue: 0x190)
  /// `KEY_BLUE`.
  public static let blue = Key(rawValue: 0x191)
  /// `KEY_CHANNELUP`.
  public static let channelUp = Key(rawValue: 0x192)
  /// `KEY_CHANNELDOWN`.
  public static let channelDown = Key(rawValue: 0x193)
  /// `KEY_FIRST`.
  public static let first = Key(rawValue: 0x194)
  /// `KEY_LAST`.
  public static let last = Key(rawValue: 0x195)
  /// `KEY_AB`.
  public static let ab = Key(rawValue: 0x196)
  /// `KEY_NEXT`.
  public static let next = Key(rawValue: 0x197)
  /// `KEY_RESTART`.
  public static let restart = Key(rawValue: 0x198)
  /// `KEY_SLOW`.
  public static let slow = Key(rawValue: 0x199)
  /// `KEY_SHUFFLE`.
  public static let shuffle = Key(rawValue: 0x19a)
  /// `KEY_BREAK`.
  public static let `break` = Key(rawValue: 0x19b)
  /// `KEY_PREVIOUS`.
  public static let previous = Key(rawValue: 0x19c)
  /// `KEY_DIGITS`.
  public static let digits = Key(rawValue: 0x19d)
  /// `KEY_TEEN`.
  public static let teen = Key(rawValue: 0x19e)
  /// `KEY_TWEN`.
  public static let twen = Key(rawValue: 0x19f)
  /// `KEY_VIDEOPHONE`.
  public static let videoPhone = Key(rawValue: 0x1a0)
  /// `KEY_GAMES`.
  public static let games = Key(rawValue: 0x1a1)
  /// `KEY_ZOOMIN`.
  public static let zoomIn = Key(rawValue: 0x1a2)
  /// `KEY_ZOOMOUT`.
  public static let zoomOut = Key(rawValue: 0x1a3)
  /// `KEY_ZOOMRESET`.
  public static let zoomReset = Key(rawValue: 0x1a4)
  /// `KEY_WORDPROCESSOR`.
  public static let wordProcessor = Key(rawValue: 0x1a5)
  /// `KEY_EDITOR`.
  public static let editor = Key(rawValue: 0x1a6)
  /// `KEY_SPREADSHEET`.
  public static let spreadsheet = Key(rawValue: 0x1a7)
  /// `KEY_GRAPHICSEDITOR`.
  public static let graphicsEditor = Key(rawValue: 0x1a8)
  /// `KEY_PRESENTATION`.
  public static let presentation = Key(rawValue: 0x1a9)
  /// `KEY_DATABASE`.
  public static let database = Key(rawValue: 0x1aa)
  /// `KEY_NEWS`.
  public static let news = Key(rawValue: 0x1ab)
  /// `KEY_VOICEMAIL`.
  public static let voicemail = Key(rawValue: 0x1ac)
  /// `KEY_ADDRESSBOOK`.
  public static let addressBook = Key(rawValue: 0x1ad)
  /// `KEY_MESSENGER`.
  public static let messenger = Key(rawValue: 0x1ae)
  /// `KEY_DISPLAYTOGGLE`.
  public static let displayToggle = Key(rawValue: 0x1af)
  /// `KEY_SPELLCHECK`.
  public static let spellCheck = Key(rawValue: 0x1b0)
  /// `KEY_LOGOFF`.
  public static let logOff = Key(rawValue: 0x1b1)
  /// `KEY_DOLLAR`.
  public static let dollar = Key(rawValue: 0x1b2)
  /// `KEY_EURO`.
  public static let euro = Key(rawValue: 0x1b3)
  /// `KEY_FRAMEBACK`.
  public static let frameBack = Key(rawValue: 0x1b4)
  /// `KEY_FRAMEFORWARD`.
  public static let frameForward = Key(rawValue: 0x1b5)
  /// `KEY_CONTEXT_MENU`.
  public static let contextMenu = Key(rawValue: 0x1b6)
  /// `KEY_MEDIA_REPEAT`.
  public static let mediaRepeat = Key(rawValue: 0x1b7)
  /// `KEY_10CHANNELSUP`.
  public static let tenChannelsUp = Key(rawValue: 0x1b8)
  /// `KEY_10CHANNELSDOWN`.
  public static let tenChannelsDown = Key(rawValue: 0x1b9)
  /// `KEY_IMAGES`.
  public static let images = Key(rawValue: 0x1ba)
  /// `KEY_NOTIFICATION_CENTER`.
  public static let notificationCenter = Key(rawValue: 0x1bc)
  /// `KEY_PICKUP_PHONE`.
  public static let pickupPhone = Key(rawValue: 0x1bd)
  /// `KEY_HANGUP_PHONE`.
  public static let hangupPhone = Key(rawValue: 0x1be)
  /// `KEY_LINK_PHONE`.
  public static let linkPhone = Key(rawValue: 0x1bf)
  /// `KEY_DEL_EOL`.
  public static let deleteToEndOfLine = Key(rawValue: 0x1c0)
  /// `KEY_DEL_EOS`.
  public static let deleteToEndOfScreen = Key(rawValue: 0x1c1)
  /// `KEY_INS_LINE`.
  public static let insertLine = Key(rawValue: 0x1c2)
  /// `KEY_DEL_LINE`.
  public static let deleteLine = Key(rawValue: 0x1c3)
  /// `KEY_FN`.
  public static let fn = Key(rawValue: 0x1d0)
  /// `KEY_FN_ESC`.
  public static let fnEscape = Key(rawValue: 0x1d1)
  /// `KEY_FN_F1`.
  public static let fnF1 = Key(rawValue: 0x1d2)
  /// `KEY_FN_F2`.
  public static let fnF2 = Key(rawValue: 0x1d3)
  /// `KEY_FN_F3`.
  public static let fnF3 = Key(rawValue: 0x1d4)
  /// `KEY_FN_F4`.
  public static let fnF4 = Key(rawValue: 0x1d5)
  /// `KEY_FN_F5`.
  public static let fnF5 = Key(rawValue: 0x1d6)
  /// `KEY_FN_F6`.
  public static let fnF6 = Key(rawValue: 0x1d7)
  /// `KEY_FN_F7`.
  public static let fnF7 = Key(rawValue: 0x1d8)
  /// `KEY_FN_F8`.
  public static let fnF8 = Key(rawValue: 0x1d9)
  /// `KEY_FN_F9`.
  public static let fnF9 = Key(rawValue: 0x1da)
  /// `KEY_FN_F10`.
  public static let fnF10 = Key(rawValue: 0x1db)
  /// `KEY_FN_F11`.
  public static let fnF11 = Key(rawValue: 0x1dc)
  /// `KEY_FN_F12`.
  public static let fnF12 = Key(rawValue: 0x1dd)
  /// `KEY_FN_1`.
  public static let fn1 = Key(rawValue: 0x1de)
  /// `KEY_FN_2`.
  public static let fn2 = Key(rawValue: 0x1df)
  /// `KEY_FN_D`.
  public static let fnD = Key(rawValue: 0x1e0)
  /// `KEY_FN_E`.
  public static let fnE = Key(rawValue: 0x1e1)
  /// `KEY_FN_F`.
  public static let fnF = Key(rawValue: 0x1e2)
  /// `KEY_FN_S`.
  public static let fnS = Key(rawValue: 0x1e3)
  /// `KEY_FN_B`.
  public static let fnB = Key(rawValue: 0x1e4)
  /// `KEY_FN_RIGHT_SHIFT`.
  public static let fnRightShift = Key(rawValue: 0x1e5)
  /// `KEY_BRL_DOT1`.
  public static let brailleDot1 = Key(rawValue: 0x1f1)
  /// `KEY_BRL_DOT2`.
  public static let brailleDot2 = Key(rawValue: 0x1f2)
  /// `KEY_BRL_DOT3`.
  public static let brailleDot3 = Key(rawValue: 0x1f3)
  /// `KEY_BRL_DOT4`.
  public static let brailleDot4 = Key(rawValue: 0x1f4)
  /// `KEY_BRL_DOT5`.
  public static let brailleDot5 = Key(rawValue: 0x1f5)
  /// `KEY_BRL_DOT6`.
  public static let brailleDot6 = Key(rawValue: 0x1f6)
  /// `KEY_BRL_DOT7`.
  public static let brailleDot7 = Key(rawValue: 0x1f7)
  /// `KEY_BRL_DOT8`.
  public static let brailleDot8 = Key(rawValue: 0x1f8)
  /// `KEY_BRL_DOT9`.
  public static let brailleDot9 = Key(rawValue: 0x1f9)
  /// `KEY_BRL_DOT10`.
  public static let brailleDot10 = Key(rawValue: 0x1fa)
  /// `KEY_NUMERIC_0`.
  public static let numeric0 = Key(rawValue: 0x200)
  /// `KEY_NUMERIC_1`.
  public static let numeric1 = Key(rawValue: 0x201)
  /// `KEY_NUMERIC_2`.
  public static let numeric2 = Key(rawValue: 0x202)
  /// `KEY_NUMERIC_3`.
  public static let numeric3 = Key(rawValue: 0x203)
  /// `KEY_NUMERIC_4`.
  public static let numeric4 = Key(rawValue: 0x204)
  /// `KEY_NUMERIC_5`.
  public static let numeric5 = Key(rawValue: 0x205)
  /// `KEY_NUMERIC_6`.
  public static let numeric6 = Key(rawValue: 0x206)
  /// `KEY_NUMERIC_7`.
  public static let numeric7 = Key(rawValue: 0x207)
  /// `KEY_NUMERIC_8`.
  public static let numeric8 = Key(rawValue: 0x208)
  /// `KEY_NUMERIC_9`.
  public static let numeric9 = Key(rawValue: 0x209)
  /// `KEY_NUMERIC_STAR`.
  public static let numericStar = Key(rawValue: 0x20a)
  /// `KEY_NUMERIC_POUND`.
  public static let numericPound = Key(rawValue: 0x20b)
  /// `KEY_NUMERIC_A`.
  public static let numericA = Key(rawValue: 0x20c)
  /// `KEY_NUMERIC_B`.
  public static let numericB = Key(rawValue: 0x20d)
  /// `KEY_NUMERIC_C`.
  public static let numericC = Key(rawValue: 0x20e)
  /// `KEY_NUMERIC_D`.
  public static let numericD = Key(rawValue: 0x20f)
  /// `KEY_CAMERA_FOCUS`.
  public static let cameraFocus = Key(rawValue: 0x210)
  /// `KEY_WPS_BUTTON`.
  public static let wpsButton = Key(rawValue: 0x211)
  /// `KEY_TOUCHPAD_TOGGLE`.
  public static let touchpadToggle = Key(rawValue: 0x212)
  /// `KEY_TOUCHPAD_ON`.
  public static let touchpadOn = Key(rawValue: 0x213)
  /// `KEY_TOUCHPAD_OFF`.
  public static let touchpadOff = Key(rawValue: 0x214)
  /// `KEY_CAMERA_ZOOMIN`.
  public static let cameraZoomIn = Key(rawValue: 0x215)
  /// `KEY_CAMERA_ZOOMOUT`.
  public static let cameraZoomOut = Key(rawValue: 0x216)
  /// `KEY_CAMERA_UP`.
  public static let cameraUp = Key(rawValue: 0x217)
  /// `KEY_CAMERA_DOWN`.
  public static let cameraDown = Key(rawValue: 0x218)
  /// `KEY_CAMERA_LEFT`.
  public static let cameraLeft = Key(rawValue: 0x219)
  /// `KEY_CAMERA_RIGHT`.
  public static let cameraRight = Key(rawValue: 0x21a)
  /// `KEY_ATTENDANT_ON`.
  public static let attendantOn = Key(rawValue: 0x21b)
  /// `KEY_ATTENDANT_OFF`.
  public static let attendantOff = Key(rawValue: 0x21c)
  /// `KEY_ATTENDANT_TOGGLE`.
  public static let attendantToggle = Key(rawValue: 0x21d)
  /// `KEY_LIGHTS_TOGGLE`.
  public static let lightsToggle = Key(rawValue: 0x21e)
}
