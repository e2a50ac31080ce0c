import GlissEvents
import Mapping
import Testing

/// The map itself, whatever it shows.
@Suite struct MapTests {
  @Test func aStrokeGoesItsWayBetweenLandingAndLifting() throws {
    let plan = StrokeSetting().with {
      $0.gap = -20; $0.share = 0.5; $0.angle = 90
    }.plan
    let (frames, first) = (plan.frames, try #require(plan.fingers.first))
    // the second finger lands first; the first is seen in the frame after its landing
    #expect(frames.prefix(4).map(\.fingerCount) == [1, 1, 1, 2])
    #expect(plan.onset == 80)
    #expect(first.travel(at: 80) == 0 && first.travel(at: 230) == 5 && first.travel(at: 380) == 10)
    #expect(plan.farthest(at: 230) == 5)
    #expect(frames.last?.fingerCount == 0 && frames.last?.touches.count == 2)
    let ends = try #require(frames.last).touches
    #expect(abs(ends[0].position.y - 15) < 1e-9 && abs(ends[1].position.y - 20) < 1e-9)
  }

  @Test(
    arguments: [
      (1, 90, 10, 2, .drag), (-1, 0, 10, 2, .pinch), (-1, 90, 10, 2, .rotation),
      (1, 90, 10, 3, .swipe), (1, 0, 0.1, 2, .tap),
    ] as [(Double, Double, Double, Int, Cell.Verdict)])
  func aCellSaysWhatWasDecided(
    share: Double, angle: Double, length: Double, fingers: Int, expected: Cell.Verdict
  ) {
    let setting = StrokeSetting().with {
      $0.share = share
      $0.angle = angle
      $0.length = length
      $0.fingers = fingers
      if expected == .tap { $0.duration = 50 }
    }
    let cell = Cell(setting.plan)
    #expect(cell.verdict == expected)
    #expect((cell.travel == nil) == !expected.isMotion)
    #expect(cell.delay.map { $0 > 0 && $0 < 300 } ?? !expected.isMotion)
  }

  @Test(
    arguments: [
      ([(.hold, .began), (.hold, .cancelled), (.drag, .began), (.drag, .ended)], .drag),
      ([(.drag, .began), (.drag, .cancelled), (.pinch, .began), (.pinch, .ended)], .corrected),
      ([(.drag, .began), (.drag, .cancelled), (.drag, .began), (.drag, .ended)], .drag),
      ([(.drag, .began), (.drag, .cancelled)], .nothing), ([], .nothing),
      ([(.hold, .began), (.hold, .ended)], .hold), ([(.edgeSwipe, .began)], .swipe),
    ] as [([(GestureKind, GesturePhase)], Cell.Verdict)])
  func aCorrectedGestureCountsAsItsSuccessor(
    events: [(kind: GestureKind, phase: GesturePhase)], expected: Cell.Verdict
  ) {
    let gestures = events.map {
      GestureEvent(
        time: .zero + .milliseconds(200), device: DeviceID(rawValue: 0), kind: $0.kind,
        phase: $0.phase, fingers: 2)
    }
    let cell = Cell(gestures, of: StrokeSetting().plan)
    #expect(cell.verdict == expected)
    #expect(cell.delay == (expected.isMotion ? 140 : nil))
  }

  @Test func tremorIsTheSameEachTime() {
    let setting = StrokeSetting().with { $0.tremor = 0.1 }
    let places = setting.plan.frames.map { $0.touches[0].position }
    #expect(places == setting.plan.frames.map { $0.touches[0].position })
    #expect(places != StrokeSetting().plan.frames.map { $0.touches[0].position })
  }

  @Test func aStrokeThatLeavesThePadDoesNotFit() {
    #expect(StrokeSetting().fits)
    #expect(StrokeSetting().with { $0.turn = 90 }.fits)
    #expect(!StrokeSetting().with { $0.length = 60 }.fits)
    #expect(
      !StrokeSetting().with {
        $0.turn = 90; $0.length = 15
      }.fits)
  }

