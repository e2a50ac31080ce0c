import GlissEvents
import GlissGestures
import Testing

/// Taps and what follows them, holds, edges, clicks and flicks.
@Suite struct TapHoldEdgeTests {
  @Test(arguments: [1, 2, 3, 4, 5]) func fingersThatTouchAndLeaveTap(_ count: Int) {
    var pad = TestPad()
    for index in 0..<count { pad.land((20 + 15 * Double(index), 30)) }
    pad.pass(80)
    pad.liftAll()
    #expect(pad.story == ["tap\(count) recognized"])
  }

  @Test func tapsInARowAreCounted() {
    var pad = TestPad()
    for _ in 0..<3 {
      pad.land((40, 30), (55, 30))
      pad.pass(60)
      pad.liftAll()
      pad.pass(120)
    }
    #expect(pad.gestures.map(\.count) == [1, 2, 3])
    pad.pass(400)
    pad.land((40, 30), (55, 30))
    pad.pass(60)
    pad.liftAll()
    #expect(pad.gestures.last?.count == 1)
  }

  @Test func aSlidingTapIsATapAndNoDrag() {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(40)
    pad.pass(60, moving: (1.2, 0.6), (1.2, 0.6))
    pad.liftAll()
    #expect(pad.story == ["tap2 recognized"])
  }

  @Test func aFlickIsDecidedWhenItLeaves() throws {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(40, moving: (12, 0), (12, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs(try #require(pad.gestures.last).translation.millimetres.x - 12) < 0.01)
    #expect(pad.decisions.first?.rule == .lift)
  }

  /// Its last step is none of the flick.
  @Test func aThumbThatStaysIsNotPartOfAFlick() throws {
    var pad = TestPad()
    pad.land((40, 30), (55, 30), (20, 48))
    pad.pass(40, moving: (0, 12), (0, 12), (0, 0))
    pad.lift([0, 1], whileMoving: (0, 0), (0, 0), (0.2, -0.1))
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    let ended = try #require(pad.gestures.last)
    #expect(abs(ended.translation.millimetres.y - 12) < 0.01, "\(ended.translation)")
    #expect(pad.decisions.first?.rule == .lift)
    // nor of the next one
    pad.pass(300)
    pad.land((40, 30), (55, 30))
    pad.pass(40, moving: (0, 0), (0, 12), (0, 12))
    pad.lift([1, 2], whileMoving: (0.2, -0.1))
    #expect(pad.story.suffix(2) == ["drag2 began", "drag2 ended"], "\(pad.story)")
  }

  @Test func aFingerThatComesBackAfterATapDrags() throws {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(60)
    pad.liftAll()
    pad.pass(100)
    pad.land((41, 30))
    pad.pass(150, moving: (10, 0))
    pad.liftAll()
    #expect(pad.story == ["tap1 recognized", "drag1 began", "drag1 ended"])
    #expect(try #require(pad.gestures.last).isAfterTap)
  }

  @Test func oneFingerThatMovesPoints() {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(300, moving: (30, 5))
    pad.liftAll()
    #expect(pad.story.isEmpty)
  }

  @Test func fingersThatLieStillHoldUntilOneLifts() {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    #expect(pad.deadline == 600)
    pad.advance(to: 599)
    #expect(pad.story.isEmpty)
    pad.advance(to: 600)
    #expect(pad.story == ["hold2 began"])
    #expect(pad.deadline == nil)
    pad.liftAll()
    #expect(pad.story == ["hold2 began", "hold2 ended"])
  }

  @Test func aHoldThatMovesIsCancelledBeforeTheDragBegins() {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(700)
    pad.pass(100, moving: (10, 0), (10, 0))
    #expect(pad.story == ["hold2 began", "hold2 cancelled", "drag2 began"])
  }

  @Test func aFingerThatCrossesTheEdgeSwipesFromIt() throws {
    var pad = TestPad()
    pad.land((0.5, 30))
    pad.pass(120, moving: (15, 0))
    pad.liftAll()
    #expect(pad.story == ["edgeSwipe1 began", "edgeSwipe1 ended"])
    #expect(try #require(pad.gestures.last).edge == .left)
  }

  @Test func aFingerThatLandsOnTheEdgeAndWaitsPoints() {
    var pad = TestPad()
    pad.land((0.5, 30))
    pad.pass(300)
    pad.pass(120, moving: (15, 0))
    pad.liftAll()
    #expect(pad.story.isEmpty)
  }

  /// At its mean speed it would have been outside a frame before it landed.
  @Test func aFingerThatSpeedsUpBesideTheEdgePoints() {
    var pad = TestPad()
    pad.land((3.2, 30))
    pad.pass(24, moving: (0.1, 0))
    pad.pass(100, moving: (15, 0))
    pad.liftAll()
    #expect(pad.story.isEmpty)
  }

  /// As far as `edgeSwipe.travel` counts.
  @Test func theTravelOfAnEdgeSwipeCountsFromLanding() throws {
    var pad = TestPad()
    pad.land((0.5, 30))
    pad.pass(80, moving: (24, 0))
    pad.liftAll()
    let decision = try #require(pad.decisions.first)
    let elapsed = Double(decision.time.microseconds) / 1000
    #expect(decision.rule == .edge && decision.onset == nil)
    #expect(abs(decision.travel[0] - 0.3 * elapsed) < 0.1)
  }

  /// One finger had moved before the other landed.
  @Test func theTravelOfAHoldCountsFromTheLastChange() throws {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(200, moving: (9, 0))
    pad.land((65, 30))
    pad.pass(800)
    let decision = try #require(pad.decisions.first { $0.rule == .hold })
    #expect(decision.travel[0] < GestureConfiguration().hold.movement)
  }

  @Test func fingersThatDrumMakeNoGestureOfTwo() {
    var pad = TestPad()
    pad.land((35, 25))
    for round in 0..<6 {
      pad.pass(60)
      pad.land(round.isMultiple(of: 2) ? (55, 35) : (35, 25))
      pad.pass(30)
      pad.lift(0)
    }
    pad.pass(60)
    pad.liftAll()
    #expect(pad.story.isEmpty)
  }

  /// Unlike fingers that drum, they share most of their time.
  @Test(arguments: [(64, true), (104, true), (144, true), (160, false)] as [(Int64, Bool)])
  func theSecondFingerOfATapMayLandLate(late: Int64, taps: Bool) {
    var pad = TestPad()
    pad.land((35, 25))
    pad.pass(late)
    pad.land((55, 30))
    pad.pass(80)
    pad.liftAll()
    #expect(pad.story == (taps ? ["tap2 recognized"] : []))
  }
}
