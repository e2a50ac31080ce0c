import GlissDevices
import GlissEvents
import GlissSession
import Testing

/// What layouts make of keys: the tables of xkeyboard-config as users know them.
@Suite struct TranslatorTests {
  /// Holds the keys but the last, presses the last and says what it means; `KEY_` is left out.
  private static func press(
    _ names: String, on layout: KeyboardLayout
  ) throws -> (down: KeyMeaning, up: KeyMeaning) {
    let translator = try XkbKeyTranslator(layout)
    var keys: [Key] = []
    for name in names.split(separator: " ") {
      // "!" presses and releases it
      let key = try #require(Key(name: "KEY_\(name.drop { $0 == "!" })"))
      if name.hasPrefix("!") {
        _ = translator.translate(key, .down)
        _ = translator.translate(key, .up)
      } else {
        keys.append(key)
      }
    }
    let last = try #require(keys.last)
    for key in keys.dropLast() { _ = translator.translate(key, .down) }
    return (translator.translate(last, .down), translator.translate(last, .up))
  }

  @Test(
    arguments: [
      ("us", "Q", 0x71, "q"), ("us", "LEFTSHIFT Q", 0x51, "Q"), ("us", "RIGHTSHIFT 2", 0x40, "@"),
      ("us", "!CAPSLOCK Q", 0x51, "Q"), ("us", "!CAPSLOCK LEFTSHIFT Q", 0x71, "q"),
      ("us", "!CAPSLOCK 1", 0x31, "1"), ("us", "SPACE", 0x20, " "), ("us", "KP7", 0xff95, ""),
      ("us", "!NUMLOCK KP7", 0xffb7, "7"),
      ("us:dvorak", "Q", 0x27, "'"), ("us(dvorak)", "S", 0x6f, "o"),
      ("us:intl", "APOSTROPHE", 0xfe51, ""),
      ("us:intl", "RIGHTALT S", 0xdf, "ß"),
      ("de", "Y", 0x7a, "z"), ("de", "SEMICOLON", 0xf6, "ö"),
      ("de", "LEFTSHIFT SEMICOLON", 0xd6, "Ö"),
      ("de", "!CAPSLOCK SEMICOLON", 0xd6, "Ö"), ("de", "RIGHTALT Q", 0x40, "@"),
      ("de", "RIGHTALT E", 0x20ac, "€"), ("de", "EQUAL", 0xfe51, ""),
      ("de:nodeadkeys", "EQUAL", 0xb4, "´"), ("de", "102ND", 0x3c, "<"),
      ("fr", "Q", 0x61, "a"), ("fr", "1", 0x26, "&"), ("fr", "LEFTSHIFT 1", 0x31, "1"),
      ("fr", "RIGHTALT 0", 0x40, "@"),
      ("ru", "Q", 0x6ca, "й"), ("ru", "LEFTSHIFT Q", 0x6ea, "Й"), ("ru", "3", 0x33, "3"),
      ("us,de", "Y", 0x79, "y"), ("us,de:nodeadkeys", "Y", 0x79, "y"),
    ] as [(String, String, UInt32, String)])
  func aKeyTypesWhatTheLayoutSays(layout: String, keys: String, keysym: UInt32, text: String)
    throws
  {
    let (down, up) = try Self.press(keys, on: KeyboardLayout(parsing: layout))
    #expect(down.keysym == keysym && down.text.description == text)
    // a release is of the same key and types nothing
    #expect(up.keysym == keysym && up.text.isEmpty)
  }

  @Test(
    arguments: [
      ("ENTER", 0xff0d), ("TAB", 0xff09), ("ESC", 0xff1b), ("BACKSPACE", 0xff08),
      ("DELETE", 0xffff), ("F1", 0xffbe), ("LEFTSHIFT", 0xffe1), ("LEFT", 0xff51),
      ("LEFTCTRL C", 0x63), ("RIGHTCTRL 1", 0x31), ("LEFTALT A", 0x61), ("LEFTMETA A", 0x61),
      ("LEFTSHIFT LEFTMETA A", 0x41), ("VOLUMEUP", 0x1008_ff13),
      // on this layout it is no AltGr
      ("RIGHTALT A", 0x61),
    ] as [(String, UInt32)])
  func commandsAndControlCharactersTypeNothing(keys: String, keysym: UInt32) throws {
    let (down, _) = try Self.press(keys, on: KeyboardLayout(layout: "us"))
    #expect(down.keysym == keysym && down.text.isEmpty)
  }

  @Test func theSecondGroupIsReachedByTheKeyTheOptionsName() throws {
    let layout = KeyboardLayout(layout: "us,de", options: "grp:menu_toggle")
    let translator = try XkbKeyTranslator(layout)
    #expect(translator.groupNames == ["English (US)", "German"])
    let (y, menu) = (Key(rawValue: 21), Key(rawValue: 127))
    var typed: [String] = []
    for _ in 0..<3 {
      typed.append(translator.translate(y, .down).text.description)
      typed.append(translator.translate(y, .repeat).text.description)
      _ = translator.translate(y, .up)
      _ = translator.translate(menu, .down)
      _ = translator.translate(menu, .up)
    }
    #expect(typed == ["y", "y", "z", "z", "y", "y"])
  }

