import GlissEvents
import Testing

@testable import GlissDevices

/// What the twin of a touchpad tells the desktop.
@Suite struct TwinMachineTests {
  private static let three = FingerCounts([3])

  private func rig(_ counts: Int...) throws -> TwinRig {
    try #require(TwinRig(FingerCounts(counts)))
  }

  /// Three fingers land and go 2 mm: the stroke waits.
  private func waiting(_ counts: Int..., fingers: Int = 3) throws -> TwinRig {
    var rig = try #require(TwinRig(FingerCounts(counts)))
    rig.land(fingers: fingers)
    let landed = rig.twin.places
    rig.move(fingers: fingers, by: 20)
    #expect(rig.machine.isUndecided && rig.twin.places == landed && rig.twin.palms == [])
    return rig
  }

  @Test(arguments: 1...2)
  func fewFingersPassUntouched(fingers: Int) throws {
    var rig = try rig(3, 4, 5)
    for slot in 0..<fingers { rig.land(slot, x: 100 * Int32(slot) + 50) }
    #expect(rig.end() == rig.last)
    for _ in 0..<20 {
      for slot in 0..<fingers { rig.move(slot, by: 15) }
      #expect(rig.end() == rig.last)
    }
    rig.press(true)
    #expect(rig.end() == rig.last)
    rig.press(false)
    for slot in 0..<fingers { rig.lift(slot) }
    #expect(rig.end() == rig.last)
  }

