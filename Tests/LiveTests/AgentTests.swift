import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

extension LiveTests {
  /// The agent with devices of its own, as its user runs it, and a kernel.
  @Suite struct AgentTests {
    private static let (superKey, t, u) = (Key.leftSuper, Key(rawValue: 20), Key(rawValue: 22))
    private static let panic = [Key(rawValue: 14), Key(rawValue: 1), Key(rawValue: 28)]

    private static func rules(_ more: String = "") -> String {
      """
      gestures:
        - name: left
          gesture: swipe
          fingers: 3
          direction: left
          do: {note: swipe}
      hotkeys:
        - name: kept
          hotkey: super+t
          consume: true
          do: {note: kept}
      \(more)
      """
    }

    private static let told = "  - hotkey: super+u\n    do: {note: told}\n"

    @Test func rulesActOnceForEachStrokeAndAConsumedChordIsNobodyElses() throws {
      let agent = try RunningAgent(Self.rules(Self.told))
      let trace = Stroke.swipe(fingers: 3, direction: .left, distance: 40).trace(
        on: .medium, seed: 1)
      let pad = try VirtualDevice.settled(trace.device)
      try agent.waitFor(1, "is grabbed")
      try agent.waitFor(1, "reading \(pad.path)")
      // the desktop reads the twin
      let twin = try agent.twin()
      _ = try agent.direct.keys()
      var expected: [Substring] = []
      for _ in 0..<4 {
        try agent.press(.a)
        try agent.press(Self.superKey, Self.t)
        expected.append("kept")
        try wait(for: "\(expected.count) commands") { agent.ran.count >= expected.count }
        try agent.press(Self.superKey, Self.u)
        expected.append("told")
        try wait(for: "\(expected.count) commands") { agent.ran.count >= expected.count }
        // what touches the pad while somebody types is a palm
        usleep(1_000_000)
        // where the stroke begins to tell its slots
        try pad.write(.absolute(.slot, 0, at: .zero))
        try pad.play(trace.events)
        expected.append("swipe")
        try wait(for: "\(expected.count) commands") { agent.ran.count >= expected.count }
        // so that the next one is a stroke of its own
        usleep(300_000)
        let seen = try twin.desktopKeys()
        #expect(
          seen == [
            "+KEY_A", "-KEY_A", "+KEY_LEFTMETA", "-KEY_LEFTMETA", "+KEY_LEFTMETA", "+KEY_U",
            "-KEY_U", "-KEY_LEFTMETA",
          ])
      }
      #expect(agent.ran == expected)
      #expect(try agent.direct.keys() == [], "who reads the keyboard itself is told nothing")
      let status = try agent.ask("status")
      #expect(status.contains("grabbed  Grabbed Keyboard (\(agent.keyboard.path))"), "\(status)")
      #expect(try agent.ask("why").contains("left (gliss.yaml:2)"))
    }

