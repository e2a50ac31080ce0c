import GlissAgent
import GlissConfiguration
import GlissEvents
import GlissHotkeys
import Testing

@Suite struct StrokeTests {
  /// What is told of the strokes after those gestures of one machine.
  private func reports(_ rules: [Rule], _ gestures: [GestureEvent]...) -> [StrokeReport] {
    var machine = MatchingRig.machine(rules)
    for gesture in gestures { _ = machine.tell(gesture) }
    return machine.strokes.kept.map { StrokeReport($0) }
  }

  private func swipe(_ x: Double, fingers: Int = 3, speed: Double = 100) -> [GestureEvent] {
    [
      MatchingRig.swipe(.began, 0, fingers: fingers),
      MatchingRig.swipe(.ended, 100, x: x, fingers: fingers, speed: speed),
    ]
  }

  /// What was missing of one rule after a swipe of 14.2 mm to the left, with 3 fingers, at 100 mm/s.
  @Test(
    arguments: [
      (
        GestureCondition(kind: .swipe, travel: Bounds(from: 20)),
        ["travel 14.2 mm, rule asks for ≥ 20 mm"]
      ),
      (
        GestureCondition(kind: .swipe, travel: Bounds(to: 10)),
        ["travel 14.2 mm, rule asks for ≤ 10 mm"]
      ),
      (
        GestureCondition(kind: .swipe, travel: Bounds(from: 14.204)),
        ["travel 14.2 mm, rule asks for ≥ 14.204 mm"]
      ),
      (GestureCondition(kind: .swipe, fingers: 4...4), ["3 fingers, rule asks for 4"]),
      (GestureCondition(kind: .swipe, fingers: 4...5), ["3 fingers, rule asks for 4 to 5"]),
      (GestureCondition(kind: .swipe, sense: .towards(.right)), ["went left, rule asks for right"]),
      (
        GestureCondition(kind: .swipe, sense: .towards(.right), speed: Bounds(from: 150)),
        ["went left, rule asks for right", "speed 100 mm/s, rule asks for ≥ 150 mm/s"]
      ),
      (
        GestureCondition(kind: .swipe, modifiers: [.leftShift, .leftSuper]),
        ["held: none, rule asks for shift+super"]
      ),
      (
        GestureCondition(kind: .swipe, rest: Bounds(to: 300)),
        ["no gesture before, rule asks for one at most 300 ms before"]
      ),
      (
        GestureCondition(kind: .edgeSwipe), ["taken for a swipe, rule asks for an edge swipe"]
      ),
      (
        GestureCondition(kind: .pinch, fingers: 3...3), ["taken for a swipe, rule asks for a pinch"]
      ),
    ] as [(GestureCondition, [String])])
  func missingConditionsAreReportedWithTheirNumbers(condition: GestureCondition, reasons: [String])
  {
    let report = reports([MatchingRig.rule(condition)], swipe(-14.2)).first
    #expect(report?.sentence == "swipe left with 3 fingers, 14.2 mm, lifted at 100 mm/s")
    #expect(report?.missed.first?.reasons == reasons)
    // a rule that was engaged and then cancelled has both
    #expect(report?.fired.isEmpty == (condition.travel?.maximum == nil))
  }

