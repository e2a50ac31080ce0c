import GlissEvents
import GlissHotkeys
import Testing

/// What somebody pressed, as text that means the same.
@Suite struct RecorderTests {
  private static let modifiers: [(key: Key, name: ChordModifiers)] = [
    (.leftShift, .shift), (.rightShift, .shift), (.leftControl, .control), (.leftAlt, .alt),
    (.rightAlt, .altGr), (.rightSuper, .super),
  ]

  private func event(_ key: Key, _ state: KeyEvent.State, _ held: Modifiers) -> KeyEvent {
    KeyEvent(time: .zero, device: DeviceID(rawValue: 0), key: key, state: state, modifiers: held)
  }

  /// Every set of modifiers with every key that has a name, and some that have none.
  @Test func everyChordParsesBackToItself() throws {
    let keys = (1..<0x300).map { Key(rawValue: UInt16($0)) }.filter { Modifiers($0).isEmpty }
    for set in 0..<(1 << Self.modifiers.count) {
      let held = Self.modifiers.indices.filter { set & (1 << $0) != 0 }
      var recorder = HotkeyRecorder()
      var down: Modifiers = []
      for index in held {
        down.formUnion(Modifiers(Self.modifiers[index].key))
        #expect(recorder.process(event(Self.modifiers[index].key, .down, down)) == nil)
      }
      let names = held.reduce(into: ChordModifiers()) { $0.formUnion(Self.modifiers[$1].name) }
      for key in keys {
        let pressed = recorder.process(event(key, .down, down))
        let hotkey = try #require(pressed)
        #expect(recorder.process(event(key, .repeat, down)) == nil)
        #expect(recorder.process(event(key, .up, down)) == nil)
        let expected = Hotkey(Chord(names, .key(key)))
        #expect(hotkey == expected)
        #expect(try Hotkey("\(hotkey)") == expected, "\(hotkey)")
      }
    }
  }

  @Test func aModifierPressedAloneIsATap() throws {
    for (key, name) in Self.modifiers {
      var recorder = HotkeyRecorder()
      #expect(recorder.process(event(key, .down, Modifiers(key))) == nil)
      let tapped = recorder.process(event(key, .up, []))
      let hotkey = try #require(tapped)
      #expect(try Hotkey("\(hotkey)") == hotkey)
      let modifier = try #require(hotkey.tapped)
      #expect(modifier.modifiers == name)
    }
  }

  @Test func aModifierThatIsHeldLongIsNoTap() {
    for (milliseconds, isTap) in [(500.0, true), (501, false)] {
      var recorder = HotkeyRecorder()
      _ = recorder.process(event(.leftSuper, .down, .leftSuper))
      var release = event(.leftSuper, .up, [])
      release.time = .zero + .milliseconds(milliseconds)
      #expect((recorder.process(release) != nil) == isTap)
    }
  }

  @Test func aModifierOfAChordIsNoTap() {
    var recorder = HotkeyRecorder()
    _ = recorder.process(event(.leftSuper, .down, .leftSuper))
    _ = recorder.process(event(.leftShift, .down, [.leftSuper, .leftShift]))
    let pressed = recorder.process(event(.a, .down, [.leftSuper, .leftShift]))
    #expect(pressed?.description == "super+shift+a")
    #expect(recorder.process(event(.a, .up, [.leftSuper, .leftShift])) == nil)
    #expect(recorder.process(event(.leftShift, .up, .leftSuper)) == nil)
    #expect(recorder.process(event(.leftSuper, .up, [])) == nil)
  }

  private func button(_ key: Key, isDown: Bool = true) -> ButtonEvent {
    ButtonEvent(time: .zero, device: DeviceID(rawValue: 1), button: key, isDown: isDown)
  }

  private func notch(_ x: Double, _ y: Double, _ source: ScrollEvent.Source = .wheel) -> ScrollEvent
  {
    ScrollEvent(
      time: .zero, device: DeviceID(rawValue: 1), source: source, delta: Vector2(x: x, y: y))
  }

  @Test func buttonsAreChordsExceptTheLeftOneAlone() {
    var recorder = HotkeyRecorder()
    #expect(recorder.process(button(.leftButton)) == nil)
    #expect(recorder.process(button(.sideButton))?.description == "button4")
    #expect(recorder.process(button(.sideButton, isDown: false)) == nil)
    _ = recorder.process(event(.leftControl, .down, .leftControl))
    #expect(recorder.process(button(.leftButton))?.description == "ctrl+button1")
    #expect(recorder.process(event(.leftControl, .up, [])) == nil)
  }

  @Test func aWheelIsAChordOnceWhileModifiersAreHeld() {
    var recorder = HotkeyRecorder()
    #expect(recorder.process(notch(0, 15)) == nil)
    _ = recorder.process(event(.leftSuper, .down, .leftSuper))
    #expect(recorder.process(notch(0, 15, .finger)) == nil)
    #expect(recorder.process(event(.leftSuper, .up, [])) == nil)
    _ = recorder.process(event(.leftSuper, .down, .leftSuper))
    #expect(recorder.process(notch(0, 15))?.description == "super+wheeldown")
    #expect(recorder.process(notch(0, 15)) == nil)
    #expect(recorder.process(notch(0, -15))?.description == "super+wheelup")
    #expect(recorder.process(notch(-15, 0))?.description == "super+wheelleft")
    #expect(recorder.process(event(.leftSuper, .up, [])) == nil)
    _ = recorder.process(event(.leftSuper, .down, .leftSuper))
    #expect(recorder.process(notch(-15, 0))?.description == "super+wheelleft")
  }
}
