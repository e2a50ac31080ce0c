import ArgumentParser
import Glibc
import Synchronization

/// Prints errors on standard error, one per line.
enum Diagnostics {
  private static let worst = Atomic<Int32>(ExitStatus.done)

  /// The exit status according to the errors so far.
  static var worstStatus: Int32 { worst.load(ordering: .relaxed) }

  static func say(_ message: String) {
    Progress.clear()
    Output.diagnostics.write(line: "gliss: \(message)")
  }

  /// Reports bad input that ends the command. The caller throws the result.
  static func refusal(_ message: String) -> ExitCode {
    say(message.printable)
    return ExitCode(ExitStatus.badInput)
  }

  /// Reports bad input and remembers it for the exit status. The next file is still processed.
  static func badInput(_ message: String) {
    worst.store(ExitStatus.badInput, ordering: .relaxed)
    say(message)
  }
}
