import GlissEvents
import GlissHotkeys
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissDevices

/// Which keys go down and up for a chord.
@Suite struct ChordPresserTests {
  private static func presser(_ layout: String = "us") throws -> ChordPresser {
    let translator = try XkbKeyTranslator(try KeyboardLayout(parsing: layout))
    return ChordPresser(layout: layout) { translator.place(of: $0) }
  }

  private static func line(_ strokes: [KeyStroke]) -> String {
    strokes.map { stroke in
      switch stroke {
      case .down(let key): "+\(key.name.dropFirst(4))"
      case .up(let key): "-\(key.name.dropFirst(4))"
      case .move(let x, let y): "\(x),\(y)"
      case .notch(let direction): "\(direction)"
      }
    }
    .joined(separator: " ")
  }

  private static func strokes(_ text: String, on layout: String = "us") throws -> String {
    line(try Chord.chords(toPress: text).flatMap { try presser(layout).strokes(for: $0) })
  }

  @Test(arguments: [
    ("a", "+A -A"),
    ("alt+left", "+LEFTALT +LEFT -LEFT -LEFTALT"),
    (
      "ctrl+shift+super+altgr+f5",
      "+LEFTMETA +LEFTCTRL +RIGHTALT +LEFTSHIFT +F5 -F5 -LEFTSHIFT -RIGHTALT -LEFTCTRL -LEFTMETA"
    ),
    (
      "rsuper+rctrl+rshift+x",
      "+RIGHTMETA +RIGHTCTRL +RIGHTSHIFT +X -X -RIGHTSHIFT -RIGHTCTRL -RIGHTMETA"
    ),
    ("tap:super", "+LEFTMETA -LEFTMETA"), ("tap:rsuper", "+RIGHTMETA -RIGHTMETA"),
    ("super+k ; w", "+LEFTMETA +K -K -LEFTMETA +W -W"),
    ("volumeup", "+VOLUMEUP -VOLUMEUP"), ("sysrq", "+SYSRQ -SYSRQ"), ("print", "+PRINT -PRINT"),
    ("super+sysrq", "+LEFTMETA +SYSRQ -SYSRQ -LEFTMETA"),
    ("super", "+LEFTMETA -LEFTMETA"), ("rctrl", "+RIGHTCTRL -RIGHTCTRL"),
    ("shift+ctrl+alt", "+LEFTCTRL +LEFTSHIFT +LEFTALT -LEFTALT -LEFTSHIFT -LEFTCTRL"),
    ("button1", "+LEFT -LEFT"), ("ctrl+button2", "+LEFTCTRL +MIDDLE -MIDDLE -LEFTCTRL"),
    ("ctrl+wheelup", "+LEFTCTRL up -LEFTCTRL"),
  ])
  func aChordIsItsKeysAndTheirReleases(_ text: String, _ expected: String) throws {
    #expect(try Self.strokes(text) == expected)
  }

  @Test(arguments: [
    ("us", "'?'", "+LEFTSHIFT +SLASH -SLASH -LEFTSHIFT"),
    ("de", "'?'", "+LEFTSHIFT +MINUS -MINUS -LEFTSHIFT"),
    ("de", "'ö'", "+SEMICOLON -SEMICOLON"),
    ("de", "super+shift+'ö'", "+LEFTMETA +LEFTSHIFT +SEMICOLON -SEMICOLON -LEFTSHIFT -LEFTMETA"),
    ("de", "'@'", "+RIGHTALT +Q -Q -RIGHTALT"),
    ("de", "'z'", "+Y -Y"), ("fr", "'a'", "+Q -Q"), ("fr", "'1'", "+LEFTSHIFT +1 -1 -LEFTSHIFT"),
    ("us", "ctrl+'+'", "+LEFTCTRL +LEFTSHIFT +EQUAL -EQUAL -LEFTSHIFT -LEFTCTRL"),
    ("gr", "'λ'", "+L -L"), ("ru", "'я'", "+Z -Z"), ("us,de", "'z'", "+Z -Z"),
  ])
  func aCharacterIsTheKeyThatHasIt(_ layout: String, _ text: String, _ expected: String) throws {
    #expect(try Self.strokes(text, on: layout) == expected)
  }

  @Test(arguments: [("us", "'ö'"), ("gr", "'a'"), ("us", "super+'я'"), ("de", "'😀'")])
  func charactersMissingInTheLayoutAreReported(_ layout: String, _ text: String) throws {
    let chord = try #require(try Chord.chords(toPress: text).first)
    #expect(throws: PressError.notOnLayout(chord, layout: layout)) {
      try Self.presser(layout).strokes(for: chord)
    }
  }

  @Test(arguments: ["wheelup", "ctrl+wheeldown"])
  func aWheelCannotBeHeld(_ text: String) throws {
    let chord = try #require(try Chord.chords(toPress: text).first)
    #expect(throws: PressError.notHeld(chord)) { try Self.presser().keys(of: chord) }
  }

  @Test func theKeysOfAHeldChordAreItsModifiersAndItsKey() throws {
    let chord = try #require(try Chord.chords(toPress: "ctrl+'?'").first)
    #expect(try Self.presser().keys(of: chord) == [.leftControl, .leftShift, .slash])
  }

  @Test(arguments: [
    "alt+sysrq", "altgr+sysrq", "ctrl+alt+sysrq", "code:0", "code:768", "code:65535",
  ])
  func keysTheKernelActsOnOrLacksAreNotPressed(_ text: String) throws {
    let chord = try #require(try Chord.chords(toPress: text).first)
    #expect(throws: PressError.self) { try Self.presser().strokes(for: chord) }
  }

  @Test(arguments: ["release:super+t", "repeat:a", "super+", "", "nonsense"])
  func textThatIsNoChordIsNone(_ text: String) {
    #expect(throws: HotkeyError.self) { try Chord.chords(toPress: text) }
  }

  @Test func pressedChordsReadBackTheSame() throws {
    for key in [
      Key.leftSuper, .rightSuper, .leftShift, .rightShift, .leftControl, .leftAlt, .rightAlt,
    ] {
      let chord = Chord([], .key(key))
      #expect(try Chord.chords(toPress: chord.textToPress) == [chord], "\(key)")
    }
    for text in ["alt+left", "super+'ö'", "ctrl+wheelup", "code:84"] {
      let chord = try #require(try Chord.chords(toPress: text).first)
      #expect(try Chord.chords(toPress: chord.textToPress) == [chord])
    }
  }

  /// Any chord: all that goes down comes up again, in reverse, and nothing is pressed twice.
  @Test func whateverGoesDownComesUp() throws {
    var random = Seed.source("ChordPresser")
    let presser = try Self.presser("de")
    for _ in 0..<5000 {
      let modifiers = ChordModifiers(rawValue: UInt16.random(in: 0...0x7ff, using: &random))
      let trigger: Chord.Trigger =
        Bool.random(using: &random)
        ? .key(Key(rawValue: UInt16.random(in: 0...0x320, using: &random)))
        : .symbol(Unicode.Scalar(UInt8.random(in: 32...255, using: &random)))
      let chord = Chord(modifiers, trigger)
      guard let strokes = try? presser.strokes(for: chord) else { continue }
      let half = strokes.count / 2
      let (down, up) = (strokes.prefix(half), strokes.suffix(half))
      let isDown = strokes.map { if case .down = $0 { true } else { false } }
      #expect(isDown == (0..<2 * half).map { $0 < half }, "\(chord)")
      #expect(down.map(\.key) == up.reversed().map(\.key), "\(chord)")
      #expect(Set(down.map(\.key)).count == half && half <= 18, "\(chord)")
    }
  }
}
