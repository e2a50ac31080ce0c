import GlissDevices
import GlissEvents
import GlissFocus
import TestSupport
import Testing

@testable import GlissAgent

/// What the log and `gliss why` learn of actions on windows and workspaces.
@Suite struct DesktopRequestsTests {
  /// Ends as soon as it starts.
  private final class Answer: DesktopConnection {
    private let outcome: DesktopActor.Outcome

    init(_ outcome: DesktopActor.Outcome) { self.outcome = outcome }

    func start(_ report: @escaping (DesktopActor.Outcome) -> Void) { report(outcome) }
  }

  @Test func aFailureIsLoggedOnceUntilItWorksAgain() throws {
    let refused = DesktopActor.Outcome.failure(.refused("no window has the focus"))
    var answers = [refused, refused, .success(.sway), refused]
    let said = SaidLines()
    let requests = DesktopRequests(try InputLoop(), said.log()) {
      [ActionChoice(.sway) { _, _ in Answer(answers.removeFirst()) }]
    }
    var results: [ActionRecord.Result] = []
    requests.didEnd = { results.append($1) }
    for _ in 0..<4 { requests.perform(.window(.close), .tap()) }
    let failed = ActionRecord.Result.failed("no window has the focus")
    #expect(results == [failed, failed, .done, failed])
    let line = "test: window: close is not done: no window has the focus"
    #expect(said.all == [line, line])
  }

  @Test func withoutADesktopTheAdviceIsLogged() throws {
    let said = SaidLines()
    let requests = DesktopRequests(try InputLoop(), said.log()) { [] }
    requests.perform(.workspace(.next), .tap())
    #expect(said.all.count == 1 && said.all[0].contains("start gliss in the desktop's session"))
  }
}
