import ArgumentParser
import Gliss
import GlissAgent

/// `gliss why`: what became of the last strokes.
struct WhyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "why",
    abstract: "Say what your last strokes were taken for, and what your rules did.",
    discussion: """
      Asks the agent that runs ('gliss run') for its last ten strokes, the last one
      at the end. Of rules that missed it names the three that were closest, what
      was measured, and what the rule asks. Of those that fired it says what became
      of each action by now: what ran, what was not pressed and why. The last ten
      hotkeys that rules act on are listed too, and input that was not read in time.
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
    let answer = try AgentAsking.ask { (agent) throws(ClientError) in try agent.why() }
    switch format {
    case .json: Output.standard.write(JSONLines.bytes(of: answer))
    case .text:
      let text = StrokeText(Terminal(Output.standard.descriptor))
      let now = EventLoop.now
      let report = WhyReport(answer)
      var entries = report.strokes.map { ($0.time, text.text($0, at: Self.age(now - $0.time))) }
      entries += report.hotkeys.map { ($0.time, text.text($0, at: Self.age(now - $0.time))) }
      entries += report.losses.map { ($0.time, text.text($0, at: Self.age(now - $0.time))) }
      if entries.isEmpty { Diagnostics.say("there was no stroke yet") }
      for (_, entry) in entries.sorted(by: { $0.0 < $1.0 }) { Output.standard.write(line: entry) }
    }
  }

  /// How long ago it ended.
  static func age(_ interval: EventInterval) -> String {
    let seconds = max(0, interval.seconds)
    if seconds < 100 { return "\(seconds.fixed(1)) s ago".aligned(11) }
    if seconds < 6000 { return "\((seconds / 60).fixed(0)) min ago".aligned(11) }
    return "\((seconds / 3600).fixed(0)) h ago".aligned(11)
  }
}