    @Test func aStrokeThatARuleConsumesIsNotTheDesktopsIfRootHasChosenTwins() throws {
      try TwinSwitch.system.turnOn()
      defer { _ = try? TwinSwitch.system.turnOff() }
      let strokes = [Direction.left, .right].map {
        Stroke.swipe(fingers: 3, direction: $0, distance: 40).trace(on: .large, seed: 1)
      }
      let pad = try VirtualDevice.settled(strokes[0].device)
      let agent = try RunningAgent(
        "gestures:\n  - {gesture: swipe, fingers: 3, direction: left, consume: true, do: {note: swiped}}\n"
      )
      try agent.waitFor(1, "the desktop reads its twin")
      var twin = try Desktop(#require(try agent.own(strokes[0].device.name)))
      _ = twin.news()
      try pad.play(strokes[0].events)
      try wait(for: "the rule") { agent.ran == ["swiped"] }
      #expect(twin.news().isEmpty)
      try pad.write(.absolute(.slot, 0, at: .zero))
      try pad.play(strokes[1].events)
      try wait(for: "the other swipe") {
        twin.read()
        return twin.told.last?.kind == "swipe end"
      }
      #expect(agent.ran == ["swiped"])
      // without the switch the pad is the desktop's, from the next reload on
      #expect(try TwinSwitch.system.turnOff())
      _ = try agent.ask("reload")
      try agent.waitFor(1, "is given back")
      twin = try Desktop(pad.path)
      try pad.write(.absolute(.slot, 0, at: .zero))
      try pad.play(strokes[0].events)
      #expect(twin.news().first?.kind == "swipe begin")
    }

    @Test func aDragWithThreeFingersGoesOnAfterALift() throws {
      let agent = try RunningAgent(
        """
        gestures:
          - {gesture: swipe, fingers: 3, hold: button1, change: {move: 1}, linger: 500 ms}
        """)
      let trace = Stroke.swipe(fingers: 3, direction: .right, distance: 30).trace(
        on: .medium, seed: 3)
      let pad = try VirtualDevice.settled(trace.device)
      try agent.waitFor(1, "reading \(pad.path)")
      let stroke = [EvdevEvent.absolute(.slot, 0, at: .zero)] + trace.events
      // makes the pointer
      try pad.play(stroke)
      try wait(for: "the pointer") { try agent.own("Gliss pointer") != nil }
      try agent.waitFor(1, "end, ")
      usleep(700_000)
      let pointer = try KernelEvents(try #require(try agent.own("Gliss pointer")))
      var events: [EvdevEvent] = []
      func buttons() throws -> [Int32] {
        events += try pointer.read() ?? []
        return events.filter { $0.type == .key }.map(\.value)
      }
      events += try pad.played(stroke, to: pointer)
      usleep(150_000)
      events += try pad.played(stroke, to: pointer)
      try wait(for: "the release") { try buttons().last == 0 }
      #expect(try buttons() == [1, 0])
      let way = events.filter { $0.type == .relative && $0.code == 0 }.reduce(0) { $0 + $1.value }
      // 60 mm, less what it takes to know that they are swipes
      #expect((1600...2400).contains(way), "\(way) dots")
      events = try pad.played(stroke, to: pointer)
      try wait(for: "the next release") { try buttons().last == 0 }
      events += try pad.played(stroke, to: pointer)
      try wait(for: "the last release") { try buttons().count == 4 }
      #expect(try buttons() == [1, 0, 1, 0])
    }

    @Test func aFingerThatPointsEndsADragWithThreeFingers() throws {
      let agent = try RunningAgent(
        "gestures:\n  - {gesture: swipe, fingers: 3, hold: button1, linger: 60 s}\n")
      let swipe = Stroke.swipe(fingers: 3, direction: .right, distance: 30).trace(
        on: .medium, seed: 3)
      let finger = Stroke.point(by: Vector2(x: 20, y: 0)).trace(on: .medium, seed: 3)
      let pad = try VirtualDevice.settled(swipe.device)
      try agent.waitFor(1, "reading \(pad.path)")
      let first = EvdevEvent.absolute(.slot, 0, at: .zero)
      try pad.play([first] + swipe.events)
      try wait(for: "the pointer") { try agent.own("Gliss pointer") != nil }
      #expect(agent.count(of: "end, ") == 0)
      try pad.play([first] + finger.events)
      try agent.waitFor(1, "end, ")
    }

    @Test func aReloadKeepsTheGrabAndThePanicChordEndsItUntilTheNext() throws {
      let agent = try RunningAgent(Self.rules(Self.told))
      try agent.waitFor(1, "is grabbed")
      let twin = try agent.twin()
      _ = try agent.direct.keys()
      // a key that is held over it stays so
      try agent.write([.leftShift], 1)
      try agent.write(Self.rules())
      try agent.waitFor(1, "2 rules of")
      try agent.write([.leftShift], 0)
      try agent.press(Self.superKey, Self.t)
      try wait(for: "the command") { agent.ran == ["kept"] }
      try agent.press(Self.superKey, Self.u)
      #expect(
        try twin.desktopKeys() == [
          "+KEY_LEFTSHIFT", "-KEY_LEFTSHIFT", "+KEY_LEFTMETA", "-KEY_LEFTMETA", "+KEY_LEFTMETA",
          "+KEY_U", "-KEY_U", "-KEY_LEFTMETA",
        ])
      #expect(agent.count(of: "is given back") == 0 && agent.count(of: "is grabbed") == 1)
      #expect(try agent.direct.keys() == [])

      try agent.write(Self.panic, 1)
      try agent.waitFor(1, "no hotkey or stroke has been consumed since")
      try agent.write(Self.panic, 0)
      _ = try agent.direct.keys()
      try agent.press(Self.superKey, Self.t)
      try wait(for: "the command") { agent.ran == ["kept", "kept"] }
      #expect(
        try agent.direct.keys() == ["+KEY_LEFTMETA", "+KEY_T", "-KEY_T", "-KEY_LEFTMETA"])
      let status = try agent.ask("status")
      #expect(status.contains("no hotkey or stroke has been consumed since"))
      #expect(!status.contains("grabbed  "))
      _ = try agent.ask("reload")
      try agent.waitFor(2, "is grabbed")
      #expect(!(try agent.ask("status").contains("no hotkey is consumed")))
    }

