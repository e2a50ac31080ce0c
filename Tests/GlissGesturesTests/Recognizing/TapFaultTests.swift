import GlissEvents
import GlissGestures
import Testing

/// Taps beside contacts that are no fingers, and taps whose fingers land late, slide or roll.
@Suite struct TapFaultTests {
  /// However late it lands: it does not shorten the time that the others share.
  @Test(arguments: [16, 48, 80, 88] as [Int64])
  func aContactOfOneFrameIsNoPartOfATap(landing: Int64) {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(landing)
    pad.land((80, 20))
    pad.pass(8)
    pad.lift(2)
    pad.pass(112 - landing)
    pad.liftAll()
    #expect(pad.story == ["tap2 recognized"])
  }

  /// Even if it lifts with the fingers.
  @Test(arguments: [80, 96, 120, 144] as [Int64])
  func aContactOfTheLastFramesIsNoPartOfATap(landing: Int64) {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(landing)
    pad.land((80, 20))
    pad.pass(16)
    pad.liftAll()
    #expect(pad.story == ["tap2 recognized"])
  }

  /// A finger that lands late in a short tap is one, so the others did not tap alone.
  @Test(arguments: [(48, 20), (56, 20), (80, 20)] as [(Int64, Int64)])
  func aLateFingerIsNoGraze(landing: Int64, length: Int64) {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(landing)
    if landing == 80 { pad.land((55, 30), (70, 30)) } else { pad.land((55, 30)) }
    pad.pass(length)
    pad.liftAll()
    #expect(pad.story.isEmpty)
  }

  /// A tap may last longer by as much as its last finger lands after 90 ms.
  @Test(arguments: [(0, 248, true), (0, 256, false), (128, 288, true), (128, 296, false)])
  func aTapWithALateFingerMayLastLonger(landing: Int64, length: Int64, taps: Bool) {
    var pad = TestPad()
    if landing == 0 {
      pad.land((40, 30), (55, 30))
    } else {
      pad.land((40, 30))
      pad.pass(landing)
      pad.land((55, 30))
    }
    pad.pass(length - landing)
    pad.liftAll()
    #expect(pad.story == (taps ? ["tap2 recognized"] : []))
  }

  /// Fingers that roll over the pad make no tap of all.
  @Test func fingersThatRollDoNotTap() {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(100)
    pad.land((55, 30))
    pad.pass(60)
    pad.lift(0)
    pad.pass(80)
    pad.liftAll()
    #expect(pad.story.isEmpty)
  }

  /// A late finger may tap only if the fingers lie still.
  @Test func aShortDragWhoseSecondFingerLandsLateIsNoTap() {
    var pad = TestPad()
    pad.land((40, 30))
    pad.pass(112)
    pad.land((55, 30))
    pad.pass(40)
    pad.pass(80, moving: (0, 2.4), (0, 2.4))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  /// What two fingers make that lie still, go `way` mm in 16 ms, rest, and lift.
  private func slide(
    _ way: (Double, Double) = (0, 2.2), after still: Int64 = 96, rest: Int64 = 0,
    lifts apart: Int64 = 0
  ) -> [String] {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(still)
    pad.pass(16, moving: way, way)
    pad.pass(rest)
    if apart > 0 {
      pad.lift(0)
      pad.pass(apart)
    }
    pad.liftAll()
    return pad.story
  }

  /// The gesture that their slide began is undone.
  @Test(arguments: [(2.2, 0.0), (0, -2.2), (-1.8, 1)])
  func fingersOfATapMaySlideAsTheyLift(way: (Double, Double)) {
    #expect(slide(way) == ["drag2 began", "drag2 cancelled", "tap2 recognized"])
  }

  /// Nor do they have to lift at once.
  @Test(arguments: [8, 24, 48] as [Int64])
  func fingersOfATapMaySlideAndLiftOneAfterTheOther(apart: Int64) {
    #expect(slide(lifts: apart) == ["drag2 began", "drag2 cancelled", "tap2 recognized"])
  }

  /// The pad may only have lost the contact of one: the drag goes on.
  @Test func fingersThatSeemedToLiftMayDrag() {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(96)
    pad.pass(16, moving: (0, 2.2), (0, 2.2))
    pad.lift(0)
    pad.pass(8, moving: (0, 1))
    pad.land((40, 33.2))
    pad.pass(48, moving: (0, 8), (0, 8))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs((pad.gestures.last?.translation.millimetres.y ?? 0) - 11.2) < 0.3)
  }

