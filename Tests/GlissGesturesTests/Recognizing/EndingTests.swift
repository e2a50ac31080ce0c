import GlissEvents
import GlissGestures
import GlissSession
import Testing

/// Gestures that end in odd ways, and what their last event carries.
@Suite struct EndingTests {
  @Test func aFlickThatIsDecidedAsItLeavesHasItsSpeed() throws {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(48, moving: (10.56, 0), (10.56, 0))
    pad.liftAll()
    let end = try #require(pad.gestures.last)
    #expect(end.phase == .ended)
    #expect(abs(end.velocity.x - 220) < 2)
  }

  @Test func anEndCarriesTheLastPlaceOfTheFingers() throws {
    var pad = TestPad()
    pad.land((40, 30), (60, 30))
    pad.pass(300)
    pad.pass(120, moving: (10, 0), (10, 0))
    pad.liftAll()
    let end = try #require(pad.gestures.last)
    #expect(abs(end.centroid.x - 0.6) < 0.001)
    #expect(abs(end.centroid.y - 0.5) < 0.001)
  }

  @Test func motionOfOthersInTheFrameOfALiftCounts() throws {
    var pad = TestPad()
    pad.land((20, 20), (80, 20), (50, 45))
    pad.pass(300)
    pad.pass(104, moving: (6.5, 0), (-6.5, 0), (0, -3))
    let before = try #require(pad.gestures.last)
    pad.lift([2], whileMoving: (0.5, 0), (-0.5, 0))
    pad.pass(8, moving: (0.5, 0), (-0.5, 0))
    let after = try #require(pad.gestures.last)
    // two frames of a millimetre off 47 mm each
    #expect(abs(after.scale / before.scale - (45.0 / 47)) < 0.004)
  }

  /// A hand has ten fingers. What lies there beyond them is ignored.
  @Test(arguments: [9, 10, 11, 14]) func moreContactsThanFingersStopNothing(count: Int) {
    var pad = TestPad()
    for index in 0..<count { pad.land((5 + 6 * Double(index), 30 + Double(index % 3))) }
    pad.pass(900)
    #expect(pad.story.suffix(1) == ["hold5 began"], "\(pad.story)")
    let way = [(Double, Double)](repeating: (0, -12), count: count)
    pad.pass(160, moving: way)
    #expect(pad.story.suffix(2) == ["hold5 cancelled", "swipe5 began"], "\(pad.story)")
    pad.liftAll()
    #expect(pad.story.suffix(1) == ["swipe5 ended"])
  }

  /// The finger that is left was down before, so it neither taps nor holds until it has lifted.
  @Test(arguments: [40, 3000] as [Int64]) func aFingerWhoseNeighbourIsSwallowedDoesNothing(
    after milliseconds: Int64
  ) {
    var pad = TestPad()
    pad.land((40, 30), (60, 30))
    pad.pass(100)
    pad.pass(200, moving: (-15, 0), (15, 0))
    pad.swallow(0)
    pad.pass(milliseconds)
    pad.liftAll()
    #expect(pad.story == ["pinch2 began", "pinch2 cancelled"])
    pad.advance(to: pad.now + 1000)
    pad.land((50, 30))
    pad.pass(48)
    pad.liftAll()
    #expect(pad.story.last == "tap1 recognized")
  }

  /// The finger that is left rests once another lands, which would tap otherwise.
  @Test func aFingerBesideOneWhoseNeighbourIsSwallowedDoesNotTap() {
    var pad = TestPad()
    pad.land((20, 36), (40, 36))
    pad.pass(100)
    pad.pass(200, moving: (0, 20), (0, 20))
    pad.swallow(0)
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(80)
    pad.lift(1)
    pad.pass(200)
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 cancelled"])
    pad.advance(to: pad.now + 1000)
    pad.land((50, 30))
    pad.pass(48)
    pad.liftAll()
    #expect(pad.story.last == "tap1 recognized")
  }

  @Test func aDragThatBecomesASwipeGlidesNowhere() throws {
    var pad = TestPad()
    pad.land((30, 45), (50, 45))
    pad.pass(120)
    pad.pass(400, moving: (0, -10), (0, -10))
    pad.land((70, 35))
    pad.pass(120, moving: (0, -10), (0, -10), (0, -10))
    let end = try #require(pad.gestures.first { $0.kind == .drag && $0.phase == .ended })
    #expect(end.velocity == .zero)
    #expect(pad.story.suffix(1) == ["swipe3 began"])
  }

  /// Two fingers pinch, then the device calls them palms.
  @Test(arguments: [1, 2]) func fingersThatTurnOutToBePalmsCancelTheirGesture(palms: Int) {
    var stream = EventStream()
    stream.pinch()
    stream.send((.slot, 0), (.toolType, 2))
    if palms == 2 { stream.send((.slot, 1), (.toolType, 2)) }
    stream.lift(0)
    stream.lift(1)
    #expect(stream.phases == [.began, .cancelled])
  }

  @Test func aLossIsReportedWhenItEndsNotWhenTheNextPacketComes() {
    var stream = EventStream()
    stream.pinch()
    let lost = stream.lose()
    #expect(stream.gestures.last?.phase == .cancelled)
    #expect(stream.gestures.last?.time == lost)
  }

