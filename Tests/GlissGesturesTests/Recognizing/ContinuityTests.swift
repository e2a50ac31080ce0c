import GlissEvents
import GlissGestures
import Testing

/// Fingers that come and go in the midst of a gesture: no jump, one end.
@Suite struct ContinuityTests {
  /// The largest step of the translation between two reports, in mm.
  private func largestStep(_ gestures: [GestureEvent]) -> Double {
    var largest = 0.0
    for (a, b) in zip(gestures, gestures.dropFirst()) where a.kind == b.kind && b.phase != .began {
      let step = b.translation.millimetres - a.translation.millimetres
      largest = max(largest, step.length)
    }
    return largest
  }

  @Test func aPinchOfThreeGoesOnWithTwoWithoutAJump() throws {
    var pad = TestPad()
    pad.land((20, 20), (80, 20), (50, 45))
    pad.pass(300)
    pad.pass(100, moving: (5, 3), (-5, 3), (0, -5))
    let before = try #require(pad.gestures.last)
    pad.lift(2)
    pad.pass(16)
    pad.pass(8, moving: (0.5, 0), (-0.5, 0))
    let after = try #require(pad.gestures.last)
    #expect(after.phase == .changed)
    #expect(abs(after.scale - before.scale) < 0.03)
    #expect(abs(after.rotation - before.rotation) < 0.03)
    #expect(largestStep(pad.gestures) < 1)
    pad.liftAll()
    #expect(pad.story == ["pinch3 began", "pinch3 ended"])
  }

  @Test func aDragEndsWithItsFirstFingerAndTheOtherPoints() {
    var pad = TestPad()
    pad.land((35, 25), (55, 25))
    pad.pass(300)
    pad.pass(150, moving: (0, 15), (0, 15))
    pad.lift(1)
    // the pad may have lost its contact
    #expect(pad.story == ["drag2 began"])
    pad.pass(64, moving: (4, 0))
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0)) < 0.1)
    pad.pass(300, moving: (20, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  @Test func aSwipesFingersMayLeaveOneByOne() {
    var pad = TestPad()
    pad.land((30, 40), (50, 40), (70, 40))
    pad.pass(120)
    pad.pass(120, moving: (0, -20), (0, -20), (0, -20))
    pad.lift(1)
    pad.pass(16, moving: (0, -3), (0, -3))
    pad.lift(0)
    pad.pass(16, moving: (0, -2))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  @Test func aThirdFingerThatMovesAlongSoonMakesTheDragASwipe() {
    var pad = TestPad()
    pad.land((30, 40), (50, 40))
    pad.pass(120)
    pad.pass(64, moving: (0, -4), (0, -4))
    pad.land((70, 36))
    pad.pass(120, moving: (0, -16), (0, -16), (0, -16))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 cancelled", "swipe3 began", "swipe3 ended"])
  }

  @Test func aThirdFingerThatOnlyLandsChangesNothing() throws {
    var pad = TestPad()
    pad.land((30, 40), (50, 40))
    pad.pass(300)
    pad.pass(160, moving: (0, -10), (0, -10))
    pad.land((80, 30))
    pad.pass(160, moving: (0, -10), (0, -10), (0, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs(try #require(pad.gestures.last).translation.millimetres.y + 20) < 0.01)
    #expect(largestStep(pad.gestures) < 1)
  }

  @Test func aBrokenStreamCancelsWhatHadBegun() {
    var pad = TestPad()
    pad.land((35, 25), (55, 25))
    pad.pass(300)
    pad.pass(150, moving: (0, 15), (0, 15))
    pad.cancel()
    #expect(pad.story == ["drag2 began", "drag2 cancelled"])
  }

  @Test func aDragReportsHowFastItsFingersLeft() throws {
    var pad = TestPad()
    pad.land((35, 15), (55, 15))
    pad.pass(300)
    pad.pass(200, moving: (0, 20), (0, 20))
    pad.liftAll()
    let end = try #require(pad.gestures.last)
    #expect(end.phase == .ended)
    #expect(abs(end.velocity.y - 100) < 1)
    #expect(abs(end.velocity.x) < 0.001)
    // 20 mm are 56.69 points
    #expect(abs(end.translation.points.y - 20 / 25.4 * 72) < 0.01)
  }

  @Test func fingersThatStopBeforeTheyLiftLeaveWithoutSpeed() throws {
    var pad = TestPad()
    pad.land((35, 15), (55, 15))
    pad.pass(300)
    pad.pass(200, moving: (0, 20), (0, 20))
    pad.pass(100)
    pad.liftAll()
    #expect(try #require(pad.gestures.last).velocity == .zero)
  }
}
