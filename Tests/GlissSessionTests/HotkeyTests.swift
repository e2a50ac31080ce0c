import GlissEvents
import GlissHotkeys
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Hotkeys within a session: their order among those who see keys, and their end.
@Suite struct HotkeyTests {
  private let session = Session()
  private let ledger = Ledger()
  private let log = Log()
  private let keyboard: DeviceID
  private let mouse: DeviceID

  private final class Log { var lines: [String] = [] }

  init() {
    ledger.follow(session)
    keyboard = session.add(.keyboard)
    mouse = session.add(Device(name: "Mouse", keys: [.leftButton], relativeAxes: [0, 1, 8]))
  }

  private func note(_ name: String) -> (HotkeyEvent) -> Void {
    { [log] in log.lines.append("\(name) \($0.phase.name)\($0.shouldAct ? "!" : "")") }
  }

  private func followKeys() {
    session.addHandler(matching: [.key, .pointer]) { [log] event in
      switch event {
      case .key(let key): log.lines.append("\(key.key.name) \(key.state.name)")
      case .button(let button):
        log.lines.append("\(button.button.name) \(button.isDown ? "down" : "up")")
      case .gesture, .touch, .motion, .scroll, .device, .hotkey, .lost: break
      }
    }
  }

  private func send(_ key: Key, _ value: Int32, at milliseconds: Int64, on device: DeviceID? = nil)
  {
    session.process(
      .key(key, value, at: EventTime(microseconds: milliseconds * 1000)), from: device ?? keyboard)
  }

  private func turn(at milliseconds: Int64) {
    session.process(
      ScrollEvent(
        time: EventTime(microseconds: milliseconds * 1000), device: mouse, source: .wheel,
        delta: Vector2(x: 0, y: -15)))
  }

  /// What was noted since the last time.
  private func take() -> [String] {
    defer { log.lines.removeAll() }
    return log.lines
  }

