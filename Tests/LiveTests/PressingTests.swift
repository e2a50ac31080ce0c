import Foundation
import GlissDevices
import GlissEvents
import GlissHotkeys
import GlissSession
import TestSupport
import Testing

extension LiveTests {
  /// Keys that Gliss presses, as the kernel hands them on; and that it does not read itself.
  @Suite struct PressingTests {
    private func keyboard(on loop: InputLoop) throws -> UinputKeyboard {
      let layout = try KeyboardLayout(parsing: "de")
      let translator = try XkbKeyTranslator(layout)
      return try VirtualDevice.settled(path: \.path) {
        try UinputKeyboard(on: loop, translator: translator)
      }
    }

    /// Turns until nothing waits to be pressed, and a little longer.
    private func turn(_ loop: InputLoop, milliseconds: Double) throws {
      let end = InputLoop.now + .milliseconds(milliseconds)
      while InputLoop.now < end { try loop.wait(until: end) }
    }

    @Test func chordsComeOutOfTheKernelInOrder() throws {
      let loop = try InputLoop()
      let keyboard = try keyboard(on: loop)
      let reader = try KernelEvents(keyboard.path)
      try keyboard.press(try Chord.chords(toPress: "super+'z'"))
      try keyboard.press(try Chord.chords(toPress: "'@'") + Chord.chords(toPress: "tap:super"))
      try turn(loop, milliseconds: 700)
      #expect(
        try reader.keys() == [
          "+KEY_LEFTMETA", "+KEY_Y", "-KEY_Y", "-KEY_LEFTMETA",
          "+KEY_RIGHTALT", "+KEY_Q", "-KEY_Q", "-KEY_RIGHTALT", "+KEY_LEFTMETA", "-KEY_LEFTMETA",
        ])
    }

    @Test func aHeldModifierStaysDownBetweenChords() throws {
      let loop = try InputLoop()
      let keyboard = try keyboard(on: loop)
      let reader = try KernelEvents(keyboard.path)
      try keyboard.hold(try Chord.chords(toPress: "alt"), by: 1)
      try keyboard.press(try Chord.chords(toPress: "tab") + Chord.chords(toPress: "alt+shift+tab"))
      keyboard.release(1)
      try turn(loop, milliseconds: 700)
      #expect(
        try reader.keys() == [
          "+KEY_LEFTALT", "+KEY_TAB", "-KEY_TAB", "+KEY_LEFTSHIFT", "+KEY_TAB", "-KEY_TAB",
          "-KEY_LEFTSHIFT", "-KEY_LEFTALT",
        ])
      try keyboard.hold(try Chord.chords(toPress: "super"), by: 2)
      try turn(loop, milliseconds: 20)
      keyboard.forget()
      keyboard.release(2)
      try turn(loop, milliseconds: 20)
      #expect(try reader.keys() == ["+KEY_LEFTMETA", "-KEY_LEFTMETA"])
      // a release that waits behind chords is not forgotten with them
      try keyboard.hold(try Chord.chords(toPress: "alt"), by: 3)
      try turn(loop, milliseconds: 20)
      try keyboard.press(try Chord.chords(toPress: "a ; b"))
      keyboard.release(3)
      keyboard.forget()
      try turn(loop, milliseconds: 20)
      #expect(try reader.keys() == ["+KEY_LEFTALT", "+KEY_A", "-KEY_A", "-KEY_LEFTALT"])
    }

    @Test func aClickAndANotchComeFromOnePointer() throws {
      let loop = try InputLoop()
      let keyboard = try keyboard(on: loop)
      #expect(try Self.pointers().isEmpty)
      try keyboard.press(try Chord.chords(toPress: "ctrl+wheelup ; button3"))
      try wait(for: "the pointer") { try Self.pointers().count == 1 }
      let reader = try KernelEvents(try #require(try Self.pointers().first))
      try turn(loop, milliseconds: 700)
      let events = try #require(try reader.read()).filter { !$0.isReport }
      let lines = events.map { "\($0.type.rawValue) \($0.code) \($0.value)" }
      #expect(
        lines == ["1 29 1", "2 8 1", "2 11 120", "1 29 0", "1 273 1", "1 273 0"])
    }

    @Test func aDragHoldsItsButtonAroundTheMotion() throws {
      let loop = try InputLoop()
      let keyboard = try keyboard(on: loop)
      try keyboard.hold(try Chord.chords(toPress: "button1"), by: 1)
      // half a dot is not lost, and what waits becomes one motion
      for _ in 0..<4 { try keyboard.move(Vector2(x: 12.5 / 1000 * 25.4, y: 0)) }
      keyboard.release(1)
      try wait(for: "the pointer") { try Self.pointers().count == 1 }
      let reader = try KernelEvents(try #require(try Self.pointers().first))
      try turn(loop, milliseconds: 700)
      let events = try #require(try reader.read()).filter { !$0.isReport }
      #expect(
        events.map { "\($0.type.rawValue) \($0.code) \($0.value)" } == [
          "1 272 1", "2 0 50", "1 272 0",
        ])
    }

    private static func pointers() throws -> [String] {
      try DeviceFinder().devices().filter { $0.name == "Gliss pointer" }.map(\.path)
    }

    @Test func manyChordsAreAllThere() throws {
      let loop = try InputLoop()
      let keyboard = try keyboard(on: loop)
      let reader = try KernelEvents(keyboard.path)
      let chords = try Chord.chords(toPress: "ctrl+alt+shift+super+a ; b")
      for _ in 0..<100 { try keyboard.press(chords) }
      var keys: [String] = []
      // nobody reads faster than a desktop that draws
      var losses = 0
      let end = InputLoop.now + .milliseconds(20_000)
      while keys.count < 1200, InputLoop.now < end {
        try turn(loop, milliseconds: 15)
        let events = try #require(try reader.read())
        keys += events.compactMap(\.keyText)
        losses += events.count { $0.isLoss }
      }
      #expect(keys.count == 1200)
      #expect(keys.filter { $0 == "+KEY_A" }.count == 100)
      #expect(losses == 0)
    }

    @Test func noProgramOfGlissReadsIt() throws {
      let loop = try InputLoop()
      let keyboard = try keyboard(on: loop)
      let found = try #require(try DeviceFinder().device(at: keyboard.path))
      #expect(found.isOwn && found.classes.contains(.keyboard))
      #expect(DeviceReport(opening: found).refusal?.reason == .own)
      #expect(try RawDevices().add(found)?.reason == .own)
      let script = try Script(.paths([keyboard.path]))
      script.step {}
      try script.run()
      #expect(script.refused.map(\.reason) == [.own])
      // nor without udev
      let unknown = FoundDevice.unknown(keyboard.path)
      #expect(try RawDevices().add(unknown)?.reason == .own)
      // among others of the seat it is not even mentioned
      let other = try VirtualDevice.settled(HotplugTests.keyboard)
      let seat = try Script(.defaultSeat)
      seat.step { try keyboard.press(try Chord.chords(toPress: "a")) }
      seat.step {
        try other.write(.key(.a, 1, at: .zero))
        try other.write(.report(at: .zero))
        try other.write(.key(.a, 0, at: .zero))
        try other.write(.report(at: .zero))
      }
      try seat.run()
      #expect(seat.keys.count == 2)
      #expect(!seat.refused.contains { $0.path == keyboard.path })
    }
  }
}