  /// The reader reports the contacts that are down after a loss as if they landed.
  @Test(arguments: [1, 2, 3]) func fingersThatWereDownBeforeALossDoNotTap(fingers: Int32) {
    var stream = EventStream()
    let land = { (stream: inout EventStream, first: Int32) in
      for slot in 0..<fingers {
        stream.send(
          (.slot, slot), (.trackingID, first + slot), (.positionX, 200 + 150 * slot),
          (.positionY, 300), isLast: slot == fingers - 1)
      }
    }
    land(&stream, 1)
    _ = stream.lose()
    land(&stream, 1)
    for slot in 0..<fingers { stream.lift(slot) }
    #expect(stream.gestures.isEmpty)
    stream.now += 1_000_000
    land(&stream, 9)
    for slot in 0..<fingers {
      stream.send((.slot, slot), (.trackingID, -1), isLast: slot == fingers - 1)
    }
    #expect(stream.gestures.map(\.kind) == [.tap])
  }

  @Test(arguments: [-100_000_000, 0, 5_000_000] as [Int64]) func tapsAreTapsWhenever(
    origin: Int64
  ) {
    var stream = EventStream(origin: origin)
    for _ in 0..<3 { stream.tap() }
    #expect(stream.gestures.map(\.count) == [1, 1, 1])
  }

  @Test func aClockThatIsSetBackCountsOn() {
    var stream = EventStream(origin: 60_000_000)
    stream.tap()
    stream.now = 10_000_000
    for _ in 0..<2 { stream.tap() }
    #expect(stream.gestures.map(\.count) == [1, 1, 1])
  }

  @Test(arguments: [(1, 60), (2, 60), (2, 400)] as [(Int, Int64)])
  func everyContactIsExplainedOnce(fingers: Int, lasting: Int64) {
    var pad = TestPad()
    pad.land((40, 30))
    if fingers > 1 { pad.land((60, 30)) }
    pad.pass(lasting)
    pad.liftAll()
    #expect(pad.decisions.count == 1)
  }

  @Test func aMissedTapHasAReason() {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(100, moving: (7, 0))
    pad.liftAll()
    guard case .slid(let way, let most) = pad.decisions.last?.tapFault else {
      Issue.record("\(String(describing: pad.decisions.last?.tapFault))")
      return
    }
    // all of its way, not only what passed the limit
    #expect(way > 6.9 && most == GestureConfiguration().tap.movement)
    #expect((pad.decisions.last?.travel[0] ?? 0) > 6.9)
  }

  /// Three fingers that tremble, or lie still, and lift one after the other.
  @Test(arguments: [0.6, 0]) func aTapThatTakesTooLongHasAReason(way: Double) {
    var pad = TestPad()
    pad.land((30, 30), (45, 28), (60, 30))
    pad.pass(300, moving: (way, 0), (0, way), (-way, 0))
    pad.lift(2)
    pad.pass(8)
    pad.liftAll()
    let decision = pad.decisions.last
    #expect(pad.decisions.count == 1 && decision?.outcome == nil && decision?.fingers == 3)
    guard case .lasted(let time, let most) = decision?.tapFault else {
      Issue.record("\(String(describing: decision?.tapFault))")
      return
    }
    #expect(time >= 300 && most == GestureConfiguration().tap.duration)
  }
}

/// Events of a pad of two slots into a session, packet by packet.
private struct EventStream {
  var now: Int64
  private let session = Session()
  private let id: DeviceID
  private let seen = Seen()

  private final class Seen {
    var gestures: [GestureEvent] = []
  }

  var gestures: [GestureEvent] { seen.gestures }
  var phases: [GesturePhase] { gestures.filter { $0.phase != .changed }.map(\.phase) }

  init(origin: Int64 = 0) {
    now = origin
    id = session.add(TestPad.device)
    session.addHandler(matching: .gesture) { [seen] event in
      if case .gesture(let gesture) = event { seen.gestures.append(gesture) }
    }
  }

  /// The changes of one packet, or a part of them.
  mutating func send(_ changes: (AbsoluteAxis, Int32)..., isLast: Bool = true) {
    if isLast { now += 8000 }
    let time = EventTime(microseconds: now)
    for (axis, value) in changes { session.process(.absolute(axis, value, at: time), from: id) }
    if isLast { session.process(.report(at: time), from: id) }
  }

  mutating func lift(_ slot: Int32) { send((.slot, slot), (.trackingID, -1)) }

  /// Two fingers come together from 60 mm apart; they stay down.
  mutating func pinch() {
    send(
      (.slot, 0), (.trackingID, 1), (.positionX, 200), (.positionY, 300), (.slot, 1),
      (.trackingID, 2), (.positionX, 800), (.positionY, 300))
    for step in 1...40 {
      let way = Int32(max(0, step - 20) * 10)
      send((.slot, 0), (.positionX, 200 + way), (.slot, 1), (.positionX, 800 - way))
    }
  }

  /// One finger taps; two seconds pass.
  mutating func tap() {
    send((.slot, 0), (.trackingID, 7), (.positionX, 500), (.positionY, 300))
    now += 60_000
    lift(0)
    now += 2_000_000
  }

  /// The kernel drops packets; the time at which it says so is over.
  mutating func lose() -> EventTime {
    now += 8000
    let time = EventTime(microseconds: now)
    session.process(
      EvdevEvent(
        time: time, type: .synchronization, code: SynchronizationCode.dropped, value: 0), from: id)
    session.process(.report(at: time), from: id)
    return time
  }
}
