import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import GlissSynthesis
import StrokeClasses
import TestSupport
import Testing

extension LiveTests {
  /// What else happens to touchpads with twins: losses, ends that nobody has asked for, and others.
  @Suite struct TwinTroubleTests {
    private static let swipe = Stroke.swipe(fingers: 3, direction: .left, distance: 40)
      .trace(on: .large, seed: 1)
    private static let pointing = Stroke.point(by: Vector2(x: 30, y: 10)).trace(on: .large, seed: 1)

    /// More than the kernel keeps for a reader, with fingers down.
    @Test func aLossLeavesNothingDown() throws {
      let desk = try TwinDesk(Self.swipe.device)
      let events = Self.swipe.events
      desk.step {
        try desk.pad.write(.absolute(.slot, 0, at: .zero))
        // none of it is read meanwhile
        for _ in 0..<20 { try desk.pad.write(events) }
      }
      desk.pause(milliseconds: 500)
      desk.step { _ = desk.twin?.news() }
      desk.play(Self.pointing.events) { _, twin in
        print("after a loss: \(twin.summary)")
        #expect(twin.contains { $0.kind == "motion" })
      }
      try desk.run()
      #expect(desk.devices.lossCount > 0)
    }

    /// The frame that lifts the last finger gives the pad back. What was read with it follows.
    @Test func framesAreInOrderAsThePadIsGivenBack() throws {
      let desk = try TwinDesk(Self.swipe.device)
      var changes: [String] = []
      desk.session.addHandler(matching: .touch) { event in
        guard case .touch(let frame) = event else { return }
        let touches = frame.touches.filter { $0.phase == .began || $0.phase.isFinal }
        changes += touches.map { "\($0.id.serial) \($0.phase)" }
      }
      let half = Self.swipe.events.count / 2
      desk.play(Array(Self.swipe.events.prefix(half))) { _, _ in
        try desk.devices.take(FingerCounts([]), of: FingerCounts([]))
        let next = Self.pointing.events
        let slot = [EvdevEvent.absolute(.slot, 0, at: .zero)]
        try desk.pad.write(Self.swipe.events.suffix(from: half) + slot + next)
      }
      desk.pause(milliseconds: 500)
      desk.step { #expect(!desk.isGrabbed && desk.gestures.last?.phase == .ended) }
      try desk.run()
      #expect(changes.suffix(2) == ["4 began", "4 ended"], "\(changes)")
      #expect(changes.count { $0.hasSuffix("ended") } == 4, "\(changes)")
    }

    @Test func aPadThatIsUnpluggedTakesItsTwinAlong() throws {
      let desk = try TwinDesk(Self.swipe.device)
      let half = Array(Self.swipe.events.prefix(Self.swipe.events.count / 2))
      desk.play(half) { _, _ in desk.pad.close() }
      desk.pause(milliseconds: 1500)
      desk.step { Issue.record("reading went on without a device") }
      try desk.run()
      let left = try DeviceFinder().devices().filter(\.isOwn)
      #expect(left.isEmpty, "\(left)")
    }

    /// The kernel reports a slot only when it changes. A change that only the grab has seen must not be missing later.
    @Test func theDesktopKnowsTheSlotAfterAGrab() throws {
      let scroll = try #require(TraceClass.named("drag-plain")).trace(on: .large, index: 0, seed: 1)
      let counts = FingerCounts([3])
      let desk = try TwinDesk(Self.swipe.device)
      desk.step { try desk.devices.take([], of: []) }
      desk.steps { !desk.isGrabbed }
      desk.play(Self.swipe.events) { pad, _ in
        #expect(pad.first?.kind == "swipe begin", "\(pad.summary)")
        try desk.devices.take(counts, of: counts)
      }
      desk.pause(milliseconds: 3000)
      // another slot than the first is current
      desk.step { #expect(!desk.isGrabbed) }
      desk.play(Self.pointing.events) { _, _ in }
      desk.waitUntilGrabbed()
      desk.play(Self.pointing.events) { pad, _ in
        #expect(pad.isEmpty, "\(pad.summary)")
        try desk.devices.take([], of: [])
      }
      desk.steps { !desk.isGrabbed }
      desk.play(scroll.events) { pad, _ in
        #expect(pad.contains { $0.kind == "scroll" }, "\(pad.summary)")
      }
      desk.play(Self.pointing.events) { pad, _ in
        let (points, scrolls) = (
          pad.contains { $0.kind == "motion" }, pad.contains { $0.kind == "scroll" }
        )
        #expect(points && !scrolls, "a contact is left: \(pad.summary)")
      }
      try desk.run()
    }

    /// With fingers on the pad.
    @Test func thePanicChordGivesThePadBackUntilSomebodySaysSo() throws {
      let keyboard = try VirtualDevice.settled(Grabbed.description)
      let desk = try TwinDesk(Self.swipe.device, beside: keyboard.path)
      var panics = 0
      desk.devices.didChangeGrab = { if $0 == .panic { panics += 1 } }
      let chord = [Key(rawValue: 14), Key(rawValue: 1), Key(rawValue: 28)]
      let half = Self.swipe.events.count / 2
      desk.play(Array(Self.swipe.events.prefix(half))) { _, _ in
        for key in chord { try keyboard.write([.key(key, 1, at: .zero), .report(at: .zero)]) }
        for key in chord { try keyboard.write([.key(key, 0, at: .zero), .report(at: .zero)]) }
      }
      desk.steps { panics == 1 }
      desk.step {
        #expect(desk.news.last == .givenBack(path: desk.pad.path))
        try desk.pad.write(Array(Self.swipe.events.suffix(Self.swipe.events.count - half)))
      }
      desk.pause(milliseconds: 1000)
      desk.play(Self.swipe.events) { pad, _ in
        #expect(pad.first?.kind == "swipe begin", "the pad is the desktop's: \(pad.summary)")
        let twin = try TwinDesk.twinPath(desk.pad)
        #expect(twin == nil)
        desk.devices.resumeConsuming()
      }
      // until then the kernel's slot is not the first
      desk.play(Self.pointing.events) { pad, _ in #expect(pad.last?.kind == "motion") }
      desk.waitUntilGrabbed()
      try desk.run()
    }

    /// Both are grabbed, and what is hidden on one is nothing to the other.
    @Test func twoPadsHaveATwinEach() throws {
      var device = Self.swipe.device
      device.name = "Gliss Other Pad"
      let other = try VirtualDevice.settled(device)
      let desk = try TwinDesk(Self.swipe.device, beside: other.path)
      var (bare, twin): (Desktop?, Desktop?)
      desk.steps {
        bare = try bare ?? Desktop(other.path)
        if twin == nil, let path = try TwinDesk.twinPath(other) { twin = try? Desktop(path) }
        let grabbed = desk.news.count { if case .grabbed = $0 { true } else { false } }
        return twin != nil && grabbed == 2
      }
      let half = Self.swipe.events.count / 2
      let pointing = Self.pointing.events
      desk.play(Array(Self.swipe.events.prefix(half))) { _, told in
        #expect(told.isEmpty, "\(told.summary)")
      }
      desk.play(pointing, on: other) { _, told in
        #expect(told.isEmpty, "three fingers still rest on the first pad: \(told.summary)")
        #expect(bare?.news().summary == "")
        let told = try #require(twin?.news())
        print("the other pad: \(told.summary)")
        #expect(told.last?.kind == "motion", "\(told.summary)")
      }
      desk.step {
        try desk.pad.write(Array(Self.swipe.events.suffix(Self.swipe.events.count - half)))
      }
      desk.play(Self.swipe.events, on: other) { _, told in
        #expect(told.isEmpty && twin?.news().summary == "", "\(told.summary)")
      }
      desk.play(pointing) { _, told in #expect(told.last?.kind == "motion", "\(told.summary)") }
      try desk.run()
    }

    /// A stroke that was given back stays the desktop's, whatever becomes of one on another pad.
    @Test func aVerdictIsAboutOnePad() throws {
      var device = Self.swipe.device
      device.name = "Gliss Other Pad"
      let other = try VirtualDevice.settled(device)
      let desk = try TwinDesk(Self.swipe.device, beside: other.path)
      desk.steps { desk.news.count { if case .grabbed = $0 { true } else { false } } == 2 }
      desk.step { try desk.follow(.unanswered) }
      var pad: DeviceID?
      desk.play(Self.swipe.events, on: other) { _, _ in pad = desk.gestures.last?.device }
      let half = Self.swipe.events.count / 2
      desk.play(Array(Self.swipe.events.prefix(half))) { _, told in
        // after a hold, because the fingers seemed to lie still
        let begin = told.first { !$0.kind.hasPrefix("hold") }
        #expect(begin?.kind == "swipe begin", "nobody has decided: \(told.summary)")
        desk.devices.decide(StrokeVerdict(time: InputLoop.now, isKept: true, device: pad))
      }
      // the slot that is current, which `play` changes
      let slot = Self.swipe.events.prefix(half).last {
        $0.type == .absolute && $0.code == AbsoluteAxis.slot.rawValue
      }
      desk.play([slot].compactMap(\.self) + Self.swipe.events.dropFirst(half)) { _, told in
        #expect(told.last?.kind == "swipe end", "\(told.summary)")
        #expect(told.contains { $0.kind == "swipe update" }, "\(told.summary)")
      }
      try desk.run()
    }

    @Test func anotherGrabberIsNamedAndWaitedFor() throws {
      let desk = try TwinDesk(Self.swipe.device)
      let holder = Process()
      let (input, output) = (Pipe(), Pipe())
      desk.step {
        try desk.devices.take([], of: [])
      }
      desk.steps { desk.news.last == .givenBack(path: desk.pad.path) }
      desk.step {
        let program =
          "import fcntl, sys; f = open('\(desk.pad.path)', 'rb'); fcntl.ioctl(f, 0x40044590, 1); print(flush=True); sys.stdin.read()"
        holder.executableURL = URL(filePath: "/usr/bin/env")
        holder.arguments = ["python3", "-c", program]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        _ = output.fileHandleForReading.nextData
        let counts = FingerCounts([3])
        try desk.devices.take(counts, of: counts)
      }
      desk.steps { desk.news.last != .givenBack(path: desk.pad.path) }
      desk.step {
        let news = try #require(desk.news.last)
        print(news.strokeSentence)
        guard case .taken(desk.pad.path, _, let suspects) = news else {
          Issue.record("\(news)")
          return
        }
        #expect(suspects.contains { $0.hasPrefix("python3") })
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
      }
      // tried again by itself
      desk.waitUntilGrabbed()
      try desk.run()
    }

    /// With fingers down, all processes are frozen for a second. (The kernel would suspend its devices, too, but the machine
    /// of the tests does not survive that.)
    @Test func aPadIsAsBeforeAfterASuspend() throws {
      func set(_ path: String, _ value: String) throws {
        try Data(value.utf8).write(to: URL(filePath: path))
      }
      let desk = try TwinDesk(Self.swipe.device)
      let half = Self.swipe.events.count / 2
      desk.play(Array(Self.swipe.events.prefix(half))) { _, _ in
        try set("/sys/module/suspend/parameters/pm_test_delay", "1")
        try set("/sys/power/pm_test", "freezer")
        try set("/sys/power/state", "freeze")
        try set("/sys/power/pm_test", "none")
        try desk.pad.write(Array(Self.swipe.events.suffix(Self.swipe.events.count - half)))
      }
      desk.pause(milliseconds: 500)
      desk.waitUntilGrabbed()
      desk.play(Self.swipe.events) { pad, twin in
        #expect(pad.isEmpty && twin.isEmpty, "\(pad.summary); \(twin.summary)")
      }
      desk.play(Self.pointing.events) { _, twin in
        print("after a suspend: \(twin.summary)")
        #expect(twin.last?.kind == "motion", "\(twin.summary)")
      }
      try desk.run()
    }

    /// A process that has the pad and is killed while fingers are down.
    @Test func aKilledProcessGivesThePadBack() throws {
      let pad = try VirtualDevice.settled(Self.swipe.device)
      let desktop = try Desktop(pad.path)
      for _ in 0..<3 {
        // the stroke before has ended in another slot, in which a pad is not grabbed
        try pad.write(.absolute(.slot, 0, at: .zero))
        try pad.play(Self.pointing.events)
        _ = desktop.news()
        let taker = Process()
        let output = Pipe()
        taker.executableURL = try Built.program("gliss-taker")
        taker.arguments = [pad.path, "--strokes"]
        taker.standardOutput = output
        try taker.run()
        let said = String(decoding: output.fileHandleForReading.nextData, as: UTF8.self)
        #expect(said.contains("is grabbed"), "\(said)")
        let node = try #require(try DeviceFinder().devices().last { $0.isOwn }?.path)
        let twin = try Desktop(node)
        try pad.write(.absolute(.slot, 0, at: .zero))
        try pad.play(Self.swipe.events.prefix(Self.swipe.events.count / 2))
        #expect(desktop.news().isEmpty)
        kill(taker.processIdentifier, SIGKILL)
        taker.waitUntilExit()
        try wait(for: "the twin to be unplugged") {
          twin.read()
          return twin.isGone
        }
        // the rest of it, and the next
        try pad.play(
          Self.swipe.events.suffix(Self.swipe.events.count - Self.swipe.events.count / 2))
        _ = desktop.news()
        try pad.write(.absolute(.slot, 0, at: .zero))
        try pad.play(Self.swipe.events)
        let told = desktop.news()
        #expect(
          told.first?.kind == "swipe begin" && told.last?.kind == "swipe end", "\(told.summary)")
      }
    }
  }
}
