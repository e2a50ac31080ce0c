import ArgumentParser
import Glibc
import Gliss

/// What the process tells its caller.
enum ExitStatus {
  static let done: Int32 = 0
  /// Something outside failed: a full disk, an output that cannot be written.
  static let failed: Int32 = 1
  /// Bad usage, or input that cannot be read or does not make sense.
  static let badInput: Int32 = 2
  static let interrupted: Int32 = 130
}

/// From arguments to an exit status. Nothing in here is bound to an actor, unlike `main` itself.
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

  /// Help, versions and completion scripts arrive as errors too: those are done, not bad usage.
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
