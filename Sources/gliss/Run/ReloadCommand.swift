import ArgumentParser
import Gliss
import GlissAgent

/// `gliss reload`: makes the agent read its rules again.
struct ReloadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload",
    abstract: "Let the agent read its rules anew.",
    discussion: """
      It does so by itself whenever a file is saved. This also asks again for what
      was not granted before, and says what is wrong with the rules
      and what keeps them from acting.

      EXAMPLES
        gliss reload

      EXIT STATUS
        1    no agent runs
        2    the rules have mistakes: the old ones stay
      """)

  func run() throws {
    let outcome = try AgentAsking.ask { (agent) throws(ClientError) in try agent.reload() }
    for mistake in outcome.mistakes { Diagnostics.say(mistake.printable) }
    let status = AgentAsking.status
    guard outcome.isTaken else {
      let kept = status.map { $0.gestures + $0.hotkeys == 0 } ?? false
      Diagnostics.say(
        "these rules were not taken: \(kept ? "there are no others" : "the old ones stay")")
      throw ExitCode(ExitStatus.badInput)
    }
    for problem in status?.problems ?? [] { Diagnostics.say("warning: \(problem)".printable) }
  }
}
