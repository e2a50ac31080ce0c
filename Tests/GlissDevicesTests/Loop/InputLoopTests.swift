import Glibc
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

  /// As when a client leaves and the next one gets the same number.
  @Test func whatWasReadyUnderANumberIsNothingToItsNextOwner() throws {
    let loop = try InputLoop()
    var pipes = [[Int32](repeating: 0, count: 2), [0, 0], [0, 0]]
    for index in pipes.indices { try #require(pipe(&pipes[index]) == 0) }
    defer { for descriptor in pipes.joined() { close(descriptor) } }
    // both are ready; whichever is handled first replaces the other
    for index in 0...1 { try #require(write(pipes[index][1], "x", 1) == 1) }
    let (descriptors, quiet) = ([pipes[0][0], pipes[1][0]], pipes[2][0])
    var called: [String] = []
    for (own, other) in [(descriptors[0], descriptors[1]), (descriptors[1], descriptors[0])] {
      try loop.watch(own) { [unowned loop] in
        called.append("first")
        loop.unwatch(other)
        dup2(quiet, other)
        do throws(SystemError) {
          try loop.watch(other) { called.append("next owner") }
        } catch {
          Issue.record(error)
        }
      }
    }
    #expect(try loop.wait(until: nil) == 2)
    #expect(called == ["first"])
  }
}
