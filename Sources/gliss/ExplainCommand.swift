import ArgumentParser
import Gliss
import GlissAgent
import GlissPlot

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain why each contact was recognized as it was.",
    usage: "gliss explain [<option> ...] <file>",
    discussion: """
      For each stroke, from the first finger down to the last one up, it prints
      every decision, the cost of each possible meaning in mm of finger travel, the
      lead that was needed, and the rule that decided. These are the numbers of the
      decision itself; only the travel of fingers that had lifted by then is
      measured again. With --set, a second recognizer with that setting gets the
      same input, and the differences are shown. Strokes and fingers have the
      numbers that they have in pictures of 'gliss plot'.

      EXAMPLES
        gliss explain mine.yml
        gliss explain --set motion.floor=0.4 mine.yml
        gliss explain --stroke 3 mine.yml
        gliss explain --format jsonl mine.yml
      """)

  @Argument(help: "A recording; - is standard input.", completion: .file())
  var file: String

  /// Further recordings, which are refused.
  @Argument(help: .hidden)
  var others: [String] = []

  @Option(
    help: "text: for reading; jsonl: a JSON object for each decision, loss and undecided stroke.")
  var format = EventFormat.text

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only this stroke, from 1.", valueName: "number"))
  var stroke: Int?

  @Option(help: .axes, completion: .file())
  var axes: String?

  @OptionGroup var settings: SettingOptions

  func validate() throws {
    try Arguments.checkStandardInput([file])
    if let stroke, stroke < 1 { throw ValidationError("--stroke counts from 1") }
  }

  func run() throws {
    // not in validate(): the number of an unknown option would count as a file
    if !others.isEmpty { throw Diagnostics.refusal("explain takes one recording") }
    if var playback = Playback(file: file, axes: axes) {
      try explain(&playback)
      playback.reportWarnings()
    }
    throw Diagnostics.result
  }

  private func explain(_ playback: inout Playback) throws {
    let isChanged = !settings.assignments.isEmpty
    let changed = isChanged ? plotter(try settings.configuration()) : nil
    var printer = ExplanationPrinter(self, from: playback.origin)
    let explained = plotter(GestureConfiguration())
    func printSettled(by time: EventTime?) {
      for stroke in explained.recording.takeSettled(by: time) {
        let device = explained.recording.device(of: stroke)
        printer.print(stroke, from: device, with: changed?.recording.takeStroke(like: stroke))
      }
    }
    explained.session.addHandler(matching: .touch) { printSettled(by: $0.time) }
    // the changed session runs first, because its decisions must be known when a contact is printed
    let plotters = [changed, explained].compactMap(\.self)
    let isWhole = playback.run(into: plotters.map(\.session))
    if !isWhole { for plotter in plotters { plotter.recording.noteError() } }
    printSettled(by: nil)
    if isWhole { printer.close() }
  }

  private func plotter(_ configuration: GestureConfiguration) -> Plotter {
    Plotter(
      PlottedRecording(name: file, origin: .zero, isBrief: true),
      Session(configuration: configuration), withEvidence: false)
  }
}

struct ExplanationPrinter {
  private let command: ExplainCommand
  private let origin: EventTime
  /// The settings of the second session as typed; empty without one.
  private let settings: String
  private var headed: DeviceID?
  /// How many strokes there were, and the numbers of those for which the second session differs.
  private var (count, differing) = (0, [Int]())

  init(_ command: ExplainCommand, from origin: EventTime) {
    self.command = command
    self.origin = origin
    settings = command.settings.typed
  }

  /// - Parameter changed: What the second session made of the same contact; `nil` without one.
  mutating func print(_ stroke: PlottedStroke, from device: Device?, with changed: PlottedStroke?) {
    count += 1
    if let only = command.stroke, only != stroke.number { return }
    if let changed, !changed.comesOut(as: stroke) { differing.append(stroke.number) }
    switch command.format {
    case .text:
      let head = headed == stroke.device ? "" : heading(device)
      headed = stroke.device
      Output.standard.write(text: head + describe(stroke, with: changed))
    case .jsonl:
      write(stroke, from: device, settings: nil)
      if let changed { write(changed, from: device, settings: settings) }
    }
  }

