import GlissEvents
import GlissGestures
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissSession

/// What local monitors let through, and that it is whole.
@Suite struct LocalMonitorTests {
  private let session = Session()
  private let ledger = Ledger()

  init() { ledger.follow(session) }

  private func play(_ trace: Trace) -> DeviceID {
    let device = session.add(trace.device)
    for event in trace.events { session.process(event, from: device) }
    return device
  }

  private func press(_ keys: [(Key, Int32)], on device: DeviceID) {
    for (index, (key, value)) in keys.enumerated() {
      let time = EventTime(microseconds: Int64(index) * 10_000)
      session.process(.key(key, value, at: time), from: device)
    }
  }

  /// The keys that handlers see, as `KEY_A down`.
  private func keys(of events: () -> Void) -> [String] {
    let seen = Seen<String>()
    session.addHandler(matching: .key) { event in
      if case .key(let key) = event { seen.values.append("\(key.key.name) \(key.state.name)") }
    }
    events()
    return seen.values
  }

  private final class Seen<Value> { var values: [Value] = [] }

  @Test func aSwallowedPressTakesItsReleaseAlong() {
    session.addLocalMonitor(matching: .key) { event in
      guard case .key(let key) = event, key.key == .a, key.state == .down else { return .pass }
      return .swallow
    }
    let device = session.add(.keyboard)
    let seen = keys { press([(.a, 1), (.b, 1), (.a, 2), (.a, 0), (.b, 0)], on: device) }
    #expect(seen == ["KEY_B down", "KEY_B up"])
  }

  @Test func theReleaseOfAReportedPressIsReported() {
    session.addLocalMonitor(matching: .key) { event in
      guard case .key(let key) = event, key.state == .up else { return .pass }
      return .swallow
    }
    let device = session.add(.keyboard)
    #expect(keys { press([(.a, 1), (.a, 0)], on: device) } == ["KEY_A down", "KEY_A up"])
  }

  @Test func aReplacedKeyIsReleasedAsTheOther() {
    session.addLocalMonitor(matching: .key) { event in
      guard case .key(var key) = event, key.key == .a, key.state == .down else { return .pass }
      key.key = .b
      return .replace(.key(key))
    }
    let device = session.add(.keyboard)
    #expect(keys { press([(.a, 1), (.a, 0)], on: device) } == ["KEY_B down", "KEY_B up"])
  }

  @Test func eachSeesWhatTheOnesBeforeItLetThrough() {
    let order = Seen<String>()
    for name in ["first", "second", "third"] {
      session.addLocalMonitor(matching: .key) { event in
        order.values.append(name)
        return name == "second" ? .swallow : .pass
      }
    }
    let device = session.add(.keyboard)
    #expect(keys { press([(.a, 1), (.a, 0)], on: device) } == [])
    #expect(order.values == ["first", "second", "first", "second"])
  }

  @Test func oneThatRemovesItselfIsAskedNoMoreButFinishesItsWork() {
    let asked = Seen<Int>()
    let token = Seen<HandlerToken>()
    token.values.append(
      session.addLocalMonitor(matching: .key) { _ in
        asked.values.append(1)
        token.values[0].remove()
        return .swallow
      })
    let device = session.add(.keyboard)
    let seen = keys { press([(.a, 1), (.b, 1), (.a, 0), (.b, 0), (.a, 1)], on: device) }
    #expect(seen == ["KEY_B down", "KEY_B up", "KEY_A down"])
    #expect(asked.values.count == 1)
    #expect(session.handlers.monitors.mask == [], "it is still there")
  }

