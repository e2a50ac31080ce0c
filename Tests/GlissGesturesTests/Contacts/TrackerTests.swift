import GlissEvents
import GlissGestures
import Testing

/// Identity, phase and place.
@Suite struct TrackerTests {
  @Test func aTouchBeginsMovesRestsAndEnds() {
    let feed = Feed(.pad())
    #expect(feed.touches(.id(1), .x(10), .y(20))?.map(\.summary) == ["1 began"])
    #expect(feed.touches(.x(11))?.map(\.summary) == ["1 moved"])
    #expect(feed.touches(.axis(.touchMajor, 3))?.map(\.summary) == ["1 stationary"])
    #expect(feed.touches(.id(-1))?.map(\.summary) == ["1 ended"])
    #expect(feed.touches(.id(5), .x(1))?.map(\.summary) == ["2 began"])
  }

  @Test func anIdThatChangesInMidStrokeIsAnotherTouch() {
    let feed = Feed(.pad())
    _ = feed.touches(.id(1), .x(10), .y(20))
    #expect(feed.touches(.id(2), .x(50))?.map(\.summary) == ["1 ended", "2 began"])
  }

  @Test func anEndAndABeginningInOneFrameAreTwoTouches() {
    let feed = Feed(.pad())
    _ = feed.touches(.id(1), .x(10), .y(20))
    #expect(feed.touches(.id(-1), .id(2), .x(11))?.map(\.summary) == ["1 ended", "2 began"])
    // the same number again is no less another touch
    #expect(feed.touches(.id(-1), .id(2))?.map(\.summary) == ["2 ended", "3 began"])
  }

  @Test func aTouchThatCameAndWentBetweenTwoFramesWasNeverThere() {
    let feed = Feed(.pad())
    #expect(feed.touches(.id(1), .x(10), .y(20), .id(-1))?.map(\.summary) == [])
  }

  @Test func lossCancelsAllAndWhatStillMovesBeginsAnew() {
    let feed = Feed(.pad())
    _ = feed.touches(.id(1), .x(10), .y(20), .slot(1), .id(2), .x(30), .y(40))
    let lost = feed.touches(.dropped) ?? []
    #expect(lost.map(\.summary).sorted() == ["1 cancelled", "2 cancelled"])
    let first = feed.touches(.slot(0), .x(11), .y(21)) ?? []
    #expect(first.map(\.summary) == ["3 began"])
    let second = feed.touches(.slot(1), .x(31), .y(41)) ?? []
    #expect(second.map(\.summary) == ["3 stationary", "4 began"])
    #expect(feed.touches(.slot(0), .id(-1), .slot(1), .id(-1))?.count == 2)
  }

  @Test func aFrameFullOfEndingsMakesTheBeginningsWait() {
    let feed = Feed(.pad(slots: 16))
    for slot in 0..<16 as Range<Int32> { _ = feed.touches(.slot(slot), .id(slot), .x(1), .y(1)) }
    // one changes its id: its end and fifteen others fill the frame
    let full = feed.touches(.slot(3), .id(99)) ?? []
    #expect(full.count == 16)
    #expect(full.count { $0.phase == .ended } == 1)
    #expect(full.count { $0.phase == .began } == 0)
    let next = feed.touches(.x(5)) ?? []
    #expect(next.count { $0.phase == .began } == 1)
  }

  /// Position in units → share and mm.
  @Test(
    arguments: [
      (AxisRange(minimum: 0, maximum: 1000, resolution: 10), 250, 0.25, 25),
      (AxisRange(minimum: -500, maximum: 500, resolution: 10), -500, 0, 0),
      // some drivers report a range that is too small: mm go on for another length of the pad
      (AxisRange(minimum: 0, maximum: 1000, resolution: 10), 1500, 1, 150),
      (AxisRange(minimum: 0, maximum: 1000, resolution: 10), .max, 1, 200),
      (AxisRange(minimum: 0, maximum: 1000, resolution: 10), .min, 0, -100),
      // no resolution, or one that makes a pad of a mm or a km: 100 mm stand in
      (AxisRange(minimum: 0, maximum: 1000), 500, 0.5, 50),
      (AxisRange(minimum: 0, maximum: 1000, resolution: 1000), 500, 0.5, 50),
      (AxisRange(minimum: 0, maximum: 100_000, resolution: 1), 50_000, 0.5, 50),
      (AxisRange(minimum: 0, maximum: 1000, resolution: -10), 500, 0.5, 50),
      // an axis without a length has no place but its beginning
      (AxisRange(minimum: 7, maximum: 7, resolution: 10), 7, 0, 0),
      (AxisRange(minimum: 1000, maximum: 0, resolution: 10), 500, 0, 0),
      (AxisRange(minimum: .min, maximum: .max, resolution: 1), 0, 0.5, 50),
    ] as [(AxisRange, Int32, Double, Double)])
  func placesAreSharesAndMillimetres(
    axis: AxisRange, x: Int32, share: Double, millimetres: Double
  ) throws {
    let feed = Feed(.pad(x: axis))
    let touch = try #require(feed.touches(.id(1), .x(x), .y(0))?.first)
    #expect(abs(touch.normalizedPosition.x - share) < 1e-6)
    #expect(abs(touch.position.x - millimetres) < 1e-4)
  }

  @Test func aSizeThatIsNotKnownIsSaidToBeAssumed() {
    #expect(!Device.pad().size.isAssumed)
    #expect(Device.pad().size.millimetres == Vector2(x: 100, y: 60))
    #expect(abs(Device.pad().size.points.x - 283.46) < 0.01)
    let unknown = Device.pad(y: AxisRange(minimum: 0, maximum: 600)).size
    #expect(unknown.isAssumed && unknown.millimetres == DeviceSize.assumed)
  }

  @Test func aScreenMayHaveMetresAndAPadMayNot() {
    let (x, y) = (
      AxisRange(minimum: 0, maximum: 3000, resolution: 1),
      AxisRange(minimum: 0, maximum: 2000, resolution: 1)
    )
    let pad = Device.pad(x: x, y: y).size
    #expect(pad.isAssumed && pad.millimetres == DeviceSize.assumed)
    #expect(Device.pad(properties: [.direct], x: x, y: y).millimetres == Vector2(x: 3000, y: 2000))
  }

  @Test func padsAndScreensAreDistinguished() {
    #expect(Device.pad().kind == .touchpad)
    #expect(Device.pad(properties: [.direct]).kind == .touchscreen)
    #expect(Device.singleTouch.kind == .touchpad)
  }

  @Test func palmsRest() throws {
    let feed = Feed(.pad())
    let palm = Packet.Part.axis(.toolType, ToolType.palm)
    let touch = try #require(feed.touches(.id(1), .x(1), .y(1), palm)?.first)
    #expect(touch.isResting)
  }
}
