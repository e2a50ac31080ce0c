import ArgumentParser
import Gliss

/// `--socket`, and connecting to the broker.
struct BrokerOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The broker's socket; without it $GLISS_SOCKET, and else the system's.", valueName: "path"),
    completion: .file())
  var socket: String?

  func validate() throws {
    if socket == "" { throw ValidationError("--socket needs a path") }
  }

  var path: String { socket ?? BrokerConnection.standardPath }

  /// Connects and calls `body`. On an error, reports the reason and ends the process.
  func ask<Answer>(
    _ body: (BrokerConnection) throws(ClientError) -> Answer
  ) throws(ExitCode) -> Answer {
    do throws(ClientError) {
      let connection = try BrokerConnection(path: path)
      return try Reminder.around { () throws(ClientError) in try body(connection) }
    } catch {
      throw Self.report(error)
    }
  }

  /// Reports the broker's error and what to do about it.
  ///
  /// - Returns: The exit status.
  static func report(_ error: ClientError) -> ExitCode {
    Diagnostics.say(ClientErrorText.text(error).printable)
    switch error {
    case .invalidParameter: return ExitCode(ExitStatus.badInput)
    case _: return ExitCode(ExitStatus.failed)
    }
  }
}