  @Test func recognizersDoNotSeeSwallowedTouches() {
    session.addLocalMonitor(matching: .touch) { _ in .swallow }
    _ = play(Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 2))
    session.finish()
    ledger.close()
    #expect(ledger.gestures.isEmpty && ledger.touchCount == 0)
    #expect(ledger.faults == [])
  }

  /// Wherever a monitor begins to swallow, and wherever it stops, what comes out is whole.
  @Test(arguments: [
    Stroke.drag(by: Vector2(x: 0, y: 25)), .pinch(from: 20, to: 50), .tap(fingers: 2, count: 2),
    .swipe(direction: .left), .hold(fingers: 2),
  ])
  func swallowingInTheMiddleLeavesNothingOpen(_ stroke: Stroke) {
    let trace = stroke.trace(on: .medium, seed: 5)
    for mask in [EventMask.touch, .gesture, .all] {
      for first in stride(from: 0, to: 60, by: 3) {
        let (session, ledger) = (Session(), Ledger())
        ledger.follow(session)
        let count = Seen<Int>()
        session.addLocalMonitor(matching: mask) { _ in
          count.values.append(1)
          return (first..<first + 7).contains(count.values.count) ? .swallow : .pass
        }
        let device = session.add(trace.device)
        for event in trace.events { session.process(event, from: device) }
        session.finish()
        ledger.close()
        #expect(ledger.faults == [], "\(mask.rawValue) from \(first)")
      }
    }
  }

  /// The other finger was down before: it does not tap or hold.
  @Test(arguments: [Stroke.drag(by: Vector2(x: 0, y: 25)), .pinch(from: 20, to: 50)])
  func aFingerWhoseNeighbourIsSwallowedDoesNotTap(_ stroke: Stroke) {
    for seed in 0..<4 as Range<UInt64> {
      for changes in stride(from: 1, to: 46, by: 3) {
        let (session, ledger) = (Session(), Ledger())
        ledger.follow(session)
        session.addLocalMonitor(matching: .touch) { event in
          guard case .touch(var frame) = event, frame.touches.count > 1,
            ledger.gestures.count(where: { $0.phase == .changed }) >= changes
          else { return .pass }
          frame.touches.remove(at: 1)
          return .replace(.touch(frame))
        }
        let trace = stroke.trace(on: .medium, seed: seed)
        let device = session.add(trace.device)
        for event in trace.events { session.process(event, from: device) }
        session.finish()
        ledger.close()
        #expect(ledger.faults == [])
        // a later one may come after the last change
        if changes == 1 {
          let isCutOff = ledger.gestures.contains { $0.phase == .cancelled && $0.kind != .hold }
          #expect(isCutOff, "seed \(seed)")
        }
        let still = ledger.gestures.drop { $0.phase != .cancelled }
          .filter { $0.kind == .tap || $0.kind == .hold || $0.kind == .edgeSwipe }
        #expect(still == [], "seed \(seed) after \(changes) changes")
      }
    }
  }

  @Test func aReplacedFrameMovesTheGesture() throws {
    let trace = Stroke.drag(by: Vector2(x: 0, y: 25)).trace(on: .medium, seed: 2)
    // what goes down goes up
    session.addLocalMonitor(matching: .touch) { event in
      guard case .touch(var frame) = event else { return .pass }
      for index in frame.touches.indices {
        frame.touches[index].position.y = 66 - frame.touches[index].position.y
        frame.touches[index].normalizedPosition.y = 1 - frame.touches[index].normalizedPosition.y
        // whose it is, and what it does, is not the monitor's to say
        frame.touches[index].phase = .cancelled
      }
      return .replace(.touch(frame))
    }
    _ = play(trace)
    session.finish()
    let end = try #require(ledger.gestures.last { $0.phase == .ended })
    #expect(end.kind == .drag && end.translation.millimetres.y < -20)
    ledger.close()
    #expect(ledger.faults == [])
  }
}

/// Each in a process of its own.
@Suite struct LocalMonitorExitTests {
  @Test func feedingTheSessionFromAHandlerTraps() async {
    await #expect(processExitsWith: .failure) {
      let session = Session()
      let device = session.add(Device(name: "keys", keys: [.a]))
      session.addHandler { [unowned session] _ in
        session.process(.key(.a, 0, at: .zero), from: device)
      }
      session.process(.key(.a, 1, at: .zero), from: device)
    }
  }
}