  @Test func modelAndOptionsCount() throws {
    let layout = KeyboardLayout(model: "pc104", layout: "us", options: "ctrl:swapcaps")
    let (down, _) = try Self.press("CAPSLOCK C", on: layout)
    #expect(down.keysym == 0x63 && down.text.isEmpty)
  }

  @Test func repeatingChangesNothing() throws {
    let translator = try XkbKeyTranslator(KeyboardLayout(layout: "us"))
    for _ in 0..<3 { _ = translator.translate(.leftShift, .repeat) }
    #expect(translator.translate(.a, .down).text.description == "a")
  }

  @Test func modifiersAndLocksDoNotRepeat() throws {
    let translator = try XkbKeyTranslator(KeyboardLayout(layout: "us"))
    for key in [Key.a, Key(rawValue: 14), Key(rawValue: 105)] { #expect(translator.repeats(key)) }
    for key in [.leftShift, .rightControl, .leftSuper, .capsLock, .numLock] as [Key] {
      #expect(!translator.repeats(key), "\(key.name)")
    }
  }

  @Test(arguments: [0, 255, 0x110, 0x2ff, 0xffff] as [UInt16])
  func aKeyNoLayoutHasMeansNothing(code: UInt16) throws {
    let translator = try XkbKeyTranslator(KeyboardLayout())
    let key = Key(rawValue: code)
    for state in KeyEvent.State.allCases {
      #expect(translator.translate(key, state) == KeyMeaning.none)
    }
    #expect(!translator.repeats(key))
  }

  @Test(arguments: ["us", "de", "fr", "ru", "us:dvorak"])
  func everyKeyCanBePressedInEveryState(name: String) throws {
    let translator = try XkbKeyTranslator(KeyboardLayout(parsing: name))
    var typed = 0
    for round in 0..<4 {
      for code in 0..<300 as Range<UInt16> {
        let key = Key(rawValue: code)
        if !translator.translate(key, .down).text.isEmpty { typed += 1 }
        // the first keys stay down
        if round > 0 { _ = translator.translate(key, .up) }
      }
    }
    #expect(typed > 0)
  }

  @Test func withoutANameItIsXkbsDefault() throws {
    let translator = try XkbKeyTranslator(KeyboardLayout())
    #expect(translator.groupNames == ["English (US)"])
  }

  @Test(
    arguments: [
      KeyboardLayout(layout: "xx"), KeyboardLayout(layout: "us", variant: "nosuch"),
      KeyboardLayout(layout: "us,xx"), KeyboardLayout(rules: "nosuch", layout: "us"),
      KeyboardLayout(layout: "../../../tmp/us"), KeyboardLayout(layout: "/tmp/us"),
      KeyboardLayout(layout: "us,/tmp/us"), KeyboardLayout(layout: "%H/us"),
      KeyboardLayout(layout: "us\n"), KeyboardLayout(layout: "u\u{0}s"),
    ])
  func aLayoutXkbDoesNotKnowIsNamedWithAdvice(layout: KeyboardLayout) throws {
    let error = #expect(throws: SystemError.self) { try XkbKeyTranslator(layout) }
    let words = try #require(error?.description)
    #expect(words.contains("xkb knows no such layout; /") && words.contains("rules/base.lst"))
    #expect(words.contains(layout.layout.prefix(2).filter { $0.isLetter }))
    #expect(!words.unicodeScalars.contains { $0.value < 0x20 })
  }
}

/// Each in a process of its own.
@Suite struct TranslatorExitTests {
  @Test func nothingIsPrinted() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardErrorContent, \.standardOutputContent]
    ) {
      for layout in ["xx", "us:nosuch", "us"] {
        _ = try? XkbKeyTranslator(KeyboardLayout(parsing: layout))
      }
    }
    #expect(result.standardErrorContent == [])
    #expect(result.standardOutputContent == [])
  }

  /// Keys that hardly a keyboard has are not chosen where another key has the character.
  @Test(
    arguments: [
      ("us", "<", Key.comma, true), ("us", "(", .digit9, true), ("us", "a", .a, false),
      ("de", "<", .extra102nd, false), ("de", "(", .digit8, true), ("fr", "(", .digit5, false),
    ] as [(String, Unicode.Scalar, Key, Bool)])
  func charactersHaveUsualPlaces(
    _ layout: String, _ character: Unicode.Scalar, _ key: Key, _ needsShift: Bool
  ) throws {
    let place = try #require(
      try XkbKeyTranslator.find(explicit: layout).translator.places[character])
    #expect(place.key == key && place.needsShift == needsShift, "\(place)")
  }
}
