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
    #expect(abs(last.translationInMillimetres.y + 15) < 0.01)
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

  @Test func aTapBesideARestingThumbIsATap() {
    var pad = TestPad()
    pad.land((40, 56))
    pad.pass(400)
    pad.land((60, 25))
    pad.pass(80)
    pad.lift(1)
    #expect(pad.story == ["tap1 recognized"])
  }
}
