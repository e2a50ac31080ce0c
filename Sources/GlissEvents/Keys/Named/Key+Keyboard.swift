// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Keys of keyboards.
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
}
