import GlissDevices
import GlissEvents
import GlissHotkeys
import GlissSession
import Testing

/// Hotkeys with characters, on layouts that have them in various ways.
@Suite struct LayoutHotkeyTests {
  /// Which of the hotkeys are pressed if the keys are held one after the other; `KEY_` is left out,
  /// and "!" presses and releases a key.
  private static func pressed(
    _ hotkeys: [String], by names: String, on name: String
  ) throws -> [String] {
    var layout = try KeyboardLayout(parsing: name)
    if name.contains(",") { layout.options = "grp:win_space_toggle" }
    let session = Session()
    session.keyTranslator = try XkbKeyTranslator(layout)
    var pressed: [String] = []
    for hotkey in hotkeys {
      try session.registerHotkey(hotkey) { if $0.phase == .pressed { pressed.append(hotkey) } }
    }
    let keyboard = session.add(Device(name: "Keys", keys: [.a]))
    for name in names.split(separator: " ") {
      let key = try #require(Key(name: "KEY_\(name.drop { $0 == "!" })"))
      session.process(.key(key, 1, at: .zero), from: keyboard)
      if name.hasPrefix("!") { session.process(.key(key, 0, at: .zero), from: keyboard) }
    }
    return pressed
  }

  @Test(
    arguments: [
      ("tr", "LEFTMETA LEFTSHIFT I", ["super+shift+'ı'", "super+shift+'i'"], 0),
      ("tr", "LEFTMETA LEFTSHIFT APOSTROPHE", ["super+shift+'ı'", "super+shift+'i'"], 1),
      ("tr", "LEFTMETA LEFTSHIFT I", ["super+'i'", "super+shift+'i'"], nil),
      ("tr", "!CAPSLOCK LEFTMETA I", ["super+'i'", "super+'ı'"], 1),
      ("fr", "LEFTMETA LEFTSHIFT 2", ["super+shift+'é'"], 0),
      ("fr", "LEFTMETA LEFTSHIFT 2", ["super+'é'", "super+'2'"], 1),
      ("de", "LEFTMETA LEFTSHIFT MINUS", ["super+shift+'ß'"], 0),
      ("gr", "LEFTMETA LEFTSHIFT W", ["super+shift+'ς'"], 0),
      ("ch:fr", "LEFTMETA LEFTSHIFT SEMICOLON", ["super+'ö'"], 0),
      ("us", "LEFTMETA LEFTSHIFT A", ["super+'a'", "super+shift+'a'"], 1),
      ("us", "!CAPSLOCK LEFTMETA A", ["super+'a'", "super+shift+'a'"], 0),
      ("us:altgr-intl", "LEFTMETA RIGHTALT LEFTSHIFT E", ["super+'é'", "super+shift+'é'"], 1),
    ] as [(String, String, [String], Int?)])
  func aLetterIsTheKeyThatHasIt(
    _ layout: String, _ keys: String, _ hotkeys: [String], _ pressed: Int?
  ) throws {
    let found = try Self.pressed(hotkeys, by: keys, on: layout)
    #expect(found == (pressed.map { [hotkeys[$0]] } ?? []))
  }

  @Test(
    arguments: [
      ("us", "LEFTMETA RIGHTALT A", ["super+'a'"], nil), ("us", "RIGHTALT A", ["'a'"], nil),
      ("us", "LEFTMETA RIGHTALT 1", ["super+'1'"], nil),
      ("us", "LEFTMETA LEFTSHIFT SPACE", ["super+' '"], nil),
      ("us", "LEFTMETA LEFTSHIFT SLASH", ["super+'?'"], 0),
      ("de", "LEFTMETA RIGHTALT Q", ["super+'@'"], 0),
      // only the second group has AltGr
      ("us,de", "LEFTMETA !SPACE RIGHTALT Q", ["super+'@'"], 0),
      ("us,de", "LEFTMETA RIGHTALT Q", ["super+'q'"], nil),
    ] as [(String, String, [String], Int?)])
  func modifiersCountUnlessTheLayoutUsesThem(
    _ layout: String, _ keys: String, _ hotkeys: [String], _ pressed: Int?
  ) throws {
    let found = try Self.pressed(hotkeys, by: keys, on: layout)
    #expect(found == (pressed.map { [hotkeys[$0]] } ?? []))
  }

