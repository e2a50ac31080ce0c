// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Keys of keyboards, also for programs, media and the system.
extension Key {
  /// `KEY_ESC`.
  public static let escape = Key(rawValue: 0x1)
  /// `KEY_1`.
  public static let digit1 = Key(rawValue: 0x2)
  /// `KEY_2`.
  public static let digit2 = Key(rawValue: 0x3)
  /// `KEY_3`.
  public static let digit3 = Key(rawValue: 0x4)
  /// `KEY_4`.
  public static let digit4 = Key(rawValue: 0x5)
  /// `KEY_5`.
  public static let digit5 = Key(rawValue: 0x6)
  /// `KEY_6`.
  public static let digit6 = Key(rawValue: 0x7)
  /// `KEY_7`.
  public static let digit7 = Key(rawValue: 0x8)
  /// `KEY_8`.
  public static let digit8 = Key(rawValue: 0x9)
  /// `KEY_9`.
  public static let digit9 = Key(rawValue: 0xa)
  /// `KEY_0`.
  public static let digit0 = Key(rawValue: 0xb)
  /// `KEY_MINUS`.
  public static let minus = Key(rawValue: 0xc)
  /// `KEY_EQUAL`.
  public static let equal = Key(rawValue: 0xd)
  /// `KEY_BACKSPACE`.
  public static let backspace = Key(rawValue: 0xe)
  /// `KEY_TAB`.
  public static let tab = Key(rawValue: 0xf)
  /// `KEY_Q`.
  public static let q = Key(rawValue: 0x10)
  /// `KEY_W`.
  public static let w = Key(rawValue: 0x11)
  /// `KEY_E`.
  public static let e = Key(rawValue: 0x12)
  /// `KEY_R`.
  public static let r = Key(rawValue: 0x13)
  /// `KEY_T`.
  public static let t = Key(rawValue: 0x14)
  /// `KEY_Y`.
  public static let y = Key(rawValue: 0x15)
  /// `KEY_U`.
  public static let u = Key(rawValue: 0x16)
  /// `KEY_I`.
  public static let i = Key(rawValue: 0x17)
  /// `KEY_O`.
  public static let o = Key(rawValue: 0x18)
  /// `KEY_P`.
  public static let p = Key(rawValue: 0x19)
  /// `KEY_LEFTBRACE`.
  public static let leftBrace = Key(rawValue: 0x1a)
  /// `KEY_RIGHTBRACE`.
  public static let rightBrace = Key(rawValue: 0x1b)
  /// `KEY_ENTER`.
  public static let enter = Key(rawValue: 0x1c)
  /// `KEY_LEFTCTRL`.
  public static let leftControl = Key(rawValue: 0x1d)
  /// `KEY_A`.
  public static let a = Key(rawValue: 0x1e)
  /// `KEY_S`.
  public static let s = Key(rawValue: 0x1f)
  /// `KEY_D`.
  public static let d = Key(rawValue: 0x20)
  /// `KEY_F`.
  public static let f = Key(rawValue: 0x21)
  /// `KEY_G`.
  public static let g = Key(rawValue: 0x22)
  /// `KEY_H`.
  public static let h = Key(rawValue: 0x23)
  /// `KEY_J`.
  public static let j = Key(rawValue: 0x24)
  /// `KEY_K`.
  public static let k = Key(rawValue: 0x25)
  /// `KEY_L`.
  public static let l = Key(rawValue: 0x26)
  /// `KEY_SEMICOLON`.
  public static let semicolon = Key(rawValue: 0x27)
  /// `KEY_APOSTROPHE`.
  public static let apostrophe = Key(rawValue: 0x28)
  /// `KEY_GRAVE`.
  public static let grave = Key(rawValue: 0x29)
  /// `KEY_LEFTSHIFT`.
  public static let leftShift = Key(rawValue: 0x2a)
  /// `KEY_BACKSLASH`.
  public static let backslash = Key(rawValue: 0x2b)
  /// `KEY_Z`.
  public static let z = Key(rawValue: 0x2c)
  /// `KEY_X`.
  public static let x = Key(rawValue: 0x2d)
  /// `KEY_C`.
  public static let c = Key(rawValue: 0x2e)
  /// `KEY_V`.
  public static let v = Key(rawValue: 0x2f)
  /// `KEY_B`.
  public static let b = Key(rawValue: 0x30)
  /// `KEY_N`.
  public static let n = Key(rawValue: 0x31)
  /// `KEY_M`.
  public static let m = Key(rawValue: 0x32)
  /// `KEY_COMMA`.
  public static let comma = Key(rawValue: 0x33)
  /// `KEY_DOT`.
  public static let dot = Key(rawValue: 0x34)
  /// `KEY_SLASH`.
  public static let slash = Key(rawValue: 0x35)
  /// `KEY_RIGHTSHIFT`.
  public static let rightShift = Key(rawValue: 0x36)
  /// `KEY_KPASTERISK`.
  public static let keypadAsterisk = Key(rawValue: 0x37)
  /// `KEY_LEFTALT`.
  public static let leftAlt = Key(rawValue: 0x38)
  /// `KEY_SPACE`.
  public static let space = Key(rawValue: 0x39)
  /// `KEY_CAPSLOCK`.
  public static let capsLock = Key(rawValue: 0x3a)
  /// `KEY_F1`.
  public static let f1 = Key(rawValue: 0x3b)
  /// `KEY_F2`.
  public static let f2 = Key(rawValue: 0x3c)
  /// `KEY_F3`.
  public static let f3 = Key(rawValue: 0x3d)
  /// `KEY_F4`.
  public static let f4 = Key(rawValue: 0x3e)
  /// `KEY_F5`.
  public static let f5 = Key(rawValue: 0x3f)
  /// `KEY_F6`.
  public static let f6 = Key(rawValue: 0x40)
  /// `KEY_F7`.
  public static let f7 = Key(rawValue: 0x41)
  /// `KEY_F8`.
  public static let f8 = Key(rawValue: 0x42)
  /// `KEY_F9`.
  public static let f9 = Key(rawValue: 0x43)
  /// `KEY_F10`.
  public static let f10 = Key(rawValue: 0x44)
  /// `KEY_NUMLOCK`.
  public static let numLock = Key(rawValue: 0x45)
  /// `KEY_SCROLLLOCK`.
  public static let scrollLock = Key(rawValue: 0x46)
  /// `KEY_KP7`.
  public static let keypad7 = Key(rawValue: 0x47)
  /// `KEY_KP8`.
  public static let keypad8 = Key(rawValue: 0x48)
  /// `KEY_KP9`.
  public static let keypad9 = Key(rawValue: 0x49)
  /// `KEY_KPMINUS`.
  public static let keypadMinus = Key(rawValue: 0x4a)
  /// `KEY_KP4`.
  public static let keypad4 = Key(rawValue: 0x4b)
  /// `KEY_KP5`.
  public static let keypad5 = Key(rawValue: 0x4c)
  /// `KEY_KP6`.
  public static let keypad6 = Key(rawValue: 0x4d)
  /// `KEY_KPPLUS`.
  public static let keypadPlus = Key(rawValue: 0x4e)
  /// `KEY_KP1`.
  public static let keypad1 = Key(rawValue: 0x4f)
  /// `KEY_KP2`.
  public static let keypad2 = Key(rawValue: 0x50)
  /// `KEY_KP3`.
  public static let keypad3 = Key(rawValue: 0x51)
  /// `KEY_KP0`.
  public static let keypad0 = Key(rawValue: 0x52)
  /// `KEY_KPDOT`.
  public static let keypadDot = Key(rawValue: 0x53)
  /// `KEY_ZENKAKUHANKAKU`.
  public static let zenkakuHankaku = Key(rawValue: 0x55)
  /// `KEY_102ND`.
  public static let extra102nd = Key(rawValue: 0x56)
  /// `KEY_F11`.
  public static let f11 = Key(rawValue: 0x57)
  /// `KEY_F12`.
  public static let f12 = Key(rawValue: 0x58)
  /// `KEY_RO`.
  public static let ro = Key(rawValue: 0x59)
  /// `KEY_KATAKANA`.
  public static let katakana = Key(rawValue: 0x5a)
  /// `KEY_HIRAGANA`.
  public static let hiragana = Key(rawValue: 0x5b)
  /// `KEY_HENKAN`.
  public static let henkan = Key(rawValue: 0x5c)
  /// `KEY_KATAKANAHIRAGANA`.
  public static let katakanaHiragana = Key(rawValue: 0x5d)
  /// `KEY_MUHENKAN`.
  public static let muhenkan = Key(rawValue: 0x5e)
  /// `KEY_KPJPCOMMA`.
  public static let keypadJapaneseComma = Key(rawValue: 0x5f)
  /// `KEY_KPENTER`.
  public static let keypadEnter = Key(rawValue: 0x60)
  /// `KEY_RIGHTCTRL`.
  public static let rightControl = Key(rawValue: 0x61)
  /// `KEY_KPSLASH`.
  public static let keypadSlash = Key(rawValue: 0x62)
  /// `KEY_SYSRQ`.
  public static let sysRq = Key(rawValue: 0x63)
  /// `KEY_RIGHTALT`.
  public static let rightAlt = Key(rawValue: 0x64)
  /// `KEY_LINEFEED`.
  public static let lineFeed = Key(rawValue: 0x65)
  /// `KEY_HOME`.
  public static let home = Key(rawValue: 0x66)
  /// `KEY_UP`.
  public static let up = Key(rawValue: 0x67)
  /// `KEY_PAGEUP`.
  public static let pageUp = Key(rawValue: 0x68)
  /// `KEY_LEFT`.
  public static let left = Key(rawValue: 0x69)
  /// `KEY_RIGHT`.
  public static let right = Key(rawValue: 0x6a)
  /// `KEY_END`.
  public static let end = Key(rawValue: 0x6b)
  /// `KEY_DOWN`.
  public static let down = Key(rawValue: 0x6c)
  /// `KEY_PAGEDOWN`.
  public static let pageDown = Key(rawValue: 0x6d)
  /// `KEY_INSERT`.
  public static let insert = Key(rawValue: 0x6e)
  /// `KEY_DELETE`.
  public static let delete = Key(rawValue: 0x6f)
  /// `KEY_MACRO`.
  public static let macro = Key(rawValue: 0x70)
  /// `KEY_MUTE`.
  public static let mute = Key(rawValue: 0x71)
  /// `KEY_VOLUMEDOWN`.
  public static let volumeDown = Key(rawValue: 0x72)
  /// `KEY_VOLUMEUP`.
  public static let volumeUp = Key(rawValue: 0x73)
  /// `KEY_POWER`.
  public static let power = Key(rawValue: 0x74)
  /// `KEY_KPEQUAL`.
  public static let keypadEqual = Key(rawValue: 0x75)
  /// `KEY_KPPLUSMINUS`.
  public static let keypadPlusMinus = Key(rawValue: 0x76)
  /// `KEY_PAUSE`.
  public static let pause = Key(rawValue: 0x77)
  /// `KEY_SCALE`.
  public static let scale = Key(rawValue: 0x78)
  /// `KEY_KPCOMMA`.
  public static let keypadComma = Key(rawValue: 0x79)
  /// `KEY_HANGEUL`.
  public static let hangeul = Key(rawValue: 0x7a)
  /// `KEY_HANJA`.
  public static let hanja = Key(rawValue: 0x7b)
  /// `KEY_YEN`.
  public static let yen = Key(rawValue: 0x7c)
  /// `KEY_LEFTMETA`.
  public static let leftSuper = Key(rawValue: 0x7d)
  /// `KEY_RIGHTMETA`.
  public static let rightSuper = Key(rawValue: 0x7e)
  /// `KEY_COMPOSE`.
  public static let compose = Key(rawValue: 0x7f)
  /// `KEY_STOP`.
  public static let stop = Key(rawValue: 0x80)
  /// `KEY_AGAIN`.
  public static let again = Key(rawValue: 0x81)
  /// `KEY_PROPS`.
  public static let properties = Key(rawValue: 0x82)
  /// `KEY_UNDO`.
  public static let undo = Key(rawValue: 0x83)
  /// `KEY_FRONT`.
  public static let front = Key(rawValue: 0x84)
  /// `KEY_COPY`.
  public static let copy = Key(rawValue: 0x85)
  /// `KEY_OPEN`.
  public static let `open` = Key(rawValue: 0x86)
  /// `KEY_PASTE`.
  public static let paste = Key(rawValue: 0x87)
  /// `KEY_FIND`.
  public static let find = Key(rawValue: 0x88)
  /// `KEY_CUT`.
  public static let cut = Key(rawValue: 0x89)
  /// `KEY_HELP`.
  public static let help = Key(rawValue: 0x8a)
  /// `KEY_MENU`.
  public static let menu = Key(rawValue: 0x8b)
  /// `KEY_CALC`.
  public static let calculator = Key(rawValue: 0x8c)
  /// `KEY_SETUP`.
  public static let setup = Key(rawValue: 0x8d)
  /// `KEY_SLEEP`.
  public static let sleep = Key(rawValue: 0x8e)
  /// `KEY_WAKEUP`.
  public static let wakeup = Key(rawValue: 0x8f)
  /// `KEY_FILE`.
  public static let file = Key(rawValue: 0x90)
  /// `KEY_SENDFILE`.
  public static let sendFile = Key(rawValue: 0x91)
  /// `KEY_DELETEFILE`.
  public static let deleteFile = Key(rawValue: 0x92)
  /// `KEY_XFER`.
  public static let xfer = Key(rawValue: 0x93)
  /// `KEY_PROG1`.
  public static let program1 = Key(rawValue: 0x94)
  /// `KEY_PROG2`.
  public static let program2 = Key(rawValue: 0x95)
  /// `KEY_WWW`.
  public static let www = Key(rawValue: 0x96)
  /// `KEY_MSDOS`.
  public static let msDos = Key(rawValue: 0x97)
  /// `KEY_COFFEE`.
  public static let coffee = Key(rawValue: 0x98)
  /// `KEY_ROTATE_DISPLAY`.
  public static let rotateDisplay = Key(rawValue: 0x99)
  /// `KEY_CYCLEWINDOWS`.
  public static let cycleWindows = Key(rawValue: 0x9a)
  /// `KEY_MAIL`.
  public static let mail = Key(rawValue: 0x9b)
  /// `KEY_BOOKMARKS`.
  public static let bookmarks = Key(rawValue: 0x9c)
  /// `KEY_COMPUTER`.
  public static let computer = Key(rawValue: 0x9d)
  /// `KEY_BACK`.
  public static let back = Key(rawValue: 0x9e)
  /// `KEY_FORWARD`.
  public static let forward = Key(rawValue: 0x9f)
  /// `KEY_CLOSECD`.
  public static let closeCD = Key(rawValue: 0xa0)
  /// `KEY_EJECTCD`.
  public static let ejectCD = Key(rawValue: 0xa1)
  /// `KEY_EJECTCLOSECD`.
  public static let ejectCloseCD = Key(rawValue: 0xa2)
  /// `KEY_NEXTSONG`.
  public static let nextSong = Key(rawValue: 0xa3)
  /// `KEY_PLAYPAUSE`.
  public static let playPause = Key(rawValue: 0xa4)
  /// `KEY_PREVIOUSSONG`.
  public static let previousSong = Key(rawValue: 0xa5)
  /// `KEY_STOPCD`.
  public static let stopCD = Key(rawValue: 0xa6)
  /// `KEY_RECORD`.
  public static let record = Key(rawValue: 0xa7)
  /// `KEY_REWIND`.
  public static let rewind = Key(rawValue: 0xa8)
  /// `KEY_PHONE`.
  public static let phone = Key(rawValue: 0xa9)
  /// `KEY_ISO`.
  public static let iso = Key(rawValue: 0xaa)
  /// `KEY_CONFIG`.
  public static let configuration = Key(rawValue: 0xab)
  /// `KEY_HOMEPAGE`.
  public static let homePage = Key(rawValue: 0xac)
  /// `KEY_REFRESH`.
  public static let refresh = Key(rawValue: 0xad)
  /// `KEY_EXIT`.
  public static let exit = Key(rawValue: 0xae)
  /// `KEY_MOVE`.
  public static let move = Key(rawValue: 0xaf)
  /// `KEY_EDIT`.
  public static let edit = Key(rawValue: 0xb0)
  /// `KEY_SCROLLUP`.
  public static let scrollUp = Key(rawValue: 0xb1)
  /// `KEY_SCROLLDOWN`.
  public static let scrollDown = Key(rawValue: 0xb2)
  /// `KEY_KPLEFTPAREN`.
  public static let keypadLeftParenthesis = Key(rawValue: 0xb3)
  /// `KEY_KPRIGHTPAREN`.
  public static let keypadRightParenthesis = Key(rawValue: 0xb4)
  /// `KEY_NEW`.
  public static let new = Key(rawValue: 0xb5)
  /// `KEY_REDO`.
  public static let redo = Key(rawValue: 0xb6)
  /// `KEY_F13`.
  public static let f13 = Key(rawValue: 0xb7)
  /// `KEY_F14`.
  public static let f14 = Key(rawValue: 0xb8)
  /// `KEY_F15`.
  public static let f15 = Key(rawValue: 0xb9)
  /// `KEY_F16`.
  public static let f16 = Key(rawValue: 0xba)
  /// `KEY_F17`.
  public static let f17 = Key(rawValue: 0xbb)
  /// `KEY_F18`.
  public static let f18 = Key(rawValue: 0xbc)
  /// `KEY_F19`.
  public static let f19 = Key(rawValue: 0xbd)
  /// `KEY_F20`.
  public static let f20 = Key(rawValue: 0xbe)
  /// `KEY_F21`.
  public static let f21 = Key(rawValue: 0xbf)
  /// `KEY_F22`.
  public static let f22 = Key(rawValue: 0xc0)
  /// `KEY_F23`.
  public static let f23 = Key(rawValue: 0xc1)
  /// `KEY_F24`.
  public static let f24 = Key(rawValue: 0xc2)
  /// `KEY_PLAYCD`.
  public static let playCD = Key(rawValue: 0xc8)
  /// `KEY_PAUSECD`.
  public static let pauseCD = Key(rawValue: 0xc9)
  /// `KEY_PROG3`.
  public static let program3 = Key(rawValue: 0xca)
  /// `KEY_PROG4`.
  public static let program4 = Key(rawValue: 0xcb)
  /// `KEY_ALL_APPLICATIONS`.
  public static let allApplications = Key(rawValue: 0xcc)
  /// `KEY_SUSPEND`.
  public static let suspend = Key(rawValue: 0xcd)
  /// `KEY_CLOSE`.
  public static let close = Key(rawValue: 0xce)
  /// `KEY_PLAY`.
  public static let play = Key(rawValue: 0xcf)
  /// `KEY_FASTFORWARD`.
  public static let fastForward = Key(rawValue: 0xd0)
  /// `KEY_BASSBOOST`.
  public static let bassBoost = Key(rawValue: 0xd1)
  /// `KEY_PRINT`.
  public static let print = Key(rawValue: 0xd2)
  /// `KEY_HP`.
  public static let hp = Key(rawValue: 0xd3)
  /// `KEY_CAMERA`.
  public static let camera = Key(rawValue: 0xd4)
  /// `KEY_SOUND`.
  public static let sound = Key(rawValue: 0xd5)
  /// `KEY_QUESTION`.
  public static let question = Key(rawValue: 0xd6)
  /// `KEY_EMAIL`.
  public static let email = Key(rawValue: 0xd7)
  /// `KEY_CHAT`.
  public static let chat = Key(rawValue: 0xd8)
  /// `KEY_SEARCH`.
  public static let search = Key(rawValue: 0xd9)
  /// `KEY_CONNECT`.
  public static let connect = Key(rawValue: 0xda)
  /// `KEY_FINANCE`.
  public static let finance = Key(rawValue: 0xdb)
  /// `KEY_SPORT`.
  public static let sport = Key(rawValue: 0xdc)
  /// `KEY_SHOP`.
  public static let shop = Key(rawValue: 0xdd)
  /// `KEY_ALTERASE`.
  public static let altErase = Key(rawValue: 0xde)
  /// `KEY_CANCEL`.
  public static let cancel = Key(rawValue: 0xdf)
  /// `KEY_BRIGHTNESSDOWN`.
  public static let brightnessDown = Key(rawValue: 0xe0)
  /// `KEY_BRIGHTNESSUP`.
  public static let brightnessUp = Key(rawValue: 0xe1)
  /// `KEY_MEDIA`.
  public static let media = Key(rawValue: 0xe2)
  /// `KEY_SWITCHVIDEOMODE`.
  public static let switchVideoMode = Key(rawValue: 0xe3)
  /// `KEY_KBDILLUMTOGGLE`.
  public static let keyboardIlluminationToggle = Key(rawValue: 0xe4)
  /// `KEY_KBDILLUMDOWN`.
  public static let keyboardIlluminationDown = Key(rawValue: 0xe5)
  /// `KEY_KBDILLUMUP`.
  public static let keyboardIlluminationUp = Key(rawValue: 0xe6)
  /// `KEY_SEND`.
  public static let send = Key(rawValue: 0xe7)
  /// `KEY_REPLY`.
  public static let reply = Key(rawValue: 0xe8)
  /// `KEY_FORWARDMAIL`.
  public static let forwardMail = Key(rawValue: 0xe9)
  /// `KEY_SAVE`.
  public static let save = Key(rawValue: 0xea)
  /// `KEY_DOCUMENTS`.
  public static let documents = Key(rawValue: 0xeb)
  /// `KEY_BATTERY`.
  public static let battery = Key(rawValue: 0xec)
  /// `KEY_BLUETOOTH`.
  public static let bluetooth = Key(rawValue: 0xed)
  /// `KEY_WLAN`.
  public static let wlan = Key(rawValue: 0xee)
  /// `KEY_UWB`.
  public static let uwb = Key(rawValue: 0xef)
  /// `KEY_UNKNOWN`.
  public static let unknown = Key(rawValue: 0xf0)
  /// `KEY_VIDEO_NEXT`.
  public static let videoNext = Key(rawValue: 0xf1)
  /// `KEY_VIDEO_PREV`.
  public static let videoPrevious = Key(rawValue: 0xf2)
  /// `KEY_BRIGHTNESS_CYCLE`.
  public static let brightnessCycle = Key(rawValue: 0xf3)
  /// `KEY_BRIGHTNESS_AUTO`.
  public static let brightnessAuto = Key(rawValue: 0xf4)
  /// `KEY_DISPLAY_OFF`.
  public static let displayOff = Key(rawValue: 0xf5)
  /// `KEY_WWAN`.
  public static let wwan = Key(rawValue: 0xf6)
  /// `KEY_RFKILL`.
  public static let rfKill = Key(rawValue: 0xf7)
  /// `KEY_MICMUTE`.
  public static let microphoneMute = Key(rawValue: 0xf8)
}
