import GlissEvents
import GlissSession
import GlissSynthesis
import StrokeClasses
import TestSupport
import Testing

/// What begins ends once, whatever comes in.
@Suite struct BalanceTests {
  /// The same trace, broken in one place.
  enum Damage: String, CaseIterable, Sendable {
    case dropped, twice, missing, early, late, stuck

    func apply(to events: [EvdevEvent], at index: Int) -> [EvdevEvent] {
      var events = events
      let event = events[index]
      switch self {
      case .dropped:
        let loss = EvdevEvent(
          time: event.time, type: .synchronization, code: SynchronizationCode.dropped, value: 0)
        events.insert(loss, at: index)
      case .twice: events.insert(event, at: index)
      case .missing: events.remove(at: index)
      case .early: events[index].time = event.time + .milliseconds(-500)
      case .late: events[index].time = event.time + .milliseconds(5000)
      case .stuck:
        for later in index..<events.count { events[later].time = event.time }
      }
      return events
    }
  }

  @Test(arguments: TraceClass.all.map(\.name))
  func everyClassIsBalanced(name: String) throws {
    let kind = try #require(TraceClass.named(name))
    for (index, pad) in kind.pads.enumerated() {
      let trace = kind.trace(on: pad, index: index, seed: Seed.value)
      let ledger = Ledger.play(trace.events, on: trace.device)
      #expect(ledger.faults == [], "\(name) on \(pad.name), \(Seed.advice)")
      #expect(ledger.touchCount > 0)
    }
  }

  @Test(arguments: Damage.allCases)
  func aBrokenTraceIsBalanced(damage: Damage) {
    var random = Seed.source("broken \(damage)")
    for round in 0..<12 {
      let kind = random.pick(TraceClass.all)
      let trace = kind.trace(index: round, seed: random.next())
      for _ in 0..<30 {
        let index = random.integer(0...trace.events.count - 1)
        let events = damage.apply(to: trace.events, at: index)
        let ledger = Ledger.play(events, on: trace.device)
        #expect(
          ledger.faults == [], "\(kind.name), \(damage) at event \(index), \(Seed.advice)")
      }
    }
  }

  /// Every index of one trace: two fingers land, move and lift.
  @Test(arguments: Damage.allCases)
  func aDragIsBalancedWhereverItBreaks(damage: Damage) {
    let stroke = Stroke.drag(by: Vector2(x: 20, y: 0)).with { $0.durationMilliseconds = 200 }
    let trace = stroke.trace(on: .medium, seed: 1)
    for index in trace.events.indices {
      let ledger = Ledger.play(damage.apply(to: trace.events, at: index), on: trace.device)
      #expect(ledger.faults == [], "\(damage) at event \(index)")
    }
  }

  @Test(arguments: Garbage.devices.map(\.name))
  func garbageIsBalanced(name: String) throws {
    let device = try #require(Garbage.devices.first { $0.name == name })
    var random = Seed.source(name)
    for round in 0..<20 {
      var time = EventTime(microseconds: 1_000_000)
      let events = (0..<400).map { _ in
        let bits = random.next()
        return Garbage.event(
          UInt8(truncatingIfNeeded: bits), UInt8(truncatingIfNeeded: bits >> 8),
          UInt8(truncatingIfNeeded: bits >> 16), Int32(truncatingIfNeeded: bits >> 32),
          after: &time)
      }
      let ledger = Ledger.play(events, on: device, until: time)
      #expect(ledger.faults == [], "round \(round) on \(device.name), \(Seed.advice)")
    }
  }

  @Test func aDeviceThatGoesAwayEndsWhatItBegan() {
    let trace = Stroke.pinch(from: 20, to: 50).trace(on: .medium, seed: 1)
    for count in stride(from: 0, to: trace.events.count, by: 5) {
      let (session, ledger) = (Session(), Ledger())
      ledger.follow(session)
      let id = session.add(trace.device)
      for event in trace.events.prefix(count) { session.process(event, from: id) }
      session.remove(id, at: (trace.events.last?.time ?? .zero) + .milliseconds(10))
      ledger.close()
      #expect(ledger.faults == [], "gone after \(count) events")
    }
  }
}

/// The ledger must be able to find something.
@Suite struct LedgerTests {
  private static func faults(_ events: [EvdevEvent], finish: Bool) -> [String] {
    let (session, ledger) = (Session(), Ledger())
    ledger.follow(session)
    let id = session.add(Pad.medium.device)
    for event in events { session.process(event, from: id) }
    if finish { session.finish() }
    ledger.close()
    return ledger.faults
  }

  @Test func aSessionThatIsNotFinishedLeavesThingsOpen() {
    let trace = Stroke.drag(by: Vector2(x: 30, y: 0)).trace(on: .medium, seed: 1)
    let half = Array(trace.events.prefix(trace.events.count * 3 / 4))
    let open = Self.faults(half, finish: false)
    #expect(open.contains { $0.hasSuffix("drag has no end") })
    #expect(open.contains { $0.contains("touch") && $0.hasSuffix("has no end") })
    #expect(Self.faults(half, finish: true) == [])
  }
}
