import ArgumentParser
import Glibc
import Synchronization

/// What goes wrong, on standard error, one line each.
enum Diagnostics {
  private static let worst = Atomic<Int32>(ExitStatus.done)

  /// The status to leave with, by what was reported so far.
  static var worstStatus: Int32 { worst.load(ordering: .relaxed) }

  static func say(_ message: String) {
    Progress.clear()
    Output.diagnostics.write(line: "gliss: \(message)")
  }

  /// Bad input that ends the command: said now; what is returned is to be thrown.
  static func refusal(_ message: String) -> ExitCode {
    say(message.printable)
    return ExitCode(ExitStatus.badInput)
  }

  /// Bad input: said now, counted for the end; the next file still gets its turn.
  static func badInput(_ message: String) {
    worst.store(ExitStatus.badInput, ordering: .relaxed)
    say(message)
  }
}
