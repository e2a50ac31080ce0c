import GlissEvents
import GlissGestures
import Testing

/// Strokes that begin as the fingers land, fingers that set out late, and palms beside taps, on a pad
/// of 100 × 60 mm.
@Suite struct FastAndLateTests {
  /// No decision rests on the motion of the first 35 ms, but it is part of the stroke.
  @Test(arguments: [12.0, 24]) func aFlickIsReportedWhole(_ way: Double) throws {
    var pad = TestPad()
    pad.land((30, 30), (50, 30))
    pad.pass(80, moving: (way, 0), (way, 0))
    pad.liftAll()
    let end = try #require(pad.gestures.last)
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs(end.translation.millimetres.x - way) < 0.1, "\(end.translation)")
  }

  /// Contacts move by 1 mm as they flatten, and one that leaps has not gone with the other.
  @Test(arguments: [((1.0, 0.0), (1.0, 0.0)), ((4, 0), (0, 0))])
  func theWayOfContactsThatSettleIsNone(_ first: (Double, Double), _ second: (Double, Double))
    throws
  {
    var pad = TestPad()
    pad.land((30, 30), (50, 30))
    pad.step(first, second)
    pad.pass(24)
    pad.pass(120, moving: (0, 20), (0, 20))
    pad.liftAll()
    let way = try #require(pad.gestures.last).translation.millimetres
    #expect(abs(way.x) < 0.1 && abs(way.y - 20) < 0.1, "\(way)")
  }

  /// The fingers of a sideways swipe set out one after the other, and seem to close meanwhile.
  @Test(arguments: [12, 16, 20]) func aSidewaysSwipeIsNoPinch(_ lag: Int64) {
    var pad = TestPad()
    pad.land((20, 30), (36, 30), (52, 30))
    pad.pass(80)
    let speed = 40.0 / 220
    func step(_ ms: Int64, _ moving: Int) -> [(Double, Double)] {
      (0..<3).map { $0 < moving ? (Double(ms) * speed, 0) : (0, 0) }
    }
    pad.pass(lag, moving: step(lag, 1))
    pad.pass(lag, moving: step(lag, 2))
    pad.pass(160, moving: step(160, 3))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// What seemed to be a drag beside a still finger becomes a rotation.
  @Test func aFingerThatSetsOutVeryLateAgainstTheOtherCorrects() {
    var pad = TestPad()
    pad.land((30, 30), (70, 30))
    pad.pass(80)
    pad.pass(96, moving: (0, -10), (0, 0))
    pad.pass(80, moving: (0, -8), (0, 22))
    pad.liftAll()
    #expect(pad.story.suffix(2) == ["rotate2 began", "rotate2 ended"], "\(pad.story)")
  }

  /// A hand's edge at the side, for long or large, is no finger of a tap or of pointing.
  @Test(arguments: [3.0, 50]) func aPalmAtTheSideDoesNotHinderATap(_ side: Double) {
    var pad = TestPad()
    pad.land((side, 30))
    pad.pass(600)
    pad.land((70, 25))
    pad.pass(80)
    pad.lift(1)
    let isPalm = side < 5
    #expect(pad.story.filter { $0.hasPrefix("tap") } == (isPalm ? ["tap1 recognized"] : []))
  }

  /// A finger that has pointed from the side on is no hand's edge.
  @Test func aFingerThatCameFromTheSideTakesPart() {
    var pad = TestPad()
    pad.land((3, 30))
    pad.pass(300)
    pad.pass(300, moving: (40, 0))
    pad.land((62, 28))
    pad.pass(80)
    pad.pass(60, moving: (4, 0), (4, 0))
    #expect(pad.story.last == "drag2 began", "\(pad.story)")
  }

  /// The motion that a drag has reported is not that of the swipe which follows it.
  @Test func aSwipeAfterADragCountsFromThere() throws {
    var pad = TestPad()
    pad.land((20, 30), (36, 30))
    pad.pass(80)
    pad.pass(400, moving: (20, 0), (20, 0))
    pad.land((56, 30))
    pad.pass(160, moving: (20, 0), (20, 0), (20, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended", "swipe3 began", "swipe3 ended"])
    let whole = pad.gestures.filter { $0.phase == .ended }.map(\.translation.millimetres.x)
    #expect(abs(whole.reduce(0, +) - 40) < 2, "\(whole)")
  }

  @Test(arguments: [(8, 30.0), (8, 11)] as [(Double, Float)])
  func aLargePalmMayLieFurtherIn(_ side: Double, _ major: Float) {
    var pad = TestPad()
    pad.land((side, 30), major: major)
    pad.pass(300)
    pad.land((60, 25), major: 10)
    pad.pass(200, moving: (0, 0), (25, 0))
    pad.liftAll()
    #expect(pad.story == (major > 20 ? [] : ["drag2 began", "drag2 ended"]), "\(pad.story)")
  }
}