  @Test(
    arguments: [
      ("us,ru", "LEFTMETA Z", ["super+'я'"], 0), ("us,ru", "LEFTMETA !SPACE Z", ["super+'z'"], 0),
      ("us,ru", "LEFTMETA Z", ["super+'я'", "super+'z'"], 1),
      ("us,ru", "LEFTMETA !SPACE Z", ["super+'z'", "super+'я'"], 1),
      ("us,ru", "LEFTMETA LEFTSHIFT Z", ["super+'я'", "super+shift+'я'"], 1),
      ("us,il", "LEFTMETA A", ["super+'ש'"], 0), ("us,de", "LEFTMETA Y", ["super+'z'"], nil),
      // the key has a sign in the active group
      ("us,gr", "LEFTMETA !SPACE Q", ["super+'q'"], 0),
      ("us,gr", "LEFTMETA !SPACE LEFTSHIFT Q", ["super+'q'", "super+shift+'q'"], 1),
      ("us,gr", "LEFTMETA !SPACE Q", ["super+'q'", "super+';'"], 1),
      // AltGr has chosen another character
      ("us,gr", "LEFTMETA !SPACE RIGHTALT E", ["super+'e'"], nil),
      ("us,il", "LEFTMETA !SPACE W", ["super+'w'"], 0),
      ("us,de", "LEFTMETA MINUS", ["super+'ß'"], nil),
    ] as [(String, String, [String], Int?)])
  func aLetterOfAnotherAlphabetIsFoundInItsGroup(
    _ layout: String, _ keys: String, _ hotkeys: [String], _ pressed: Int?
  ) throws {
    let found = try Self.pressed(hotkeys, by: keys, on: layout)
    #expect(found == (pressed.map { [hotkeys[$0]] } ?? []))
  }

  /// Hebrew keys have Latin capitals, with Shift and with Caps Lock.
  @Test(
    arguments: [
      ("us,il", "LEFTMETA !SPACE LEFTSHIFT A", 1), ("il", "LEFTMETA LEFTSHIFT A", 1),
      ("il", "!CAPSLOCK LEFTMETA A", 0), ("il", "LEFTMETA A", 2),
    ])
  func aCapitalWithoutASmallLetterIsALetter(
    _ layout: String, _ keys: String, _ pressed: Int
  ) throws {
    let hotkeys = ["super+'a'", "super+shift+'a'", "super+'ש'"]
    #expect(try Self.pressed(hotkeys, by: keys, on: layout) == [hotkeys[pressed]])
  }

  @Test func aMonitorsKeysymCounts() throws {
    let session = Session()
    session.keyTranslator = try XkbKeyTranslator(KeyboardLayout(layout: "us"))
    var pressed: [String] = []
    for hotkey in ["'a'", "'b'"] {
      try session.registerHotkey(hotkey) { if $0.phase == .pressed { pressed.append(hotkey) } }
    }
    session.addLocalMonitor(matching: .key) { event in
      guard case .key(var key) = event else { return .pass }
      key.keysym = 0x62
      return .replace(.key(key))
    }
    let keyboard = session.add(Device(name: "Keys", keys: [.a]))
    session.process(.key(.a, 1, at: .zero), from: keyboard)
    #expect(pressed == ["'b'"])
  }

  @Test(
    arguments: [
      ("de", "LEFTMETA GRAVE", "super+'^'"), ("de", "LEFTMETA EQUAL", "super+'´'"),
      ("de", "LEFTMETA LEFTSHIFT EQUAL", "super+'`'"), ("us", "LEFTMETA KPPLUS", "super+'+'"),
      ("us", "LEFTMETA KPMINUS", "super+'-'"), ("us", "LEFTMETA KPASTERISK", "super+'*'"),
      ("us", "LEFTMETA KPSLASH", "super+'/'"),
    ])
  func aSignIsAlsoADeadKeyOrOnTheKeypad(
    _ layout: String, _ keys: String, _ hotkey: String
  ) throws {
    #expect(try Self.pressed([hotkey], by: keys, on: layout) == [hotkey])
  }

  @Test func theKeypadsOwnHotkeyComesFirst() throws {
    let hotkeys = ["super+'+'", "super+kpplus"]
    #expect(try Self.pressed(hotkeys, by: "LEFTMETA KPPLUS", on: "us") == ["super+kpplus"])
  }
}