  /// - Parameter settings: The settings of the deciding session that are not defaults, as typed;
  ///   `nil` for the session that is explained.
  private func write(_ stroke: PlottedStroke, from device: Device?, settings: String?) {
    // as in the lines of replay
    let unit = device.flatMap { $0.unit == 1 ? nil : JSON.whole($0.unit) }
    func record(
      _ kind: String, at time: EventTime, _ members: KeyValuePairs<String, JSON?>
    ) {
      let head = JSON.members([
        "time": .seconds(time - origin), "file": .string(command.file),
        "device": .string(device?.name ?? ""), "unit": unit, "kind": .string(kind),
        "set": settings.map(JSON.string), "stroke": .whole(stroke.number),
        "contact": .seconds(stroke.start - origin),
        "continues": stroke.continues ? JSON.bool(true) : nil,
      ])
      Output.standard.write(record: head.with(members))
    }
    for decision in stroke.decisions {
      record("decision", at: decision.time, decision.members(in: stroke, from: origin))
    }
    if stroke.decisions.isEmpty {
      record("undecided", at: stroke.end, ["reason": .string(StrokeWords.undecided(stroke))])
    }
    if let lost = stroke.lost { record("lost", at: lost, [:]) }
  }

  func close() {
    let file = command.file.printable
    if let only = command.stroke {
      if only > count { Diagnostics.badInput(StrokeWords.missing(only, of: count, in: file)) }
    } else if command.format == .text {
      if headed == nil { Output.standard.write(line: "\(file): no finger touched") }
      if headed != nil, !settings.isEmpty { Output.standard.write(text: "\n" + differences) }
    }
  }

  private static let mostListed = 20

  /// "with motion.floor=0.4, 2 of 12 strokes come out differently: 3, 7".
  private var differences: String {
    let verb = differing.count == 1 || count == 1 ? "comes" : "come"
    let strokes = counted(count, "stroke")
    var text = "with \(settings), \(differing.count) of \(strokes) \(verb) out differently"
    if differing.isEmpty { return Style.dim(text) + "\n" }
    text += ": " + differing.prefix(Self.mostListed).map { "\($0)" }.joined(separator: ", ")
    let rest = differing.count - Self.mostListed
    return Style.yellow(text + (rest > 0 ? " and \(rest) more" : "")) + "\n"
  }

  // MARK: Text

  private func heading(_ device: Device?) -> String {
    let name = device.map { EventSentence.describe($0) } ?? "unknown device"
    return "\(Style.bold(command.file.printable)) · \(name)\n"
  }

  private func describe(_ stroke: PlottedStroke, with changed: PlottedStroke?) -> String {
    var text = "\n" + Style.bold(span(stroke)) + "\n"
    if stroke.decisions.isEmpty {
      text += "  nothing was decided: \(StrokeWords.undecided(stroke))\n"
    }
    var cancelled = stroke.cancelled[...]
    for decision in stroke.decisions {
      while let gesture = cancelled.first, gesture.latest.time <= decision.time {
        text += describe(cancelled: gesture)
        cancelled.removeFirst()
      }
      text += describe(decision, in: stroke)
    }
    if let lost = stroke.lost, !stroke.decisions.isEmpty {
      text += "  \((lost - origin).seconds.fixed(3)) s  events of the pad were lost (SYN_DROPPED)\n"
    }
    for gesture in cancelled { text += describe(cancelled: gesture) }
    if let changed { text += comparison(of: stroke, with: changed) }
    return text
  }

  private func describe(cancelled gesture: PlottedStroke.Gesture) -> String {
    let time = (gesture.latest.time - origin).seconds.fixed(3)
    let length = (gesture.latest.time - gesture.began).milliseconds.fixed(0)
    return "  \(time) s  \(gesture.latest.kind.name) cancelled after \(length) ms\n"
  }

