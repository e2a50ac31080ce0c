import ArgumentParser
import Gliss
import GlissAgent

/// `gliss why`: what became of the last strokes.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say what your last strokes were taken for, and which rules fired or just missed.",
    discussion: """
      Asks the agent that runs ('gliss run') for its last ten strokes, the last one
      at the end. Of rules that missed it names the three that were closest, what
      was measured, and what the rule asks.
      A stroke that is not listed was taken for no gesture: 'gliss record' and
      'gliss explain' tell why.

      EXAMPLES
        gliss why
        gliss why --format json | jq '.strokes[-1]'

      EXIT STATUS
        1  no agent runs
      """)

  @Option(help: "text: for reading; json: one object.")
  var format = AnswerFormat.text

  func run() throws {
    let strokes = try AgentAsking.ask { (agent) throws(ClientError) in try agent.strokes() }
    switch format {
    case .json: Output.standard.write(JSONLines.bytes(of: ["strokes": .array(strokes)]))
    case .text:
      let text = StrokeText(Terminal(Output.standard.descriptor))
      let now = EventLoop.now
      let reports = strokes.compactMap { StrokeReport($0) }
      if reports.isEmpty { Diagnostics.say("there was no stroke yet") }
      for report in reports {
        Output.standard.write(line: text.text(report, at: Self.age(now - report.time)))
      }
    }
  }

  /// How long ago it was over.
  static func age(_ interval: EventInterval) -> String {
    let seconds = max(0, interval.seconds)
    if seconds < 100 { return "\(seconds.fixed(1)) s ago".aligned(11) }
    if seconds < 6000 { return "\((seconds / 60).fixed(0)) min ago".aligned(11) }
    return "\((seconds / 3600).fixed(0)) h ago".aligned(11)
  }
}