  /// What is dragged with a held button would stop on the way.
  @Test func aStrokeWithAHeldButtonIsTheDesktops() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.press(true)
    rig.end()
    for _ in 0..<10 {
      rig.move(fingers: 3, by: 15)
      #expect(rig.twin == rig.pad)
    }
    rig.decide(keeps: true)
    rig.move(fingers: 3, by: 15)
    #expect(rig.twin == rig.pad)
    rig.press(false)
    rig.end()
    rig.decide(keeps: true)
    #expect(rig.twin.palms.count == 3)
  }

  /// After a click without motion it is hidden from its first millimetre on, as without the click.
  @Test func aStrokeAfterAClickIsHiddenFromItsBeginning() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    for isDown in [true, false] {
      rig.press(isDown)
      rig.end()
      #expect(rig.twin == rig.pad)
    }
    rig.move(fingers: 3, by: 20)
    #expect(rig.machine.isUndecided)
  }

  /// The desktop has seen the way that they went with the button down.
  @Test func aButtonThatIsReleasedHidesNothing() throws {
    var rig = try rig(3)
    rig.land(0, x: 50)
    rig.press(true)
    rig.end()
    for slot in 1...2 { rig.land(slot, x: 100 * Int32(slot) + 50) }
    rig.end()
    for _ in 0..<10 { rig.move(fingers: 3, by: 15) }
    rig.press(false)
    rig.end()
    #expect(rig.twin == rig.pad)
    rig.move(fingers: 3, by: 2)
    #expect(rig.twin == rig.pad)
    rig.move(fingers: 3, by: 20)
    #expect(rig.machine.isUndecided)
  }

  @Test func aLateVerdictDoesNotHideADragThatAClickHasGivenBack() throws {
    var rig = try waiting(3)
    rig.press(true)
    rig.end()
    rig.decide(keeps: true)
    #expect(rig.twin == rig.pad)
  }

  @Test func aTapOfThreePasses() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 8)
    #expect(rig.twin.fingers == [0, 1, 2])
    rig.lift(fingers: 3)
    #expect(rig.twin == rig.pad)
  }

  @Test(arguments: [[], [4], [5], [4, 5]])
  func otherNumbersOfFingersPass(counts: [Int]) throws {
    var rig = try #require(TwinRig(FingerCounts(counts)))
    rig.land(fingers: 3)
    for _ in 0..<10 {
      rig.move(fingers: 3, by: 15)
      #expect(rig.twin == rig.pad)
    }
  }

  /// In the frame in which a finger has gone far enough, before the desktop sees that.
  @Test(arguments: [(0.0, 12, false), (0, 14, true), (200, 9, false), (200, 10, true)])
  func framesWaitOnceAFingerHasMoved(pause: Double, way: Int32, waits: Bool) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.wait(milliseconds: pause)
    rig.move(1, by: way)
    rig.end()
    #expect(rig.machine.isUndecided == waits && (rig.twin == rig.pad) == !waits)
  }

  @Test func aStrokeThatIsKeptIsHiddenUntilItEnds() throws {
    var rig = try waiting(3)
    rig.decide(keeps: true)
    // palms where the desktop last saw them, in a frame before those that waited
    #expect(rig.last.firstIndex { $0.isReport } == 7 && rig.last[7].time < rig.last[8].time)
    #expect(rig.twin.palms == [0, 1, 2] && rig.twin.places == rig.pad.places)
    #expect(rig.machine.deadline == nil)
    rig.wait(milliseconds: 5000)
    for _ in 0..<10 { rig.move(fingers: 3, by: 15) }
    #expect(rig.twin.fingers == [])
    rig.lift(2)
    rig.end()
    #expect(rig.twin.fingers == [])
    rig.lift(fingers: 2)
    #expect(rig.twin.places == rig.pad.places)
    // and the next one is the desktop's again
    rig.land(0, x: 500)
    #expect(rig.end() == rig.last)
    #expect(rig.twin.fingers == [0])
  }

  /// A desktop that disables the pad meanwhile does not see the tools of what lands next.
  @Test(arguments: [false, true]) func noSlotStaysAPalm(isLeft: Bool) throws {
    var rig = try waiting(3)
    rig.decide(keeps: true)
    #expect(rig.twin.palms == [0, 1, 2])
    if isLeft { rig.letGo() } else { rig.lift(fingers: 3) }
    #expect(rig.twin.slots.allSatisfy { $0.id < 0 && $0.tool == ToolType.finger })
    // in a frame of its own: what lifts as a finger may be a tap
    let tools = rig.last.filter { $0.code == AbsoluteAxis.toolType.rawValue }
    let lifting = rig.last.prefix { !$0.isReport }
    #expect(tools.count == 3 && !lifting.contains { tools.contains($0) })
    #expect(rig.last.count { $0.isReport } == 2)
  }

  /// At 125, 300 and 600 mm/s.
  @Test(arguments: [10, 24, 48] as [Int32])
  func aStrokeThatIsGivenBackIsTheSameButLater(step: Int32) throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    for _ in 0..<6 { rig.move(fingers: 3, by: step) }
    rig.decide(keeps: false)
    var times: [EventTime] = []
    for _ in 0..<9 {
      let before = rig.passed.count
      rig.wait(milliseconds: 2)
      let frames = rig.passed[before...].count { $0.isReport }
      #expect(frames <= 1 && rig.said.starts(with: rig.passed))
      if frames > 0 { times.append(rig.time) }
    }
    // libinput sees no jump: frames follow in time, half as fast again as they came
    let gaps = zip(times, times.dropFirst()).map { ($1 - $0).milliseconds }
    #expect(gaps.count > 1 && gaps.allSatisfy { $0 >= 4 }, "\(gaps)")
    var frames = 0
    while rig.machine.isLate, frames < 40 {
      rig.move(fingers: 3, by: step)
      rig.wait(milliseconds: 0)
      frames += 1
      #expect(rig.said.starts(with: rig.passed))
    }
    #expect((5..<20).contains(frames) && rig.passed == rig.said && rig.twin == rig.pad, "\(frames)")
    // the pad's next frame must not follow at once, either
    rig.move(fingers: 3, by: step)
    #expect(rig.twin != rig.pad)
    rig.finish()
    rig.move(fingers: 3, by: step)
    #expect(rig.twin == rig.pad && rig.machine.deadline == nil)
  }

  @Test func withoutAVerdictItIsGivenBackInTime() throws {
    var rig = try waiting(3)
    let deadline = try #require(rig.machine.deadline)
    let left = (deadline - rig.time).milliseconds
    #expect(left > 100 && left <= 120)
    rig.wait(milliseconds: left - 1)
    #expect(rig.last == [] && rig.twin != rig.pad)
    rig.wait(milliseconds: 1)
    rig.finish()
    #expect(rig.twin == rig.pad && rig.machine.deadline == nil)
  }

  @Test func aClickGivesItBack() throws {
    var rig = try waiting(3)
    rig.press(true)
    rig.end()
    #expect(rig.twin == rig.pad && rig.machine.deadline == nil)
    // and does not wait at all if it begins with the click
    rig = try self.rig(3)
    rig.land(fingers: 3)
    rig.press(true)
    rig.move(fingers: 3, by: 20)
    #expect(rig.twin == rig.pad)
  }

  @Test func aFingerBeyondThoseOfRulesGivesItBack() throws {
    var rig = try waiting(3)
    rig.land(3, x: 900)
    rig.end()
    #expect(!rig.machine.isUndecided)
    rig.finish()
    #expect(rig.twin == rig.pad && rig.machine.deadline == nil)
    rig.move(fingers: 4, by: 20)
    #expect(rig.twin == rig.pad)
  }

  @Test(arguments: [false, true]) func aFingerThatJoinsWaitsWithTheRest(keeps: Bool) throws {
    var rig = try waiting(3, 4)
    rig.land(3, x: 900)
    rig.end()
    #expect(rig.machine.isUndecided && rig.twin.ids[3] < 0)
    rig.decide(keeps: keeps)
    rig.finish()
    #expect(rig.twin.palms == (keeps ? [0, 1, 2, 3] : []) && rig.twin.places == rig.pad.places)
    // one more lands than rules want
    rig.land(4, x: 950)
    rig.end()
    rig.move(fingers: 5, by: 20)
    rig.finish()
    #expect(rig.twin.palms == (keeps ? [0, 1, 2, 3, 4] : []))
    #expect(rig.twin.places == rig.pad.places)
  }

  /// What was given back may be hidden with another number of fingers.
  @Test func anotherFingerMayMakeItARulesStroke() throws {
    var rig = try waiting(3, 4)
    rig.decide(keeps: false)
    rig.land(3, x: 900)
    rig.end()
    rig.move(fingers: 4, by: 5)
    rig.finish()
    #expect(rig.twin == rig.pad)
    rig.move(fingers: 4, by: 20)
    #expect(rig.machine.isUndecided)
    rig.decide(keeps: true)
    #expect(rig.twin.palms == [0, 1, 2, 3])
  }

  /// A contact that is back within 60 ms was only lost; later it is another finger.
  @Test(arguments: [(2, true), (6, true), (9, false)])
  func aStrokeDoesNotWaitAgainForALostContact(frames: Int, isBack: Bool) throws {
    var rig = try waiting(3)
    rig.decide(keeps: false)
    for _ in 0..<10 { rig.move(fingers: 3, by: 15) }
    rig.lift(2)
    for _ in 0..<frames { rig.move(fingers: 2, by: 15) }
    rig.land(2, x: rig.pad.slots[1].x + 150)
    rig.end()
    for _ in 0..<3 { rig.move(fingers: 3, by: 20) }
    #expect(rig.machine.isUndecided == !isBack)
  }

  /// With a flick the verdict comes with the last motion. It may also come after the stroke was given back.
  @Test(arguments: [(true, false), (false, false), (false, true)])
  func aThumbThatRestsDoesNotKeepThePadDead(_ movesOn: Bool, isGivenBack: Bool) throws {
    var rig = try rig(3)
    rig.land(4, x: 10)
    rig.end()
    for slot in 0..<2 { rig.land(slot, x: 200 + 150 * Int32(slot)) }
    rig.end()
    rig.move(fingers: 2, by: 20)
    #expect(rig.machine.isUndecided)
    if isGivenBack { rig.decide(keeps: false) }
    for _ in 0..<(isGivenBack ? 9 : 0) { rig.move(fingers: 2, by: 5) }
    rig.decide(keeps: true)
    if movesOn { rig.move(fingers: 2, by: 20) }
    rig.lift(fingers: 2)
    #expect(rig.twin.palms == [4], "the thumb was hidden, and stays so")
    rig.land(0, x: 300)
    rig.end()
    rig.move(0, by: 40)
    rig.end()
    #expect(rig.twin.fingers == [0])
  }

  @Test func aRestingContactIsAPalmWhileItRests() throws {
    var rig = try rig(3)
    rig.land(4, x: 10)
    rig.land(0, x: 300)
    rig.end()
    rig.rest([4])
    #expect(rig.twin.palms == [4] && rig.twin.current == rig.pad.current)
    rig.move(0, by: 5)
    #expect(rig.end() == rig.last)
    // it wakes
    rig.rest([])
    #expect(rig.twin == rig.pad)
    // the slot's next contact is a finger
    rig.rest([4])
    rig.lift(4)
    rig.end()
    rig.land(4, x: 20)
    rig.end()
    #expect(rig.twin == rig.pad)
  }

  /// Two fingers scroll, and rules consume three.
  @Test func restingContactsAreNotCounted() throws {
    var rig = try rig(3)
    rig.land(4, x: 10)
    rig.end()
    rig.rest([4])
    for slot in 0..<2 { rig.land(slot, x: 200 + 150 * Int32(slot)) }
    rig.end()
    for _ in 0..<5 { rig.move(fingers: 2, by: 20) }
    #expect(rig.twin.fingers == [0, 1] && rig.twin.palms == [4])
    #expect(rig.twin.places == rig.pad.places)
  }

  /// The recognizer finds at once that a thumb rests and that a rule wants the swipe of the others.
  @Test func aStrokeBesideAThumbIsKept() throws {
    var rig = try rig(3)
    rig.land(fingers: 4)
    rig.move(fingers: 3, by: 20)
    #expect(rig.twin == rig.pad)
    rig.rest([3])
    rig.decide(keeps: true)
    #expect(rig.twin.fingers == [])
    rig.lift(fingers: 3)
    #expect(rig.twin.palms == [3])
  }

  /// A contact that lands where the slot's last one was says neither x nor y.
  @Test func aContactMayLackItsPosition() throws {
    var rig = try rig(3)
    rig.land(fingers: 3)
    rig.lift(fingers: 3)
    rig.land(fingers: 3)
    rig.move(2, by: 14)
    rig.end()
    #expect(rig.machine.isUndecided)
  }

  @Test func aVerdictOnAnotherStrokeChangesNothing() throws {
    var rig = try waiting(3)
    let old = rig.time
    rig.lift(fingers: 3)
    rig.wait(milliseconds: 50)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    rig.decide(keeps: false, at: old)
    #expect(rig.machine.isUndecided)
    rig.decide(keeps: false, at: rig.time + .milliseconds(1500))
    #expect(rig.machine.isUndecided)
    rig.decide(keeps: true)
    #expect(rig.twin.palms == [0, 1, 2])
    rig.decide(keeps: false)
    #expect(rig.twin == rig.pad, "a later one replaces an earlier one")
  }

  /// The focus changes during a swipe that the desktop has.
  @Test func rulesThatComeDuringAStrokeDoNotStopIt() throws {
    var rig = try rig(4)
    rig.land(fingers: 3)
    for _ in 0..<4 { rig.move(fingers: 3, by: 20) }
    rig.allow(Self.three)
    for _ in 0..<4 {
      rig.move(fingers: 3, by: 20)
      #expect(rig.twin == rig.pad && !rig.machine.isLate)
    }
    rig.lift(fingers: 3)
    rig.land(fingers: 3)
    rig.move(fingers: 3, by: 20)
    #expect(rig.machine.isUndecided)
  }

  @Test func withoutRulesTheUndecidedIsGivenBackAndTheKeptStaysHidden() throws {
    var rig = try waiting(3)
    rig.allow([])
    rig.finish()
    #expect(rig.twin == rig.pad)
    rig = try waiting(3)
    rig.decide(keeps: true)
    rig.allow([])
    rig.move(fingers: 3, by: 20)
    #expect(rig.twin.palms == [0, 1, 2])
  }

  @Test func contactsEndAtTheTwinWhenItIsLeft() throws {
    for fingers in 1...4 {
      var rig = try rig(3)
      rig.land(fingers: fingers)
      rig.move(fingers: fingers, by: 20)
      let (waits, way) = (rig.machine.isUndecided, rig.twin.places)
      rig.letGo()
      #expect(rig.twin.ids.allSatisfy { $0 < 0 } && rig.twin.faults == [])
      // as palms, which are no tap: in a frame, then what waited, then they lift, then their slots
      // are no palms any more
      #expect(waits == (fingers == 3))
      #expect(rig.last.count { $0.isReport } == (waits ? 4 : 3))
      var seen = PadView()
      for event in rig.last.prefix(while: { !$0.isReport }) { seen.take(event) }
      #expect(seen.slots.count { $0.tool == ToolType.palm } == fingers && way.count == 5)
    }
  }

  /// Libraries drop a contact that begins while the slot has one.
  @Test func aContactThatWasReplacedInALossEnds() throws {
    var rig = try rig(3)
    rig.land(fingers: 2)
    rig.lift(0)
    rig.land(0, x: 700)
    rig.lose()
    #expect(rig.twin.faults == [] && rig.twin.places == rig.pad.places)
    rig.lift(fingers: 2)
    #expect(rig.twin.ids == rig.pad.ids)
  }

  /// Such pads report palms themselves.
  @Test func thePadsToolsPass() throws {
    var device = TwinRig.device
    device.axes[.toolType] = AxisRange(minimum: 0, maximum: 2)
    var rig = try #require(TwinRig(Self.three, of: device))
    rig.land(0, x: 100)
    for tool in [2, 0, 2] as [Int32] {
      rig.say(0, .toolType, tool)
      rig.end()
      #expect(rig.twin == rig.pad && rig.last.count { $0.isReport } == 1)
    }
    // a palm does not count as a finger
    rig.land(1, x: 300)
    rig.land(2, x: 500)
    rig.end()
    rig.move(1, by: 30)
    rig.end()
    #expect(rig.twin == rig.pad)
    rig.say(0, .toolType, 0)
    rig.end()
    rig.move(1, by: 30)
    rig.end()
    #expect(rig.machine.isUndecided)
    rig.say(0, .toolType, 2)
    rig.end()
    rig.decide(keeps: true)
    #expect(rig.twin.palms == [0, 1, 2])
    rig.decide(keeps: false)
    #expect(rig.twin == rig.pad && rig.twin.fingers == [1, 2])
  }

  /// The pad does not report the tool again.
  @Test func aSlotIsAPalmOnlyWhileItsContactIsOne() throws {
    var device = TwinRig.device
    device.axes[.toolType] = AxisRange(minimum: 0, maximum: 2)
    var rig = try #require(TwinRig(Self.three, of: device))
    rig.land(0, x: 100)
    rig.say(0, .toolType, ToolType.palm)
    rig.end()
    rig.lift(0)
    rig.end()
    #expect(rig.pad.slots[0].tool == ToolType.palm && rig.twin.slots[0].tool == ToolType.finger)
    rig.land(0, x: 120)
    rig.end()
    #expect(rig.twin == rig.pad && rig.twin.palms == [0] && rig.last.count { $0.isReport } == 1)
  }

  @Test func padsWithFewSlotsHaveNoTwin() {
    var device = TwinRig.device
    device.axes[.slot] = AxisRange(minimum: 0, maximum: 1)
    #expect(TwinRig(of: device) == nil)
    device.axes[.slot] = nil
    #expect(TwinRig(of: device) == nil)
  }
}
