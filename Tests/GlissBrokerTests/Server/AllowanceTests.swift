import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissBroker

/// The share of the broker's time that users other than root and the seat's get.
@Suite struct AllowanceTests {
  private static func time(_ milliseconds: Double) -> EventTime {
    EventTime(microseconds: 0) + .milliseconds(milliseconds)
  }

  @Test func othersGetAQuarterOfTheTimeAndOneMillisecondInARow() {
    var allowance = Allowance()
    allowance.spend(from: Self.time(10), to: Self.time(10.9))
    #expect(allowance.rest(at: Self.time(10.9)) == nil)
    allowance.spend(from: Self.time(11), to: Self.time(11.5))
    // 1.4 ms were spent since 10 ms
    #expect(allowance.rest(at: Self.time(11.5)) == Self.time(15.6))
    #expect(allowance.rest(at: Self.time(15.6)) == nil)
    // time spent before the rest is charged
    allowance.spend(from: Self.time(16), to: Self.time(16.9))
    #expect(allowance.rest(at: Self.time(16.9)) == nil)
  }

  @Test func aClientThatAsksLittleNeverWaits() {
    var allowance = Allowance()
    for start in stride(from: 0.0, to: 1000, by: 4) {
      allowance.spend(from: Self.time(start), to: Self.time(start + 0.9))
      #expect(allowance.rest(at: Self.time(start + 0.9)) == nil)
    }
  }

  @Test func otherUsersWaitAndRootDoesNot() throws {
    let rig = try ServerRig()
    var isStranger = true
    rig.server.isFavored = { _ in !isStranger }
    rig.answer = { [clock = rig.clock] _, connection in
      clock.time = clock.time + .milliseconds(0.4)
      connection.send(.done)
    }
    let clients = try (0..<6).map { _ in try rig.connect() }
    isStranger = false
    let root = try rig.connect()
    isStranger = true
    for client in clients { try client.call("Status") }
    // does not spin while they wait
    try rig.turn()
    #expect(rig.calls.count == 3)
    let due = try #require(rig.server.deadline)
    #expect(due == EventTime(microseconds: 1_000_000) + .milliseconds(4.8))
    isStranger = false
    try root.call("Status")
    try rig.turn()
    #expect(rig.calls.count == 4)
    rig.pass(4)
    try rig.turn()
    #expect(rig.calls.count == 7)
  }

  /// The sender is identified in between. The answer gets its turn and is charged as if it came at once.
  @Test func aLaterAnswerIsChargedToo() throws {
    var waiting: [() -> Void] = []
    var isSlow = false
    let rig = try ServerRig(identify: { peer, answer in
      let identity = ClientIdentity(
        uid: peer.uid, pid: peer.pid, startTime: 1, confinement: .none, program: nil)
      if isSlow { waiting.append { answer(identity) } } else { answer(identity) }
    })
    rig.server.isFavored = { _ in false }
    rig.answer = { [clock = rig.clock] _, connection in
      clock.time = clock.time + .milliseconds(0.4)
      connection.send(.done)
    }
    let clients = try (0..<6).map { _ in try rig.connect() }
    isSlow = true
    for client in clients { try client.call("Status") }
    try rig.turn()
    #expect(rig.calls.isEmpty && waiting.count == 6)
    for answer in waiting { answer() }
    try rig.turn()
    #expect(rig.calls.count == 3)
    #expect(rig.server.deadline == EventTime(microseconds: 1_000_000) + .milliseconds(4.8))
    rig.pass(3.6)
    try rig.turn()
    #expect(rig.calls.count == 6)
  }

  enum Cause: CaseIterable {
    case connects, sendsHalfACall, sendsNoCall, hangsUp, isSentSomething
  }

  /// After any slow work for one of the other users, another one waits.
  @Test(arguments: Cause.allCases)
  func allWorkForOtherUsersIsCharged(cause: Cause) throws {
    let rig = try ServerRig()
    rig.server.isFavored = { _ in false }
    let stranger = cause == .isSentSomething ? try rig.follower() : try rig.connect()
    let other = try rig.connect()
    let calls = rig.calls.count
    rig.clock.step = .milliseconds(1)
    switch cause {
    case .connects: _ = try rig.connect()
    case .sendsHalfACall: stranger.send(Array("{".utf8))
    case .sendsNoCall: stranger.send([0])
    case .hangsUp: stranger.hangUp()
    case .isSentSomething: rig.post(Array("{}".utf8))
    }
    try rig.turn()
    rig.clock.step = .zero
    try other.call("Status")
    try rig.turn()
    #expect(rig.calls.count == calls)
    rig.pass(1000)
    try rig.turn()
    #expect(rig.calls.count == calls + 1)
  }
}

/// Each test runs in a process of its own.
@Suite struct AllowanceExitTests {
  /// A sandbox may connect to its user's own socket. Until it is identified, it gets a share of the time, and nothing is
  /// read from it.
  @Test func aNewConnectionIsNotFavoredYet() async {
    await #expect(processExitsWith: .success) {
      let user: UInt32 = getuid() == 0 ? 1000 : getuid()
      var waiting: [() -> Void] = []
      let rig = try ServerRig(identify: { peer, answer in
        let boxed = ClientIdentity(
          uid: peer.uid, pid: peer.pid, startTime: 1, confinement: .anonymous, program: nil)
        waiting.append { answer(boxed) }
      })
      rig.server.isFavored = { $0 == user }
      let path = try rig.openSocket(of: user)
      guard getuid() != 0 || seteuid(user) == 0 else { exit(1) }
      let first = try Client(path)
      first.send([0])
      try rig.turn()
      guard rig.server.connections.map(\.conversation.state) == [.arriving], rig.refusals.isEmpty
      else { exit(2) }
      // nor does its time for the first message run
      rig.pass(5000)
      guard !first.isClosed else { exit(3) }
      rig.clock.step = .milliseconds(0.1)
      let more = try (0..<20).map { _ in try Client(path) }
      try rig.turn()
      guard 2..<20 ~= rig.server.connections.count else { exit(4) }
      for _ in 0..<20 {
        rig.pass(10)
        try rig.turn()
      }
      guard rig.server.connections.count == 21 else { exit(5) }
      rig.pass(1000)
      for answer in waiting { answer() }
      // admitting them is charged too
      let last = try Client(path)
      try rig.turn()
      guard rig.server.connections.count(where: { $0.conversation.state == .arriving }) == 0
      else { exit(6) }
      rig.clock.step = .zero
      rig.pass(500)
      try rig.turn()
      // eight of a sandbox, of which one has sent an invalid call
      guard rig.server.connections.count == 7, rig.calls.isEmpty else { exit(7) }
      guard first.messages().count == 1, first.isClosed else { exit(8) }
      guard more.count(where: { !$0.messages().isEmpty }) == 13 else { exit(9) }
      guard last.messages().count == 1 else { exit(10) }
      // a process that has changed its user cannot be searched for leaks at its end
      _exit(0)
    }
  }
}
