import ArgumentParser
import Glibc
import Gliss

/// The exit statuses.
enum ExitStatus {
  static let done: Int32 = 0
  /// An external failure, such as a full disk or an output that cannot be written.
  static let failed: Int32 = 1
  /// Wrong usage, or input that is unreadable or invalid.
  static let badInput: Int32 = 2
  static let interrupted: Int32 = 130
}

/// Runs the command and ends the process with its status. Unlike `main` itself, nothing here is
/// isolated to an actor.
enum Entry {
  nonisolated static func run() -> Never {
    Descriptors.open()
    Interruption.prepare()
    exit(perform(Array(CommandLine.arguments.dropFirst())))
  }

  private nonisolated static func perform(_ arguments: [String]) -> Int32 {
    if let unknown = UnknownCommand(arguments) {
      Diagnostics.say(unknown.description.printable)
      return ExitStatus.badInput
    }
    do {
      var command = try GlissCommand.parseAsRoot(arguments)
      try command.run()
      return ExitStatus.done
    } catch let status as ExitCode {
      return status.rawValue
    } catch {
      return report(error)
    }
  }

  /// Help, versions and completion scripts also arrive as errors, but are successful.
  private nonisolated static func report(_ error: any Error) -> Int32 {
    let isAnswer = GlissCommand.exitCode(for: error).isSuccess
    let message = GlissCommand.fullMessage(for: error)
    if isAnswer {
      Output.standard.write(line: message)
      return ExitStatus.done
    }
    let prefix = "Error: "
    Diagnostics.say(message.hasPrefix(prefix) ? String(message.dropFirst(prefix.count)) : message)
    return ExitStatus.badInput
  }
}