  private func span(_ stroke: PlottedStroke) -> String {
    let start = (stroke.start - origin).seconds.fixed(3)
    let end = stroke.lifted.map { ($0 - origin).seconds.fixed(3) + " s" } ?? "the end"
    let most = stroke.most == 1 ? "" : "up to "
    let fingers = GestureWords.fingers(stroke.most)
    let loss = stroke.continues ? ", right after lost events" : ""
    return "stroke \(stroke.number), \(start) s to \(end), \(most)\(fingers)\(loss)"
  }

  private func describe(_ decision: Decision, in stroke: PlottedStroke) -> String {
    let style = decision.outcome?.style ?? .dim
    let time = (decision.time - origin).seconds.fixed(3) + " s"
    var text =
      "  \(time)  " + style(DecisionSentence.outcome(decision, in: stroke))
      + (decision.rested == nil ? "" : " rests, one")
      + " of \(DecisionSentence.fingers(decision, in: stroke))"
      + (decision.resting > 0 ? " beside \(decision.resting) resting" : "")
      + (decision.rule == .nothing ? "" : " by rule \(decision.rule.name)")
      + ", \(DecisionSentence.delay(decision, in: stroke))\n"
    let weighed = DecisionSentence.weighed(decision)
    let travels = DecisionSentence.travels(decision, in: stroke)
    // before any motion, a meaning costs something only if a finger looks as if it rests
    let isStill = decision.rested != nil && travels.allSatisfy { $0.way == 0 }
    for (meaning, cost) in weighed {
      text += "    " + meaning.padded(12)
      text += isStill ? "costs \(cost.fixed(2)) mm" : "leaves \(cost.fixed(2)) mm unexplained"
      if let relation = DecisionSentence.relation(of: meaning, in: decision) {
        text += "  " + (relation == "decided" ? style(relation) : Style.dim(relation))
      }
      text += "\n"
    }
    if let timed = DecisionSentence.timed(decision) {
      let (numbers, end) = DecisionSentence.verdict(timed, in: decision)
      let name = decision.outcome == .hold ? "hold" : "tap"
      text += "    " + name.padded(12) + numbers.padded(28)
      text += (end == "decided" ? style(end) : end) + "\n"
    }
    if !weighed.isEmpty && decision.timed == nil {
      text += "    \(DecisionSentence.lead(decision))\n"
    }
    // beside a single finger, others may have rested
    if !travels.isEmpty, decision.rule != .nothing || decision.fingers > 1 {
      let motion = DecisionSentence.motion(decision, in: stroke)
      let tremor = "the pad trembles by \(decision.jitter.fixed(3)) mm"
      text += Style.dim("    \(motion); \(tremor)\n")
    }
    return text + "    \(DecisionSentence.reason(decision))\n"
  }

  private func comparison(of stroke: PlottedStroke, with changed: PlottedStroke) -> String {
    let label = "  with \(settings): "
    if changed.comesOut(as: stroke) {
      return Style.dim(label + "the same\(Self.delay(from: stroke, to: changed))\n")
    }
    let (old, new) = (StrokeWords.summary(stroke), StrokeWords.summary(changed))
    var text = Style.yellow(label + "\(new) instead of \(old)") + "\n"
    // everything is compared except device numbers, which each session assigns itself
    for decision in changed.decisions
    where !stroke.decisions.contains(where: {
      $0.time == decision.time && $0.outcome == decision.outcome && $0.rule == decision.rule
    }) {
      text += describe(decision, in: changed)
    }
    for gesture in changed.cancelled
    where !stroke.cancelled.contains(where: {
      $0.latest.time == gesture.latest.time && $0.latest.kind == gesture.latest.kind
    }) {
      text += describe(cancelled: gesture)
    }
    return text
  }

  /// ", 24 ms later" if the same began at another time.
  private static func delay(from before: PlottedStroke, to after: PlottedStroke) -> String {
    let delays = zip(before.gestures, after.gestures).map { ($1.began - $0.began).milliseconds }
    guard let most = delays.max(by: { abs($0) < abs($1) }), most != 0 else { return "" }
    return ", \(abs(most).fixed(0)) ms \(most < 0 ? "earlier" : "later")"
  }
}

