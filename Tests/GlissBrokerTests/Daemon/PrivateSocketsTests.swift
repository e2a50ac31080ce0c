import GlissDevices
import GlissEvents
import GlissGate
import GlissHotkeys
import GlissSession
import Testing

@testable import GlissBroker

@Suite struct PrivateSocketsTests {
  private final class Host: ConsumingHost {
    let loop: InputLoop
    var alarm: EventTime?
    var didRing: (() -> Void)?
    var consumed = ConsumedKeys.none

    init(_ loop: InputLoop) { self.loop = loop }

    func checkConsuming() throws(SystemError) {}
    func resumeConsuming() {}
    func resumeConsumingAfterStall() {}
  }

  /// A user who has left needs no socket.
  @Test(arguments: [nil, 0] as [UInt32?])
  func theProblemOfASocketEndsWhenItsUserHasLeft(next: UInt32?) throws {
    let loop = try InputLoop()
    let gate = Gate(
      folder: "/nonexistent", machine: Machine(id: "", boot: ""), at: WallTime(seconds: 0))
    let broker = try Broker(
      host: Host(loop), session: Session(), gate: gate, consent: PolkitAuthority(loop))
    defer { broker.close() }
    let sockets = PrivateSockets(beside: "/nonexistent/a/s", broker)
    var problems: [PrivateSockets.Kind: String] = [:]
    sockets.didFail = { problems[$0] = $1 }
    sockets.seatChanged(to: 1000)
    #expect(problems[.seat] != nil)
    sockets.seatChanged(to: next)
    #expect(problems.isEmpty)
  }
}
