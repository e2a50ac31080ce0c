import GlissEvents
import GlissGestures
import Testing

/// Pads that take one finger for another, or two for one.
@Suite struct ConfusedContactsTests {
  /// Two fingers `apart` mm from each other, at rest in slots 0 and 1.
  private func two(apart: Int32, on device: Device = .pad()) -> Feed {
    let feed = Feed(device)
    _ = feed.touches(.id(1), .x(300), .y(200), .slot(1), .id(2), .x(300 + apart * 10), .y(200))
    return feed
  }

  private func places(_ touches: [Touch]?) -> [String] {
    (touches ?? []).map {
      "\($0.id.serial) \($0.phase.name) \(Int($0.position.x.rounded())),\(Int($0.position.y.rounded()))"
    }
  }

  @Test func touchesFollowTheirFingersWhenSlotsChangePlaces() {
    let feed = two(apart: 20)
    let changed = feed.touches(.slot(0), .x(500), .slot(1), .x(300))
    #expect(places(changed) == ["1 stationary 30,20", "2 stationary 50,20"])
    #expect(places(feed.touches(.slot(0), .x(510))) == ["1 stationary 30,20", "2 moved 51,20"])
    // and back
    let back = feed.touches(.slot(0), .x(300), .slot(1), .x(520))
    #expect(places(back) == ["1 stationary 30,20", "2 moved 52,20"])
    #expect(places(feed.touches(.slot(1), .id(-1))) == ["2 ended 52,20", "1 stationary 30,20"])
  }

  @Test func movingFingersChangePlacesToo() {
    let feed = two(apart: 20)
    _ = feed.touches(.slot(0), .y(260), .slot(1), .y(260))
    let changed = feed.touches(.slot(0), .x(500), .y(320), .slot(1), .x(300), .y(320))
    #expect(places(changed) == ["1 moved 30,32", "2 moved 50,32"])
  }

  /// However far they go in a frame.
  @Test(arguments: [4, 7, 10, 15]) func fingersThatCloseOrMoveTogetherKeepTheirSlots(step: Int32) {
    let closing = two(apart: 40)
    let closed = closing.touches(.slot(0), .x(300 + step * 10), .slot(1), .x(700 - step * 10))
    #expect(places(closed) == ["1 moved \(30 + step),20", "2 moved \(70 - step),20"])
    // the one behind lands where the other was
    let following = two(apart: step)
    let followed = following.touches(.slot(0), .x(300 + step * 10), .slot(1), .x(300 + step * 20))
    #expect(places(followed) == ["1 moved \(30 + step),20", "2 moved \(30 + 2 * step),20"])
  }

  /// The contacts of fingers that lie side by side merge up to 15 mm.
  @Test(arguments: [3, 8, 12, 14] as [Int32])
  func contactsOfNeighboursMerge(apart: Int32) {
    let feed = two(apart: apart)
    let merged = feed.touches(.slot(1), .id(-1), .slot(0), .x(300 + apart * 5))
    #expect(places(merged) == ["1 stationary 30,20", "2 stationary \(30 + apart),20"])
  }

  /// One that is farther away lifts, and so does one whose neighbour stays where it is.
  @Test func otherContactsLift() {
    let far = two(apart: 18)
    #expect(places(far.touches(.slot(1), .id(-1), .slot(0), .x(390))).contains("2 ended 48,20"))
    for leap in [1, 3, 4] as [Int32] {
      let other = two(apart: 14).touches(.slot(1), .id(-1), .slot(0), .x(300 + leap * 10))
      #expect(places(other).contains("2 ended 44,20"), "\(leap) mm")
    }
  }

  @Test func twoContactsThatMergeForAFewReportsStayTwoTouches() {
    let feed = two(apart: 8)
    let merged = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    #expect(places(merged) == ["1 stationary 30,20", "2 stationary 38,20"])
    #expect(places(feed.touches(.x(350))) == ["1 moved 31,20", "2 moved 39,20"])
    // they part again
    let parted = feed.touches(.slot(0), .x(320), .slot(1), .id(3), .x(400), .y(200))
    #expect(places(parted) == ["1 moved 32,20", "2 moved 40,20"])
    #expect(places(feed.touches(.x(410))) == ["1 stationary 32,20", "2 moved 41,20"])
  }

  /// The leap from one contact to two is no motion, so it does not count when they merge again.
  @Test(arguments: [0, 20] as [Int32])
  func twoFingersThatLandAsOneContactDoNotLeap(step: Int32) {
    let feed = Feed(.pad())
    _ = feed.touches(.id(1), .x(300), .y(200))
    _ = feed.touches(.x(300 + step))
    let parted = feed.touches(.x(260 + 2 * step), .slot(1), .id(2), .x(340 + 2 * step), .y(200))
    let moved = 2 * step / 10
    #expect(places(parted) == ["1 moved \(26 + moved),20", "2 began \(34 + moved),20"])
    let merged = feed.touches(.id(-1), .slot(0), .x(300 + 3 * step))
    let phase = step == 0 ? "stationary" : "moved"
    let (one, other) = (26 + 3 * step / 10, 34 + 3 * step / 10)
    #expect(places(merged) == ["1 \(phase) \(one),20", "2 \(phase) \(other),20"])
  }

  /// A finger that brakes as another lands ahead of it comes closer, as no parting contact does.
  @Test func aFingerThatBrakesIsNotHalfOfAPair() {
    let feed = Feed(.pad())
    _ = feed.touches(.id(1), .x(160), .y(200))
    for x in [200, 240] as [Int32] { _ = feed.touches(.x(x)) }
    _ = feed.touches(.x(250), .slot(1), .id(2), .x(340), .y(200))
    let left = feed.touches(.slot(0), .id(-1), .slot(1), .x(345))
    #expect(places(left) == ["1 ended 25,20", "2 moved 35,20"])
  }

