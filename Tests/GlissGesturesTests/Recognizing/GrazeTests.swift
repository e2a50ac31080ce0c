import GlissEvents
import GlissGestures
import Testing

/// Fingers that touch the pad for a moment, thumbs that stride, and what ends report.
@Suite struct GrazeTests {
  @Test func aFingerThatGrazesThePadBesideADragIsNoPartOfIt() {
    var pad = TestPad()
    pad.land((40, 40), (60, 40))
    pad.pass(80)
    pad.pass(200, moving: (0, -15), (0, -15))
    pad.land((80, 28))
    pad.pass(32, moving: (0, -2.4), (0, -2.4), (0, -2.4))
    pad.lift([2], whileMoving: (0, -0.6), (0, -0.6))
    pad.pass(100, moving: (0, -7), (0, -7))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  @Test func aFingerThatGrazesThePadBesideAPointingOneDoesNotDrag() {
    var pad = TestPad()
    pad.land((30, 40))
    pad.pass(200, moving: (20, 0))
    pad.land((70, 30))
    pad.pass(32, moving: (4, 0), (4, 0))
    pad.lift([1], whileMoving: (1, 0))
    pad.pass(100, moving: (10, 0))
    pad.liftAll()
    #expect(pad.story == [])
  }

  @Test func aShortSwipeGoesOnAfterAGraze() {
    var pad = TestPad()
    pad.land((30, 30), (50, 30), (70, 30))
    pad.pass(48, moving: (0, -5), (0, -5), (0, -5))
    pad.land((90, 25))
    pad.pass(24, moving: (0, -3), (0, -3), (0, -3), (0, -3))
    pad.lift([3], whileMoving: (0, -1), (0, -1), (0, -1))
    pad.pass(24, moving: (0, -3), (0, -3), (0, -3))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// The short finger of a flick is part of it: the others have not been there much longer.
  @Test func aFlickWhoseFingersLiftApartIsNoGraze() {
    var pad = TestPad()
    pad.land((40, 40), (60, 40))
    pad.pass(40, moving: (0, -8), (0, -8))
    pad.lift([1], whileMoving: (0, -2))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  /// A pad that shows two of three fingers: the third one that lifts ends a flick, however long it
  /// was there.
  @Test func aFingerThatIsOnlyCountedIsNoGraze() {
    var pad = TestPad()
    pad.hidden = 1
    pad.land((40, 40), (60, 40))
    pad.pass(48, moving: (0, -9), (0, -9))
    pad.hidden = 0
    pad.pass(8, moving: (0, -1), (0, -1))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// Down before the others, and low: at its landing it looks like a thumb that rests. In the
  /// second stroke it is slower than a resting thumb may creep, and moves for more than a second.
  @Test(arguments: [(600, 2.1, -5.2, 14.0), (2000, 2.1, -4.2, 11.2)])
  func aLowThumbThatMovesAgainstTheOtherFingerPinches(
    _ duration: Int64, _ right: Double, _ otherRight: Double, _ otherDown: Double
  ) {
    for palm in [nil, Vector2(x: 97, y: 30)] {
      var pad = TestPad()
      pad.palm = palm
      pad.pass(1500)
      pad.land((45, 52))
      pad.pass(80)
      pad.land((60, 12))
      pad.pass(80)
      pad.pass(duration, moving: (right, -5.6), (otherRight, otherDown))
      pad.liftAll()
      #expect(pad.story == ["pinch2 began", "pinch2 ended"])
      #expect((pad.gestures.last?.scale ?? 1) < 0.85)
    }
  }

  /// A hand that points may shift its thumb, later or less than the finger.
  @Test(arguments: [(0.0, -3.0), (2.0, 3.0)])
  func aThumbThatRollsGoesOnResting(_ way: (Double, Double)) {
    var pad = TestPad()
    pad.land((45, 54))
    pad.pass(300)
    pad.land((60, 12))
    pad.pass(80)
    pad.pass(600, moving: way, (-5.2, 24))
    pad.pass(1000, moving: (way.0, way.1 / 2), (20, -20))
    pad.liftAll()
    #expect(pad.story == [])
  }

  /// The tremble of a finger is no motion against the thumb.
  @Test(arguments: [0.0, 0.3]) func aThumbThatRollsBesideAStillFingerGoesOnResting(drift: Double) {
    var pad = TestPad()
    pad.land((45, 58))
    pad.pass(1300)
    pad.land((60, 30))
    pad.pass(80)
    pad.pass(600, moving: (1, -3), (0, drift))
    pad.pass(600, moving: (0, 0), (-5, 24))
    pad.liftAll()
    #expect(pad.story.filter { !$0.hasPrefix("hold") } == [])
  }

  /// A pad may place a thumb at its edge 4 mm off for one frame.
  @Test func aThumbThatHasRestedForASecondAndHopsGoesOnResting() {
    var pad = TestPad()
    pad.land((20, 58))
    pad.pass(1200)
    pad.land((55, 15), (75, 15))
    pad.pass(160, moving: (0, 0), (0, 12), (0, 12))
    pad.pass(8, moving: (0, -4.3), (0, 0.5), (0, 0.5))
    pad.pass(8, moving: (0, 4.3), (0, 0.5), (0, 0.5))
    pad.pass(160, moving: (0, 0), (0, 12), (0, 12))
    pad.liftAll()
    #expect(pad.story.filter { !$0.hasPrefix("hold") } == ["drag2 began", "drag2 ended"])
  }

  /// It rolls as the fingers begin to move, so that it seems to join them, and stays behind.
  @Test func aThumbThatTheFingersLeaveBehindRestsAgain() {
    var pad = TestPad()
    pad.land((34, 59))
    pad.pass(300)
    pad.land((60, 20), (76, 25))
    pad.pass(48)
    pad.pass(144, moving: (-0.7, 0), (-0.3, 0), (-0.3, 0))
    pad.pass(64, moving: (-0.5, 0), (-1.2, 0), (-1.2, 0))
    pad.pass(400, moving: (0, 0), (-20, 0), (-20, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(pad.decisions.contains { $0.outcome == .drag && $0.resting == 1 })
  }

  /// Decided at the lift: the end continues from the last change.
  @Test func aGestureDecidedAtTheLiftEndsAsItChanged() throws {
    var pad = TestPad()
    pad.land((50, 40), (40, 20), (60, 20))
    pad.pass(48, moving: (0, 4), (-2, -3), (2, -3))
    pad.lift([0], whileMoving: (0, 0), (-0.2, -0.3), (0.2, -0.3))
    pad.liftAll()
    let ended = try #require(pad.gestures.last { $0.phase == .ended })
    let changed = try #require(pad.gestures.last { $0.phase == .changed })
    #expect(ended.kind == changed.kind)
    #expect(abs(ended.scale - changed.scale) < 0.1)
    #expect((ended.translation.millimetres - changed.translation.millimetres).length < 1)
    #expect(ended.kind != .pinch || ended.scale > 1.2)
  }
}
