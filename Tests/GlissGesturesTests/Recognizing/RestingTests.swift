import GlissEvents
import GlissGestures
import Testing

/// Fingers that only lie there.
@Suite struct RestingTests {
  @Test func aThumbBesideADragIsLeftOut() throws {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((40, 25), (60, 25))
    pad.pass(100)
    pad.pass(200, moving: (0, 0), (0, -15), (0, -15))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    // the thumb does not halve the motion
    let last = try #require(pad.gestures.last)
    #expect(abs(last.translation.millimetres.y + 15) < 0.01)
  }

  @Test func aThumbBesideOneMovingFingerIsPointing() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(100)
    pad.pass(300, moving: (0, 0), (-20, -5))
    pad.liftAll()
    #expect(pad.story.isEmpty)
    #expect(pad.decisions.first?.outcome == nil)
  }

  @Test func aThumbThatPinchesIsNoRestingThumb() {
    var pad = TestPad()
    pad.land((40, 54), major: 160)
    pad.pass(16)
    pad.land((60, 30), major: 90)
    pad.pass(250)
    pad.pass(200, moving: (0, 0), (-10, 12))
    pad.liftAll()
    #expect(pad.story == ["pinch2 began", "pinch2 ended"])
  }

  /// A low finger that has woken rests only if left behind.
  @Test func aLowFingerThatSpreadsGoesOnTakingPart() {
    var pad = TestPad()
    pad.land((40, 50))
    pad.pass(100)
    pad.land((54, 26))
    pad.pass(80)
    pad.pass(304, moving: (-6, 4.2), (8.4, -10.8))
    pad.liftAll()
    #expect(pad.story == ["pinch2 began", "pinch2 ended"])
  }

  /// Fingers rested on purpose lie 9.5 mm high and more.
  @Test func aFingerThatRestsOnPurposeHolds() {
    var pad = TestPad()
    pad.land((40, 49.5))
    pad.pass(200)
    pad.land((52, 17.6))
    pad.pass(1000)
    pad.liftAll()
    #expect(pad.story == ["hold2 began", "hold2 ended"])
  }

  @Test func aThumbThatMovesWithTheOtherTakesPart() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((60, 50))
    pad.pass(100)
    pad.pass(200, moving: (0, -20), (0, -20))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  @Test func theEdgeOfAHandAtTheSideIsLeftOut() {
    var pad = TestPad()
    pad.land((98, 40))
    pad.pass(300)
    pad.land((30, 25), (50, 25))
    pad.pass(100)
    pad.pass(200, moving: (0.2, 0.2), (15, 0), (15, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  /// A hand that scrolls on lifts one finger and puts it down higher.
  @Test func aFingerThatMadeAGestureDoesNotRest() {
    var pad = TestPad()
    pad.land((40, 30), (60, 30))
    pad.pass(80)
    pad.pass(304, moving: (0, 24), (0, 24))
    pad.lift(1)
    pad.pass(304)
    pad.land((60, 30))
    pad.pass(1300)
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended", "hold2 began", "hold2 ended"])
  }

  /// A gesture decided at the lift counts, too.
  @Test func aFingerThatFlickedIsNoThumb() {
    var pad = TestPad()
    pad.land((40, 30), (60, 30))
    pad.pass(40, moving: (0, 20), (0, 20))
    pad.lift([1], whileMoving: (0, 2))
    pad.pass(400)
    pad.land((60, 18))
    pad.pass(80)
    pad.pass(400, moving: (0, 0), (0, 8))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended", "drag2 began", "drag2 ended"])
  }

  /// A thumb that has been there for long may lie nearer to the finger that taps.
  @Test(arguments: [(48, 2), (400, 1)]) func anOldThumbMayLieNearer(
    _ headStart: Int64, _ fingers: Int
  ) {
    var pad = TestPad()
    pad.land((40, 51.8))
    pad.pass(headStart)
    pad.land((60, 35))
    pad.pass(80)
    if fingers == 1 {
      pad.lift(1)
      pad.pass(100)
    }
    pad.liftAll()
    #expect(pad.story == ["tap\(fingers) recognized"])
  }

  @Test func aTapBesideARestingThumbIsATap() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(80)
    pad.lift(1)
    #expect(pad.story == ["tap1 recognized"])
  }

  /// After a gesture it never rests again while they are down.
  @Test func aThumbThatHasWokenStaysAwake() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(100)
    // it sets out after the finger, which has gone far enough to be pointing
    pad.pass(80, moving: (0, 0), (6, 0))
    pad.pass(250, moving: (22, 0), (26, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(pad.decisions.count { $0.rule == .resting } <= 1)
  }

  /// The numbers are those of the moment at which it was left out, and the stroke is explained too.
  @Test func aFingerThatRestsIsExplained() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(300, moving: (0, 0), (20, 0))
    pad.liftAll()
    #expect(pad.decisions.map(\.rule) == [.resting, .nothing])
    let first = pad.decisions[0]
    #expect(first.rested == 1 && first.fingers == 2 && first.resting == 0)
    #expect(first.costs.rest + first.needed <= first.costs.drag)
    #expect(first.costs.rest + first.lead == min(first.costs.drag, first.costs.still))
  }

  /// Of two that were down at first, one left, and the other rests.
  @Test func fingersThatMadeNothingAreOnlyThoseThatDoNotRest() {
    var pad = TestPad()
    pad.land((60, 25))
    pad.pass(40)
    pad.land((40, 56))
    pad.pass(40)
    pad.lift(0)
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(240, moving: (0, 0), (15, 0))
    // together, because the only one that is left takes part again
    pad.liftAll()
    #expect(pad.decisions.map(\.rule) == [.resting, .nothing])
    #expect(pad.decisions.last?.fingers == 1 && pad.decisions.last?.resting == 1)
  }

  @Test func aThumbAmongThreeIsExplainedBeforeTheDrag() {
    var pad = TestPad()
    pad.land((40, 56), (50, 25), (70, 25))
    pad.pass(250, moving: (0, 0), (0, -25), (0, -25))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(pad.decisions.map(\.rule) == [.resting, .lead])
    #expect(pad.decisions[0].rested == 1 && pad.decisions[0].fingers == 3)
    #expect(pad.decisions[1].rested == nil && pad.decisions[1].resting == 1)
  }

  @Test func aThumbThatMovesAlongIsPartOfASwipe() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((40, 25), (60, 25))
    pad.pass(100)
    pad.pass(200, moving: (16, 0), (20, 0), (20, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// The decision waits for a thumb that lags, and says so.
  @Test func aThumbThatLagsIsWaitedFor() throws {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((40, 25), (60, 25))
    pad.pass(100)
    pad.pass(40, moving: (0.6, 0), (2.4, 0), (2.4, 0))
    pad.pass(200, moving: (18, 0), (18, 0), (18, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// No drag begins before it can be seen whether the thumb follows.
  @Test func aThumbThatStartsLateJoins() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((40, 25), (60, 25))
    pad.pass(100)
    pad.pass(40, moving: (0, 0), (2.5, 0), (2.5, 0))
    pad.pass(200, moving: (18, 0), (18, 0), (18, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  @Test func aThumbThatRollsTheOtherWayStaysOut() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((40, 25), (60, 25))
    pad.pass(100)
    pad.pass(60, moving: (-1.5, 0), (2.5, 0), (2.5, 0))
    pad.pass(200, moving: (0, 0), (20, 0), (20, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  @Test func aThumbThatLandsWithTwoFingersIsLeftOutOfTheirDrag() {
    var pad = TestPad()
    pad.land((45, 56), (40, 20), (60, 20))
    pad.pass(100)
    pad.pass(200, moving: (0, 0), (0, 15), (0, 15))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  /// Within `palm.zone` of the side, as the edge of a hand lies.
  @Test(arguments: [(1.0, 0), (99.0, 0), (4.5, 0), (6.0, 1)])
  func theEdgeOfAHandAloneHoldsNothing(x: Double, holds: Int) {
    var pad = TestPad()
    pad.land((x, 30))
    pad.pass(1500)
    pad.advance(to: 1600)
    #expect(pad.story.count == holds)
  }

  /// However it landed: no finger of the same hand would drag from there.
  @Test(arguments: [(3.0, 70.0, false), (7.0, 70, false), (3, 33, true), (12, 70, true)])
  func theEdgeOfAHandFarFromAFingerRests(x: Double, finger: Double, drags: Bool) {
    var pad = TestPad()
    pad.land((x, 30), (finger, 30))
    pad.pass(100)
    pad.pass(200, moving: (0, 0), (0, 15))
    pad.liftAll()
    #expect(pad.story == (drags ? ["drag2 began", "drag2 ended"] : []))
  }

  /// Their middle does not move, so the thumb cannot follow it.
  @Test func aThumbHoldsUpNoPinchOfTwoOthers() {
    var pad = TestPad()
    pad.land((50, 56))
    pad.pass(400)
    pad.land((30, 20), (70, 20))
    pad.pass(100)
    pad.pass(40, moving: (0.1, 0.1), (3, 0), (-3, 0))
    #expect(pad.story == ["pinch2 began"])
    pad.pass(160, moving: (0.6, 0), (9, 0), (-9, 0))
    pad.liftAll()
    #expect(pad.story == ["pinch2 began", "pinch2 ended"])
  }

  /// It landed just inside the strip at the side.
  @Test func aHoldDoesNotEndBecauseTheFingerTrembles() {
    var pad = TestPad()
    pad.land((5.02, 30))
    pad.pass(600)
    for _ in 0..<10 {
      pad.pass(16, moving: (-0.05, 0))
      pad.pass(16, moving: (0.05, 0))
    }
    pad.liftAll()
    #expect(pad.story == ["hold1 began", "hold1 ended"])
  }
}