  @Test func aMergedPairMayPartTheOtherWayRound() {
    let feed = two(apart: 8)
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    let parted = feed.touches(.slot(0), .x(390), .slot(1), .id(3), .x(290), .y(200))
    #expect(places(parted) == ["1 moved 29,20", "2 moved 39,20"])
  }

  @Test func aFingerThatStaysAwayHasLifted() {
    let feed = two(apart: 8)
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    var ended = 0
    for step in 1..<40 as Range<Int32> where ended == 0 {
      let touches = feed.touches(.x(340 + step)) ?? []
      if touches.contains(where: { $0.phase == .ended && $0.id.serial == 2 }) { ended = Int(step) }
    }
    // after 160 ms, of 8 ms each
    #expect((15...21).contains(ended))
    // a finger that lands then is another touch, and the remaining one does not jump
    let landed = places(feed.touches(.x(340 + Int32(ended)), .slot(1), .id(4), .x(600), .y(300)))
    #expect(landed == ["1 stationary 32,20", "3 began 60,30"])
  }

  /// A pad with 40 reports a second needs 300 ms for 12 of them. One with 125 gets 160 ms.
  @Test(arguments: [(25, 11, 2), (25, 14, 1), (8, 20, 2), (8, 24, 1)] as [(Int64, Int32, Int)])
  func slowPadsMergeForLonger(milliseconds: Int64, reports: Int32, count: Int) {
    let feed = two(apart: 8)
    feed.period = milliseconds * 1000
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    for step in 1..<reports { _ = feed.touches(.x(340 + step)) }
    let touches = feed.touches(.x(342 + reports)) ?? []
    #expect(touches.filter { $0.phase != .ended }.count == count)
  }

  @Test func bothLiftWhenTheOneContactDoes() {
    let feed = two(apart: 8)
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    let lifted = feed.touches(.slot(0), .id(-1)) ?? []
    #expect(lifted.map(\.summary).sorted() == ["1 ended", "2 ended"])
    #expect(feed.touches(.id(9), .x(100), .y(100))?.map(\.summary) == ["3 began"])
  }

  /// mm apart, and how far the one that stays moves.
  @Test(arguments: [(8, 0), (8, -4), (8, 1), (20, 10), (2, 1)] as [(Int32, Int32)])
  func otherFingersLiftAtOnce(apart: Int32, step: Int32) {
    let feed = two(apart: apart)
    let touches = feed.touches(.slot(1), .id(-1), .slot(0), .x(300 + step * 10), .y(201)) ?? []
    #expect(touches.map(\.summary) == ["2 ended", "1 moved"])
  }

  @Test func lossEndsAMergedPairToo() {
    let feed = two(apart: 8)
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    let lost = feed.touches(.dropped) ?? []
    #expect(lost.map(\.summary).sorted() == ["1 cancelled", "2 cancelled"])
  }

  /// Its two contacts are corners of a box, and may well change places.
  @Test func boundingBoxesAreLeftAlone() {
    let feed = two(apart: 20, on: .pad(slots: 2, properties: [.pointer, .semiMultitouch]))
    let changed = feed.touches(.slot(0), .x(500), .slot(1), .x(300))
    #expect(places(changed) == ["1 moved 50,20", "2 moved 30,20"])
  }

  /// Each moves to the next one's place.
  @Test func threeFingersChangePlaces() {
    let feed = Feed(.pad())
    _ = feed.touches(.id(1), .x(200), .y(200), .slot(1), .id(2), .x(400), .y(200))
    _ = feed.touches(.slot(2), .id(3), .x(600), .y(200))
    let changed = feed.touches(.slot(0), .x(400), .slot(1), .x(600), .slot(2), .x(200))
    #expect(
      places(changed) == ["1 stationary 20,20", "2 stationary 40,20", "3 stationary 60,20"])
  }

  /// After a merge that ended by time, the remaining touch is away from its contact.
  @Test func theRemainingTouchMergesAgainWithoutAJump() {
    let feed = two(apart: 8)
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    for step in 0..<30 as Range<Int32> { _ = feed.touches(.x(341 + step % 2)) }
    let landed = feed.touches(.x(340), .slot(1), .id(4), .x(420), .y(200))
    #expect(places(landed) == ["1 moved 30,20", "3 began 42,20"])
    let merged = feed.touches(.slot(0), .id(-1), .slot(1), .x(380))
    #expect(places(merged).sorted() == ["1 moved 30,20", "3 moved 42,20"])
    let parted = feed.touches(.slot(1), .x(420), .slot(0), .id(5), .x(340), .y(200))
    #expect(places(parted).sorted() == ["1 moved 30,20", "3 moved 42,20"])
  }

  @Test func aMergedPairThatIsInterruptedStaysSilent() {
    let feed = two(apart: 8)
    _ = feed.touches(.slot(1), .id(-1), .slot(0), .x(340))
    #expect(feed.interrupt().map(\.summary).sorted() == ["1 cancelled", "2 cancelled"])
    #expect(places(feed.touches(.slot(0), .x(310), .slot(1), .id(3), .x(390), .y(200))).isEmpty)
    #expect(places(feed.touches(.slot(0), .id(-1), .slot(1), .id(-1))).isEmpty)
    #expect(feed.touches(.id(9), .x(100), .y(100))?.map(\.summary) == ["3 began"])
  }
}
