import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Odd devices and odd streams, from their events to what a session tells.
@Suite struct PipelineTests {
  /// Packets 8 ms apart, and what a session makes of them.
  private func play(_ packets: [Packet], on device: Device) -> Ledger {
    var events: [EvdevEvent] = []
    for (index, packet) in packets.enumerated() {
      let time = EventTime(microseconds: Int64(index + 1) * 8000)
      for var event in packet.events + [.report(at: time)] {
        event.time = time
        events.append(event)
      }
    }
    return Ledger.play(events, on: device)
  }

  @Test func lossInMidStrokeCancelsTheGesture() throws {
    let trace = Stroke.drag(by: Vector2(x: 30, y: 0)).trace(on: .medium, seed: 1)
    var events = trace.events
    let middle = events.count / 2
    events.insert(
      EvdevEvent(
        time: events[middle].time, type: .synchronization, code: SynchronizationCode.dropped,
        value: 0), at: middle)
    let ledger = Ledger.play(events, on: trace.device)
    #expect(ledger.faults == [])
    let first = try #require(ledger.gestures.firstIndex { $0.phase == .cancelled })
    #expect(ledger.gestures[..<first].allSatisfy { $0.kind == .drag })
  }

  @Test func theCornersOfABoxDoNotTurn() {
    var device = Pad.large.device
    device.properties.insert(.semiMultitouch)
    for seed in 0..<10 as Range<UInt64> {
      let trace = Stroke.rotate(by: 60).trace(on: .large, seed: seed)
      let ledger = Ledger.play(trace.events, on: device)
      #expect(ledger.faults == [])
      #expect(!ledger.gestures.contains { $0.kind == .rotate || $0.rotation != 0 })
    }
  }

  /// The second finger lands left of the first one and above it, and lifts before it.
  @Test func theCornersOfABoxJumpWhenFingersLandAndLift() {
    let device = Device.pad(slots: 2, properties: [.pointer, .semiMultitouch])
    let ledger = play(
      [
        Packet(.id(1), .x(670), .y(450), .down(.touch), .down(.toolFinger)),
        Packet(.x(671)),
        Packet(
          .x(600), .y(370), .slot(1), .id(2), .x(671), .y(450), .up(.toolFinger),
          .down(.toolDoubleTap)),
        Packet(.slot(0), .x(601)),
        Packet(
          .slot(0), .x(671), .y(450), .slot(1), .id(-1), .up(.toolDoubleTap), .down(.toolFinger)),
        Packet(.slot(0), .id(-1), .up(.touch), .up(.toolFinger)),
      ], on: device)
    #expect(ledger.faults == [])
    #expect(ledger.gestures.map { "\($0.kind) \($0.fingers)" } == ["tap 2"])
  }

  @Test func aPalmBesideFingersThatAreOnlyCountedIsNoTap() {
    let palm = Packet.Part.axis(.toolType, ToolType.palm)
    let ledger = play(
      [
        Packet(.id(1), .x(500), .y(300), palm, .down(.touch), .down(.toolTripleTap)),
        Packet(.x(501)),
        Packet(.id(-1), .up(.touch), .up(.toolTripleTap)),
      ], on: .pad(slots: 2))
    #expect(ledger.faults == [])
    #expect(ledger.gestures == [])
  }

  /// Two fingers that land, rest and have gone 20 mm together, or apart.
  private func underWay(apart: Bool = false) -> [Packet] {
    let way: Int32 = apart ? -10 : 10
    let landed = Packet(.id(1), .x(300), .y(300), .slot(1), .id(2), .x(500), .y(300), .down(.touch))
    let rest = (0..<10).map { Packet(.x(500 + $0 % 2)) }
    let moves = (1...20 as ClosedRange<Int32>).map { step in
      Packet(.slot(0), .x(300 + way * step), .slot(1), .x(500 + 10 * step))
    }
    return [landed] + rest + moves
  }

  private func story(_ ledger: Ledger) -> [String] {
    ledger.gestures.filter { $0.phase != .changed }.map { "\($0.kind.name) \($0.phase.name)" }
  }

  @Test func aTouchThatBeganBeforeTheRecordingIsNoTap() {
    let still = (0..<5).map { Packet(.x(500 + $0 % 2)) }
    let lifted = Packet(.slot(0), .id(-1), .slot(1), .id(-1), .up(.touch))
    // positions come without an id
    let held = Packet(.slot(0), .x(300), .y(300), .slot(1), .x(500), .y(300))
    let cut = [held] + still + [lifted]
    let ledger = play(cut, on: .pad())
    #expect(ledger.faults == [] && ledger.touchCount > 0)
    #expect(ledger.gestures == [])
    // the next touch is whole
    let landed = Packet(.slot(0), .id(1), .x(300), .y(300), .slot(1), .id(2), .x(500), .y(300))
    let pause = Array(repeating: Packet(), count: 10)
    let whole = [landed] + still + [lifted]
    let next = play(cut + pause + whole, on: .pad())
    #expect(story(next) == ["tap recognized"])
  }

  @Test func idsThatAllChangeInMidStrokeEndTheGesture() {
    let changed = Packet(.slot(0), .id(3), .slot(1), .id(4))
    let lifted = Packet(.slot(0), .id(-1), .slot(1), .id(-1), .up(.touch))
    let ledger = play(underWay() + [changed, Packet(.x(701)), lifted], on: .pad())
    #expect(ledger.faults == [])
    #expect(story(ledger) == ["drag began", "drag ended"])
  }

  @Test func fingersThatTurnOutToBePalmsCancelTheGesture() {
    let palm = Packet.Part.axis(.toolType, ToolType.palm)
    let palms = Packet(.slot(0), palm, .slot(1), palm)
    let lifted = Packet(.slot(0), .id(-1), .slot(1), .id(-1), .up(.touch))
    let ledger = play(underWay(apart: true) + [palms, Packet(.x(701)), lifted], on: .pad())
    #expect(ledger.faults == [])
    #expect(story(ledger) == ["pinch began", "pinch cancelled"])
  }

  @Test func aKeyHeldWhenPacketsAreLostIsReleased() {
    let keyboard = Device(name: "Keys", keys: [.a, .leftShift])
    var told: [String] = []
    let session = Session()
    session.addHandler(matching: .key) { event in
      if case .key(let key) = event { told.append("\(key.key.name) \(key.state.name)") }
    }
    let id = session.add(keyboard)
    func send(_ part: Packet.Part) { session.process(part.event, from: id) }
    // the recording begins with the key that started it
    send(.up(.a))
    send(.down(.leftShift))
    send(.dropped)
    session.process(.report(at: .zero), from: id)
    send(.up(.leftShift))
    send(.down(.a))
    send(.down(.a))
    session.finish()
    #expect(told == ["KEY_LEFTSHIFT down", "KEY_LEFTSHIFT up", "KEY_A down", "KEY_A up"])
  }
}