extension PlottedStroke {
  fileprivate var cancelled: [Gesture] { gestures.filter { $0.latest.phase == .cancelled } }
}

extension Decision {
  fileprivate func members(
    in stroke: PlottedStroke, from origin: EventTime
  ) -> KeyValuePairs<String, JSON?> {
    func seconds(_ time: EventTime) -> JSON { .seconds(time - origin) }
    func number(_ value: Double) -> JSON {
      .decimal((min(max(value, -9e12), 9e12) * 1000).rounded() / 1000)
    }
    let weighed = DecisionSentence.weighed(self)
    let isWeighed = !weighed.isEmpty
    // if time decided, no lead did
    let hasLead = isWeighed && timed == nil
    let leader = hasLead ? DecisionSentence.leader(self) : nil
    let rival = hasLead ? DecisionSentence.rival(self) : nil
    let parts: JSON = [
      "together": number(together), "apart": number(apart), "around": number(around),
    ]
    let travels = DecisionSentence.travels(self, in: stroke)
    return [
      "gesture": outcome.map { .string($0.name) }, "rule": .string(rule.name),
      "fingers": .integer(Int64(evidence.fingers)), "resting": .integer(Int64(resting)),
      "rested": DecisionSentence.rested(self, in: stroke).map { .integer(Int64($0)) },
      "landed": seconds(landed), "onset": onset.map(seconds),
      "time_ms": DecisionSentence.timed(self).map { timed in
        [
          "measured": number(timed.measured),
          (timed.isLimit ? "atMost" : "required"): number(timed.required),
          "met": .bool(timed.isMet),
        ]
      },
      "unexplained_mm": isWeighed ? .object(weighed.map { JSON.Member($0, number($1)) }) : nil,
      "meaning": leader.map(JSON.string), "rival": rival.map(JSON.string),
      "lead_mm": hasLead ? number(evidence.lead) : nil,
      "needed_mm": hasLead ? number(evidence.needed) : nil,
      "speed_mm_s": isWeighed && speed > 0 ? number(speed) : nil,
      "parts_mm": isWeighed ? parts : nil,
      "reach": isWeighed && evidence.fingers > 2 ? number(reach) : nil,
      "waited": isWeighed ? waited.map { .string($0.rawValue) } : nil,
      "travel_of": .array(travels.map { .integer(Int64($0.finger)) }),
      "travel_mm": .array(travels.map { number($0.way) }), "jitter_mm": number(jitter),
      "fault": rule == .nothing ? tapFault?.record : nil,
    ]
  }
}

extension TapFault {
  /// What was measured, and the setting that limits it. A click has none.
  fileprivate var record: JSON {
    func measured(
      _ kind: String, _ measured: Double, _ limit: Double, in unit: String, _ setting: String
    ) -> JSON {
      [
        "kind": .string(kind), "measured": .decimal((measured * 1000).rounded() / 1000),
        "limit": .decimal(limit), "unit": .string(unit), "setting": .string(setting),
      ]
    }
    return switch self {
    case .slid(let way, let most): measured("slid", way, most, in: "mm", "tap.movement")
    case .landedApart(let time, let most) where time <= most: ["kind": "landedAfterLift"]
    case .landedApart(let time, let most):
      measured("landedApart", time, most, in: "ms", "tap.landingSpread")
    case .hardlyTogether(let share, let least):
      measured("hardlyTogether", share, least, in: "share", "tap.overlap")
    case .lasted(let time, let most): measured("lasted", time, most, in: "ms", "tap.duration")
    case .clicked: ["kind": "clicked"]
    case .bounced: ["kind": "bounced", "setting": "tap.quiet"]
    case .typing: ["kind": "typing", "setting": "typing.afterKey"]
    case .gesture: ["kind": "gesture"]
    }
  }
}
