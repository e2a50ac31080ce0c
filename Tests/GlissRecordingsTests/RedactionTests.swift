import GlissEvents
import GlissRecordings
import Testing

@Suite struct RedactionTests {
  private static let codes = UInt16(0)...0x2ff

  /// Words that a key's name has where it types, or shifts what others type.
  private static func tells(_ name: String) -> Bool {
    let patterns: [Regex<Substring>] = [
      #/KEY_[A-Z0-9]/#, #/KEY_KP.*/#, #/KEY_NUMERIC_.*/#, #/KEY_BRL_.*/#, #/KEY_FN_[A-Z0-9]/#,
      #/KEY_(?:LEFT|RIGHT)(?:SHIFT|CTRL|ALT)/#, #/KEY_FN_RIGHT_SHIFT/#,
      #/KEY_(?:SPACE|ENTER|LINEFEED|TAB|BACKSPACE|CAPSLOCK|COMPOSE|102ND|RO|YEN|DOLLAR|EURO)/#,
      #/KEY_(?:MINUS|EQUAL|LEFTBRACE|RIGHTBRACE|SEMICOLON|APOSTROPHE|GRAVE|BACKSLASH)/#,
      #/KEY_(?:COMMA|DOT|SLASH|QUESTION|ZENKAKUHANKAKU|KATAKANA|HIRAGANA|KATAKANAHIRAGANA)/#,
      #/KEY_(?:HENKAN|MUHENKAN|HANGEUL|HANJA)/#,
    ]
    return patterns.contains { name.wholeMatch(of: $0) != nil }
  }

  /// What `libinput record` hides: from KEY_1 to KEY_KPDOT, whatever it is.
  private static func isHiddenByLibinput(_ code: UInt16) -> Bool { (2...84).contains(code) }

  @Test func everyKeyWithANameIsDecidedOnByIt() {
    var shown = 0
    for code in Self.codes {
      let key = Key(rawValue: code)
      guard Key(name: key.name) == key else { continue }
      let isHidden = Self.tells(key.name) || Self.isHiddenByLibinput(code)
      #expect(key.isRedacted == isHidden, "\(key.name) (\(code))")
      if !key.isRedacted { shown += 1 }
    }
    #expect(shown > 300)
  }

  @Test func keysThatLibinputHidesAreHidden() {
    for code in Self.codes where Self.isHiddenByLibinput(code) {
      #expect(Key(rawValue: code).isRedacted, "\(code)")
    }
  }

  @Test(arguments: [UInt16(0), 195, 0x1ff, 0x2ff, 0x300, .max])
  func aKeyThatNobodyKnowsIsHidden(_ code: UInt16) {
    #expect(Key(rawValue: code).isRedacted)
  }

  @Test(
    arguments: [
      "KEY_ESC", "KEY_F11", "KEY_F12", "KEY_F13", "KEY_LEFTMETA", "KEY_UP", "KEY_DELETE",
      "KEY_VOLUMEUP", "KEY_PLAYPAUSE", "KEY_POWER", "KEY_BRIGHTNESSUP", "KEY_FN", "BTN_LEFT",
      "BTN_TOUCH", "BTN_TOOL_DOUBLETAP", "BTN_TOOL_PEN", "BTN_SOUTH", "BTN_TRIGGER_HAPPY1",
    ])
  func keysThatTypeNothingAreShown(_ name: String) throws {
    let key = try #require(Key(name: name))
    #expect(!key.isRedacted)
    let event = EvdevEvent.key(key, 1, at: .zero)
    #expect(event.redacted == event)
  }

  @Test(arguments: [Int32(0), 1, 2])
  func aHiddenKeyKeepsItsTimeAndItsState(_ value: Int32) {
    let time = EventTime(microseconds: 7)
    #expect(
      EvdevEvent.key(Key(rawValue: 16), value, at: time).redacted == .key(.a, value, at: time))
  }

  @Test(arguments: [(UInt16(3), true), (4, true), (0, false), (2, false), (5, false)])
  func theKeyboardsOwnNumbersAreHidden(_ code: UInt16, _ isHidden: Bool) {
    let event = EvdevEvent(time: .zero, type: .miscellaneous, code: code, value: 0x70014)
    #expect(event.redacted.value == (isHidden ? 30 : 0x70014))
    #expect(event.redacted.code == code)
  }

  @Test func touchesPassAsTheyAre() {
    for axis in [AbsoluteAxis.slot, .positionX, .trackingID, .pressure] {
      let event = EvdevEvent.absolute(axis, 30, at: .zero)
      #expect(event.redacted == event)
    }
    // the codes of axes are numbers that hidden keys have too
    let motion = EvdevEvent(time: .zero, type: .relative, code: 8, value: -1)
    #expect(motion.redacted == motion)
  }
}
