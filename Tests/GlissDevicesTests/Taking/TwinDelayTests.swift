import GlissEvents
import Testing

@testable import GlissDevices

/// The end of a stroke waits for the verdict, and until fingers have caught up.
@Suite struct TwinDelayTests {
  private func rig(_ counts: Int...) throws -> TwinRig {
    try #require(TwinRig(FingerCounts(counts)))
  }

  /// Three fingers land and go 2 mm: the stroke is hidden.
  private func hidden(_ counts: Int...) throws -> TwinRig {
    var rig = try #require(TwinRig(FingerCounts(counts)))
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    #expect(rig.twin.palms == [0, 1, 2])
    return rig
  }

  /// Three fingers flick 12 mm in three frames and lift before there is a verdict.
  private func flicked() throws -> TwinRig {
    var rig = try rig(3)
    rig.land(fingers: 3)
    for _ in 0..<3 { rig.move(fingers: 3, by: 40) }
    rig.lift(fingers: 3)
    #expect(rig.twin.palms == [0, 1, 2], "the lift waits for the verdict")
    return rig
  }

  @Test func aFlickThatIsGivenBackAfterItsEndIsAllThere() throws {
    var rig = try flicked()
    let lifted = rig.time + .milliseconds(-8)
    rig.decide(keeps: false, at: lifted)
    var way: [[Int32]] = []
    while rig.twin.ids.contains(where: { $0 >= 0 }), way.count < 20 {
      rig.wait(milliseconds: 8)
      if rig.twin.fingers == [0, 1, 2] { way.append(rig.twin.slots.prefix(3).map(\.x)) }
    }
    #expect(way.first == [200, 350, 500] && way.last == [320, 470, 620], "\(way)")
    #expect(way.count > 3 && way.count < 9, "it goes its way in some frames: \(way)")
    #expect(rig.twin.places == rig.pad.places && rig.machine.deadline == nil)
  }

  /// A thumb is found to rest meanwhile.
  @Test func theWayBeforeAThumbRestsIsNotLost() throws {
    var rig = try rig(3, 4)
    rig.land(fingers: 4)
    for _ in 0..<4 { rig.move(fingers: 3, by: 20) }
    #expect(rig.twin.palms == [0, 1, 2, 3])
    rig.rest([3])
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: false)
    rig.move(fingers: 3, by: 20)
    #expect(rig.twin.fingers == [0, 1, 2])
    #expect(rig.twin.slots.prefix(3).map(\.x) == [200, 350, 500])
  }

  @Test func aFlickThatIsKeptEndsAtOnce() throws {
    var rig = try flicked()
    rig.decide(keeps: true, at: rig.time + .milliseconds(-8))
    rig.wait(milliseconds: 0)
    #expect(rig.twin.ids == rig.pad.ids && rig.machine.deadline == nil && rig.last.isEmpty == false)
  }

  @Test func aFlickWithoutAVerdictIsGivenBackInTime() throws {
    var rig = try flicked()
    rig.wait(milliseconds: 60)
    #expect(rig.twin.palms == [0, 1, 2])
    rig.wait(milliseconds: 60)
    #expect(rig.twin.fingers == [0, 1, 2])
    rig.finish()
    #expect(rig.twin.places == rig.pad.places)
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
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 40)
    rig.move(fingers: 3, by: 4)
    #expect(rig.machine.isLate)
    rig.decide(keeps: keeps, at: rig.time + .milliseconds(-8))
    #expect(rig.twin.ids == rig.pad.ids && !rig.machine.isLate)
    for _ in 0..<20 {
      rig.move(fingers: 3, by: 5)
      rig.wait(milliseconds: 0)
      if keeps { #expect(rig.twin.fingers == []) }
    }
    #expect(rig.twin.fingers == (keeps ? [] : [0, 1, 2]))
    rig.lift(fingers: 3)
    rig.finish()
    #expect(rig.twin.places == rig.pad.places)
  }

  /// Two of three lift, and the third goes on.
  @Test(arguments: [false, true]) func aFingerThatStaysIsNotLateForLong(isGivenBack: Bool) throws {
    var rig = try hidden(3)
    rig.lift(1)
    rig.lift(2)
    rig.end()
    if isGivenBack { rig.decide(keeps: false, at: rig.time + .milliseconds(-8)) }
    for frame in 0..<40 {
      rig.move(0, by: 6)
      rig.end()
      rig.wait(milliseconds: 0)
      if frame > 8 { #expect(!rig.machine.isLate && rig.twin.ids == rig.pad.ids, "\(frame)") }
    }
    #expect(rig.twin.places == rig.pad.places && rig.twin.fingers == [0])
  }

  @Test func aClickDoesNotWait() throws {
    var rig = try hidden(3)
    rig.lift(2)
    rig.end()
    #expect(rig.machine.isLate)
    rig.press(true)
    rig.end()
    #expect(rig.twin.keys == rig.pad.keys && rig.twin.ids == rig.pad.ids && !rig.machine.isLate)
  }

  /// A palm lifts, or events were lost: no finger has lifted.
  @Test(arguments: [false, true]) func onlyALiftOfTheStrokesFingersWaits(isLoss: Bool) throws {
    var rig = try rig(3)
    rig.land(4, x: 900)
    rig.say(4, .toolType, ToolType.palm)
    rig.end()
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    #expect(rig.twin.palms == [0, 1, 2, 4])
    if isLoss {
      rig.lose()
    } else {
      rig.lift(4)
      rig.end()
    }
    #expect(!rig.machine.isLate && rig.twin.ids == rig.pad.ids)
  }

  /// A thumb that rests lifts with the fingers of a flick, and another contact lands in a slot of theirs.
  @Test func aRestingContactIsAPalmUntilItsOwnEnd() throws {
    var rig = try rig(3)
    rig.land(3, x: 20)
    rig.end()
    rig.rest([3])
    rig.land(fingers: 3)
    for _ in 0..<3 { rig.move(fingers: 3, by: 40) }
    rig.lift(fingers: 4)
    rig.rest([])
    rig.land(0, x: 20)
    rig.end()
    rig.rest([0])
    rig.decide(keeps: false, at: rig.time + .milliseconds(-16))
    var most: [Int] = []
    for _ in 0..<40 {
      if rig.twin.fingers.count > most.count { most = rig.twin.fingers }
      rig.wait(milliseconds: 2)
    }
    #expect(most == [0, 1, 2], "\(most)")
    rig.move(0, by: 5)
    rig.end()
    #expect(rig.twin.palms == [0] && rig.twin.ids == rig.pad.ids)
  }

  /// Fingers that were given back lift before they have caught up.
  @Test func aLiftWaitsUntilFingersAreThere() throws {
    var rig = try hidden(3)
    for _ in 0..<4 { rig.move(fingers: 3, by: 50) }
    rig.decide(keeps: false)
    rig.move(fingers: 3, by: 50)
    rig.move(fingers: 3, by: 50)
    let last = rig.pad.places
    rig.lift(fingers: 3)
    #expect(rig.twin.fingers == [0, 1, 2] && rig.twin.places != last)
    var places = rig.twin.places
    while rig.machine.deadline != nil {
      rig.wait(milliseconds: 1)
      if rig.twin.fingers == [0, 1, 2] { places = rig.twin.places }
    }
    #expect(places == last && rig.twin.ids == rig.pad.ids)
  }
}
