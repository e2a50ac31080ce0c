import GlissEvents
import Testing

@testable import GlissDevices

/// What lifts, lands, rests and gets lost on the pad while frames wait for a verdict.
@Suite struct TwinWaitingTests {
  private func rig(_ counts: Int...) throws -> TwinRig {
    try #require(TwinRig(FingerCounts(counts)))
  }

  /// Three fingers flick 12 mm in three frames and lift before there is a verdict.
  private func flicked() throws -> (rig: TwinRig, said: [EvdevEvent], way: PadView) {
    var rig = try rig(3)
    rig.land(fingers: 3)
    let before = rig.twin
    var said: [EvdevEvent] = []
    for _ in 0..<3 {
      for slot in 0..<3 { rig.move(slot, by: 40) }
      said += rig.end()
    }
    for slot in 0..<3 { rig.lift(slot) }
    said += rig.end()
    #expect(rig.twin == before && rig.machine.isUndecided)
    return (rig, said, before)
  }

  @Test func aFlickThatIsGivenBackAfterItsEndIsAllThere() throws {
    var (rig, said, _) = try flicked()
    rig.decide(keeps: false, at: rig.time + .milliseconds(-8))
    rig.wait(milliseconds: 0)
    #expect(rig.passed.count { $0.isReport } == 1)
    rig.finish()
    #expect(rig.passed == said && rig.twin == rig.pad && rig.machine.deadline == nil)
  }

