import GlissEvents
import GlissGestures
import GlissHotkeys
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// What an interruption ends, and that nothing of it goes on.
@Suite struct InterruptTests {
  private func milliseconds(_ time: Int64) -> EventTime { EventTime(microseconds: time * 1000) }

  @Test func heldKeysAreReleasedAndSilentUntilTheyArePressedAnew() {
    let rig = Rig(keyRepeat: .standard)
    let keyboard = rig.session.add(.keyboard)
    rig.down(.leftShift, on: keyboard, at: 0)
    rig.down(.a, on: keyboard, at: 10)
    #expect(rig.session.heldKeys == [.a, .leftShift])
    #expect(rig.session.modifiers == .leftShift)
    rig.session.interrupt(at: milliseconds(20))
    #expect(rig.take() == ["0 leftshift down", "10 a down", "20 a up", "20 leftshift up"])
    #expect(rig.session.heldKeys == [] && rig.session.modifiers == [])
    #expect(rig.session.deadline == nil, "something still repeats")
    rig.send(.a, 2, on: keyboard, at: 2000)
    rig.up(.a, on: keyboard, at: 2010)
    rig.up(.leftShift, on: keyboard, at: 2020)
    #expect(rig.take() == [])
    rig.down(.a, on: keyboard, at: 2030)
    rig.up(.a, on: keyboard, at: 2040)
    #expect(rig.take() == ["2030 a down", "2040 a up"])
    #expect(rig.events.last?.modifiers == [])
  }

  @Test func keysOfAllKeyboardsAreReleasedOnce() {
    let rig = Rig()
    let (first, second) = (rig.session.add(.keyboard), rig.session.add(.keyboard))
    rig.down(.a, on: first, at: 0)
    rig.down(.a, on: second, at: 5)
    rig.down(.b, on: second, at: 10)
    rig.session.interrupt(at: milliseconds(20))
    #expect(rig.take() == ["0 a down", "10 2:b down", "20 a up", "20 2:b up"])
    rig.up(.a, on: first, at: 30)
    rig.up(.a, on: second, at: 40)
    rig.up(.b, on: second, at: 50)
    #expect(rig.take() == [])
    rig.ledger.close()
    #expect(rig.ledger.faults == [])
  }

  @Test func aSequenceThatIsHalfTypedBeginsAnew() throws {
    let rig = Rig()
    let keyboard = rig.session.add(.keyboard)
    var count = 0
    try rig.session.registerHotkey("super+b ; a") { _ in count += 1 }
    for (index, key) in [Key.leftSuper, .b].enumerated() {
      rig.down(key, on: keyboard, at: Int64(index) * 10)
    }
    rig.up(.b, on: keyboard, at: 20)
    rig.up(.leftSuper, on: keyboard, at: 30)
    rig.session.interrupt(at: milliseconds(40))
    #expect(rig.session.deadline == nil)
    rig.down(.a, on: keyboard, at: 50)
    rig.up(.a, on: keyboard, at: 60)
    #expect(count == 0)
  }

  /// Wherever it comes, and whatever is under way: touches and gestures end once, and what is left of the stroke says
  /// nothing.
  @Test(arguments: [
    Stroke.drag(by: Vector2(x: 0, y: 25)), .pinch(from: 20, to: 50), .hold(fingers: 2),
    .swipe(direction: .left), .tap(fingers: 2, count: 2),
  ])
  func touchesEndAndAreSilentUntilTheyLift(_ stroke: Stroke) {
    let trace = stroke.trace(on: .medium, seed: 4)
    let events = trace.events
    // fingers that land after the interruption are touches like any others
    let lastLanding =
      events.lastIndex { $0.type == .absolute && $0.code == 0x39 && $0.value >= 0 } ?? 0
    for cut in stride(from: lastLanding + 1, to: events.count, by: 7) {
      let (session, ledger) = (Session(), Ledger())
      ledger.follow(session)
      let device = session.add(trace.device)
      for event in events[..<cut] { session.process(event, from: device) }
      // whole packets: what comes in the middle of one is not yet there
      guard events[cut - 1].type == .synchronization else { continue }
      session.interrupt(at: events[cut - 1].time)
      ledger.close()
      let (touches, gestures) = (ledger.touchCount, ledger.gestures.count)
      for event in events[cut...] { session.process(event, from: device) }
      session.advance(to: (events.last?.time ?? .zero) + .milliseconds(5000))
      #expect(ledger.touchCount == touches, "cut at \(cut): touches go on")
      #expect(ledger.gestures.count == gestures, "cut at \(cut): a gesture goes on")
      session.finish()
      #expect(ledger.faults == [], "cut at \(cut)")
    }
  }

