// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Keys of keyboards for programs, media and the system.
extension Key {
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
