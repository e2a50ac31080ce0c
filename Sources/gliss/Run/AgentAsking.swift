import ArgumentParser
import Glibc
import Gliss
import GlissAgent

/// Sends requests to the user's agent.
enum AgentAsking {
  /// If the agent does not reply, reports the reason and ends the process.
  static func ask<Answer>(
    _ body: (AgentConnection) throws(ClientError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(ClientError) {
      guard let path = AgentConnection.standardPath else { throw .noBroker(path: "", code: ENOENT) }
      return try body(try AgentConnection(path: path))
    } catch {
      Diagnostics.say(text(error).printable)
      throw ExitCode(ExitStatus.failed)
    }
  }

  /// The agent's status; `nil` if none is running.
  static var status: AgentStatus? {
    guard let path = AgentConnection.standardPath else { return nil }
    return try? AgentConnection(path: path).status()
  }

  private static func text(_ error: ClientError) -> String {
    switch error {
    case .noBroker(_, ENOENT), .noBroker(_, ECONNREFUSED):
      "no agent runs: start it with 'gliss run', or 'systemctl --user enable --now gliss'"
    case .noBroker(let path, let code): "\(path): \(String(cString: strerror(code)))"
    case .disconnected, .timedOut: "the agent does not answer; see: journalctl --user -u gliss"
    case _: "\(error)"
    }
  }
}