  @Test func modeAndDeviceAreReportedToo() {
    let rules = [
      MatchingRig.rule(GestureCondition(kind: .swipe), mode: "resize"),
      MatchingRig.rule(
        GestureCondition(kind: .swipe), device: DeviceMatch(name: "ELAN*", kind: .touchpad)),
    ]
    let missed = reports(rules, swipe(-14)).first?.missed.map(\.reasons)
    #expect(
      missed == [
        ["mode none, rule asks for resize"], ["device “”, rule asks for a touchpad “ELAN*”"],
      ])
  }

  @Test func whatIsNotKnownIsNotSaidToBeMissing() {
    var rule = MatchingRig.rule(GestureCondition(kind: .swipe))
    rule.application = ApplicationMatch(only: ["gimp"])
    let asked = ", rule asks for gimp"
    var machine = MatchingRig.machine([rule])
    func reasons() -> [String]? {
      _ = machine.tell(swipe(-14))
      return machine.strokes.kept.last.map { StrokeReport($0) }?.missed.first?.reasons
    }
    #expect(reasons() == ["it is not known which application has the focus" + asked])
    machine.focus(on: nil)
    #expect(reasons() == ["no application has the focus" + asked])
    machine.focus(on: RuleFocus.Window(names: ["foot"]))
    #expect(reasons() == ["application foot" + asked])
    machine.focus(on: nil, isKnown: false)
    #expect(reasons() == ["it is not known which application has the focus" + asked])
  }

  @Test func theNearestThreeAreNamedNearestFirst() {
    let rules =
      [30.0, 25, 40, 22].map {
        MatchingRig.rule(GestureCondition(kind: .swipe, travel: Bounds(from: $0)))
      } + [
        // two things missing, and another kind with two things missing
        MatchingRig.rule(
          GestureCondition(kind: .swipe, fingers: 4...4, travel: Bounds(from: 21))),
        MatchingRig.rule(GestureCondition(kind: .pinch, fingers: 2...2)),
      ]
    let missed = reports(rules, swipe(-20)).first?.missed.map { $0.reasons.joined() }
    #expect(missed == [22, 25, 30].map { "travel 20 mm, rule asks for ≥ \($0) mm" })
    #expect(reports([rules[5]], swipe(-20)).first?.missed == [])
  }

  @Test func firedRulesAreReportedWithTheirMoments() {
    let rules = [
      MatchingRig.rule(
        GestureCondition(kind: .swipe), hasChange: true, steps: [.init(10, .millimetres)])
    ]
    let gesture = [
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 35),
      MatchingRig.swipe(.changed, 20, x: 12), MatchingRig.swipe(.ended, 30, x: 12),
    ]
    let report = reports(rules, gesture).first
    #expect(report?.fired.map(\.moments) == [["begin", "2 changes", "3 forward", "2 back", "end"]])
    #expect(report?.missed == [])
  }

  @Test func aRuleThatHoldsAButtonHasActed() {
    var rule = MatchingRig.rule(GestureCondition(kind: .swipe))
    rule.reactions = Reactions(hold: [Chord([], .key(.leftButton))])
    #expect(reports([rule], swipe(-14.2)).map(\.hasActed) == [true])
    rule.reactions = Reactions()
    #expect(reports([rule], swipe(-14.2)).map(\.hasActed) == [false])
  }

  @Test func aTapHasNoBeginning() {
    var tap = MatchingRig.event(.tap, .recognized, 0)
    tap.count = 1
    let report = reports([MatchingRig.rule(GestureCondition(kind: .tap))], [tap]).first
    #expect(report?.fired.map(\.moments) == [["end"]])
    #expect(report?.hasActed == true)
  }

  @Test func tenAreKeptAndWhatBecameAnotherIsNone() {
    let hold = [MatchingRig.event(.hold, .began, 0), MatchingRig.event(.hold, .cancelled, 50)]
    let gesture = [MatchingRig.swipe(.began, 50), MatchingRig.swipe(.ended, 60, x: 3)]
    #expect(reports([], hold, gesture).map(\.gesture) == ["swipe"])
    // one that made something happen stays
    var rule = MatchingRig.rule(GestureCondition(kind: .hold))
    #expect(reports([rule], hold, gesture).map(\.gesture) == ["swipe"])
    rule.reactions.begin = rule.reactions.end
    let rules = [rule]
    #expect(reports(rules, hold, gesture).map(\.gesture) == ["hold", "swipe"])
    var machine = MatchingRig.machine([])
    for index in 0..<25 { _ = machine.tell(swipe(Double(index))) }
    #expect(machine.strokes.kept.count == 10)
    #expect(machine.strokes.kept.last?.end.translation.millimetres.x == 24)
  }

  @Test func everyKindHasItsSentence() {
    func tap(_ count: Int) -> GestureEvent {
      var tap = MatchingRig.event(.tap, .recognized, 0, fingers: 1)
      tap.count = count
      return tap
    }
    var turn = MatchingRig.event(.rotate, .ended, 9, fingers: 2)
    turn.rotation = -0.5
    var edge = MatchingRig.event(.edgeSwipe, .began, 0, fingers: 1)
    edge.edge = .left
    let sentences = reports(
      [], [tap(1)], [tap(2)], [MatchingRig.event(.rotate, .began, 0, fingers: 2), turn],
      [MatchingRig.pinch(.began, 0, scale: 1), MatchingRig.pinch(.ended, 9, scale: 0.753)],
      [MatchingRig.event(.hold, .began, 0), MatchingRig.event(.hold, .ended, 900)], [edge, edge]
    ).map(\.sentence)
    #expect(
      sentences == [
        "tap with 1 finger", "double tap with 1 finger", "rotation clockwise with 2 fingers, 29°",
        "pinch in with 2 fingers, to 0.75 times its size", "hold with 3 fingers, for 900 ms",
        "edge swipe from the left edge with 1 finger, 0 mm, cancelled",
      ])
  }

  @Test func theJSONFormComesBackTheSame() throws {
    let rules = [
      MatchingRig.rule(GestureCondition(kind: .swipe)),
      MatchingRig.rule(GestureCondition(kind: .swipe, travel: Bounds(from: 99))),
    ]
    let report = try #require(reports(rules, swipe(-14.2)).first)
    var bare = report
    // it is not told
    bare.fired[0].hasActed = false
    #expect(StrokeReport(report.json) == bare)
    #expect(report.json["what"]?.string == report.sentence)
    let fired = try #require(report.json["fired"]?.array?.first)
    #expect(fired["rule"]?["column"]?.integer != nil && fired["actions"] == nil)
    bare.unit = 2
    #expect(StrokeReport(bare.json) == bare)
    #expect(StrokeReport(try JSON(parsing: bare.json.encoded)) == bare)
    #expect(StrokeReport(["time": "now"]) == nil)
  }
}
