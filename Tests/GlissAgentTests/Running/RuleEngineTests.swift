import GlissBroker
import GlissDevices
import GlissEvents
import GlissHotkeys
import TestSupport
import Testing

@testable import GlissAgent
@testable import GlissConfiguration

/// What the agent says became of what rules asked for, with real processes and a clock that is moved by hand.
@Suite struct RuleEngineTests {
  private final class Rig {
    let engine: RuleEngine
    let worker: ActionWorker
    let said = SaidLines()
    let clock = HandClock()
    let scratch: Scratch
    private let hotkey = HotkeyID(rawValue: 3)

    init(_ rules: [Rule]) throws {
      let scratch = try Scratch()
      self.scratch = scratch
      worker = try ActionWorker(
        ActionWorker.Context(
          environment: ["HOME=\(scratch.path)", "PATH=/usr/bin:/bin"], bus: nil,
          runtimeFolder: scratch.path), log: said.log()
      ) { order throws(ActionFailure) in
        guard case .press(let chords) = order, chords.count == 1 else {
          throw ActionFailure("not granted, run: gliss grants")
        }
      }
      let configuration = Configuration(rules: rules)
      let clock = clock
      engine = RuleEngine(
        worker, said.log(), configuration, appliesSettings: true, now: { clock.now })
      if rules.contains(where: { $0.hotkey != nil }) {
        let needs = InputNeeds(configuration, namesKeyboards: true)
        engine.bind([needs.requests[0]: hotkey], as: needs)
      }
    }

    deinit {
      // a child that nobody has waited for keeps the library's exit tests waiting for ever
      try? wait(for: "the commands to end") { worker.queue.report.running == 0 }
      worker.finish()
    }

    /// They are read so many ms after the last of them.
    func receive(_ gestures: GestureEvent..., late: Double = 0) {
      clock.now = (gestures.last?.time ?? .zero) + .milliseconds(late)
      for gesture in gestures { engine.receive(.gesture(gesture, stream: 0, modifiers: [])) }
    }

    func receive(_ phase: HotkeyEvent.Phase, at ms: Double, late: Double = 0) {
      let time = EventTime.zero + .milliseconds(ms)
      clock.now = time + .milliseconds(late)
      engine.receive(
        .hotkey(
          HotkeyEvent(
            time: time, device: MatchingRig.pad, hotkey: hotkey, phase: phase,
            shouldAct: phase == .pressed)))
    }

    /// What became of the rules of the last stroke, or of the last hotkey: what is to come is waited for.
    func records(of list: (WhyReport) -> [StrokeReport.Fired]?) throws -> [String] {
      var found: [ActionRecord] = []
      try wait(for: "all to be done") {
        found = (list(engine.report) ?? []).flatMap(\.records)
        return found.allSatisfy { $0.done + $0.failed == $0.asked }
      }
      return found.map(\.sentence)
    }

    var strokeDeeds: [String] { get throws { try records { $0.strokes.last?.fired } } }
    var hotkeyDeeds: [String] { get throws { try records { $0.hotkeys.last?.fired } } }
  }

  private static func rule(_ kind: GestureKind, _ verbs: Action.Verb...) -> Rule {
    Rule(
      name: "mine", trigger: .gesture(GestureCondition(kind: kind)),
      reactions: Reactions(
        end: verbs.enumerated().map { Action($1, place: .line($0 + 1)) }), place: .line(4))
  }

  private static func rule(hotkey: String, _ verb: Action.Verb, release: Action.Verb) throws -> Rule
  {
    Rule(
      name: "mine", trigger: .hotkey(HotkeyCondition(hotkey: try Hotkey(hotkey), consumes: false)),
      reactions: Reactions(
        end: [Action(verb, place: .line(1))], release: [Action(release, place: .line(2))]),
      place: .line(4))
  }

  private static func run(_ words: String...) -> Action.Verb { .run(Command(.arguments(words))) }