  /// Its fingers become palms before they lift.
  @Test func aFlickThatIsKeptEndsAsPalms() throws {
    var (rig, _, before) = try flicked()
    rig.decide(keeps: true, at: rig.time + .milliseconds(-8))
    #expect(rig.twin.ids == rig.pad.ids && rig.machine.deadline == nil)
    var seen = before
    for event in rig.last {
      seen.take(event)
      if event.isReport { #expect(seen.fingers == []) }
    }
    // the next stroke's are fingers again
    rig.land(fingers: 2)
    #expect(rig.twin.fingers == [0, 1] && rig.twin.places == rig.pad.places)
  }

  @Test func aFlickWithoutAVerdictIsGivenBackInTime() throws {
    var (rig, said, before) = try flicked()
    rig.wait(milliseconds: 60)
    #expect(rig.twin == before)
    rig.wait(milliseconds: 60)
    rig.finish()
    #expect(rig.passed == said && rig.machine.deadline == nil)
  }

  /// No frame of the one before waits any more.
  @Test func aTapBehindAFlickThatWasGivenBackIsNotLate() throws {
    var (rig, _, _) = try flicked()
    rig.decide(keeps: false, at: rig.time + .milliseconds(-8))
    rig.finish()
    rig.land(0, x: 20)
    #expect(rig.end() == rig.last && rig.machine.deadline == nil)
    rig.lift(0)
    #expect(rig.end() == rig.last && rig.twin == rig.pad)
  }

  /// The recognizer may find that a thumb rests, without the desktop being told of that.
  @Test(arguments: [(3, true), (5, false)])
  func aVerdictCountsWithMoreContactsThanFingers(allowed: Int, isKept: Bool) throws {
    var rig = try rig(allowed)
    rig.land(0, x: 10)
    rig.end()
    for slot in 1...3 { rig.land(slot, x: 200 + 150 * Int32(slot)) }
    rig.end()
    for slot in 1...3 { rig.move(slot, by: 20) }
    rig.end()
    #expect(rig.twin == rig.pad)
    rig.decide(keeps: true)
    #expect(rig.twin.palms == (isKept ? [0, 1, 2, 3] : []))
    for slot in 1...3 { rig.lift(slot) }
    rig.end()
    #expect(rig.twin.palms == (isKept ? [0] : []))
  }

  /// The focus changes while the fingers are down.
  @Test func aVerdictCountsIfItsRuleCameAfterTheFingers() throws {
    var rig = try rig()
    rig.land(0, x: 10)
    for slot in 1...3 { rig.land(slot, x: 200 + 150 * Int32(slot)) }
    rig.end()
    rig.allow(FingerCounts([3]))
    for slot in 1...3 { rig.move(slot, by: 20) }
    rig.end()
    #expect(rig.twin == rig.pad)
    rig.decide(keeps: true)
    #expect(rig.twin.palms == [0, 1, 2, 3])
  }

  /// The verdict comes a frame later, when the finger may have moved. A thumb rests beside it.
  @Test(arguments: [2, 20] as [Int32])
  func aFingerThatLandsAsAWaitingStrokeEndsIsTheDesktops(way: Int32) throws {
    var rig = try rig(4)
    rig.land(4, x: 10)
    rig.end()
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    #expect(rig.machine.isUndecided)
    for slot in 0..<3 { rig.lift(slot) }
    rig.land(3, x: 700)
    rig.end()
    rig.move(3, by: way)
    rig.end()
    rig.decide(keeps: true)
    rig.move(3, by: 2)
    rig.end()
    #expect(rig.twin.fingers == [3] && rig.twin.palms == [4])
    #expect(rig.twin.places == rig.pad.places)
  }

  /// Only one contact has moved far enough, and the pad loses it for a frame or replaces it.
  @Test(arguments: [false, true])
  func aContactThatWasLostIsPartOfTheStrokeThatWaits(isReplaced: Bool) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(0, by: 20)
    rig.move(1, by: 8)
    rig.move(2, by: 8)
    rig.end()
    #expect(rig.machine.isUndecided)
    rig.lift(0)
    if !isReplaced { rig.end() }
    rig.land(0, x: 220)
    rig.end()
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: true)
    rig.move(fingers: 3, by: 2)
    #expect(rig.twin.fingers == [] && rig.twin.palms == [0, 1, 2])
  }

  /// Only a thumb has moved far enough, and then it is found to rest.
  @Test func theFingersBesideAThumbThatMovedFirstAreTheStroke() throws {
    var rig = try rig(3, 4)
    rig.land(3, x: 20)
    rig.land(fingers: 3)
    rig.move(3, by: 20)
    rig.end()
    #expect(rig.machine.isUndecided)
    rig.rest([3])
    rig.move(fingers: 3, by: 8)
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: true)
    rig.move(fingers: 3, by: 2)
    #expect(rig.twin.fingers == [] && rig.twin.palms == [0, 1, 2, 3])
    // the stroke goes on, so a later verdict counts
    rig.decide(keeps: false)
    rig.move(fingers: 3, by: 2)
    #expect(rig.twin.fingers == [0, 1, 2] && rig.twin.palms == [3])
  }

  /// It lands as the last finger of the stroke lifts.
  @Test func aFingerThatLandsAsAKeptStrokeEndsIsTheDesktops() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: true)
    rig.lift(1)
    rig.lift(2)
    rig.end()
    rig.lift(0)
    rig.land(3, x: 700)
    rig.end()
    rig.move(3, by: 20)
    rig.end()
    #expect(rig.twin.fingers == [3] && rig.twin.places == rig.pad.places)
  }

  /// The next fingers landed in the same slots.
  @Test func fingersThatReplaceAKeptStrokeInALossAreTheDesktops() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: true)
    for slot in 0..<3 { rig.lift(slot) }
    for slot in 0..<3 { rig.land(slot, x: 250 + 150 * Int32(slot)) }
    rig.lose()
    rig.move(fingers: 3, by: 2)
    #expect(rig.twin.fingers == [0, 1, 2] && rig.twin.faults == [])
    #expect(rig.twin.places == rig.pad.places)
  }

  /// A contact ends and another begins in the frame in which the fingers have gone far enough.
  @Test(arguments: [false, true]) func aFingerMayLandForOneThatLifts(keeps: Bool) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 8)
    rig.lift(2)
    rig.land(3, x: 700)
    for slot in 0..<2 { rig.move(slot, by: 8) }
    rig.end()
    rig.move(fingers: 2, by: 20)
    rig.decide(keeps: keeps)
    rig.finish()
    #expect(rig.twin.places == rig.pad.places && rig.twin.palms == (keeps ? [0, 1, 3] : []))
  }

  /// The next stroke begins before there is a verdict on the one before.
  @Test(arguments: [false, true], [nil, 4] as [Int?])
  func theStrokeBehindAFlickIsDecidedForItself(keeps: Bool, palm: Int?) throws {
    var rig = try rig(3)
    if let palm {
      rig.land(palm, x: 900)
      rig.say(palm, .toolType, ToolType.palm)
      rig.end()
    }
    rig.land(fingers: 3)
    for _ in 0..<3 { rig.move(fingers: 3, by: 40) }
    rig.lift(fingers: 3)
    rig.wait(milliseconds: 24)
    #expect(rig.machine.isUndecided)
    rig.land(fingers: 3)
    #expect(rig.twin == rig.pad && !rig.machine.isUndecided)
    rig.move(fingers: 3, by: 40)
    rig.move(fingers: 3, by: 4)
    #expect(rig.machine.isUndecided)
    rig.decide(keeps: keeps, at: rig.time + .milliseconds(-8))
    for _ in 0..<20 {
      rig.move(fingers: 3, by: 5)
      #expect(rig.twin.fingers == (keeps ? [] : [0, 1, 2]))
    }
    rig.lift(fingers: 3)
    rig.finish()
    #expect(rig.twin.places == rig.pad.places && rig.machine.deadline == nil)
  }

  /// A stroke that is given back still follows when the next one begins, or when a rule wants it after all.
  @Test(arguments: [false, true]) func whatFollowsMayBeCutShort(keeps: Bool) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    for _ in 0..<6 { rig.move(fingers: 3, by: 20) }
    rig.decide(keeps: false)
    rig.wait(milliseconds: 4)
    #expect(rig.machine.isLate && rig.twin.palms == [])
    if keeps {
      rig.decide(keeps: true)
      #expect(rig.twin.palms == [0, 1, 2])
    } else {
      rig.lift(fingers: 3)
      #expect(rig.twin.fingers == [0, 1, 2])
      rig.land(fingers: 1)
    }
    #expect(rig.twin.places == rig.pad.places && !rig.machine.isLate)
  }

  /// Two of three lift, and the third goes on.
  @Test(arguments: [nil, false, true] as [Bool?])
  func aFingerThatStaysIsNotLateForLong(verdict: Bool?) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    rig.lift(1)
    rig.lift(2)
    rig.end()
    if let verdict { rig.decide(keeps: verdict, at: rig.time + .milliseconds(-8)) }
    for frame in 0..<40 {
      rig.move(0, by: 6)
      rig.end()
      rig.wait(milliseconds: 0)
      if frame > 15 { #expect(rig.twin.ids == rig.pad.ids, "\(frame)") }
    }
    // after 0.3 s, of which 0.1 s for the verdict that did not come
    if verdict == nil { for _ in 0..<12 { rig.move(fingers: 1, by: 6) } }
    rig.wait(milliseconds: 0)
    #expect(rig.twin.places == rig.pad.places)
    #expect(rig.twin.palms == (verdict == true ? [0] : []))
  }

  @Test(arguments: 0...2) func aClickPassesWithAllThatWaits(fingersLeft: Int) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    for slot in fingersLeft..<3 { rig.lift(slot) }
    rig.end()
    #expect(rig.machine.isUndecided)
    rig.press(true)
    rig.end()
    #expect(rig.twin == rig.pad && !rig.machine.isUndecided)
  }

  /// The pad is given back while a stroke that no rule wants still follows.
  @Test(arguments: [0, 3]) func whatFollowsIsNotCutOffWhenTheTwinIsLeft(fingersDown: Int) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    for _ in 0..<4 { rig.move(fingers: 3, by: 20) }
    for slot in fingersDown..<3 { rig.lift(slot) }
    if fingersDown < 3 { rig.end() }
    rig.allow([])
    #expect(rig.machine.isLate)
    var seen = rig.twin
    rig.letGo()
    for event in rig.last {
      seen.take(event)
      // contacts that are still down end as palms, which are no tap
      guard event.isReport, seen.ids.max() != -1 else { continue }
      #expect(seen.palms.isEmpty == (fingersDown == 0))
    }
    #expect(rig.twin.ids.allSatisfy { $0 < 0 } && rig.machine.deadline == nil)
  }

  @Test func aLossGivesItBack() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    rig.lift(2)
    rig.lose()
    #expect(rig.twin == rig.pad && rig.twin.faults == [])
  }

  /// A thumb is found to rest meanwhile: the way of the others still counts.
  @Test(arguments: [false, true]) func aThumbMayRestWhileFramesWait(keeps: Bool) throws {
    var rig = try rig(3, 4)
    rig.land(fingers: 4)
    for _ in 0..<4 { rig.move(fingers: 3, by: 20) }
    rig.rest([3])
    #expect(rig.last == [], "nothing is reported yet")
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: keeps)
    rig.finish()
    #expect(rig.twin.palms == (keeps ? [0, 1, 2, 3] : [3]))
    #expect(rig.twin.places == rig.pad.places)
    rig.lift(fingers: 3)
    #expect(rig.twin.palms == [3])
  }

  /// A thumb that rests lifts with the fingers of a flick, and another contact lands in a slot of theirs.
  @Test(arguments: [0, 3]) func aRestingContactIsAPalmUntilItsOwnEnd(thumb: Int) throws {
    var rig = try rig(3)
    rig.land(thumb, x: 20)
    rig.end()
    rig.rest([thumb])
    for slot in 0..<4 where slot != thumb { rig.land(slot, x: 300 + 100 * Int32(slot)) }
    rig.end()
    for _ in 0..<3 {
      for slot in 0..<4 where slot != thumb { rig.move(slot, by: 40) }
      rig.end()
    }
    #expect(rig.machine.isUndecided)
    let old = rig.pad.ids[thumb]
    rig.lift(fingers: 4)
    rig.rest([])
    var seen = rig.twin
    rig.land(0, x: 20)
    rig.end()
    for event in rig.last {
      seen.take(event)
      if event.isReport { #expect(!seen.fingers.contains { seen.slots[$0].id == old }) }
    }
    #expect(rig.twin.fingers == [0] && rig.twin.ids == rig.pad.ids)
    rig.rest([0])
    #expect(rig.twin.palms == [0])
  }
}
