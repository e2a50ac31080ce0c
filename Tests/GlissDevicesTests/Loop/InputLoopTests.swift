import GlissDevices
import GlissEvents
import Testing

@Suite(.timeLimit(.minutes(1))) struct InputLoopTests {
  /// Without it a client whose request changes a deadline waits for the one before.
  @Test func aDeadlineThatItsWorkBringsNearerCounts() throws {
    let loop = try InputLoop()
    var deadline: EventTime?
    loop.work = {
      deadline = .zero
      return false
    }
    #expect(try loop.wait(until: deadline) == 0)
  }
}