  private static let tap: GestureEvent = {
    var tap = MatchingRig.event(.tap, .recognized, 100)
    tap.count = 1
    return tap
  }()

  @Test func whySaysWhatBecameOfEachAction() throws {
    let rig = try Rig([
      Self.rule(
        .tap, Self.run("true"), Self.run("no-such-program", "a b"),
        .keys(try Hotkey("alt+left").chords), .keys(try Hotkey("super+k ; w").chords), .mode("m"),
        .notify(summary: "Hi", body: nil), .emit(Emission(path: "~/none", line: "x")))
    ])
    rig.receive(Self.tap)
    #expect(
      try rig.strokeDeeds == [
        "ran true",
        "could not run no-such-program 'a b': there is no program no-such-program in /usr/bin:/bin",
        "pressed alt+left", "did not press super+k w: not granted, run: gliss grants",
        "entered the mode m", "did not show “Hi”: there is no desktop to show it",
        "did not write to ~/none: No such file or directory",
      ])
    // a tap is over when it is known: it has no beginning
    #expect(rig.engine.report.strokes.last?.fired.map(\.moments) == [["end"]])
  }

  @Test func howACommandEndsIsSaidOnceItHas() throws {
    let rig = try Rig([Self.rule(.tap, .run(Command(.shell("exit 7"))))])
    rig.receive(Self.tap)
    try wait(for: "the end") { try rig.strokeDeeds == ["ran exit 7, which ended with status 7"] }
  }

  @Test func actionsThatAreLeftOutAreNotReportedAsRun() throws {
    let rig = try Rig([
      Self.rule(
        .tap, .run(Command(.arguments(["sleep", "1000"]), atOnce: 1, time: .milliseconds(900))))
    ])
    rig.receive(Self.tap)
    #expect(try rig.strokeDeeds == ["ran sleep 1000"])
    var second = Self.tap
    second.time = second.time + .milliseconds(400)
    rig.receive(second)
    let deeds = ["could not run sleep 1000: not started: 1 already running (atOnce)"]
    #expect(try rig.strokeDeeds == deeds)
    try wait(for: "it to be ended") {
      rig.engine.report.strokes.first?.fired.first?.records.first?.sentence
        == "ran sleep 1000, which exceeded its time limit"
    }
  }

  @Test func stepsAreCounted() throws {
    var rule = Self.rule(.swipe)
    rule.reactions.steps = [
      Step(
        interval: .init(10, .millimetres),
        forward: [Action(Self.run("true"), place: .line(1))], back: [],
        place: .line(1))
    ]
    let rig = try Rig([rule])
    rig.receive(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 21),
      MatchingRig.swipe(.changed, 20, x: 32), MatchingRig.swipe(.ended, 30, x: 32))
    #expect(try rig.strokeDeeds == ["ran true 3 times"])
  }

  private static func stepping(_ verb: Action.Verb) -> Rule {
    var rule = rule(.swipe)
    rule.reactions.steps = [
      Step(
        interval: .init(10, .millimetres), forward: [Action(verb, place: .line(1))], back: [],
        place: .line(1))
    ]
    return rule
  }

  private static func press() throws -> Action.Verb { .keys(try Hotkey("alt+left").chords) }

  @Test func aStepThatIsReadLateIsSkippedAlone() throws {
    let rig = try Rig([try Self.stepping(Self.press())])
    rig.receive(MatchingRig.swipe(.began, 0))
    rig.receive(MatchingRig.swipe(.changed, 10, x: 21), late: 700)
    rig.receive(MatchingRig.swipe(.changed, 800, x: 32))
    rig.receive(MatchingRig.swipe(.ended, 810, x: 32))
    #expect(
      try rig.strokeDeeds == [
        "pressed alt+left; did not press alt+left 2 times: it came too late, 0.7 s after the event"
      ])
  }

  @Test func ofWhatCameTooLateEachRuleHasOneLineInTheLogForEachGesture() throws {
    var other = Self.stepping(.mode("other"))
    other.name = "other"
    var begun = try Self.stepping(Self.press())
    begun.name = "begun"
    begun.reactions.begin = [Action(try Self.press(), place: .line(8))]
    let rig = try Rig([Self.stepping(.mode("m")), other, begun])
    let reason = "not done: it came too late, 0.7 s after the event"
    for start in [0, 9000] as [Int64] {
      rig.receive(MatchingRig.swipe(.began, start))
      rig.receive(MatchingRig.swipe(.changed, start + 10, x: 21), late: 700)
      rig.receive(MatchingRig.swipe(.changed, start + 20, x: 42), late: 700)
      rig.receive(MatchingRig.swipe(.ended, start + 30, x: 42), late: 700)
      let names = ["mine", "other", "begun"]
      #expect(
        rig.said.all.suffix(3) == names.map { "\($0) (gliss.yaml:4): \(reason)" }[...])
    }
    #expect(rig.said.all.count == 6)
  }

  @Test func pressesBeforeARefusalAreCounted() throws {
    let rig = try Rig([try Self.stepping(Self.press())])
    var left = 2
    rig.engine.keys = KeyPresser(rig.said.log()) { _ throws(ActionFailure) in
      guard left > 0 else { throw ActionFailure("not any more") }
      left -= 1
    }
    rig.receive(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 51),
      MatchingRig.swipe(.ended, 20, x: 51))
    #expect(
      try rig.strokeDeeds == [
        "pressed alt+left 2 times; did not press alt+left 3 times: not any more"
      ])
  }

  /// What is done with keys, in order.
  private func orders(_ rule: Rule, _ feed: (Rig) -> Void) throws -> [String] {
    let rig = try Rig([rule])
    var orders: [String] = []
    rig.engine.keys = KeyPresser(rig.said.log()) { order in
      switch order {
      case .move(let way): orders.append("move \(way.x) \(way.y)")
      case .press(let chords): orders.append("\(chords[0])")
      case .hold(let chords, _): orders.append("hold \(chords[0].textToPress)")
      case .release: orders.append("release")
      }
    }
    feed(rig)
    return orders
  }

  @Test func heldKeysAreReleasedAfterEverythingElse() throws {
    var rule = try Self.stepping(Self.press())
    rule.reactions.hold = try Chord.chords(toPress: "alt")
    rule.reactions.begin = [Action(.keys(try Hotkey("tab").chords), place: .line(1))]
    rule.reactions.end = [Action(.keys(try Hotkey("enter").chords), place: .line(1))]
    rule.reactions.cancel = [Action(.keys(try Hotkey("esc").chords), place: .line(1))]
    let start = [MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 11)]
    let begun = ["hold alt", "tab", "alt+left"]
    #expect(
      try orders(rule) { $0.receive(start[0], start[1], MatchingRig.swipe(.ended, 20, x: 11)) }
        == begun + ["enter", "release"])
    #expect(
      try orders(rule) { $0.receive(start[0], start[1], MatchingRig.swipe(.cancelled, 20, x: 11)) }
        == begun + ["esc", "release"])
    // rules that are replaced end what is under way
    #expect(
      try orders(rule) { rig in
        rig.receive(start[0], start[1])
        rig.engine.replace(Configuration(), appliesSettings: true, at: rig.clock.now)
      } == begun + ["esc", "release"])
  }

  @Test func actionsTakeTurnsFromOneGestureAndStepToTheNext() throws {
    func press(_ text: String) throws -> [Action] {
      [Action(.keys(try Hotkey(text).chords), place: .line(1))]
    }
    let rule = Self.stepping(.turns([try press("a"), try press("b"), try press("c")]))
    let pressed = try orders(rule) { rig in
      for start in [0, 1000] as [Int64] {
        rig.receive(
          MatchingRig.swipe(.began, start), MatchingRig.swipe(.changed, start + 10, x: 21),
          MatchingRig.swipe(.ended, start + 20, x: 21))
      }
    }
    #expect(pressed == ["a", "b", "c", "a"])
  }

  @Test func membersOfAGroupTakeTheirOwnTurnsAndThoseOfAListTheSame() throws {
    let text =
      "hotkeys: [{hotkey: '%', do: {turns: [{run: [a, '{}']}, {run: [b, '{}']}]}}]"
    func owners(_ hotkey: String) throws -> [Int] {
      let text = text.replacing("'%'", with: hotkey)
      let reading = Configuration.read([ConfigurationText(name: "a", bytes: Array(text.utf8))])
      let configuration = try #require(reading.configuration)
      return configuration.rules.indices.map { configuration.owner(of: $0).member }
    }
    #expect(try owners("'super+{1-3}'") == [0, 1, 2])
    #expect(try owners("[super+a, super+b]") == [0, 0])
    #expect(try owners("['super+{1,2}', super+a, super+b]") == [0, 1, 2, 2])
    var turns = Turns()
    let actions = [[Action(.mode("a"), place: .line(1))], [Action(.mode("b"), place: .line(1))]]
    let action = Action(.turns(actions), place: .line(1))
    let firsts = (0..<2).map {
      turns.deeds(of: action, for: RuleMember(place: .line(1), member: $0), times: 1)[0].action.verb
    }
    #expect(firsts == [.mode("a"), .mode("a")])
  }

  @Test func aCommandSeesTheModeThatAnActionBeforeItHasEntered() throws {
    let rig = try Rig([
      Self.rule(.tap, .mode("m"), .run(Command(.shell("echo $GLISS_MODE > out"))))
    ])
    rig.receive(Self.tap)
    _ = try rig.strokeDeeds
    try wait(for: "the command") { rig.scratch.text("out") == "m\n" }
  }

  @Test func aHoldIsReportedOnce() throws {
    var rule = Self.rule(.swipe)
    rule.reactions.hold = try Chord.chords(toPress: "alt")
    let rig = try Rig([rule])
    rig.engine.keys = KeyPresser(rig.said.log()) { _ in }
    rig.receive(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 11),
      MatchingRig.swipe(.ended, 20, x: 11))
    let deeds = try rig.strokeDeeds
    #expect(deeds.count == 1 && !deeds[0].contains("2 times"), "\(deeds)")
  }

  @Test func aModeIsEnteredForEachStep() throws {
    let rig = try Rig([Self.stepping(.mode("m"))])
    rig.receive(
      MatchingRig.swipe(.began, 0), MatchingRig.swipe(.changed, 10, x: 51),
      MatchingRig.swipe(.ended, 20, x: 51))
    #expect(try rig.strokeDeeds == ["entered the mode m 5 times"])
  }

  @Test func aGestureThatIsReadLateDoesNotActAndWhySaysSo() throws {
    let rig = try Rig([Self.rule(.tap, .run(Command(.shell("touch done"))), .mode("m"))])
    rig.receive(Self.tap, late: 700)
    let reason = "it came too late, 0.7 s after the event"
    #expect(
      try rig.strokeDeeds == [
        "could not run touch done: \(reason)", "did not enter the mode m: \(reason)",
      ])
    #expect(rig.engine.mode == nil && rig.said.all == ["mine (gliss.yaml:4): not done: \(reason)"])
    // the next one acts
    var second = Self.tap
    second.time = second.time + .milliseconds(1000)
    rig.receive(second, late: 400)
    #expect(try rig.strokeDeeds == ["ran touch done", "entered the mode m"])
    try wait(for: "the command") { rig.worker.queue.report.started == 1 }
    #expect(rig.engine.report.strokes.count == 2)
  }

  @Test func aGestureThatEndsLateIsCancelled() throws {
    var rule = Self.rule(.swipe, .mode("ended"))
    rule.reactions.begin = [Action(Self.run("true"), place: .line(8))]
    rule.reactions.cancel = [Action(.mode("cancelled"), place: .line(9))]
    let rig = try Rig([rule])
    rig.receive(MatchingRig.swipe(.began, 0))
    #expect(rig.engine.mode == nil)
    rig.receive(MatchingRig.swipe(.ended, 100, x: 20), late: 3600)
    #expect(rig.engine.mode == "cancelled")
    #expect(
      try rig.strokeDeeds == [
        "ran true", "did not enter the mode ended: it came too late, 3.6 s after the event",
        "entered the mode cancelled",
      ])
  }

  @Test(arguments: [(0.0, 3000.0, "down up"), (0, 0, "down up"), (3000, 3000, ""), (3000, 0, "")])
  func aReleaseEndsWhatAPressHasBegunAndNothingElse(
    press: Double, release: Double, expected: String
  ) throws {
    let rig = try Rig([
      try Self.rule(
        hotkey: "super+t", .run(Command(.shell("echo down >> out"))), release: .mode("up"))
    ])
    rig.receive(.pressed, at: 0, late: press)
    rig.receive(.released, at: 3100, late: release)
    _ = try rig.hotkeyDeeds
    try wait(for: "the command") { rig.scratch.text("out") == (expected.isEmpty ? "" : "down\n") }
    #expect(rig.engine.mode == (expected.isEmpty ? nil : "up"))
    #expect(rig.engine.report.hotkeys.map(\.hotkey) == ["super+t"])
    #expect(rig.said.all.count == (expected.isEmpty ? 1 : 0))
    // what comes next is not late any more
    rig.engine.receive(.modeLeft)
    rig.receive(.pressed, at: 9000)
    #expect(try rig.hotkeyDeeds == ["ran echo down >> out"])
  }

  @Test func aLossIsInTheLogOnceAndInWhy() throws {
    let rig = try Rig([])
    func lose(_ ms: Double, since: Double?) {
      rig.engine.receive(
        .lost(
          LossEvent(
            time: .zero + .milliseconds(ms), device: MatchingRig.pad,
            since: since.map { .zero + .milliseconds($0) }), device: "Pad"))
    }
    lose(3600, since: 0)
    for _ in 0..<50 { lose(3700, since: 3600) }
    lose(9000, since: nil)
    let lines = [
      "lost what was done on Pad in the 3.6 s before: it was not read in time",
      "lost what was done on Pad: it was not read in time",
    ]
    #expect(rig.said.all == lines)
    let report = rig.engine.report
    #expect(report.losses.map(\.count) == [51, 1])
    #expect(WhyReport(try JSON(parsing: report.json.encoded)) == report)
  }

  @Test func theJSONFormComesBackTheSame() throws {
    let rig = try Rig([
      Self.rule(.tap, Self.run("true"), Self.run("no-such-program")),
      try Self.rule(hotkey: "super+t", .run(Command(.shell("exit 1"))), release: Self.run("true")),
    ])
    rig.receive(Self.tap)
    rig.receive(.pressed, at: 200)
    rig.receive(.released, at: 300)
    _ = (try rig.strokeDeeds, try rig.hotkeyDeeds)
    var report = rig.engine.report
    let read = WhyReport(try JSON(parsing: report.json.encoded))
    // it is not told
    report.strokes[0].fired[0].hasActed = false
    #expect(read == report && read.hotkeys.count == 1)
  }

  /// Presses of hotkeys are many, and must not push out what became of the strokes that are still known.
  @Test func resultsAreKeptAsLongAsTheStroke() throws {
    let rig = try Rig([
      Self.rule(.tap, .mode("m")),
      try Self.rule(hotkey: "super+t", .mode("m"), release: .mode("m")),
    ])
    rig.receive(Self.tap)
    rig.engine.receive(.modeLeft)
    for index in 1...500 {
      rig.receive(.pressed, at: Double(index) * 1000)
      rig.receive(.released, at: Double(index) * 1000 + 100)
      rig.engine.receive(.modeLeft)
    }
    #expect(rig.engine.report.hotkeys.count == 10)
    #expect(try rig.strokeDeeds == ["entered the mode m"])
  }
}
