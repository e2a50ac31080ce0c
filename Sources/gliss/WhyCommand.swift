import ArgumentParser
import Gliss
import GlissAgent

struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Explain what your last strokes were recognized as, and what your rules did.",
    discussion: """
      Prints the last ten strokes of the agent ('gliss run'), the newest last. For
      each stroke it lists the three rules that nearly fired, with what was measured
      and what the rule requires, and the rules that fired, with the result of each
      action so far: what ran, what was not pressed and why. It also lists the last
      ten hotkeys that rules acted on, and input that was not read in time. A stroke
      that is not listed was not recognized as a gesture: 'gliss record' and 'gliss
      explain' show why.

      EXAMPLES
        gliss why
        gliss why --format json | jq '.strokes[-1]'

      EXIT STATUS
        1  no agent runs
      """)

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  /// A recording, which another command explains.
  @Argument(help: .hidden)
  var file: String?

  func run() throws {
    if let file {
      throw Diagnostics.refusal("for a recording: gliss explain \(file.quotedForShell)")
    }
    let answer = try AgentAsking.ask { try $0.why() }
    switch format {
    case .json: Output.standard.write(document: answer)
    case .text:
      let now = InputLoop.now
      let report = WhyReport(answer)
      let status = AgentAsking.status
      let files = report.files(among: status?.files ?? [])
      func text(_ time: EventTime) -> StrokeText {
        let age = CalendarTime.age((now - time).seconds, places: 1)
        return StrokeText(time: "\(age) ago".aligned(11), files: files)
      }
      var entries = report.strokes.map { ($0.time, text($0.time).text($0)) }
      entries += report.hotkeys.map { ($0.time, text($0.time).text($0)) }
      entries += report.losses.map { ($0.time, text($0.time).text($0)) }
      if entries.isEmpty { Self.sayNothing(status) }
      for (_, entry) in entries.sorted(by: { $0.0 < $1.0 }) { Output.standard.write(line: entry) }
    }
  }

  /// There were no strokes, and what may have kept them from the agent.
  private static func sayNothing(_ agent: AgentStatus?) {
    Diagnostics.say("there have been no strokes yet")
    guard let agent else { return }
    var lines = agent.problems.flatMap {
      ProblemText(BrokerOptions.addressed($0)).lines("problem")
    }
    if agent.route == "broker",
      let broker = try? BrokerConnection(path: BrokerConnection.standardPath).status(),
      broker.seat.state != "active"
    {
      lines.append(broker.sessionLine)
    }
    Output.standard.write(lines: lines)
  }
}

struct StrokeText {
  let time: String
  let files: FileNames

  func text(_ stroke: StrokeReport) -> String {
    let rows = stroke.fired.flatMap(rows) + stroke.missed.map(row)
    return entry(stroke.sentence, rows.isEmpty ? [Style.dim("no rule applies to it")] : rows)
  }

  func text(_ press: PressReport) -> String {
    entry(
      (press.missed.isEmpty ? "hotkey " : "pressed ") + press.hotkey,
      press.fired.flatMap(rows) + press.missed.map(row))
  }

  func text(_ loss: LossReport) -> String { time + "  " + Style.red(loss.sentence.printable) }

  private func entry(_ heading: String, _ rows: [String]) -> String {
    let margin = String(repeating: " ", count: time.count + 4)
    let head = time + "  " + Style.bold(heading.printable)
    return ([head] + rows.map { margin + $0 }).joined(separator: "\n")
  }

  private func row(_ missed: StrokeReport.Missed) -> String {
    let rule = missed.rule.label(among: files)
    return Style.yellow("missed")
      + "  \(rule.printable): \(missed.reasons.joined(separator: "; ").printable)"
  }

  private func rows(_ fired: StrokeReport.Fired) -> [String] {
    let moments = fired.moments.isEmpty ? "" : ": " + fired.moments.joined(separator: ", ")
    let space = String(repeating: " ", count: 8)
    return [outcome(fired) + (fired.rule.label(among: files) + moments).printable]
      + fired.records.map { space + $0.sentence.printable }
  }

  /// A rule without actions at that time cannot have fired or failed.
  ///
  /// A dry run has no results, but knows whether there were actions.
  private func outcome(_ fired: StrokeReport.Fired) -> String {
    let records = fired.records
    if records.isEmpty, !fired.hasActed { return "engaged " }
    if !records.isEmpty, records.allSatisfy({ $0.failed == $0.asked }) {
      return Style.red("failed") + "  "
    }
    return Style.green("fired") + "   "
  }
}
