import GlissEvents
import GlissGestures
import Testing

/// What real recordings hold and protocol B's description does not mention.
@Suite struct DecoderTests {
  @Test func aPacketMakesAFrame() throws {
    let feed = Feed(.pad())
    let frame = try #require(feed.raw(.id(7), .x(100), .y(200), .slot(1), .id(8), .x(300), .y(400)))
    #expect(frame.places == [[100, 200], [300, 400]])
    #expect(frame.fingerCount == 2)
    #expect(frame.contacts[0].slot == 0 && frame.contacts[1].slot == 1)
    #expect(frame.time == EventTime(microseconds: 8000))
  }

  @Test func eventsWithoutContactsMakeNoFrame() {
    let feed = Feed(.pad())
    #expect(feed.raw() == nil)
    #expect(feed.raw(.down(.a)) == nil)
  }

  @Test func aRecordingMayOpenWithoutASlot() throws {
    let feed = Feed(.pad())
    #expect(try #require(feed.raw(.id(1), .x(1), .y(2))).places == [[1, 2]])
  }

  @Test func positionsWithoutAnIdAreATouchThatWasThereBefore() throws {
    let feed = Feed(.pad())
    let first = try #require(feed.raw(.slot(1), .x(1), .y(2)))
    #expect(first.places == [[1, 2]] && first.contacts[0].isContinued)
    #expect(try #require(feed.raw(.x(3))).places == [[3, 2]])
    // its end is seen even though its beginning was not
    #expect(try #require(feed.raw(.id(-1))).places == [])
  }

  @Test func assumedContactsEndWithTheLastFinger() throws {
    let feed = Feed(.pad())
    #expect(try #require(feed.raw(.x(1), .y(2))).places == [[1, 2]])
    #expect(try #require(feed.raw(.up(.touch))).places == [])
  }

  @Test func anEndWithoutABeginningIsNothing() throws {
    let feed = Feed(.pad())
    #expect(try #require(feed.raw(.slot(2), .id(-1))).places == [])
  }

  /// A coordinate that is what it was at the last touch is never sent: the middle stands in for it.
  @Test(
    arguments: [(Packet.Part.x(10), [10, 300]), (.y(20), [500, 20])] as [(Packet.Part, [Int32])])
  func aFirstFrameMayLackACoordinate(known: Packet.Part, place: [Int32]) throws {
    let feed = Feed(.pad())
    #expect(try #require(feed.raw(.id(1), known)).places == [])
    #expect(try #require(feed.raw(.axis(.touchMajor, 5))).places == [place])
  }

  @Test func aCoordinateThatComesLaterEndsTheWait() throws {
    let feed = Feed(.pad())
    #expect(try #require(feed.raw(.id(1), .x(10))).places == [])
    #expect(try #require(feed.raw(.y(7))).places == [[10, 7]])
  }

  @Test func aNewTouchKeepsCoordinatesThatDidNotChange() throws {
    let feed = Feed(.pad())
    _ = feed.raw(.id(1), .x(10), .y(20))
    _ = feed.raw(.id(-1))
    #expect(try #require(feed.raw(.id(2), .x(11))).places == [[11, 20]])
  }

  @Test(arguments: [(Key.toolTripleTap, 3), (.toolQuadTap, 4), (.toolQuintTap, 5)])
  func twoSlotsCountMoreFingersThanTheyShow(key: Key, count: Int) throws {
    let feed = Feed(.pad(slots: 2))
    _ = feed.raw(.id(1), .x(1), .y(1), .slot(1), .id(2), .x(2), .y(2), .down(.toolDoubleTap))
    let frame = try #require(feed.raw(.up(.toolDoubleTap), .down(key)))
    #expect(frame.contacts.count == 2)
    #expect(frame.fingerCount == count)
    #expect(try #require(feed.raw(.up(key), .down(.toolDoubleTap))).fingerCount == 2)
  }

  @Test func withASlotForEachFingerACountBeyondThemIsAFingerThatHovers() throws {
    let feed = Feed(.pad(slots: 5))
    let frame = try #require(feed.raw(.id(1), .x(1), .y(1), .down(.toolDoubleTap)))
    #expect(frame.fingerCount == 1)
  }

  @Test(arguments: [-1, 16, 99, .max, .min] as [Int32])
  func slotsThatDoNotExistHoldNothing(slot: Int32) throws {
    let feed = Feed(.pad(slots: 5))
    let frame = try #require(feed.raw(.slot(slot), .id(1), .x(1), .y(1)))
    #expect(frame.places == [])
    #expect(try #require(feed.raw(.slot(0), .id(2), .x(3), .y(4))).places == [[3, 4]])
  }

  @Test func noMoreThanSixteenContactsAreKept() throws {
    let feed = Feed(.pad(slots: 40))
    var frame: RawFrame?
    for slot in 0..<40 as Range<Int32> { frame = feed.raw(.slot(slot), .id(slot), .x(1), .y(1)) }
    #expect(try #require(frame).contacts.count == 16)
  }

