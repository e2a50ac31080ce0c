import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissHotkeys

@Suite struct ParsingTests {
  @Test(
    arguments: [
      ("super+shift+t", "super+shift+t"), ("Super + Shift+T", "super+shift+t"),
      ("shift+super+t", "super+shift+t"), ("t", "t"), ("KEY_T", "t"), ("key_t", "t"),
      ("press:t", "t"), ("release:ctrl+t", "release:ctrl+t"), ("REPEAT : f5", "repeat:f5"),
      ("control+alt+del", "ctrl+alt+delete"), ("win+e", "super+e"), ("mod4+mod1+e", "super+alt+e"),
      ("lsuper+t", "lsuper+t"), ("rctrl+lshift+altgr+q", "rctrl+altgr+lshift+q"),
      ("ralt+q", "altgr+q"), ("lalt+q", "alt+q"), ("lctrl+rctrl+q", "lctrl+rctrl+q"),
      ("super+button4", "super+button4"), ("BTN_SIDE", "button4"), ("btn_left", "button1"),
      ("btn_south", "btn_south"), ("super+WheelUp", "super+wheelup"),
      ("super+k;w", "super+k ; w"), (" super+k ;shift+w ; f1 ", "super+k ; shift+w ; f1"),
      ("release:super+k ; w", "release:super+k ; w"), ("TAP:lsuper", "tap:lsuper"),
      ("tap: meta", "tap:super"), ("tap:ralt", "tap:altgr"), ("super+'ö'", "super+'ö'"),
      ("super+shift+'ö'", "super+shift+'ö'"), ("super+'?'", "super+'?'"), ("'+'", "'+'"),
      ("'''", "'''"), ("super+';' ; ':'", "super+';' ; ':'"), ("super+' '", "super+' '"),
      ("'ß'", "'ß'"), ("super+,", "super+comma"), ("super+[", "super+leftbrace"),
      ("super+\\", "super+backslash"), ("super+period", "super+dot"), ("102nd", "102nd"),
      ("1", "1"), ("super+enter", "super+enter"), ("return", "enter"), ("escape", "esc"),
      ("code:30", "a"), ("code: 84", "code:84"), ("super+code:0", "super+code:0"),
      ("super+code:65535", "super+code:65535"), ("shift+leftshift", "shift+leftshift"),
      ("super+char:f6", "super+'ö'"), ("char:E31", "char:e31"), ("char:0", "char:0"),
      ("fn_f1", "fn_f1"), ("volumeup", "volumeup"), ("super+PrtSc", "super+sysrq"),
      ("PrintScreen", "sysrq"), ("print", "print"),
    ])
  func aHotkeyHasOneForm(_ text: String, _ form: String) throws {
    let hotkey = try Hotkey(text)
    #expect(hotkey.description == form)
    #expect(try Hotkey(form) == hotkey)
  }