  @Test func itsHandlerIsCalledBeforeThoseOfItsKeys() throws {
    followKeys()
    session.addHandler(matching: .hotkey) { [log] event in
      if case .hotkey(let hotkey) = event { log.lines.append("hotkey \(hotkey.phase.name)") }
    }
    try session.registerHotkey("super+a", note("super+a"))
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    send(.a, 0, at: 20)
    send(.leftSuper, 0, at: 30)
    #expect(
      take() == [
        "KEY_LEFTMETA down", "super+a pressed!", "hotkey pressed", "KEY_A down",
        "super+a released", "hotkey released", "KEY_A up", "KEY_LEFTMETA up",
      ])
  }

  @Test func itsKeysCanBeKeptFromHandlers() throws {
    followKeys()
    session.keepsHotkeyKeys = true
    try session.registerHotkey("super+a", note("super+a"))
    try session.registerHotkey("button4", note("button4"))
    send(.leftSuper, 1, at: 0)
    for value: Int32 in [1, 2, 0] { send(.a, value, at: 10) }
    send(.b, 1, at: 20)
    send(.b, 0, at: 30)
    send(.leftSuper, 0, at: 40)
    send(Key(rawValue: 0x113), 1, at: 50, on: mouse)
    send(Key(rawValue: 0x113), 0, at: 60, on: mouse)
    #expect(
      take() == [
        "KEY_LEFTMETA down", "super+a pressed!", "super+a released", "KEY_B down", "KEY_B up",
        "KEY_LEFTMETA up", "button4 pressed!", "button4 released",
      ])
  }

  @Test func swallowedKeysMatchNothing() throws {
    try session.registerHotkey("super+a", note("super+a"))
    try session.registerHotkey("tap:super", note("tap"))
    try session.registerHotkey("super+wheelup", note("wheel"))
    let monitor = session.addLocalMonitor(matching: .key) { _ in .swallow }
    for (index, key) in [Key.leftSuper, .a].enumerated() {
      send(key, 1, at: Int64(index) * 10)
    }
    send(.a, 0, at: 30)
    send(.leftSuper, 0, at: 40)
    // the keyboard's modifiers count, also those that nobody was told of
    turn(at: 50)
    send(.leftSuper, 1, at: 60)
    turn(at: 70)
    send(.leftSuper, 0, at: 80)
    monitor.remove()
    #expect(take() == ["wheel pressed!", "wheel released"])
  }

  /// A monitor handles a chord itself, so its modifier was not tapped.
  @Test func aSwallowedKeyIsBetweenAPressAndItsRelease() throws {
    try session.registerHotkey("tap:super", note("tap"))
    session.addLocalMonitor(matching: .key) { event in
      if case .key(let key) = event, key.key == .a { .swallow } else { .pass }
    }
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    send(.a, 0, at: 20)
    send(.leftSuper, 0, at: 30)
    #expect(take() == [])
    // the kernel repeats a modifier that is held
    send(.leftSuper, 1, at: 100)
    send(.leftSuper, 2, at: 350)
    send(.leftSuper, 0, at: 400)
    #expect(take() == ["tap pressed!", "tap released"])
    session.addLocalMonitor(matching: .key) { event in
      if case .key(let key) = event, key.state == .repeat { .swallow } else { .pass }
    }
    send(.leftSuper, 1, at: 1100)
    send(.leftSuper, 2, at: 1350)
    send(.leftSuper, 0, at: 1400)
    #expect(take() == ["tap pressed!", "tap released"])
  }

  /// A modifier that is held for a gesture is not tapped, even if it comes up soon.
  @Test(arguments: [true, false])
  func aGestureIsBetweenAPressAndItsRelease(isMade: Bool) throws {
    try session.registerHotkey("tap:super", note("tap"))
    let trace = Stroke.drag(by: Vector2(x: 30, y: 0)).trace(on: .medium, seed: 1)
    let pad = session.add(trace.device)
    send(.leftSuper, 1, at: 0)
    let start = trace.events[0].time
    for var event in trace.events where isMade {
      event.time = EventTime.zero + (event.time - start)
      if event.time.microseconds < 400_000 { session.process(event, from: pad) }
    }
    send(.leftSuper, 0, at: 400)
    #expect(take() == (isMade ? [] : ["tap pressed!", "tap released"]))
  }

  /// Fingers that lie still do nothing with the modifier.
  @Test func aHoldIsNotBetweenAPressAndItsRelease() throws {
    try session.registerHotkey("tap:super", note("tap"))
    session.addHandler(matching: .gesture) { [log] event in
      guard case .gesture(let gesture) = event, gesture.phase == .began else { return }
      log.lines.append(gesture.description)
    }
    let trace = Stroke.hold(fingers: 2).trace(on: .medium, seed: 1)
    let pad = session.add(trace.device)
    let start = trace.events[0].time
    for (times, value) in [(0..<300, 1), (300..<700, 0)] as [(Range<Int64>, Int32)] {
      for var event in trace.events {
        event.time = EventTime.zero + (event.time - start)
        if times.contains(event.time.microseconds / 1000) { session.process(event, from: pad) }
      }
      send(.leftSuper, value, at: times.upperBound)
    }
    #expect(take() == ["hold of 2 began", "tap pressed!", "tap released"])
  }

  @Test func aMonitorSeesWholeHotkeysAndMaySwallowThem() throws {
    let id = try session.registerHotkey("super+a", note("super+a"))
    session.addLocalMonitor(matching: .hotkey) { [log] event in
      guard case .hotkey(let hotkey) = event else { return .pass }
      log.lines.append("monitor \(hotkey.phase.name)")
      return hotkey.hotkey == id && hotkey.phase == .pressed ? .swallow : .pass
    }
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    send(.a, 0, at: 20)
    #expect(take() == ["monitor pressed", "monitor released"])
  }

  @Test func theReleaseOfAReportedPressCannotBeSwallowed() throws {
    try session.registerHotkey("super+a", note("super+a"))
    session.addLocalMonitor(matching: .hotkey) { event in
      guard case .hotkey(let hotkey) = event else { return .pass }
      return hotkey.phase == .pressed ? .pass : .swallow
    }
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    send(.a, 0, at: 20)
    #expect(take() == ["super+a pressed!", "super+a released"])
  }

  /// Each ends the stream in its own way; none of them is a reason to act.
  @Test(arguments: ["lost", "cancelled", "removed", "finished", "interrupted"])
  func anUnregisteredHotkeyReleasesWithoutActing(_ end: String) throws {
    try session.registerHotkey("release:super+a", note("super+a"))
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    #expect(take() == ["super+a pressed"])
    let time = EventTime(microseconds: 20_000)
    switch end {
    case "lost":
      session.process(
        EvdevEvent(
          time: time, type: .synchronization, code: SynchronizationCode.dropped, value: 0),
        from: keyboard)
    case "cancelled": session.cancel(keyboard, at: time)
    case "removed": session.remove(keyboard, at: time)
    case "finished": session.finish()
    default: session.interrupt(at: time)
    }
    #expect(take() == ["super+a released"])
    ledger.close()
    #expect(ledger.faults == [])
  }

  @Test func aLossOnOneDeviceReleasesNothingOnAnother() throws {
    try session.registerHotkey("super+a", note("super+a"))
    try session.registerHotkey("super+b ; a", note("sequence"))
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    session.remove(mouse, at: EventTime(microseconds: 20_000))
    #expect(take() == ["super+a pressed!"])
    send(.a, 0, at: 30)
    send(.b, 1, at: 40)
    send(.b, 0, at: 50)
    send(.leftSuper, 0, at: 60)
    send(.a, 1, at: 70)
    #expect(take() == ["super+a released", "sequence pressed!"])
  }

  @Test func aSequenceThatWaitsIsADeadline() throws {
    try session.registerHotkey("super+b ; a", note("sequence"))
    send(.leftSuper, 1, at: 0)
    send(.b, 1, at: 10)
    #expect(session.deadline == EventTime(microseconds: 3_010_000))
    send(.b, 0, at: 20)
    send(.leftSuper, 0, at: 30)
    session.advance(to: EventTime(microseconds: 3_010_000))
    #expect(session.deadline == nil)
    send(.a, 1, at: 3_011)
    #expect(take() == [])
  }

  @Test func aHandlerMayTakeItsOwnHotkeyAway() throws {
    let id = Log()
    let number = try session.registerHotkey("super+a") { [session, log] event in
      log.lines.append("\(event.phase.name)\(event.shouldAct ? "!" : "")")
      if event.phase == .pressed { session.unregisterHotkey(event.hotkey) }
      id.lines.append("\(event.hotkey.rawValue)")
    }
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    send(.a, 0, at: 20)
    #expect(take() == ["pressed!", "released"])
    #expect(id.lines == ["\(number.rawValue)", "\(number.rawValue)"])
    #expect(session.hotkeys.isEmpty)
    #expect(!session.unregisterHotkey(number))
  }

  @Test func registeredHotkeysAreListedInTheirOrder() throws {
    let first = try session.registerHotkey("super+b", owner: "editor") { _ in }
    let second = try session.registerHotkey(Hotkey(.a, .super), mode: "resize") { _ in }
    #expect(session.hotkeys.map(\.id) == [first, second])
    #expect(session.hotkeys.map(\.hotkey.description) == ["super+b", "super+a"])
    #expect(session.hotkeys.map(\.mode) == [nil, "resize"])
    #expect(session.hotkeys.first?.owner == "editor")
  }

  @Test func anotherHandlerMayTakeOneAway() throws {
    let number = try session.registerHotkey("super+a", note("super+a"))
    session.addHandler(matching: .key) { [unowned session] event in
      if case .key(let key) = event, key.key == .b { session.unregisterHotkey(number) }
    }
    send(.leftSuper, 1, at: 0)
    send(.a, 1, at: 10)
    send(.b, 1, at: 20)
    #expect(take() == ["super+a pressed!", "super+a released"])
  }

  @Test func onlyTheHotkeysOfAModeThatWasEnteredHold() throws {
    try session.registerHotkey("a", mode: "resize", note("a"))
    try session.registerHotkey("super+b", note("super+b"))
    #expect(!session.enterHotkeyMode("nothing"))
    #expect(session.enterHotkeyMode("resize"))
    #expect(session.hotkeyMode == "resize")
    send(.leftSuper, 1, at: 0)
    send(.b, 1, at: 10)
    send(.b, 0, at: 20)
    send(.leftSuper, 0, at: 30)
    send(.a, 1, at: 40)
    send(.a, 0, at: 50)
    #expect(take() == ["a pressed!", "a released"])
    session.leaveHotkeyMode()
    send(.a, 1, at: 60)
    #expect(take() == [])
  }

  @Test func escapeLeavingTheModeIsReported() throws {
    try session.registerHotkey("super+a", mode: "resize", note("super+a"))
    var count = 0
    session.didLeaveHotkeyMode = { count += 1 }
    func escape(at time: Int64) {
      send(Key(rawValue: 1), 1, at: time)
      send(Key(rawValue: 1), 0, at: time + 10)
    }
    escape(at: 0)
    #expect(count == 0)
    session.enterHotkeyMode("resize")
    send(.b, 1, at: 20)
    send(.b, 0, at: 30)
    #expect(count == 0)
    escape(at: 40)
    #expect(count == 1 && session.hotkeyMode == nil)
    escape(at: 60)
    session.enterHotkeyMode("resize")
    session.leaveHotkeyMode()
    #expect(count == 1)
  }

  @Test func aHotkeyThatIsTakenNamesItsHolder() throws {
    try session.registerHotkey("super+a", owner: "first", note("first"))
    let error = #expect(throws: HotkeyError.self) {
      try session.registerHotkey("lsuper+a", owner: "second", note("second"))
    }
    #expect(error?.description == "lsuper+a is taken: first has super+a")
  }
}