  /// However many they are.
  @Test func fiveFingersOfATapMaySlide() {
    var pad = TestPad()
    pad.land((10, 30), (25, 30), (40, 30), (55, 30), (70, 30))
    pad.pass(80)
    pad.pass(16, moving: (0, 2.1), (0, 2.1), (0, 2.1), (0, 2.1), (0, 2.1))
    for _ in 0..<4 {
      pad.lift(0)
      pad.pass(8)
    }
    pad.liftAll()
    #expect(pad.story == ["swipe5 began", "swipe5 cancelled", "tap5 recognized"])
  }

  /// The finger that lifts last may have gone less far than the others.
  @Test func aShortSwipeIsNoSlideIfItsSlowestFingerLiftsLast() {
    var pad = TestPad()
    pad.land((30, 40), (45, 40), (60, 40))
    pad.pass(80)
    pad.pass(24, moving: (4.2, 0), (3.6, 0), (2.2, 0))
    pad.lift(0)
    pad.pass(8)
    pad.lift(0)
    pad.pass(8)
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// The next tap may follow at once, and counts.
  @Test func aSlidingTapMayBeTheFirstOfTwo() {
    var pad = TestPad()
    pad.land((40, 30), (55, 30))
    pad.pass(80)
    pad.pass(16, moving: (0, 2.2), (0, 2.2))
    pad.lift(0)
    pad.pass(8)
    pad.liftAll()
    pad.pass(64)
    pad.land((40, 30), (55, 30))
    pad.pass(64)
    pad.liftAll()
    #expect(pad.story.filter { $0.hasPrefix("tap") }.count == 2)
    #expect(pad.gestures.last?.count == 2)
  }

  /// They scroll if they go farther, lift later or have lain for longer, or if one of them stays.
  @Test func otherFingersScroll() {
    let scroll = ["drag2 began", "drag2 ended"]
    #expect(slide((0, 4)) == scroll)
    #expect(slide(rest: 40) == scroll)
    #expect(slide(after: 264) == scroll)
    #expect(slide(lifts: 64) == scroll)
  }

  /// A swipe that has ended is no tap, whatever the fingers that stay do.
  @Test func theRestOfASwipeIsNoTap() {
    var pad = TestPad()
    pad.land((30, 40), (45, 40), (60, 40))
    pad.pass(48)
    pad.pass(16, moving: (2, 0), (2, 0), (2, 0))
    pad.lift(1)
    pad.pass(96)
    pad.pass(16, moving: (-2, 2), (-2, 2))
    pad.liftAll()
    let story = ["swipe3 began", "swipe3 ended", "drag2 began", "drag2 ended"]
    #expect(pad.story == story)
  }

  /// A thumb comes down to click while a finger points.
  @Test(arguments: [0.0, 0.3]) func aThumbThatLandsBesideAPointingFingerRests(roll: Double) {
    var pad = TestPad()
    pad.land((60, 20))
    pad.pass(200, moving: [(15, 5)])
    pad.land((45, 56))
    pad.pass(300, moving: (-20, 4), (roll, roll))
    pad.liftAll()
    #expect(pad.story == [])
    #expect(pad.decisions.first?.rested == 2)
  }

  /// It is the second finger of a scroll if it moves along.
  @Test func aLowFingerThatLandsBesideAPointingOneMayScroll() {
    var pad = TestPad()
    pad.land((60, 20))
    pad.pass(200, moving: [(5, 15)])
    pad.land((45, 56))
    pad.pass(48)
    pad.pass(300, moving: (0, -25), (0, -25))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }
}