    @Test func itsStatusHasEveryMember() throws {
      let agent = try RunningAgent(Self.rules())
      try agent.waitFor(1, "is grabbed")
      let answer = try JSON(parsing: Array(agent.ask("status", "--format", "json").utf8))
      let status = try #require(answer["agent"])
      for name in [
        "version", "pid", "since", "loaded", "route", "connected", "grabbed", "files", "gestures",
        "hotkeys", "mistakes", "problems",
      ] {
        #expect(status[name] != nil, "\(name)")
      }
      for name in ["running", "started", "leftOut"] {
        #expect(status["commands"]?[name] != nil, "\(name)")
      }
    }

    @Test func aKilledAgentLeavesNothingDownAndTheKeyboardFree() throws {
      let agent = try RunningAgent(Self.rules())
      for _ in 0..<3 {
        try agent.waitFor(1, "is grabbed")
        let twin = try agent.twin()
        try agent.write([.leftShift, .a, Self.superKey], 1)
        var down: [String] = []
        try wait(for: "keys on the twin") {
          down += try twin.desktopKeys()
          return down.count == 3
        }
        agent.kill()
        // desktops let go of what was down on a keyboard that is unplugged
        try wait(for: "the twin to be unplugged") { try twin.read() == nil }
        try agent.write([.leftShift, .a, Self.superKey], 0)
        _ = try agent.direct.keys()
        try agent.press(Self.superKey, Self.t)
        #expect(
          try agent.direct.keys() == ["+KEY_LEFTMETA", "+KEY_T", "-KEY_T", "-KEY_LEFTMETA"])
        #expect(try agent.own("Grabbed Keyboard (Gliss)") == nil)
        try agent.start()
      }
    }

    @Test func anAgentKilledWhilePressingLeavesNoKeyDown() throws {
      let chords = (0..<100).map { _ in "ctrl+shift+k" }.joined(separator: ", ")
      let agent = try RunningAgent(
        "hotkeys:\n  - hotkey: super+t\n    do: {keys: [\(chords)]}\n")
      for round in 1...3 {
        try agent.waitFor(1, "reading \(agent.keyboard.path)")
        try agent.press(Self.superKey, Self.t)
        var node: String?
        try wait(for: "a keyboard to press on") {
          node = try agent.own("Gliss keyboard")
          return node != nil
        }
        let pressed = try KernelEvents(try #require(node))
        var keys: [String] = []
        try wait(for: "some chords") {
          keys += try pressed.keys()
          return keys.count > 20 * round
        }
        agent.kill()
        // with the keyboard all goes that was down on it
        try wait(for: "the keyboard to be unplugged") {
          guard let events = try pressed.read() else { return true }
          keys += events.compactMap(\.keyText)
          return false
        }
        #expect(try agent.own("Gliss keyboard") == nil)
        #expect(keys.count < 600, "it was killed too late")
        try agent.start()
      }
    }
  }
}
