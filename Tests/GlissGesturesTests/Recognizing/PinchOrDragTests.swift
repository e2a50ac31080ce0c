import GlissEvents
import GlissGestures
import Testing

/// What the fingers of one hand do, and what it is: a table over the kinds of motion.
@Suite struct PinchOrDragTests {
  /// Two fingers, 30 mm apart, rest for 300 ms and move for 200.
  struct Case: CustomStringConvertible {
    var description: String
    var first: (Double, Double)
    var second: (Double, Double)
    var expected: GestureKind?
    var rule: DecisionRule
  }

  static let cases = [
    Case(
      description: "together", first: (0, 20), second: (0, 20), expected: .drag, rule: .lead),
    Case(
      description: "together, a fifth apart", first: (0, 18), second: (0, 22), expected: .drag,
      rule: .lead),
    Case(
      description: "together and converging", first: (3, 20), second: (-3, 20), expected: .drag,
      rule: .lead),
    Case(
      description: "apart", first: (-8, 0), second: (8, 0), expected: .pinch, rule: .lead),
    Case(
      description: "inward, drifting by half", first: (10, 4), second: (-6, 4), expected: .pinch,
      rule: .lead),
    Case(
      description: "around", first: (0, 8), second: (0, -8), expected: .rotate, rule: .lead),
    Case(
      description: "around, drifting", first: (2, 8), second: (2, -8), expected: .rotate,
      rule: .lead),
    Case(
      description: "one still, along", first: (0, 0), second: (16, 0), expected: .pinch,
      rule: .lead),
    Case(
      description: "one still, across", first: (0, 0), second: (0, 16), expected: .drag,
      rule: .lead),
  ]

  @Test(arguments: cases) func twoFingersAreWhatTheyDo(_ one: Case) throws {
    var pad = TestPad()
    pad.land((35, 25), (65, 25))
    pad.pass(300)
    pad.pass(200, moving: one.first, one.second)
    let decision = try #require(pad.decisions.first)
    #expect(decision.outcome == one.expected)
    #expect(decision.rule == one.rule)
    pad.liftAll()
    let name = try #require(one.expected).name
    #expect(pad.story == ["\(name)2 began", "\(name)2 ended"])
  }

  @Test func aFingerThatLayThereLongBeforeMakesADragAlongTheLineToo() {
    var pad = TestPad()
    pad.land((35, 25))
    pad.pass(400)
    pad.land((65, 25))
    pad.pass(100)
    pad.pass(200, moving: (0, 0), (16, 0))
    #expect(pad.story == ["drag2 began"])
  }

  @Test func turningAroundAStillFingerCanBeAskedFor() throws {
    var configuration = GestureConfiguration()
    try configuration.set("anchor.turns", to: 1)
    var pad = TestPad(configuration)
    pad.land((35, 25), (65, 25))
    pad.pass(300)
    pad.pass(200, moving: (0, 0), (0, 16))
    #expect(pad.story == ["rotate2 began"])
    // y is down: the right finger going down turns clockwise
    #expect(try #require(pad.gestures.last).rotation < -0.1)
  }

  @Test(arguments: [3, 4, 5]) func threeToFiveFingersTogetherAreASwipe(_ count: Int) throws {
    var pad = TestPad()
    let places = (0..<count).map { (20 + 15 * Double($0), 30.0) }
    // one after the other, 20 ms apart
    for place in places {
      pad.land(place)
      pad.pass(20)
    }
    pad.pass(200)
    for _ in 0..<3 { moveAll(&pad, count, by: (-8, 1)) }
    pad.liftAll()
    #expect(pad.story == ["swipe\(count) began", "swipe\(count) ended"])
    let last = try #require(pad.gestures.last)
    #expect(last.direction == .left)
    #expect(last.direction8 == .left)
    #expect(abs(last.translation.millimetres.x + 24) < 0.01)
  }

  private func moveAll(_ pad: inout TestPad, _ count: Int, by way: (Double, Double)) {
    switch count {
    case 3: pad.pass(60, moving: way, way, way)
    case 4: pad.pass(60, moving: way, way, way, way)
    default: pad.pass(60, moving: way, way, way, way, way)
    }
  }

  @Test func theMiddleOfThreeFingersMayLieStillInAPinch() {
    var pad = TestPad()
    pad.land((20, 30), (50, 31), (80, 30))
    pad.pass(300)
    pad.pass(200, moving: (10, 0), (0, 0), (-10, 0))
    pad.liftAll()
    #expect(pad.story == ["pinch3 began", "pinch3 ended"])
  }

  @Test func tremorDecidesNothing() {
    var pad = TestPad()
    pad.land((35, 25), (65, 25))
    for round in 0..<60 {
      let way = round.isMultiple(of: 2) ? 0.15 : -0.15
      pad.pass(8, moving: (way, -way), (-way, way))
    }
    #expect(pad.story.isEmpty)
  }

  /// One that creeps or trembles on its place does not follow the other already: it may be late.
  @Test(arguments: [0, 0.1, 0.2]) func aFingerThatHardlyMovesMayBeLate(millimetres: Double) {
    for isTremor in [false, true] {
      var pad = TestPad()
      pad.land((35, 25), (65, 25))
      pad.pass(300)
      for step in 1...5 {
        let sign = step.isMultiple(of: 2) ? -1.0 : 1
        pad.step((1, 0), (isTremor ? sign * millimetres / 2 : millimetres / 5, 0))
      }
      pad.pass(40, moving: (9, 0), (7, 0))
      #expect(pad.story == ["drag2 began"], "tremor: \(isTremor)")
    }
  }

  @Test func aDragThatTurnsOutToBeAPinchIsCorrectedNotSwitched() {
    var pad = TestPad()
    pad.land((35, 25), (65, 25))
    pad.pass(300)
    pad.pass(24, moving: (0.8, 0), (0.8, 0))
    #expect(pad.story == ["drag2 began"])
    pad.pass(64, moving: (-5, 0), (5, 0))
    #expect(pad.story == ["drag2 began", "drag2 cancelled", "pinch2 began"])
    #expect(pad.decisions.last?.rule == .correction)
  }

  @Test func twoFingersWithOneContactDragWhenTheyHaveComeFar() {
    var pad = TestPad()
    pad.land((40, 30), (48, 30))
    pad.pass(300)
    pad.isMerged = true
    pad.pass(80, moving: (8, 0), (8, 0))
    #expect(pad.story == ["drag2 began"])
  }

  /// Until then they seem to move together, whatever they do.
  @Test func nothingIsDecidedWhileThePadShowsTwoFingersAsOne() {
    var pad = TestPad()
    pad.land((40, 30), (48, 30))
    pad.pass(300)
    pad.isMerged = true
    pad.pass(80, moving: (2, 0), (2, 0))
    #expect(pad.story == [])
    pad.isMerged = false
    // a pad that merges two contacts parts them where they are farther apart
    pad.pass(8, moving: (-4, 0), (4, 0))
    pad.pass(80, moving: (-6, 0), (6, 0))
    #expect(pad.story == ["pinch2 began"])
    #expect(pad.decisions.last?.waited == .merged)
  }
}
