import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// Local monitors that decide about a gesture after its beginning.
@Suite struct DeferringMonitorTests {
  private let session = Session()
  private let ledger = Ledger()

  init() { ledger.follow(session) }

  private func play(_ stroke: Stroke) {
    let trace = stroke.trace(on: .medium, seed: 2)
    let device = session.add(trace.device)
    for event in trace.events { session.process(event, from: device) }
    session.finish()
    ledger.close()
  }

  /// What a session without monitors reports.
  private func expected(_ stroke: Stroke) -> [GestureEvent] {
    let other = Session()
    var gestures: [GestureEvent] = []
    other.onGesture { gestures.append($0) }
    let trace = stroke.trace(on: .medium, seed: 2)
    let device = other.add(trace.device)
    for event in trace.events { other.process(event, from: device) }
    other.finish()
    return gestures
  }

  /// Swallows drags that stay under 5 mm.
  private func ignoreShortDrags() {
    session.addLocalMonitor(matching: .gesture) { event in
      guard case .gesture(let gesture) = event, gesture.kind == .drag else { return .pass }
      return gesture.translation.millimetres.length < 5 ? .deferred : .pass
    }
  }

  private func withoutTimes(_ gestures: [GestureEvent]) -> [GestureEvent] {
    gestures.map { gesture in
      var gesture = gesture
      gesture.time = .zero
      return gesture
    }
  }

  @Test func aShortDragIsSwallowed() {
    let short = Stroke.drag(by: Vector2(x: 0, y: 4))
    #expect(expected(short).map(\.phase).contains(.ended))
    ignoreShortDrags()
    play(short)
    #expect(ledger.gestures.isEmpty && ledger.faults == [])
  }

  @Test func aLongDragIsPassedFromItsBeginning() throws {
    let long = Stroke.drag(by: Vector2(x: 0, y: 25))
    let whole = expected(long)
    ignoreShortDrags()
    play(long)
    #expect(withoutTimes(ledger.gestures) == withoutTimes(whole))
    #expect(ledger.faults == [])
    let first = try #require(ledger.gestures.first)
    let decided = try #require(whole.first { $0.translation.millimetres.length >= 5 })
    #expect(first.phase == .began && first.time == decided.time)
  }

  @Test func onePassedCannotBeDeferredAgain() {
    var number = 0
    session.addLocalMonitor(matching: .gesture) { _ in
      number += 1
      return number == 3 ? .pass : .deferred
    }
    let long = Stroke.drag(by: Vector2(x: 0, y: 25))
    play(long)
    #expect(withoutTimes(ledger.gestures) == withoutTimes(expected(long)))
  }

  @Test func laterMonitorsSeeTheGestureFromItsBeginningToo() {
    ignoreShortDrags()
    var phases: [GesturePhase] = []
    session.addLocalMonitor(matching: .gesture) { event in
      if case .gesture(let gesture) = event { phases.append(gesture.phase) }
      return .pass
    }
    let long = Stroke.drag(by: Vector2(x: 0, y: 25))
    play(long)
    #expect(phases == expected(long).map(\.phase))
  }

  @Test func deferredEventsThatAreSwallowedAreNeverSeen() {
    var number = 0
    session.addLocalMonitor(matching: .gesture) { _ in
      number += 1
      return number < 4 ? .deferred : number == 4 ? .swallow : .pass
    }
    play(Stroke.drag(by: Vector2(x: 0, y: 25)))
    #expect(number > 4 && ledger.gestures.isEmpty && ledger.faults == [])
  }

  /// However long a gesture waits, a fixed number of its events does: the first and the newest.
  @Test func deferredEventsAreBounded() throws {
    session.addLocalMonitor(matching: .gesture) { event in
      guard case .gesture(let gesture) = event, gesture.kind == .drag else { return .swallow }
      return gesture.phase == .ended ? .pass : .deferred
    }
    let long = Stroke.drag(by: Vector2(x: 0, y: 40)).with { $0.durationMilliseconds = 4000 }
    let whole = expected(long).filter { $0.kind == .drag }
    try #require(whole.count > 200)
    play(long)
    #expect(ledger.gestures.count == 129 && ledger.faults == [])
    #expect(
      withoutTimes(ledger.gestures) == withoutTimes([whole[0]] + Array(whole.suffix(128))))
  }

  /// Whatever is decided when, what comes out is whole.
  @Test(arguments: 0..<40)
  func anyDecisionsLeaveWholeGestures(_ seed: Int) {
    var state = UInt64(seed) &* 0x9e37_79b9_7f4a_7c15 | 1
    session.addLocalMonitor(matching: .all) { _ in
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return [.pass, .deferred, .deferred, .deferred, .swallow][Int(state % 5)]
    }
    play(seed % 2 == 0 ? Stroke.drag(by: Vector2(x: 9, y: 9)) : .pinch(from: 20, to: 50))
    #expect(ledger.faults == [])
  }
}
