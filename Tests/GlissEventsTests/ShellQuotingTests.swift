import Foundation
import GlissEvents
import Testing

/// A real shell reads the words.
@Suite struct ShellQuotingTests {
  private static let words = [
    "", "plain", "a b", "it's", "$HOME", "`id`", "\\", "a\nb", "-n", "*", "'", "''", "ä",
    // a quote that Swift takes for another character, and the shell does not
    "x'\u{301};echo out;'\u{301}", "\u{d4e}'; echo out #", "'\u{fe0f}",
  ]

  @Test(arguments: words) func aShellTakesItLiterally(_ word: String) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "printf %s \(word.quotedForShell)"]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(Array(bytes) == Array(word.utf8))
  }
}
