import GlissAgent
import GlissConfiguration
import GlissDevices
import GlissEvents
import Testing

/// Which strokes rules keep from the desktop.
@Suite struct TakingRuleTests {
  private static func swipe(
    _ sense: GestureCondition.Sense? = nil, fingers: ClosedRange<Int>? = 3...3,
    consumes: Bool = true, settings: [SettingChange] = []
  ) -> GestureCondition {
    GestureCondition(
      kind: .swipe, fingers: fingers, sense: sense, settings: settings, consumes: consumes)
  }

  /// What is decided when this gesture begins: `kept`, `given back`, or nothing.
  private static func verdict(_ machine: RuleMachine, _ event: GestureEvent) -> String {
    var machine = machine
    machine.process(event)
    let verdict = machine.nextVerdict()
    #expect(machine.nextVerdict() == nil)
    return verdict.map { $0.isKept ? "kept" : "given back" } ?? "nothing"
  }

  static let cases: [([GestureCondition], GestureEvent, String)] = [
    ([swipe()], MatchingRig.swipe(.began, 0, x: 1), "kept"),
    ([swipe(.towards(.right))], MatchingRig.swipe(.began, 0, x: 1), "kept"),
    ([swipe(.towards(.left))], MatchingRig.swipe(.began, 0, x: 1), "given back"),
    ([swipe(.towards(.left))], MatchingRig.event(.swipe, .began, 0), "nothing"),
    (
      [swipe(.towards(.left)), swipe()], MatchingRig.event(.swipe, .began, 0), "kept"
    ),
    ([swipe(.horizontal)], MatchingRig.swipe(.began, 0, y: 1), "given back"),
    ([swipe()], MatchingRig.swipe(.began, 0, x: 1, fingers: 4), "given back"),
    ([swipe()], MatchingRig.event(.pinch, .began, 0), "given back"),
    ([swipe()], MatchingRig.event(.drag, .began, 0, fingers: 2), "given back"),
    // its fingers may go on to swipe
    ([swipe()], MatchingRig.event(.hold, .began, 0), "nothing"),
    ([swipe()], MatchingRig.event(.tap, .recognized, 0), "nothing"),
    ([swipe()], MatchingRig.swipe(.changed, 0, x: 1), "nothing"),
    ([swipe(consumes: false)], MatchingRig.swipe(.began, 0, x: 1), "nothing"),
    (
      [swipe(.towards(.left)), swipe(.towards(.right), consumes: false)],
      MatchingRig.swipe(.began, 0, x: 1), "given back"
    ),
  ]

  @Test(arguments: cases)
  func aStrokeIsKeptIfARuleThatConsumesMayMatch(
    _ conditions: [GestureCondition], _ event: GestureEvent, _ verdict: String
  ) {
    let machine = MatchingRig.machine(conditions.map { MatchingRig.rule($0) })
    #expect(Self.verdict(machine, event) == verdict)
  }

