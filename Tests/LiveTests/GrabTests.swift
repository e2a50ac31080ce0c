import CLibevdev
import CLinux
import Foundation
import GlissDevices
import GlissEvents
import GlissHotkeys
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

extension LiveTests {
  /// Keyboards that are grabbed so that hotkeys are consumed, with a kernel and a desktop.
  @Suite struct GrabTests {
    private static let (t, superKey, escape, backspace, enter) = (
      Key(rawValue: 20), Key.leftSuper, Key(rawValue: 1), Key(rawValue: 14), Key(rawValue: 28)
    )

    /// `GLISS_KEYS=1000000` for the long run.
    static let keyCount =
      ProcessInfo.processInfo.environment["GLISS_KEYS"].flatMap { Int($0) } ?? 100_000

    @Test func aChordIsKeptAndAllElsePassedOn() throws {
      let rig = try Grabbed()
      rig.step {
        #expect(!rig.isGrabbed)
        try rig.press(.a)
      }
      // not while a key is down
      rig.pause(milliseconds: 1500)
      rig.step {
        #expect(!rig.isGrabbed)
        try rig.release(.a)
      }
      rig.waitUntilGrabbed()
      rig.step {
        #expect(rig.desktop() == ["+KEY_A", "-KEY_A"])
        try rig.press(Self.superKey, Self.t)
        try rig.release(Self.t)
        try rig.press(.a)
        try rig.release(.a, Self.superKey)
        try rig.press(Self.t)
        try rig.release(Self.t)
      }
      rig.pause(milliseconds: 20)
      rig.step {
        #expect(rig.hotkeys == ["super+t"])
        let seen = rig.seen
        #expect(
          rig.desktop() == [
            "+KEY_LEFTMETA", "+KEY_A", "-KEY_A", "-KEY_LEFTMETA", "+KEY_T", "-KEY_T",
          ])
        // behind the chord that was kept, so that nobody takes Super for tapped
        #expect(seen.compactMap(\.keyText)[1...2] == ["+KEY_UNKNOWN", "-KEY_UNKNOWN"])
        #expect(seen.count { $0.type == .miscellaneous } == 6)
      }
      try rig.run()
      #expect(rig.ledger.faults == [])
    }

