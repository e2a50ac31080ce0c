import GlissEvents
import GlissGestures
import Testing

/// What pads report and no finger does: contacts that jump, that are lost for an instant, or that are not there.
@Suite struct FaultTests {
  /// One frame elsewhere, however far, is no motion.
  @Test(arguments: [10.0, 16, 19, 21, 30])
  func aContactThatJumpsAndComesBackChangesNothing(jump: Double) throws {
    var pad = TestPad()
    pad.land((40, 40), (60, 40))
    pad.pass(104)
    pad.pass(96, moving: (0, -12), (0, -12))
    pad.pass(8, moving: (jump, -1), (0, -1))
    pad.pass(8, moving: (-jump, -1), (0, -1))
    pad.pass(64, moving: (0, -8), (0, -8))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    let way = try #require(pad.gestures.last).translation.millimetres
    // a jump of 20 mm and more takes the finger's own motion of two frames along
    #expect(abs(way.x) < 0.1 && abs(way.y + 22) < 2.1, "\(way)")
  }

  /// Before a decision it would look like a pinch or a rotation.
  @Test(arguments: [(9.0, 0.0), (-12, 0), (8, 8), (0, -14), (0, 14)])
  func nothingIsDecidedInTheFrameOfAJump(x: Double, y: Double) {
    var pad = TestPad()
    pad.land((40, 40), (60, 40))
    pad.pass(304)
    pad.pass(8, moving: (0, -0.2), (0, -0.2))
    pad.pass(8, moving: (x, y), (0, -0.4))
    pad.pass(8, moving: (-x, -y - 0.8), (0, -0.4))
    pad.pass(96, moving: (0, -14), (0, -14))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
  }

  /// The fingers lift in the frame after it, so nothing shows what they meant.
  @Test(arguments: [(9.0, 0.0), (-12, 0), (8, 8), (0, -14), (0, 14)])
  func aJumpBeforeTheFingersLiftIsNoPinch(x: Double, y: Double) {
    var pad = TestPad()
    pad.land((40, 40), (60, 40))
    pad.pass(40)
    pad.pass(8, moving: (x, y), (0, -0.4))
    pad.liftAll()
    #expect(!pad.story.contains { $0.hasPrefix("pinch") || $0.hasPrefix("rotate") })
  }

  /// Three fingers, 15 mm apart, that have swiped 12 mm to the right.
  private var swiping: TestPad {
    var pad = TestPad()
    pad.land((30, 40), (45, 40), (60, 40))
    pad.pass(104)
    pad.pass(96, moving: (12, 0), (12, 0), (12, 0))
    return pad
  }

  /// A finger does not land again within 60 ms, so the swipe goes on.
  @Test(arguments: [8, 16, 32, 56])
  func aContactThatIsLostForAnInstantBeginsNoSecondSwipe(gap: Int64) {
    var pad = swiping
    pad.lift(1)
    pad.pass(gap, moving: (2, 0), (2, 0))
    pad.land((60, 40))
    pad.pass(120, moving: (15, 0), (15, 0), (15, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    // nor is the way lost that the others went meanwhile
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 29) < 0.1)
  }

  /// Nor does it begin a second gesture of two fingers, whose motion counts to the end.
  @Test(arguments: [
    ("drag", (10.0, 0.0), 1.0), ("pinch", (10.0, 0.0), 3), ("rotate", (0.0, 10.0), 2.24),
  ])
  func twoFingersMayLoseAContact(kind: String, way: (x: Double, y: Double), scale: Double) throws {
    var pad = TestPad()
    let other = kind == "drag" ? way : (-way.x, -way.y)
    pad.land((40, 35), (60, 35))
    pad.pass(104)
    pad.pass(96, moving: other, way)
    pad.lift(1)
    pad.pass(24, moving: (other.0 / 4, other.1 / 4))
    #expect(pad.story == ["\(kind)2 began"])
    pad.land((60 + way.x * 1.25, 35 + way.y * 1.25))
    pad.pass(72, moving: (other.0 * 0.75, other.1 * 0.75), (way.x * 0.75, way.y * 0.75))
    pad.liftAll()
    #expect(pad.story == ["\(kind)2 began", "\(kind)2 ended"])
    let end = try #require(pad.gestures.last)
    let translation = end.translation.millimetres
    #expect((translation - (kind == "drag" ? Vector2(x: 20, y: 0) : .zero)).length < 0.1)
    #expect(abs(end.scale - scale) < 0.02, "\(end.scale)")
  }

  /// As after any decision, another gesture may still replace it.
  @Test func aGestureThatLostAContactMayBeCorrected() {
    var pad = TestPad()
    pad.land((40, 35), (60, 35))
    pad.pass(104)
    pad.pass(40, moving: (0, 3), (0, 3))
    pad.lift(1)
    pad.pass(8)
    pad.land((60, 38))
    pad.pass(120, moving: (-12, 0), (12, 0))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 cancelled", "pinch2 began", "pinch2 ended"])
  }