  /// The same after packets that are cut in two: nothing is left open, and the next stroke is as ever.
  @Test func theNextStrokeIsRecognizedAsEver() {
    let trace = Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 4)
    let events = trace.events
    let length = (events.last?.time ?? .zero) - (events.first?.time ?? .zero)
    let later = EventInterval(microseconds: length.microseconds + 2_000_000)
    for cut in stride(from: 1, to: events.count, by: 5) {
      let (session, ledger) = (Session(), Ledger())
      ledger.follow(session)
      let device = session.add(trace.device)
      for event in events[..<cut] { session.process(event, from: device) }
      session.interrupt(at: events[cut - 1].time)
      for event in events[cut...] { session.process(event, from: device) }
      let before = ledger.gestures.count
      for var event in events {
        event.time = event.time + later
        session.process(event, from: device)
      }
      session.finish()
      ledger.close()
      let drags = ledger.gestures.dropFirst(before)
      #expect(drags.allSatisfy { $0.kind == .drag }, "cut at \(cut)")
      #expect(drags.last?.phase == .ended, "cut at \(cut)")
      #expect(ledger.faults == [], "cut at \(cut)")
    }
  }

  /// What was not read yet when the screen was locked belongs to the time before, touches too.
  @Test func aFingerThatLandedBeforeIsNotReported() {
    let trace = Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 4)
    let session = Session()
    var reported = 0
    let device = session.add(trace.device)
    session.addHandler(matching: [.touch, .gesture]) { _ in reported += 1 }
    session.addLocalMonitor(matching: .touch) { _ in
      reported += 1
      return .pass
    }
    let last = trace.events.last?.time ?? .zero
    session.interrupt(at: last + .milliseconds(1))
    for event in trace.events { session.process(event, from: device) }
    // time goes on after the interruption
    session.advance(to: last + .milliseconds(1000))
    #expect(reported == 0)
    // a finished session is not interrupted any more
    session.finish()
    for event in trace.events { session.process(event, from: device) }
    #expect(reported > 0)
  }

  /// However late an event from before the interruption is read, holds begin when they are due.
  @Test func aLateEventDoesNotMoveTheClock() throws {
    let trace = Stroke.hold(fingers: 2).trace(on: .medium, seed: 4)
    let session = Session()
    let (keyboard, pad) = (session.add(.keyboard), session.add(trace.device))
    var holds: [GestureEvent] = []
    session.onGesture { holds.append($0) }
    let start = try #require(trace.events.first).time
    session.advance(to: start + .milliseconds(-1500))
    session.interrupt(at: start + .milliseconds(-10))
    let landed = try #require(trace.events.firstIndex { $0.type == .synchronization })
    for event in trace.events[...landed] { session.process(event, from: pad) }
    for type in [EvdevType.key, .synchronization] {
      session.process(
        EvdevEvent(time: start + .milliseconds(-1400), type: type, code: 0, value: 0),
        from: keyboard)
    }
    #expect(session.lastTime == start)
    for event in trace.events[(landed + 1)...] { session.process(event, from: pad) }
    #expect(holds.map(\.phase) == [.began, .ended])
  }

  /// A pad whose driver shows fewer fingers than it counts.
  @Test func fingersBesideThoseThatWereInterruptedAreNew() {
    let trace = Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 4)
    let (session, ledger) = (Session(), Ledger())
    ledger.follow(session)
    let device = session.add(trace.device)
    func send(_ events: [(UInt16, UInt16, Int32)], at time: Int64) {
      for (type, code, value) in events + [(0, 0, 0)] {
        session.process(
          EvdevEvent(
            time: milliseconds(time), type: EvdevType(rawValue: type), code: code, value: value),
          from: device)
      }
    }
    // slot, id, x, y; the pad's button
    send([(3, 0x2f, 0), (3, 0x39, 1), (3, 0x35, 500), (3, 0x36, 500), (1, 0x14a, 1)], at: 0)
    send([(1, 0x110, 1)], at: 10)
    session.interrupt(at: milliseconds(20))
    ledger.close()
    let count = ledger.touchCount
    var frames: [TouchFrame] = []
    session.addHandler(matching: .touch) { if case .touch(let frame) = $0 { frames.append(frame) } }
    send([(3, 0x35, 510)], at: 30)
    #expect(ledger.touchCount == count && frames.isEmpty)
    send([(3, 0x2f, 1), (3, 0x39, 2), (3, 0x35, 900), (3, 0x36, 500)], at: 40)
    #expect(frames.last?.touches.count == 1)
    #expect(frames.last?.fingerCount == 1)
    #expect(frames.last?.isButtonDown == false)
    send([(1, 0x110, 0), (3, 0x2f, 0), (3, 0x39, -1), (3, 0x2f, 1), (3, 0x35, 910)], at: 50)
    send([(1, 0x110, 1)], at: 60)
    #expect(frames.last?.isButtonDown == true)
    session.finish()
    ledger.close()
    #expect(ledger.faults == [])
  }

  /// The palm is in slot 0, and a finger beside it.
  private func landed() -> (Session, DeviceID, send: ([(UInt16, UInt16, Int32)], Int64) -> Void) {
    let trace = Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 4)
    let session = Session()
    let device = session.add(trace.device)
    let send = { (events: [(UInt16, UInt16, Int32)], time: Int64) in
      for (type, code, value) in events + [(0, 0, 0)] {
        session.process(
          EvdevEvent(
            time: self.milliseconds(time), type: EvdevType(rawValue: type), code: code,
            value: value), from: device)
      }
    }
    send(
      [
        (3, 0x2f, 0), (3, 0x39, 1), (3, 0x35, 500), (3, 0x36, 500), (3, 0x37, 2),
        (3, 0x2f, 1), (3, 0x39, 2), (3, 0x35, 900), (3, 0x36, 500), (1, 0x14a, 1),
      ], 0)
    return (session, device, send)
  }

  @Test func whatRestsStillRestsAfterwards() {
    let (session, device, send) = landed()
    #expect(session.restingSlots(of: device) == 0b01)
    session.interrupt(at: milliseconds(10))
    #expect(session.restingSlots(of: device) == 0b01)
    send([(3, 0x2f, 1), (3, 0x35, 910)], 20)
    #expect(session.restingSlots(of: device) == 0b01)
    send([(3, 0x2f, 0), (3, 0x39, -1)], 30)
    #expect(session.restingSlots(of: device) == 0)
  }

  /// A device that is handed over counts its contacts from the start.
  @Test func whatIsCancelledAfterwardsIgnoresNoNewFinger() {
    let (session, device, send) = landed()
    session.interrupt(at: milliseconds(10))
    session.cancel(device, at: milliseconds(20))
    var frames: [TouchFrame] = []
    session.addHandler(matching: .touch) { if case .touch(let frame) = $0 { frames.append(frame) } }
    send([(3, 0x2f, 1), (3, 0x39, 7), (3, 0x35, 900), (3, 0x36, 500)], 30)
    #expect(frames.last?.touches.count == 1)
  }
}