  @Test(
    arguments: [
      ("share=1:-1:0.5", [1, 0.5, 0, -0.5, -1]), ("share=1:-1:-0.5", [1, 0.5, 0, -0.5, -1]),
      ("gap=0:20:8", [0, 8, 16]), ("length=10", [10]), ("angle=0,45,90", [0, 45, 90]),
      ("share=-0.3:0.3:0.1", [-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3]),
    ] as [(String, [Double])])
  func valuesAreRead(text: String, values: [Double]) throws {
    #expect(try ValueRange(text).values == values)
  }

  @Test(
    arguments: [
      ("", "NAME="), ("share", "NAME="), ("size=1:2:3", "share, angle, length"),
      ("share=", "not a number"), ("share=1:x:1", "“x” is not a number"),
      ("share=1:2", "FIRST:LAST"),
      ("share=1:-1:0", "step of 0"), ("gap=0:400:0.1", "more than 500"),
      ("share=1:nan:1", "not a number"), ("share=2:-1:1", "from -1 to 1"),
      ("length=0:10:1", "from 0.1 to 80 mm"), ("angle=0:400:40", "from 0 to 360°"),
      ("gap=0:1e308:1e-300", "more than 500"),
    ])
  func badValuesAreRefused(text: String, words: String) {
    let fault = #expect(throws: ValueRange.Fault.self) { try ValueRange(text) }
    #expect(fault?.description.contains(words) == true, "\(fault?.description ?? "")")
  }

  @Test(arguments: [
    ("dddpp", false), ("dpd", true), ("..dd.", true), ("d", false), ("", false),
    ("s~d~~p", false), ("d~d", true), ("~d", false), ("s~d~s", true),
  ])
  func aLetterThatComesBackIsAnIsland(letters: String, isIsland: Bool) {
    #expect(DecisionMap.hasIsland(letters) == isIsland)
  }
}

/// What is printed and drawn of a map.
@Suite struct MapOutputTests {
  private static let map = DecisionMap(
    of: StrokeSetting(), rows: ValueRange(.share, [1, -1]),
    columns: ValueRange(.angle, [0, 90]))

  @Test func theTableHasALetterACell() {
    let text = MapText(Self.map)
    #expect(
      text.table(text.cells) == [
        "share \\ angle   0  90", "+1              d   d", "-1              p   r",
      ])
    #expect(text.legend == "d drag 2, p pinch 1, r rotation 1")
  }

  @Test func differencesHaveBrackets() {
    let text = MapText(Self.map)
    let others = [["d", "d"], ["p", "p"]]
    #expect(
      text.table(text.cells, marking: others) == [
        "share \\ angle   0   90", "+1              d    d", "-1              p   [r]",
      ])
    #expect(MapText.differences(text.cells, others) == 1)
  }

  @Test func cellsAreReadAsTheyAreWritten() {
    for showing in Showing.allCases {
      let text = MapText(Self.map, showing: showing)
      #expect(text.cells(reading: text.plain) == text.cells)
    }
    let text = MapText(Self.map)
    for other in ["", "d\td\n", "d\td\td\np\tr\tr\n", "d\td\np\tr\nd\td\n"] {
      #expect(text.cells(reading: other) == nil)
    }
  }

  @Test func thePictureHasARectangleACellAndAFrameWhereItDiffers() {
    let text = MapText(Self.map)
    let picture = MapPicture(text, marking: [["d", "d"], ["p", "p"]]).svg
    // the page, four cells, three kinds and the frame in the legend
    #expect(picture.split(separator: "<rect ").count - 1 == 1 + 4 + 4)
    #expect(picture.split(separator: "rotation other").count - 1 == 1)
    #expect(picture.hasPrefix("<svg ") && picture.hasSuffix("</svg>\n"))
    #expect(!MapPicture(text).svg.contains("rotation other"))
  }

  @Test func textInThePictureIsEscaped() {
    #expect(MapPicture.escaped("a<b> & \"c\"\u{1}") == "a&lt;b&gt; &amp; &quot;c&quot;\u{fffd}")
  }
}
