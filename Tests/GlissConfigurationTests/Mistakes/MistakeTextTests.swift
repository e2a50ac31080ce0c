import GlissConfiguration
import Testing

@Suite struct MistakeTextTests {
  static func picture(_ source: String?, column: Int, length: Int = 1) -> [String] {
    Mistake(
      "wrong", at: Place(file: "f", line: 3, column: column), length: length, source: source
    ).lines
  }

  @Test(
    arguments: [
      ("ab cd", 4, 2, "  ab cd", "     ^~"), ("ab", 1, 1, "  ab", "  ^"),
      // past the end, where something is missing
      ("ab", 3, 1, "  ab", "    ^"), ("ab", 9, 5, "  ab", "    ^"), ("ab", 0, 9, "  ab", "  ^~"),
      // a tab is as wide as the terminal makes it
      ("\ta\tb", 4, 1, "  \ta\tb", "  \t \t^"), ("a: 漢字x", 6, 1, "  a: 漢字x", "         ^"),
      ("a: 漢字", 4, 2, "  a: 漢字", "     ^~~~"), ("e\u{301}x", 3, 1, "  e\u{301}x", "   ^"),
      ("a\u{1b}[31mb", 7, 1, "  a\u{fffd}[31mb", "        ^"),
      ("a\u{202e}b", 3, 1, "  ab", "   ^"), ("🦊x", 2, 1, "  🦊x", "    ^"),
    ])
  func theMarkStandsUnderWhatIsWrong(
    _ source: String, _ column: Int, _ length: Int, _ line: String, _ mark: String
  ) {
    let lines = Self.picture(source, column: column, length: length)
    #expect(lines == ["f:3:\(column): error: wrong", line, mark])
  }

  @Test func aLineThatIsNotThereIsNotShown() {
    #expect(Self.picture(nil, column: 1).count == 1)
    #expect(Self.picture("  ", column: 1).count == 1)
  }

  @Test func ofALongLineAPartIsShown() {
    let source = String(repeating: "a", count: 5000) + "b" + String(repeating: "c", count: 5000)
    let lines = Self.picture(source, column: 5001, length: 4000)
    #expect(lines[1].count < 200 && lines[2].count < 200)
    let index = lines[2].distance(
      from: lines[2].startIndex, to: lines[2].firstIndex(of: "^") ?? lines[2].startIndex)
    #expect(Array(lines[1])[index] == "b")
    #expect(lines[1].hasPrefix("  …") && lines[1].hasSuffix("…"))
  }

  @Test func nothingInItDrivesATerminal() {
    let mistake = Mistake(
      "no “\u{1b}[2J”\n", at: Place(file: "a\u{1b}b\n", line: 1, column: 1), source: "\u{7}")
    #expect(mistake.lines[0] == "a\u{fffd}b\u{fffd}:1:1: error: no “\u{fffd}[2J”\u{fffd}")
    #expect(mistake.lines[1] == "  \u{fffd}")
  }

  @Test(arguments: [
    ([], ""), ([true], "1 mistake"), ([false, true, true], "2 mistakes, 1 warning"),
    ([false, false], "2 warnings"),
  ])
  func theyAreCounted(_ areErrors: [Bool], _ summary: String) {
    let place = Place(file: "f", line: 1, column: 1)
    let mistakes = areErrors.map { Mistake("x", at: place, severity: $0 ? .error : .warning) }
    #expect(mistakes.summary == summary)
  }
}