    @Test(arguments: ["button4", "wheelup"])
    func ofAMouseOnlyTheHotkeyIsKept(_ hotkey: String) throws {
      let rig = try Grabbed(hotkey, of: Grabbed.mouse)
      let (key, relative) = (EvdevType.key, EvdevType.relative)
      rig.waitUntilGrabbed()
      rig.step {
        _ = rig.desktop()
        try rig.write([(relative, 0, 3), (relative, 1, -2)])
        try rig.write([(key, 0x110, 1)])
        try rig.write([(key, 0x110, 0)])
        try rig.write([(key, 0x113, 1), (relative, 0, 1)])
        try rig.write([(key, 0x113, 0)])
        try rig.write([(relative, 11, 120), (relative, 8, 1)])
        try rig.write([(relative, 11, -120), (relative, 8, -1)])
      }
      rig.pause(milliseconds: 20)
      rig.step {
        let isButton = hotkey == "button4"
        #expect(rig.hotkeys == [hotkey])
        let seen = rig.seen.filter { !$0.isReport }
          .map { "\($0.type.rawValue) \($0.code) \($0.value)" }
        let button = isButton ? ["2 0 1"] : ["1 275 1", "2 0 1", "1 275 0"]
        let up = isButton ? ["2 11 120", "2 8 1"] : []
        #expect(
          seen == ["2 0 3", "2 1 -2", "1 272 1", "1 272 0"] + button + up + ["2 11 -120", "2 8 -1"])
      }
      try rig.run()
      #expect(rig.ledger.faults == [])
    }

    @Test func anyKeysComeOutAsTheyWentIn() throws {
      let rig = try Grabbed()
      var random = Seed.source("Grab")
      var (sent, got, down): ([String], [String], Set<Key>) = ([], [], [])
      let pool =
        (1...127).map { Key(rawValue: $0) } + [Self.superKey, Self.superKey, Self.t, Self.t]
      var (count, chords, kept, losses) = (0, 0, false, 0)
      rig.waitUntilGrabbed()
      rig.steps {
        losses += rig.seen.count { $0.isLoss }
        got += rig.desktop()
        guard count < Self.keyCount else { return true }
        let others = down.filter { !Modifiers($0).isEmpty && $0 != Self.superKey }.sorted()
        for index in 0..<16 {
          // Escape: the panic chord must not come about by chance
          let drawn = pool.randomElement(using: &random) ?? .a
          // or all modifiers would be down all the time, and no chord come about
          let key = index < others.count && count % 5 == 0 ? others[index] : drawn
          if key == Self.escape || Self.isUseless(key) { continue }
          let isDown = down.contains(key)
          count += 1
          let text = (isDown ? "-" : "+") + key.name
          if key == Self.t {
            if !isDown { kept = Self.isSuperAlone(down) }
            if kept { chords += isDown ? 0 : 1 } else { sent.append(text) }
          } else {
            sent.append(text)
          }
          if isDown { down.remove(key) } else { down.insert(key) }
          try rig.write(key, isDown ? 0 : 1)
        }
        return false
      }
      // no more at a time than the kernel keeps for a reader
      rig.steps {
        got += rig.desktop()
        for key in down.sorted().prefix(10) {
          if !(key == Self.t && kept) { sent.append("-" + key.name) }
          down.remove(key)
          try rig.write(key, 0)
        }
        return down.isEmpty
      }
      rig.pause(milliseconds: 20)
      rig.step { got += rig.desktop() }
      try rig.run(forAtMost: max(600, Double(Self.keyCount) / 100))
      let difference = zip(sent, got).enumerated().first { $0.element.0 != $0.element.1 }
      #expect(
        difference == nil && sent.count == got.count, "\(sent.count), \(got.count), \(Seed.advice)")
      if let place = difference?.offset {
        print(
          "from \(place): \(sent[place...].prefix(12)), but \(got[place...].prefix(12)); \(losses) losses; \(rig.news)"
        )
      }
      #expect(rig.hotkeys.count == chords && chords > 0)
      #expect(rig.ledger.faults == [])
      print("\(count) keys came out identical; \(chords) chords were kept")
    }

    /// The kernel itself obeys SysRq with Alt, and Ctrl+Alt+Delete.
    private static func isUseless(_ key: Key) -> Bool { [83, 99, 111].contains(key.rawValue) }

    private static func isSuperAlone(_ down: Set<Key>) -> Bool {
      let modifiers = down.reduce(into: Modifiers()) { $0.formUnion(Modifiers($1)) }
      return !modifiers.isEmpty && modifiers.isSubset(of: [.leftSuper, .rightSuper])
    }

    @Test func rulesThatComeAndGoDisturbNoKey() throws {
      let rig = try Grabbed(nil)
      var random = Seed.source("Reload")
      var down: Set<Key> = []
      var (sent, seen): ([String], [String]) = ([], [])
      var registered: HotkeyID?
      let pool = [Key.a, Self.superKey, .leftShift, Key(rawValue: 48), Key(rawValue: 57)]
      let start = InputLoop.now
      var change = start
      rig.steps {
        seen += rig.desktop()
        if InputLoop.now > start + .milliseconds(15_000) { return true }
        if InputLoop.now > change {
          change = InputLoop.now + .milliseconds(Double.random(in: 100...3000, using: &random))
          if let id = registered {
            rig.session.unregisterHotkey(id)
            registered = nil
          } else {
            registered = try rig.session.registerHotkey("super+t", consuming: true) { _ in }
          }
        }
        // few at a time, or no hand-over ever comes
        let isRelease = Int.random(in: 0..<3, using: &random) < down.count
        let drawn = pool.randomElement(using: &random) ?? .a
        let key = (isRelease ? down.sorted().randomElement(using: &random) : nil) ?? drawn
        let isDown = down.contains(key)
        if isDown { down.remove(key) } else { down.insert(key) }
        sent.append((isDown ? "-" : "+") + key.name)
        try rig.write(key, isDown ? 0 : 1)
        return false
      }
      rig.step {
        for key in down.sorted() {
          sent.append("-" + key.name)
          try rig.write(key, 0)
        }
      }
      rig.pause(milliseconds: 1500)
      rig.step { seen += rig.desktop() }
      try rig.run()
      let grabs = rig.news.count { if case .grabbed = $0 { true } else { false } }
      #expect(grabs > 1, "\(rig.news)")
      // a key that somebody held over a hand-over comes up early, and what the keyboard itself then says is nothing new
      var (isDown, presses): (Set<Substring>, Int) = ([], 0)
      for text in seen {
        let name = text.dropFirst()
        if text.hasPrefix("+") {
          presses += 1
          #expect(isDown.insert(name).inserted, "\(text) twice, \(Seed.advice)")
        } else {
          isDown.remove(name)
        }
      }
      #expect(isDown.isEmpty, "\(Seed.advice)")
      #expect(presses == sent.count { $0.hasPrefix("+") }, "\(Seed.advice)")
      print("\(sent.count) keys over \(grabs) grabs")
    }

    @Test func theKeyboardThatIsUnpluggedLeavesNothingDown() throws {
      let rig = try Grabbed()
      rig.waitUntilGrabbed()
      rig.step { try rig.press(.leftShift, .a) }
      rig.pause(milliseconds: 10)
      rig.step { rig.keyboard.close() }
      rig.pause(milliseconds: 500)
      rig.step { Issue.record("reading went on without a device") }
      try rig.run()
      #expect(rig.desktop() == ["+KEY_LEFTSHIFT", "+KEY_A", "-KEY_A", "-KEY_LEFTSHIFT"])
      #expect(rig.ledger.faults == [])
      let left = try rig.findTwin()
      #expect(left == nil, "its twin is still there")
    }

    /// A process that grabs and is killed while keys are down, over and over.
    @Test func aKilledProcessLeavesNothingDown() throws {
      let keyboard = try VirtualDevice.settled(Grabbed.description)
      let direct = try KernelEvents(keyboard.path)
      for _ in 0..<3 {
        let taker = Process()
        let output = Pipe()
        taker.executableURL = try Built.program("gliss-taker")
        taker.arguments = [keyboard.path, "super+t"]
        taker.standardOutput = output
        try taker.run()
        #expect(
          String(decoding: output.fileHandleForReading.nextData, as: UTF8.self).contains(
            "is grabbed"))
        let node = try #require(try DeviceFinder().devices().last { $0.isOwn }?.path)
        let twin = try KernelEvents(node)
        try Self.put(Self.superKey, 1, to: keyboard)
        // one that is kept is down as well
        for key in [Self.t, .leftShift, .a] { try Self.put(key, 1, to: keyboard) }
        var keys: [String] = []
        try wait(for: "keys on the twin") {
          keys += try twin.keys().filter { !$0.hasSuffix("KEY_UNKNOWN") }
          return keys.count >= 3
        }
        kill(taker.processIdentifier, SIGKILL)
        taker.waitUntilExit()
        #expect(keys == ["+KEY_LEFTMETA", "+KEY_LEFTSHIFT", "+KEY_A"])
        // desktops let go of what was down on a keyboard that is unplugged
        try wait(for: "the twin to be unplugged") { try twin.read() == nil }
        // the keyboard is the desktop's again
        for key in [Self.t, Self.superKey, .a, .leftShift] { try Self.put(key, 0, to: keyboard) }
        _ = try direct.keys()
        try Self.put(.a, 1, to: keyboard)
        try Self.put(.a, 0, to: keyboard)
        let told = try direct.keys()
        #expect(told == ["+KEY_A", "-KEY_A"])
      }
    }

    private static func put(_ key: Key, _ value: Int32, to keyboard: VirtualDevice) throws {
      try keyboard.write([.key(key, value, at: .zero), .report(at: .zero)])
    }

    /// From the keyboard's event to the twin's, by the kernel's clock.
    @Test func passingAKeyOnTakesHardlyAnyTime() throws {
      let rig = try Grabbed()
      var came: [EventTime] = []
      rig.devices.didHandle = { came.append($0) }
      let count = 1000
      rig.waitUntilGrabbed()
      rig.step {
        _ = rig.seen
        came.removeAll()
        let keyboard = rig.keyboard
        let start = InputLoop.now + .milliseconds(20)
        let events = (0..<count).flatMap { index -> [EvdevEvent] in
          let time = start + EventInterval(microseconds: Int64(index) * 4000)
          return [.key(.a, Int32(1 - index % 2), at: time), .report(at: time)]
        }
        Background.play(events, on: keyboard)
      }
      rig.pause(milliseconds: Double(count) * 4 + 1000)
      try rig.run()
      let passed = rig.seen.filter { $0.type == .key }.map(\.time)
      try #require(passed.count == count && came.count == count, "\(passed.count), \(rig.news)")
      let late = zip(came, passed).map { ($1 - $0).microseconds }.sorted()
      let (half, most) = (late[late.count / 2], late[late.count * 99 / 100])
      print(
        "passed on after \(half) µs, 99 of 100 within \(most) µs, all within \(late.last ?? 0) µs")
      #expect(most <= 500)
    }
  }
}