  @Test func aSlotBeyondThoseDeclaredIsBelieved() throws {
    let feed = Feed(.pad(slots: 5))
    #expect(try #require(feed.raw(.slot(7), .id(1), .x(1), .y(1))).places == [[1, 1]])
  }

  @Test func lostPacketsAreSaidWhenTheLossEnds() throws {
    let feed = Feed(.pad())
    _ = feed.raw(.id(1), .x(10), .y(20))
    // up to the report after it, what comes is not to be believed
    let lost = try #require(feed.raw(.dropped, .id(9), .x(1), .y(1)))
    #expect(lost.isAfterLoss)
    #expect(lost.places == [])
    let next = try #require(feed.raw(.x(11), .y(21)))
    #expect(next.isAfterLoss == false)
    #expect(next.places == [[11, 21]])
  }

  @Test func aButtonWhoseReleaseWasLostIsNotHeldForever() throws {
    let feed = Feed(.pad())
    #expect(try #require(feed.raw(.down(.leftButton))).isButtonDown)
    _ = feed.raw(.dropped, .up(.leftButton))
    #expect(try #require(feed.raw(.id(1), .x(1), .y(1))).isButtonDown == false)
  }

  @Test func palmsAreSaidByTheDevice() throws {
    let feed = Feed(.pad())
    let frame = try #require(
      feed.raw(
        .id(1), .x(1), .y(1), .axis(.toolType, ToolType.palm), .slot(1), .id(2), .x(1), .y(1)))
    #expect(frame.contacts[0].isPalm && !frame.contacts[1].isPalm)
    // another contact in the slot is one too, unless the kernel says otherwise: it tells only what changes
    let next = try #require(feed.raw(.slot(0), .id(3)))
    #expect(next.contacts[0].isPalm)
    let other = try #require(feed.raw(.id(4), .axis(.toolType, ToolType.finger)))
    #expect(!other.contacts[0].isPalm)
  }

  @Test func aPadWithoutSlotsHasOneContact() throws {
    let feed = Feed(.singleTouch)
    let frame = try #require(
      feed.raw(.down(.touch), .axis(.x, 10), .axis(.y, 20), .axis(.pressure, 9)))
    #expect(frame.places == [[10, 20]])
    #expect(frame.contacts[0].pressure == 9)
    let second = try #require(feed.raw(.down(.toolDoubleTap), .axis(.x, 50)))
    #expect(second.places == [[50, 20]])
    #expect(second.fingerCount == 2)
    #expect(try #require(feed.raw(.up(.touch))).places == [])
  }

  @Test func positionsOfAFingerThatHoversAreNoTouch() throws {
    let feed = Feed(.singleTouch)
    #expect(try #require(feed.raw(.down(.toolFinger), .axis(.x, 10), .axis(.y, 20))).places == [])
    // SynPS/2 pads report the tool after the position
    let other = Feed(.singleTouch)
    #expect(try #require(other.raw(.axis(.x, 10), .axis(.y, 20), .down(.toolFinger))).places == [])
    let landed = try #require(other.raw(.down(.touch)))
    #expect(landed.places == [[10, 20]] && !landed.contacts[0].isContinued)
  }

  @Test func positionsBeforeTheKeyOfTheirPacketAreALanding() throws {
    let frame = try #require(
      Feed(.singleTouch).raw(.axis(.x, 10), .axis(.y, 20), .down(.touch)))
    #expect(frame.places == [[10, 20]] && !frame.contacts[0].isContinued)
  }

  /// A recording may begin mid-touch, and BTN_TOUCH is not repeated after a loss.
  @Test func aPadWithoutSlotsIsTouchedWhenPositionsComeFirst() throws {
    let feed = Feed(.singleTouch)
    #expect(try #require(feed.raw(.axis(.x, 10), .axis(.y, 20))).places == [[10, 20]])
    #expect(try #require(feed.raw(.axis(.x, 30), .dropped)).places == [])
    _ = feed.raw(.axis(.x, 40))
    #expect(try #require(feed.raw(.axis(.x, 50), .axis(.y, 25))).places == [[50, 25]])
    #expect(try #require(feed.raw(.up(.touch))).places == [])
    #expect(try #require(feed.raw(.axis(.x, 60), .axis(.y, 25))).places == [])
    let second = try #require(
      Feed(.singleTouch).raw(
        .axis(.x, 10), .axis(.y, 20), .up(.toolFinger), .down(.toolDoubleTap)))
    #expect(second.places == [[10, 20]])
  }

  @Test func keysAreHandedOnAndContactsAreNot() {
    var decoder = EvdevDecoder(for: .pad())
    func isKey(_ key: Key) -> Bool {
      if case .key(let told, let value) = decoder.process(.key(key, 1, at: .zero)) {
        return told == key && value == 1
      }
      return false
    }
    #expect(isKey(.a) && isKey(.leftButton))
    #expect(!isKey(.touch) && !isKey(.toolFinger) && !isKey(.toolQuintTap))
  }
}
