import GlissConfiguration
import GlissEvents
import Testing

@testable import GlissAgent

private func ms(_ count: Int64) -> EventTime { EventTime(microseconds: count * 1000) }
private func place(_ line: Int) -> RuleAction {
  let place = Place(file: "gliss.yaml", line: line, column: 3)
  return RuleAction(rule: RuleMember(place: place, member: 0), place: place)
}

@Suite struct LaunchTests {
  @Test(arguments: [(0, 0), (7 << 8, 7), (15, 143), (9 | 128, 137)] as [(Int32, Int32)])
  func statusesAreThoseOfShells(_ wait: Int32, _ status: Int32) {
    #expect(Launch.End(wait: wait).shellStatus == status)
  }
}

@Suite struct CommandCountTests {
  @Test func anActionMayHaveSoManyAtOnceAndAllTogetherSoMany() {
    var count = CommandCount(limit: 3)
    #expect(count.admit(place(1), atOnce: 1) == .granted)
    let own = "1 already running (atOnce)"
    #expect(count.admit(place(1), atOnce: 1) == .refused(own, isNews: true))
    #expect(count.admit(place(1), atOnce: 1) == .refused(own, isNews: false))
    #expect(count.admit(place(2), atOnce: nil) == .granted)
    #expect(count.admit(place(2), atOnce: nil) == .granted)
    #expect(
      count.admit(place(3), atOnce: nil)
        == .refused("3 commands already running (limits: running)", isNews: true))
    #expect(count.running == 3)
    #expect(count.leftOut == 3)
    #expect(count.end(place(1)) == 2)
    #expect(count.admit(place(1), atOnce: 1) == .granted)
    #expect(count.end(place(2)) == 0)
    #expect(count.end(place(2)) == 0)
    #expect(count.end(place(2)) == 0)
    #expect(count.running == 1)
    #expect(count.started == 4)
  }

  @Test func aRefusalIsNewsAgainOnceACommandHasStarted() {
    var count = CommandCount(limit: 1)
    _ = count.admit(place(1), atOnce: nil)
    for isNews in [true, false] {
      guard case .refused(_, isNews) = count.admit(place(2), atOnce: nil) else {
        Issue.record("not refused, or it is other news")
        continue
      }
    }
    _ = count.end(place(1))
    #expect(count.admit(place(2), atOnce: nil) == .granted)
    guard case .refused(_, isNews: true) = count.admit(place(2), atOnce: nil) else {
      Issue.record("the second refusal is no news")
      return
    }
    #expect(count.end(place(2)) == 1, "of those refused meanwhile")
  }

  @Test func allThatWereRefusedWhileSomeRanAreCounted() {
    var count = CommandCount(limit: 64)
    for isGranted in [true, true, false, false] {
      #expect((count.admit(place(1), atOnce: 2) == .granted) == isGranted)
    }
    #expect(count.end(place(1)) == 0)
    #expect(count.admit(place(1), atOnce: 2) == .granted)
    #expect(count.end(place(1)) == 0)
    #expect(count.end(place(1)) == 2)
  }

  @Test func aBurstStartsNoMoreThanItMay() {
    var count = CommandCount(limit: 64)
    let granted = (0..<50).count { _ in count.admit(place(1), atOnce: 4) == .granted }
    #expect(granted == 4)
    #expect(count.leftOut == 46)
  }
}

@Suite struct ErrorOutputTests {
  private func lines(_ chunks: [(Int64, String)], finish: Int64? = nil) -> [String] {
    var output = ErrorOutput(from: ms(0))
    var lines: [String] = []
    for (time, text) in chunks {
      output.append(Array(text.utf8), at: ms(time)) { lines.append($0) }
    }
    if let finish { output.finish(at: ms(finish)) { lines.append($0) } }
    return lines
  }

  @Test func linesAreReportedOnceComplete() {
    #expect(lines([(0, "one\ntw"), (1, "o\n\n  \nthree")]) == ["one", "two"])
    #expect(lines([(0, "one\ntw")], finish: 1) == ["one", "tw"])
  }

  @Test func excessiveOutputIsCutShort() {
    let flood = String(repeating: "x\n", count: 1000)
    let told = lines([(0, flood)], finish: 1)
    #expect(told.count == 21)
    #expect(told.last == "(980 more lines left out)")
    // a second later two more may come
    #expect(
      lines([(0, flood), (1000, "a\nb\nc\n")]).suffix(3) == [
        "(980 more lines left out)", "a", "b",
      ])
  }

  @Test func notMoreThanSoManyHoweverSlowlyTheyCome() {
    let slow = (0..<2000).map { (Int64($0) * 1000, "x\n") }
    #expect(lines(slow, finish: 3_000_000).count == ErrorOutput.lines + 1)
  }

  @Test func aLineWithoutEndIsCut() {
    let told = lines([(0, String(repeating: "x", count: 100_000) + "\n")])
    #expect(told == [String(repeating: "x", count: 500) + " …"])
  }
}

@Suite struct ProgramSearchTests {
  @Test(arguments: [
    ("foot", "/usr/bin:/bin", "/usr/bin/foot" as String?),
    ("cat", "/usr/bin:/bin", "/bin/cat"),
    ("none", "/usr/bin:/bin", nil),
    // relative folders are ignored
    ("foot", "bin::.", nil),
    ("/opt/x", "", "/opt/x"),
    ("./x", "/usr/bin", "./x"),
    ("~x/y", "/usr/bin", "~x/y"),
  ])
  func namesAreLookedForOnThePathAndPathsAreNot(
    name: String, path: String, expected: String?
  ) {
    let found = ProgramSearch.path(of: name, in: path) {
      ["/usr/bin/foot", "/bin/cat", "/bin/foot"].contains($0)
    }
    #expect(found == expected)
  }

  @Test(arguments: [
    ("~", "/home/u"), ("~/x", "/home/u/x"), ("$HOME/x", "/home/u/x"), ("$HOME", "/home/u"),
    ("$XDG_RUNTIME_DIR/bar", "/run/u/bar"), ("~u/x", "~u/x"), ("$HOMES/x", "$HOMES/x"),
    ("a/~/x", "a/~/x"), ("$EDITOR", "$EDITOR"), ("", ""),
  ])
  func foldersAreNamedAtTheBeginning(text: String, expected: String) {
    #expect(NamedFolders(home: "/home/u", runtime: "/run/u").expand(text) == expected)
    #expect(NamedFolders(home: "/home/u").expand("$XDG_RUNTIME_DIR/x") == "$XDG_RUNTIME_DIR/x")
  }
}