  /// A finger that bounces as it lifts does not stop the others.
  @Test(arguments: [16, 32, 48] as [Int64])
  func aBounceKeepsTheVelocity(gap: Int64) {
    var pad = TestPad()
    pad.land((40, 20), (60, 20))
    pad.pass(64)
    pad.pass(80, moving: (0, 16), (0, 16))
    pad.lift(1)
    pad.pass(gap, moving: (0, Double(gap) / 5))
    pad.land((60, 36 + Double(gap) / 5))
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs((pad.gestures.last?.velocity.y ?? 0) - 200) < 20)
  }

  /// If the stream breaks meanwhile, its fingers have lifted.
  @Test func aGestureThatWaitsForAContactEndsWithTheStream() {
    var pad = TestPad()
    pad.land((40, 20), (60, 20))
    pad.pass(64)
    pad.pass(80, moving: (0, 8), (0, 8))
    pad.lift(1)
    pad.pass(16)
    pad.cancel()
    #expect(pad.story == ["drag2 began", "drag2 ended"])
    #expect(abs((pad.gestures.last?.velocity.y ?? 0) - 100) < 10)
  }

  /// More fingers than before are not those that were lost.
  @Test func aSwipeMayFollowADragOnAPadWithTwoSlots() {
    var pad = TestPad()
    pad.land((30, 40), (45, 40))
    pad.pass(104)
    pad.pass(96, moving: (12, 0), (12, 0))
    pad.lift(1)
    pad.pass(40)
    pad.hidden = 1
    pad.land((60, 40))
    pad.pass(200, moving: (15, 0), (15, 0))
    pad.hidden = 0
    pad.liftAll()
    #expect(pad.story == ["drag2 began", "drag2 ended", "swipe3 began", "swipe3 ended"])
  }

  /// Nor is a resting thumb that rolls as the hand leaves.
  @Test func aThumbThatRollsAsTheFingersLiftChangesNothing() {
    var pad = TestPad()
    pad.land((20, 57))
    pad.pass(400)
    pad.land((50, 20), (65, 20))
    pad.pass(160)
    pad.pass(160, moving: (0, 0), (0, 16), (0, 16))
    pad.lift(2)
    pad.pass(48, moving: (2.4, 0), (0, 4))
    pad.liftAll()
    #expect(pad.story.last == "drag2 ended", "\(pad.story)")
    #expect(abs((pad.gestures.last?.velocity.y ?? 0) - 100) < 10)
    #expect(abs(pad.gestures.last?.translation.millimetres.x ?? 0) < 0.1)
  }

  /// The pad may lose two contacts, and find them one after the other.
  @Test func aSwipeGoesOnWhenAllItsContactsAreBack() {
    var pad = swiping
    pad.lift(2)
    pad.pass(8)
    pad.lift(1)
    pad.pass(8, moving: (1, 0))
    pad.land((58, 40))
    pad.pass(8, moving: (1, 0), (1, 0))
    pad.land((74, 40))
    pad.pass(96, moving: (10, 0), (10, 0), (10, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 24) < 0.1)
  }

  /// If no contact comes back, the swipe ends, even if no frame comes either.
  @Test func aSwipeEndsWhenAFingerHasCertainlyLifted() {
    var pad = swiping
    pad.lift(1)
    #expect(pad.story == ["swipe3 began"])
    let lifted = pad.now
    #expect(pad.deadline == lifted + 60)
    pad.advance(to: lifted + 100)
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    #expect(pad.gestures.last?.time == EventTime(microseconds: (lifted + 60) * 1000))
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 12) < 0.1)
    // the fingers that stay may hold from then on
    #expect(pad.deadline == lifted + 660)
    pad.advance(to: lifted + 660)
    #expect(pad.story == ["swipe3 began", "swipe3 ended", "hold2 began"])
  }

  /// It ends as fast as it was when the first finger lifted.
  @Test(arguments: [8, 48, 80] as [Int64])
  func aSwipeEndsWithTheVelocityOfItsFirstLift(apart: Int64) {
    var pad = TestPad()
    pad.land((30, 40), (45, 40), (60, 40))
    pad.pass(64)
    pad.pass(48, moving: (20, 0), (20, 0), (20, 0))
    pad.lift(1)
    pad.pass(apart)
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    #expect(abs((pad.gestures.last?.velocity.x ?? 0) - 20 / 0.048) < 20)
  }

  /// The contact of a finger may get another identity within a frame.
  @Test func aContactThatIsReplacedStaysInItsSwipe() {
    var pad = swiping
    pad.replace(1)
    pad.pass(96, moving: (10, 0), (10, 0), (10, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 22) < 0.1)
  }

  /// A pad that shows two of three fingers may show another two.
  @Test func aPadWithTwoSlotsMayShowAnotherFinger() {
    var pad = TestPad()
    pad.hidden = 1
    pad.land((30, 40), (45, 40))
    pad.pass(104)
    pad.pass(96, moving: (12, 0), (12, 0))
    pad.replace(1, at: (72, 40))
    pad.pass(96, moving: (10, 0), (10, 0))
    pad.hidden = 0
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 22) < 0.1)
  }

  /// Nor two of its contacts, one of which leaves as many as a swipe needs.
  @Test func aSwipeOfFourMayLoseTwoContacts() {
    var pad = TestPad()
    pad.land((20, 40), (35, 40), (50, 40), (65, 40))
    pad.pass(104)
    pad.pass(96, moving: (12, 0), (12, 0), (12, 0), (12, 0))
    pad.lift(0)
    pad.pass(8, moving: (1, 0), (1, 0), (1, 0))
    pad.lift(0)
    pad.pass(16, moving: (2, 0), (2, 0))
    pad.land((35, 40))
    pad.pass(8, moving: (1, 0), (1, 0), (1, 0))
    pad.land((51, 40))
    pad.pass(96, moving: (10, 0), (10, 0), (10, 0), (10, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe4 began", "swipe4 ended"])
    // the frame in which a finger joins counts less
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 26) < 1)
  }

  /// However far the fingers of a slow pad go in a frame.
  @Test func aFastSwipeMayLoseAContact() {
    var pad = TestPad()
    pad.land((10, 40), (25, 40), (40, 40))
    pad.pass(104)
    for _ in 0..<2 { pad.step((12, 0), (12, 0), (12, 0)) }
    pad.lift([1], whileMoving: (12, 0), (0, 0), (12, 0))
    pad.step((12, 0), (12, 0))
    pad.land((73, 40))
    pad.step((6, 0), (6, 0), (6, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
  }

  /// A contact that lands elsewhere is another finger: the swipe has ended.
  @Test func aFingerThatLandsElsewhereEndsASwipe() {
    var pad = swiping
    pad.lift(1)
    pad.pass(24)
    pad.land((20, 55))
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    pad.pass(200, moving: (0, 10), (0, 10))
    pad.liftAll()
    #expect(
      abs((pad.gestures.first { $0.phase == .ended }?.translation.millimetres.x ?? 0) - 12) < 0.1)
  }

  /// It does not wait for the last finger's contact: there is no other to be lost beside.
  @Test func aSwipeEndsWithItsLastFinger() {
    var pad = swiping
    pad.lift(1)
    pad.pass(16)
    pad.lift(1)
    pad.pass(16)
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended"])
    #expect(pad.gestures.last?.time == EventTime(microseconds: pad.now * 1000))
  }

  /// After the rest of a swipe that lost a contact, two fingers may scroll.
  @Test func fingersThatStayAfterALostContactMayScroll() {
    var pad = swiping
    pad.lift(1)
    pad.pass(16)
    pad.land((60, 40))
    pad.pass(400)
    pad.lift(2)
    pad.pass(200)
    pad.pass(200, moving: (0, -15), (0, -15))
    pad.liftAll()
    let story = pad.story.filter { !$0.hasPrefix("hold") }
    #expect(story == ["swipe3 began", "swipe3 ended", "drag2 began", "drag2 ended"])
  }

  /// A drag of three fingers goes on, to and fro.
  @Test func aSwipeThatLostAContactMayTurnBack() {
    var pad = TestPad()
    pad.land((20, 40), (35, 40), (50, 40))
    pad.pass(104)
    pad.pass(96, moving: (12, 0), (12, 0), (12, 0))
    pad.lift(1)
    pad.pass(8)
    pad.land((50, 40))
    pad.pass(200, moving: (10, 0), (10, 0), (10, 0))
    pad.pass(200)
    pad.pass(200, moving: (-15, 0), (-15, 0), (-15, 0))
    pad.liftAll()
    let story = pad.story.filter { !$0.hasPrefix("hold") }
    #expect(story == ["swipe3 began", "swipe3 ended"])
    #expect(abs((pad.gestures.last?.translation.millimetres.x ?? 0) - 7) < 0.1)
  }

  /// The swipe's fingers have left one after the other.
  @Test func aStrokeRightAfterASwipeIsAnother() {
    var pad = swiping
    pad.lift(1)
    pad.pass(8)
    pad.liftAll()
    pad.pass(8)
    pad.land((30, 40), (60, 40))
    pad.pass(104)
    pad.pass(200, moving: (-12, 0), (12, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended", "pinch2 began", "pinch2 ended"])
  }

  @Test func aFingerThatLandsAgainLaterSwipesAgain() {
    var pad = swiping
    pad.lift(1)
    pad.pass(120)
    pad.land((60, 40))
    pad.pass(120, moving: (15, 0), (15, 0), (15, 0))
    pad.liftAll()
    #expect(pad.story == ["swipe3 began", "swipe3 ended", "swipe3 began", "swipe3 ended"])
  }
}
