import GlissDevices
import Testing

@testable import gliss_cli

@Suite struct ProblemTextTests {
  private func lines(_ text: String) -> [String] {
    ProblemText(text).lines("problem", on: Terminal(-1))
  }

  @Test func adviceStandsBelowTheFindingAndCommandsOnTheirOwnLines() {
    let problem =
      "“back” and “volume”: its keys are not pressed: it is not granted (notDetermined); not granted: post; "
      + "to grant it, run: sudo gliss grants grant /usr/bin/gliss --tier post; have the rules read again "
      + "then: gliss reload"
    #expect(
      lines(problem) == [
        "problem  “back” and “volume”: its keys are not pressed: it is not granted",
        "         (notDetermined)",
        "         not granted: post",
        "         to grant it, run:",
        "           sudo gliss grants grant /usr/bin/gliss --tier post",
        "         have the rules read again then:",
        "           gliss reload",
      ])
  }

  @Test func severalCommandsAreSeveralLinesAndQuotesHoldThemTogether() {
    let problem =
      "it is refused: sudo gliss grants revoke 3 && sudo gliss grants grant /opt/a --tier raw --device 'a; b && c'; "
      + "see docs/grants.md"
    #expect(
      lines(problem) == [
        "problem  it is refused:",
        "           sudo gliss grants revoke 3",
        "           sudo gliss grants grant /opt/a --tier raw --device 'a; b && c'",
        "         see docs/grants.md",
      ])
    #expect(
      lines("super+g ; t could be typed; use F9") == [
        "problem  super+g ; t could be typed", "         use F9",
      ])
    #expect(lines("no advice") == ["problem  no advice"])
    #expect(lines("") == [])
  }
}
