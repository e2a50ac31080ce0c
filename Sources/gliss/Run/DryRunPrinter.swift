import Gliss
import GlissAgent
import GlissConfiguration

/// Prints what rules would do, and which strokes had no effect.
final class DryRunPrinter {
  private let rules: [Rule]
  private let configuration: Configuration
  /// The recording; `nil` for live input.
  private let file: String?
  private let format: EventFormat
  private let origin: EventTime
  private let terminal = Terminal(Output.standard.descriptor)
  private var activationCount = 0
  /// Strokes not printed yet.
  private var strokes: [PastStroke] = []

  init(_ configuration: Configuration, file: String?, origin: EventTime, _ format: EventFormat) {
    self.configuration = configuration
    rules = configuration.rules
    self.file = file
    self.origin = origin
    self.format = format
    if format == .text, let file {
      Output.standard.write(line: Style.bold(file.printable, on: terminal))
    }
  }

  // MARK: Activations

  func print(_ activation: Activation) {
    activationCount += 1
    let actions = configuration.actions(of: activation).map(ActionSentence.describe)
    switch format {
    case .text: Output.standard.write(line: row(activation, actions))
    case .jsonl: Output.standard.write(line(activation, actions))
    }
  }

  private func row(_ activation: Activation, _ actions: [String]) -> String {
    let rule = rules[activation.rule].label.printable.padded(24)
    let parts = [
      time(activation.time), Style.bold(rule, on: terminal), activation.moment.words.padded(11),
      actions.joined(separator: "; ").printable,
    ]
    return parts.joined(separator: "  ")
  }

  private func line(_ activation: Activation, _ actions: [String]) -> [UInt8] {
    let rule = rules[activation.rule]
    let value = JSON.some([
      "time": .decimal(Double((activation.time - origin).microseconds) / 1_000_000),
      "file": file.map(JSON.string), "kind": "activation", "rule": rule.name.map(JSON.string),
      "place": .string(rule.place.description), "moment": .string(activation.moment.name),
      "times": .integer(Int64(activation.moment.times)),
      "actions": .array(actions.map(JSON.string)),
    ])
    return value.encoded + [UInt8(ascii: "\n")]
  }

  private func time(_ time: EventTime) -> String { (time - origin).seconds.fixed(3).aligned(9) }

  // MARK: Strokes

  func note(_ stroke: PastStroke) {
    if !stroke.isForeword { strokes.append(stroke) }
  }

  /// Prints the strokes that had no effect, while the user still remembers making them.
  func tellStrokes() {
    if strokes.isEmpty { return }
    for report in StrokeReport.reports(of: strokes) where !report.hasActed { print(report) }
    strokes = []
  }

  private func print(_ report: StrokeReport) {
    switch format {
    case .text:
      Output.standard.write(line: StrokeText(terminal).text(report, at: time(report.time)))
    case .jsonl:
      var report = report
      report.time = EventTime(microseconds: (report.time - origin).microseconds)
      var members = report.json.object ?? []
      members.insert(JSON.Member("kind", "stroke"), at: 1)
      if let file { members.insert(JSON.Member("file", .string(file)), at: 1) }
      Output.standard.write(JSON.object(members).encoded + [UInt8(ascii: "\n")])
    }
  }

  /// The recording has ended.
  func close() {
    if format == .text { Output.standard.write(line: "  " + summary) }
    tellStrokes()
  }

  private var summary: String {
    let reports = StrokeReport.reports(of: strokes)
    let idle = reports.count { !$0.hasActed }
    let fired = activationCount == 1 ? "1 activation" : "\(activationCount) activations"
    let strokes = reports.count == 1 ? "1 stroke" : "\(reports.count) strokes"
    return "\(fired), \(strokes)" + (idle == 0 ? "" : "; nothing came of \(idle):")
  }
}