  /// Gestures begin without a direction.
  @Test(arguments: [(-1.0, true), (1.0, false)])
  func theDirectionIsWaitedFor(x: Double, isKept: Bool) {
    var machine = MatchingRig.machine(Self.swipe(.towards(.left)))
    machine.process(MatchingRig.event(.swipe, .began, 0))
    #expect(machine.nextVerdict() == nil)
    machine.process(MatchingRig.swipe(.changed, 8, x: x))
    let event = MatchingRig.swipe(.changed, 8, x: x)
    #expect(
      machine.nextVerdict()
        == StrokeVerdict(
          time: EventTime(microseconds: 8000), isKept: isKept, device: event.device))
    machine.process(MatchingRig.swipe(.changed, 16, x: -9))
    #expect(machine.nextVerdict() == nil)
  }

  @Test func onlyNumbersOfFingersOfTheModeAndTheFocusAreHidden() {
    var inMail = MatchingRig.rule(Self.swipe(fingers: 5...5))
    inMail.application = ApplicationMatch(only: ["mail"])
    var machine = MatchingRig.machine([
      MatchingRig.rule(Self.swipe()), MatchingRig.rule(Self.swipe(fingers: 4...4), mode: "m"),
      inMail, MatchingRig.rule(GestureCondition(kind: .pinch, fingers: 2...2)),
    ])
    #expect(machine.table.everTaken == FingerCounts([3, 4, 5]))
    #expect(machine.taken.counts == [3])
    machine.enterMode("m")
    #expect(machine.taken.counts == [4])
    machine.enterMode(nil)
    machine.focus(on: RuleFocus.Window(names: ["Mail"]))
    #expect(machine.taken.counts == [3, 5])
    machine.focus(on: nil)
    #expect(machine.taken.counts == [3])
  }

  /// It goes on in the mode that it has entered, so the desktop does not get its next stroke.
  @Test func aRuleThatWaitsToGoOnTakesItsStrokesInAnotherMode() {
    var rule = MatchingRig.rule(Self.swipe())
    rule.reactions.begin = [Action(.mode("m"), place: MatchingRig.place)]
    rule.reactions.linger = 300
    var machine = MatchingRig.machine([rule])
    machine.process(MatchingRig.swipe(.began, 0, x: 1))
    machine.enterMode("m")
    #expect(machine.taken.counts == [])
    machine.process(MatchingRig.swipe(.ended, 10, x: 1))
    #expect(machine.taken.counts == [3])
    _ = machine.nextVerdict()
    machine.process(MatchingRig.swipe(.began, 20, x: 1))
    #expect(machine.nextVerdict()?.isKept == true)
    machine.process(MatchingRig.swipe(.ended, 30, x: 1))
    machine.advance(to: EventTime(microseconds: 1_000_000))
    #expect(machine.taken.counts == [])
  }

  @Test func aRuleWithoutFingersTakesAllItsKindHas() {
    let machine = MatchingRig.machine(Self.swipe(fingers: nil))
    #expect(machine.taken.counts == [3, 4, 5])
  }

  /// Rules with settings of their own have a recognizer of their own, which decides later.
  @Test func oneRecognizerDoesNotGiveBackWhatAnotherKeeps() {
    let own = Self.swipe(settings: [SettingChange(name: "swipeMinimumDistance", value: 1)])
    var machine = MatchingRig.machine(Self.swipe(consumes: false), own)
    machine.process(MatchingRig.swipe(.began, 0, x: 1), stream: 1)
    #expect(machine.nextVerdict()?.isKept == true)
    machine.process(MatchingRig.swipe(.began, 1, x: 1), stream: 0)
    #expect(machine.nextVerdict()?.isKept == true)
    machine.process(MatchingRig.swipe(.ended, 9, x: 1), stream: 1)
    machine.process(MatchingRig.swipe(.ended, 9, x: 1), stream: 0)
  }

  /// A recognizer that decides first does not give back what another may still keep. Only strokes
  /// with the fingers of the other's rules are waited for.
  @Test(arguments: [(3, Bool?.none), (4, false)])
  func theOtherRecognizerIsWaitedFor(fingers: Int, isKept: Bool?) {
    let own = Self.swipe(
      .towards(.left), settings: [SettingChange(name: "swipeMinimumDistance", value: 9)])
    for (x, isKeptThen) in [(-1.0, true), (1, false)] {
      var machine = MatchingRig.machine(Self.swipe(consumes: false), own)
      machine.process(MatchingRig.swipe(.began, 0, x: x, fingers: fingers), stream: 0)
      #expect(machine.nextVerdict()?.isKept == isKept)
      guard fingers == 3 else { continue }
      machine.process(MatchingRig.swipe(.began, 28, x: x), stream: 1)
      #expect(machine.nextVerdict()?.isKept == isKeptThen)
    }
  }

  @Test func aVerdictBearsTheTimeOfTheGesture() {
    var machine = MatchingRig.machine(Self.swipe())
    machine.process(MatchingRig.swipe(.began, 17, x: 1))
    #expect(machine.nextVerdict()?.time == EventTime(microseconds: 17_000))
  }
}
