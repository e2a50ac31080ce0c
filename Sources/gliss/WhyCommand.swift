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

  func run() throws {
    let answer = try AgentAsking.ask { try $0.why() }
    switch format {
    case .json: Output.standard.write(document: answer)
    case .text:
      let text = StrokeText(Terminal.standard)
      let now = InputLoop.now
      let report = WhyReport(answer)
      var entries = report.strokes.map { ($0.time, text.text($0, at: Self.age(now - $0.time))) }
      entries += report.hotkeys.map { ($0.time, text.text($0, at: Self.age(now - $0.time))) }
      entries += report.losses.map { ($0.time, text.text($0, at: Self.age(now - $0.time))) }
      if entries.isEmpty { Diagnostics.say("there were no strokes yet") }
      for (_, entry) in entries.sorted(by: { $0.0 < $1.0 }) { Output.standard.write(line: entry) }
    }
  }

  private static func age(_ interval: EventInterval) -> String {
    "\(CalendarTime.age(interval.seconds, places: 1)) ago".aligned(11)
  }
}

/// Describes a stroke: what it was recognized as, and which rules fired or just missed. Also
/// describes hotkeys and losses.
struct StrokeText {
  private let terminal: Terminal

  init(_ terminal: Terminal) { self.terminal = terminal }

  /// - Parameter time: The text of the first column.
  func text(_ stroke: StrokeReport, at time: String) -> String {
    let margin = margin(time)
    var lines = [heading(stroke.sentence, time)]
    for fired in stroke.fired { lines += rows(fired).map { margin + $0 } }
    lines += stroke.missed.map { margin + row($0) }
    if stroke.fired.isEmpty, stroke.missed.isEmpty {
      lines.append(margin + Style.dim("no rule applies to it", on: terminal))
    }
    return lines.joined(separator: "\n")
  }

  func text(_ press: IdlePress, at time: String) -> String {
    let lines = press.missed.map { margin(time) + row($0) }
    return ([heading("pressed " + press.hotkey, time)] + lines).joined(separator: "\n")
  }

  private func row(_ missed: StrokeReport.Missed) -> String {
    Style.yellow("missed", on: terminal)
      + "  \(missed.rule.label.printable): \(missed.reasons.joined(separator: "; ").printable)"
  }

  func text(_ hotkey: HotkeyReport, at time: String) -> String {
    let lines = hotkey.fired.flatMap(rows).map { margin(time) + $0 }
    return ([heading("hotkey " + hotkey.hotkey, time)] + lines).joined(separator: "\n")
  }

  func text(_ loss: LossReport, at time: String) -> String {
    time + "  " + Style.red(loss.sentence.printable, on: terminal)
  }

  private func margin(_ time: String) -> String { String(repeating: " ", count: time.count + 4) }

  private func heading(_ text: String, _ time: String) -> String {
    time + "  " + Style.bold(text.printable, on: terminal)
  }

  /// The rule, and the results of its actions below it.
  private func rows(_ fired: StrokeReport.Fired) -> [String] {
    let moments = fired.moments.isEmpty ? "" : ": " + fired.moments.joined(separator: ", ")
    let space = String(repeating: " ", count: 8)
    return [outcome(fired.records) + (fired.rule.label + moments).printable]
      + fired.records.map { space + $0.sentence.printable }
  }

  /// A rule without actions at that time cannot have fired or failed.
  private func outcome(_ records: [ActionRecord]) -> String {
    if records.isEmpty { return "engaged " }
    if records.allSatisfy({ $0.failed == $0.asked }) {
      return Style.red("failed", on: terminal) + "  "
    }
    return Style.green("fired", on: terminal) + "   "
  }
}