  @Test func theWordsMeanTheirKeys() throws {
    let t = Key(rawValue: 0x14)
    #expect(try Hotkey("super+t") == Hotkey(Chord(.super, .key(t))))
    #expect(
      try Hotkey("repeat:lctrl+'ä'")
        == Hotkey(Chord(.leftControl, .symbol("ä")), activation: .repeat))
    #expect(
      try Hotkey("alt+k ; wheeldown")
        == Hotkey(
          Chord(.alt, .key(Key(rawValue: 0x25))), then: [Chord([], .wheel(.down))]))
    #expect(try Hotkey("tap:rshift") == Hotkey(tap: .rightShift))
  }

  @Test func valuesLeaveOutWhatSaysNothing() {
    #expect(Chord([.super, .leftSuper], .key(.a)) == Chord(.leftSuper, .key(.a)))
    #expect(Chord([.super, .shift, .altGr], .symbol("?")) == Chord(.super, .symbol("?")))
    #expect(Chord([.super, .shift, .altGr], .symbol("Ö")).description == "super+shift+'ö'")
  }

  @Test(
    arguments: [
      ("", 0, 1, .empty, []), ("  ", 0, 1, .empty, []),
      ("supr+t", 0, 4, .unknownModifier, ["super"]),
      ("cmd+t", 0, 3, .unknownModifier, ["super"]),
      ("windows+t", 0, 7, .unknownModifier, ["super"]),
      ("$mod+t", 0, 4, .unknownModifier, ["super", "alt"]),
      ("super+mouse1", 6, 6, .unknownKey, ["button1"]),
      ("super+ArrowLeft", 6, 9, .unknownKey, ["left"]),
      ("super+add", 6, 3, .unknownKey, ["kpplus"]),
      ("CommandOrControl+t", 0, 16, .unknownModifier, ["ctrl"]),
      ("shift+Option+t", 6, 6, .unknownModifier, ["alt"]),
      ("⌘+t", 0, 1, .unknownModifier, ["super"]),
      ("ctrl+contrl+t", 5, 6, .unknownModifier, ["control"]),
      ("Super-T", 0, 7, .unknownKey, ["super+t"]),
      ("<ctrl><alt>t", 0, 12, .unknownKey, ["ctrl+alt+t"]),
      ("lock-t", 0, 6, .unknownKey, []), ("<t", 0, 2, .unknownKey, []),
      ("ctrl-alt+t", 0, 8, .unknownModifier, ["ctrl+alt"]),
      ("super+leftbrce", 6, 8, .unknownKey, ["leftbrace"]),
      ("super+volumup", 6, 7, .unknownKey, ["volumeup"]), ("super+ö", 6, 1, .unknownKey, []),
      ("super+button9", 6, 7, .unknownKey, []), ("super+plus", 6, 4, .unknownKey, ["'+'"]),
      ("super+Prior", 6, 5, .unknownKey, ["pageup"]),
      // in upper or lower case, or decomposed, each would name another key
      ("super+\u{131}", 6, 1, .unknownKey, []), ("super+\u{17f}", 6, 1, .unknownKey, []),
      ("super+\u{212a}", 6, 1, .unknownKey, []), ("KEY_\u{212a}", 0, 5, .unknownKey, []),
      ("\u{fb01}nd", 0, 3, .unknownKey, []), ("super+\u{1fef}", 6, 1, .unknownKey, []),
      ("super+e\u{301}", 6, 1, .decomposed, []),
      ("super+qqqqqqqq", 6, 8, .unknownKey, []), ("super+", 6, 1, .keyExpected, []),
      ("+t", 0, 1, .keyExpected, []), ("super++t", 6, 1, .keyExpected, []),
      ("super+k ;", 9, 1, .keyExpected, []), ("; w", 0, 1, .keyExpected, []),
      ("super+k ; ; w", 10, 1, .keyExpected, []), ("super t", 6, 1, .separatorExpected, []),
      ("super+t u", 8, 1, .separatorExpected, []), ("super+t:u", 7, 1, .separatorExpected, []),
      ("super", 0, 5, .modifierAlone, []), ("super+k ; ctrl+shift", 15, 5, .modifierAlone, []),
      ("t+u", 0, 1, .notAModifier, []), ("'t'+u", 0, 3, .notAModifier, []),
      ("leftshift+u", 0, 9, .unknownModifier, ["lshift"]),
      ("mod5+t", 0, 4, .unknownModifier, ["altgr"]),
      ("super+rightsuper+t", 6, 10, .unknownModifier, ["rsuper"]),
      ("super+rightsuper", 6, 10, .unknownKey, ["rightmeta"]),
      ("mod3+t", 0, 4, .unknownModifier, []), ("CapsLock+t", 0, 8, .lockAsModifier, []),
      ("super+'A'", 6, 3, .capital, ["shift+'a'"]), ("super+'İ'", 6, 3, .capital, ["shift+'i'"]),
      ("super+shift+'Ö'", 12, 3, .capital, ["'ö'"]), ("char:d6", 0, 7, .capital, ["shift+'ö'"]),
      ("super+shift+'ש'", 6, 5, .shiftWithoutCapital, []),
      ("super+ctrl+super+t", 11, 5, .repeatedModifier, []),
      ("super+lsuper+t", 6, 6, .repeatedModifier, []), ("lalt+alt+t", 5, 3, .repeatedModifier, []),
      ("lsuper+win+t", 7, 3, .repeatedModifier, []),
      ("relaese:t", 0, 7, .unknownPrefix, ["release"]), ("foo:t", 0, 3, .unknownPrefix, []),
      ("super+shift+'?'", 6, 5, .modifierOfLayout, []),
      ("k ; super+rshift+'1'", 10, 6, .modifierOfLayout, []),
      ("super+shift+' '", 12, 3, .spaceAsCharacter, ["space"]),
      ("altgr+char:20", 6, 7, .spaceAsCharacter, ["space"]),
      ("altgr+'@'", 0, 5, .modifierOfLayout, []), ("altgr+'ö'", 0, 5, .modifierOfLayout, []),
      ("super+'", 6, 1, .characterExpected, []), ("super+''", 6, 2, .characterExpected, []),
      ("super+'ab' ; w", 6, 4, .characterExpected, []),
      ("super+'\u{7}'", 6, 3, .characterExpected, []),
      ("'o\u{308}'", 0, 3, .decomposed, []), ("'o\u{308}x", 0, 3, .characterExpected, []),
      ("code:x", 5, 1, .numberExpected, []),
      ("char:d800", 5, 4, .numberExpected, []), ("char:110000", 5, 6, .numberExpected, []),
      ("code:65536", 5, 5, .numberExpected, []), ("code:", 5, 1, .numberExpected, []),
      ("tap:t", 4, 1, .tapNeedsModifier, []), ("tap:", 4, 1, .tapNeedsModifier, []),
      ("tap:super+shift", 9, 1, .tapNeedsModifier, []),
      ("tap:supre", 4, 5, .unknownModifier, ["super"]),
      ("a;a;a;a;a;a;a;a;a", 15, 1, .tooManySteps, []),
      (String(repeating: "a", count: 300), 256, 44, .tooLong, []),
      ("ab" + String(repeating: "\u{308}", count: 300), 1, 1, .tooLong, []),
    ] as [(String, Int, Int, HotkeyMistake.Problem, [String])])
  func aMistakeIsPointedAt(
    _ text: String, _ offset: Int, _ length: Int, _ problem: HotkeyMistake.Problem,
    _ similar: [String]
  ) {
    let expected = HotkeyMistake(
      text: text, offset: offset, length: length, problem: problem, similar: similar)
    var found: HotkeyError?
    do { _ = try Hotkey(text) } catch { found = error }
    guard case .syntax(var mistake)? = found else {
      Issue.record("\(text) was taken")
      return
    }
    if similar == [] {
      #expect(mistake.similar.count <= 3)
    } else {
      #expect(mistake.similar.first == similar.first)
    }
    mistake.similar = similar
    #expect(mistake == expected)
    #expect(!mistake.description.isEmpty)
  }

  @Test func aMistakeIsShown() {
    let error = #expect(throws: HotkeyError.self) { try Hotkey("supr+shift+t") }
    #expect("\(error!)" == "character 1: unknown modifier “supr”; did you mean super?")
    guard case .syntax(let mistake)? = error else { return }
    #expect(mistake.picture == "supr+shift+t\n^^^^")
  }

  @Test(arguments: [
    ("super+button9", "character 7: unknown key “button9”: the buttons are button1 to button8"),
    ("super+#", "character 7: unknown key “#”; write super+'#'"),
    ("super+Ö", "character 7: unknown key “Ö”; write super+'ö'"),
    ("super+ı", "character 7: unknown key “ı”; write super+'ı'"),
    (
      "super+e\u{301}",
      "character 7: “e\u{301}” has several code points: a key's character has one, as 'ö' has"
    ),
    (
      "super+shift+'A'",
      "character 13: a letter is written small, and its capital with the modifier shift; did you mean 'a'?"
    ),
    (
      "super+shift+' '",
      "character 13: with this modifier write the key, not its character; did you mean space?"
    ),
    ("super+{", "character 7: unknown key “{”; write super+char:7b"),
  ])
  func aMistakeSaysWhatThereIs(_ text: String, _ sentence: String) {
    let error = #expect(throws: HotkeyError.self) { try Hotkey(text) }
    #expect("\(error!)" == sentence)
  }

  @Test func aMistakeObeysNoTerminal() {
    let error = #expect(throws: HotkeyError.self) { try Hotkey("super+\u{1b}[2J\u{202e}") }
    guard case .syntax(let mistake)? = error else { return }
    for text in [mistake.picture, mistake.description] {
      #expect(!text.unicodeScalars.contains { $0 == "\u{1b}" || $0 == "\u{202e}" })
    }
  }

  @Test func everyKeyParsesBack() throws {
    for code in UInt16.min...UInt16(0x400) {
      let hotkey = Hotkey(Chord(.super, .key(Key(rawValue: code))))
      #expect(try Hotkey(hotkey.description) == hotkey)
    }
  }

  @Test func everyCharacterParsesBack() throws {
    for value in UInt32(0)...0x2fff {
      let hotkey = Hotkey(Chord(.super, .symbol(Unicode.Scalar(value) ?? " ")))
      #expect(try Hotkey(hotkey.description) == hotkey)
    }
  }

  @Test(arguments: 0..<300) func everyHotkeyParsesBack(_ index: Int) throws {
    var random = Seed.source("hotkeys parse back", index)
    let hotkey = random.hotkey()
    let text = hotkey.description
    #expect(try Hotkey(text) == hotkey, "\(text) \(Seed.advice)")
    // between quotes, case counts
    guard !text.contains("'") else { return }
    #expect(try Hotkey(text.uppercased()) == hotkey, "case counts in \(text) \(Seed.advice)")
  }

  @Test(arguments: 0..<200) func noTextIsTooOdd(_ index: Int) {
    var random = Seed.source("odd hotkeys", index)
    let pieces = [
      "super", "+", ";", ":", "'", "tap", "code", "release", "t", "ö", " ", "lshift", "\u{301}",
      "\u{0}", "KEY_", "9999999999999999999", "👩‍👩‍👧", "button4", "\r\n", "''", "altgr",
    ]
    let text = (0..<random.integer(0...12)).map { _ in random.pick(pieces) }.joined()
    do {
      let hotkey = try Hotkey(text)
      #expect(try Hotkey(hotkey.description) == hotkey, "\(text) \(Seed.advice)")
    } catch {
      guard case .syntax(let mistake) = error else { return }
      #expect(mistake.offset >= 0 && mistake.length > 0)
      #expect(mistake.offset + mistake.length <= text.count + 1, "\(text) \(Seed.advice)")
      #expect(!mistake.picture.isEmpty && !mistake.description.isEmpty)
    }
  }
}
