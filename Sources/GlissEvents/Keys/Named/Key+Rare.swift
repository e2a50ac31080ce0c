// Written by tools/keys from the table in KeyNames.swift: change that one.

/// Keys and buttons that are rare.
extension Key {
  /// `BTN_DPAD_UP`.
  public static let dpadUp = Key(rawValue: 0x220)
  /// `BTN_DPAD_DOWN`.
  public static let dpadDown = Key(rawValue: 0x221)
  /// `BTN_DPAD_LEFT`.
  public static let dpadLeft = Key(rawValue: 0x222)
  /// `BTN_DPAD_RIGHT`.
  public static let dpadRight = Key(rawValue: 0x223)
  /// `KEY_ALS_TOGGLE`.
  public static let alsToggle = Key(rawValue: 0x230)
  /// `KEY_ROTATE_LOCK_TOGGLE`.
  public static let rotateLockToggle = Key(rawValue: 0x231)
  /// `KEY_REFRESH_RATE_TOGGLE`.
  public static let refreshRateToggle = Key(rawValue: 0x232)
  /// `KEY_BUTTONCONFIG`.
  public static let buttonConfiguration = Key(rawValue: 0x240)
  /// `KEY_TASKMANAGER`.
  public static let taskManager = Key(rawValue: 0x241)
  /// `KEY_JOURNAL`.
  public static let journal = Key(rawValue: 0x242)
  /// `KEY_CONTROLPANEL`.
  public static let controlPanel = Key(rawValue: 0x243)
  /// `KEY_APPSELECT`.
  public static let appSelect = Key(rawValue: 0x244)
  /// `KEY_SCREENSAVER`.
  public static let screenSaver = Key(rawValue: 0x245)
  /// `KEY_VOICECOMMAND`.
  public static let voiceCommand = Key(rawValue: 0x246)
  /// `KEY_ASSISTANT`.
  public static let assistant = Key(rawValue: 0x247)
  /// `KEY_KBD_LAYOUT_NEXT`.
  public static let keyboardLayoutNext = Key(rawValue: 0x248)
  /// `KEY_EMOJI_PICKER`.
  public static let emojiPicker = Key(rawValue: 0x249)
  /// `KEY_DICTATE`.
  public static let dictate = Key(rawValue: 0x24a)
  /// `KEY_BRIGHTNESS_MIN`.
  public static let brightnessMin = Key(rawValue: 0x250)
  /// `KEY_BRIGHTNESS_MAX`.
  public static let brightnessMax = Key(rawValue: 0x251)
  /// `KEY_KBDINPUTASSIST_PREV`.
  public static let keyboardInputAssistPrevious = Key(rawValue: 0x260)
  /// `KEY_KBDINPUTASSIST_NEXT`.
  public static let keyboardInputAssistNext = Key(rawValue: 0x261)
  /// `KEY_KBDINPUTASSIST_PREVGROUP`.
  public static let keyboardInputAssistPreviousGroup = Key(rawValue: 0x262)
  /// `KEY_KBDINPUTASSIST_NEXTGROUP`.
  public static let keyboardInputAssistNextGroup = Key(rawValue: 0x263)
  /// `KEY_KBDINPUTASSIST_ACCEPT`.
  public static let keyboardInputAssistAccept = Key(rawValue: 0x264)
  /// `KEY_KBDINPUTASSIST_CANCEL`.
  public static let keyboardInputAssistCancel = Key(rawValue: 0x265)
  /// `KEY_RIGHT_UP`.
  public static let rightUp = Key(rawValue: 0x266)
  /// `KEY_RIGHT_DOWN`.
  public static let rightDown = Key(rawValue: 0x267)
  /// `KEY_LEFT_UP`.
  public static let leftUp = Key(rawValue: 0x268)
  /// `KEY_LEFT_DOWN`.
  public static let leftDown = Key(rawValue: 0x269)
  /// `KEY_ROOT_MENU`.
  public static let rootMenu = Key(rawValue: 0x26a)
  /// `KEY_MEDIA_TOP_MENU`.
  public static let mediaTopMenu = Key(rawValue: 0x26b)
  /// `KEY_NUMERIC_11`.
  public static let numeric11 = Key(rawValue: 0x26c)
  /// `KEY_NUMERIC_12`.
  public static let numeric12 = Key(rawValue: 0x26d)
  /// `KEY_AUDIO_DESC`.
  public static let audioDescription = Key(rawValue: 0x26e)
  /// `KEY_3D_MODE`.
  public static let threeDMode = Key(rawValue: 0x26f)
  /// `KEY_NEXT_FAVORITE`.
  public static let nextFavorite = Key(rawValue: 0x270)
  /// `KEY_STOP_RECORD`.
  public static let stopRecord = Key(rawValue: 0x271)
  /// `KEY_PAUSE_RECORD`.
  public static let pauseRecord = Key(rawValue: 0x272)
  /// `KEY_VOD`.
  public static let vod = Key(rawValue: 0x273)
  /// `KEY_UNMUTE`.
  public static let unmute = Key(rawValue: 0x274)
  /// `KEY_FASTREVERSE`.
  public static let fastReverse = Key(rawValue: 0x275)
  /// `KEY_SLOWREVERSE`.
  public static let slowReverse = Key(rawValue: 0x276)
  /// `KEY_DATA`.
  public static let data = Key(rawValue: 0x277)
  /// `KEY_ONSCREEN_KEYBOARD`.
  public static let onScreenKeyboard = Key(rawValue: 0x278)
  /// `KEY_PRIVACY_SCREEN_TOGGLE`.
  public static let privacyScreenToggle = Key(rawValue: 0x279)
  /// `KEY_SELECTIVE_SCREENSHOT`.
  public static let selectiveScreenshot = Key(rawValue: 0x27a)
  /// `KEY_NEXT_ELEMENT`.
  public static let nextElement = Key(rawValue: 0x27b)
  /// `KEY_PREVIOUS_ELEMENT`.
  public static let previousElement = Key(rawValue: 0x27c)
  /// `KEY_AUTOPILOT_ENGAGE_TOGGLE`.
  public static let autopilotEngageToggle = Key(rawValue: 0x27d)
  /// `KEY_MARK_WAYPOINT`.
  public static let markWaypoint = Key(rawValue: 0x27e)
  /// `KEY_SOS`.
  public static let sos = Key(rawValue: 0x27f)
  /// `KEY_NAV_CHART`.
  public static let navigationChart = Key(rawValue: 0x280)
  /// `KEY_FISHING_CHART`.
  public static let fishingChart = Key(rawValue: 0x281)
  /// `KEY_SINGLE_RANGE_RADAR`.
  public static let singleRangeRadar = Key(rawValue: 0x282)
  /// `KEY_DUAL_RANGE_RADAR`.
  public static let dualRangeRadar = Key(rawValue: 0x283)
  /// `KEY_RADAR_OVERLAY`.
  public static let radarOverlay = Key(rawValue: 0x284)
  /// `KEY_TRADITIONAL_SONAR`.
  public static let traditionalSonar = Key(rawValue: 0x285)
  /// `KEY_CLEARVU_SONAR`.
  public static let clearVuSonar = Key(rawValue: 0x286)
  /// `KEY_SIDEVU_SONAR`.
  public static let sideVuSonar = Key(rawValue: 0x287)
  /// `KEY_NAV_INFO`.
  public static let navigationInformation = Key(rawValue: 0x288)
  /// `KEY_BRIGHTNESS_MENU`.
  public static let brightnessMenu = Key(rawValue: 0x289)
  /// `KEY_MACRO1`.
  public static let macro1 = Key(rawValue: 0x290)
  /// `KEY_MACRO2`.
  public static let macro2 = Key(rawValue: 0x291)
  /// `KEY_MACRO3`.
  public static let macro3 = Key(rawValue: 0x292)
  /// `KEY_MACRO4`.
  public static let macro4 = Key(rawValue: 0x293)
  /// `KEY_MACRO5`.
  public static let macro5 = Key(rawValue: 0x294)
  /// `KEY_MACRO6`.
  public static let macro6 = Key(rawValue: 0x295)
  /// `KEY_MACRO7`.
  public static let macro7 = Key(rawValue: 0x296)
  /// `KEY_MACRO8`.
  public static let macro8 = Key(rawValue: 0x297)
  /// `KEY_MACRO9`.
  public static let macro9 = Key(rawValue: 0x298)
  /// `KEY_MACRO10`.
  public static let macro10 = Key(rawValue: 0x299)
  /// `KEY_MACRO11`.
  public static let macro11 = Key(rawValue: 0x29a)
  /// `KEY_MACRO12`.
  public static let macro12 = Key(rawValue: 0x29b)
  /// `KEY_MACRO13`.
  public static let macro13 = Key(rawValue: 0x29c)
  /// `KEY_MACRO14`.
  public static let macro14 = Key(rawValue: 0x29d)
  /// `KEY_MACRO15`.
  public static let macro15 = Key(rawValue: 0x29e)
  /// `KEY_MACRO16`.
  public static let macro16 = Key(rawValue: 0x29f)
  /// `KEY_MACRO17`.
  public static let macro17 = Key(rawValue: 0x2a0)
  /// `KEY_MACRO18`.
  public static let macro18 = Key(rawValue: 0x2a1)
  /// `KEY_MACRO19`.
  public static let macro19 = Key(rawValue: 0x2a2)
  /// `KEY_MACRO20`.
  public static let macro20 = Key(rawValue: 0x2a3)
  /// `KEY_MACRO21`.
  public static let macro21 = Key(rawValue: 0x2a4)
  /// `KEY_MACRO22`.
  public static let macro22 = Key(rawValue: 0x2a5)
  /// `KEY_MACRO23`.
  public static let macro23 = Key(rawValue: 0x2a6)
  /// `KEY_MACRO24`.
  public static let macro24 = Key(rawValue: 0x2a7)
  /// `KEY_MACRO25`.
  public static let macro25 = Key(rawValue: 0x2a8)
  /// `KEY_MACRO26`.
  public static let macro26 = Key(rawValue: 0x2a9)
  /// `KEY_MACRO27`.
  public static let macro27 = Key(rawValue: 0x2aa)
  /// `KEY_MACRO28`.
  public static let macro28 = Key(rawValue: 0x2ab)
  /// `KEY_MACRO29`.
  public static let macro29 = Key(rawValue: 0x2ac)
  /// `KEY_MACRO30`.
  public static let macro30 = Key(rawValue: 0x2ad)
  /// `KEY_MACRO_RECORD_START`.
  public static let macroRecordStart = Key(rawValue: 0x2b0)
  /// `KEY_MACRO_RECORD_STOP`.
  public static let macroRecordStop = Key(rawValue: 0x2b1)
  /// `KEY_MACRO_PRESET_CYCLE`.
  public static let macroPresetCycle = Key(rawValue: 0x2b2)
  /// `KEY_MACRO_PRESET1`.
  public static let macroPreset1 = Key(rawValue: 0x2b3)
  /// `KEY_MACRO_PRESET2`.
  public static let macroPreset2 = Key(rawValue: 0x2b4)
  /// `KEY_MACRO_PRESET3`.
  public static let macroPreset3 = Key(rawValue: 0x2b5)
  /// `KEY_KBD_LCD_MENU1`.
  public static let keyboardLcdMenu1 = Key(rawValue: 0x2b8)
  /// `KEY_KBD_LCD_MENU2`.
  public static let keyboardLcdMenu2 = Key(rawValue: 0x2b9)
  /// `KEY_KBD_LCD_MENU3`.
  public static let keyboardLcdMenu3 = Key(rawValue: 0x2ba)
  /// `KEY_KBD_LCD_MENU4`.
  public static let keyboardLcdMenu4 = Key(rawValue: 0x2bb)
  /// `KEY_KBD_LCD_MENU5`.
  public static let keyboardLcdMenu5 = Key(rawValue: 0x2bc)
}
