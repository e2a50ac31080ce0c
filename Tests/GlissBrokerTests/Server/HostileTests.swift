import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissBroker

/// Clients that try to make the server wait, fill its memory, or crash.
@Suite struct HostileTests {
  @Test func aSilentClientIsDisconnected() throws {
    let rig = try ServerRig()
    let silent = try rig.connect()
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try rig.turn()
    #expect(rig.server.deadline == rig.clock.time + .milliseconds(5000))
    rig.pass(4999)
    #expect(!silent.isClosed)
    rig.pass(1)
    #expect(silent.isClosed && !client.isClosed)
    #expect(rig.refusals == ["sent no whole message within 5 s"])
    #expect(rig.server.deadline == nil)
  }

  @Test func aClientThatSendsHalfAMessageIsDisconnected() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    rig.pass(4000)
    client.send(Array("{".utf8))
    try rig.turn()
    rig.pass(999)
    #expect(!client.isClosed)
    rig.pass(1)
    let answers = client.messages()
    #expect(answers.count == 1 && answers[0].contains("no NUL, which ends each message"))
    #expect(client.isClosed)
  }

  @Test func halfOfALaterMessageIsNotWaitedForEither() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let client = try rig.connect()
    try client.call("Status")
    try rig.turn()
    // no deadline while no message has begun
    rig.pass(60_000)
    client.send(Array("{".utf8))
    try rig.turn()
    rig.pass(4000)
    client.send(Array(" ".utf8))
    try rig.turn()
    #expect(!client.isClosed)
    rig.pass(1000)
    client.read()
    #expect(client.isClosed)
  }

  @Test func aMessageBehindALongCallHasNoDeadline() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    client.send(Array("{".utf8))
    try rig.turn()
    rig.pass(60_000)
    #expect(!client.isClosed)
    rig.calls[0].connection.send(.done)
    try rig.turn()
    rig.pass(4999)
    #expect(!client.isClosed)
    rig.pass(1)
    #expect(rig.refusals.count == 1 && rig.ended.count == 1)
  }

  private static let status = Array(#"{"method":"org.gliss.Broker.Status"}"#.utf8)

  @Test(
    arguments: [
      ([UInt8](repeating: 0x20, count: 65_537), "org.gliss.Broker.LimitReached"),
      ([UInt8](repeating: 0x20, count: 80_000) + [0], "org.gliss.Broker.LimitReached"),
      (
        [UInt8](repeating: UInt8(ascii: "["), count: 60_000) + [0],
        "org.gliss.Broker.InvalidMessage"
      ),
      (Array("{\"method\":\"a.\u{0}".utf8), "org.gliss.Broker.InvalidMessage"),
      (
        status.dropLast() + Array(",\"x\":\"".utf8) + [0xed, 0xa0, 0x80] + Array("\"}\0".utf8),
        "org.gliss.Broker.InvalidMessage"
      ),
      ([0], "org.gliss.Broker.InvalidMessage"),
      ([0xff, 0xfe, 0], "org.gliss.Broker.InvalidMessage"),
      (Array("[{}]\0".utf8), "org.gliss.Broker.InvalidMessage"),
      (Array("GET / HTTP/1.1\r\n\r\n\0".utf8), "org.gliss.Broker.InvalidMessage"),
    ] as [([UInt8], String)])
  func anInvalidCallIsRefusedAndItsSenderDisconnected(bytes: [UInt8], error: String) throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = client.send(rest)
      guard count > 0 else { break }
      rest = rest.dropFirst(count)
      try rig.turn()
    }
    client.send(Self.status + [0])
    try rig.turn()
    let messages = client.messages()
    #expect(messages.count == 1 && messages[0].hasPrefix(#"{"error":"\#(error)""#))
    #expect(client.isClosed && rig.calls.isEmpty)
    #expect(rig.refusals.count == 1 && rig.ended.count == 1)
  }

  /// A process that is just being started has a copy of every descriptor for a moment.
  @Test func aConnectionEndsEvenIfAnotherProcessHoldsACopy() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    let copy = dup(rig.server.connections[0].descriptor)
    defer { close(copy) }
    client.send([0])
    try rig.turn()
    #expect(client.messages().count == 1 && client.isClosed)
  }

  @Test func theLongestMessageIsAccepted() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let client = try rig.connect()
    client.send(Self.status + [UInt8](repeating: 0x20, count: 65_536 - Self.status.count) + [0])
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{}}"#])
  }

  @Test func aClientThatNeverReadsIsNotReadFrom() throws {
    let rig = try ServerRig { $0.stalled = .milliseconds(100) }
    rig.answer = {
      $1.send(.result(["long": .string(String(repeating: "x", count: 10_000))], continues: false))
    }
    let client = try rig.connect()
    var sent = 0
    for _ in 0..<20_000 {
      guard client.send(Self.status + [0]) > 0 else { break }
      sent += 1
      try rig.turn()
    }
    // no more than both sockets hold
    #expect(sent < 20_000 && rig.calls.count < 100)
    #expect(rig.server.connections.count == 1)
    rig.pass(101)
    #expect(rig.refusals == ["read nothing for 0.1 s"] && rig.ended.count == 1)
  }

  @Test func unreadAnswersAreLimited() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try rig.turn()
    let connection = rig.calls[0].connection
    let reply = VarlinkReply.result(
      ["a": .string(String(repeating: "x", count: 1000))], continues: true)
    for _ in 0..<2000 {
      connection.send(reply)
      try rig.turn()
    }
    #expect(rig.refusals == ["read too little of what it asked for"] && rig.ended.count == 1)
    client.read()
    #expect(client.isClosed)
  }

  @Test func aUserHasLimitedConnectionsAndSomeMoreToStopThings() throws {
    let rig = try ServerRig()
    rig.stopping = ["ReleaseHotkeys", "AssertSecureInput"]
    rig.answer = { $1.send(.done) }
    var clients = try (0..<40).map { _ in try rig.connect() }
    // the oldest beyond the limit that has sent nothing makes room for another
    let another = try rig.connect()
    #expect(clients[32].messages() == [Self.tooMany("connections", 32)])
    #expect(clients.map(\.isClosed) == (0..<40).map { $0 == 32 } && !another.isClosed)
    #expect(rig.refusals == ["was idle while another program needed its place"])
    clients.remove(at: 32)
    // connections beyond the limit may only stop something, and end with the answer or the refusal
    for (index, method) in [(31, "Monitor"), (32, "Monitor"), (33, "ReleaseHotkeys")] {
      try clients[index].call(method)
      try rig.turn()
      let answer = clients[index].messages().first ?? ""
      #expect(answer.contains("LimitReached") == (index == 32), "\(answer)")
      if index == 32 { #expect(answer.contains("ReleaseHotkeys")) }
      #expect(clients[index].isClosed == (index > 31))
    }
    // one whose call lasts stays
    rig.answer = { $1.send(.result([:], continues: true)) }
    try clients[34].call("AssertSecureInput", more: true)
    try rig.turn()
    let kept = clients[34].messages()
    #expect(kept.count == 1 && !clients[34].isClosed, "\(kept)")
    rig.answer = { $1.send(.done) }
    clients.removeFirst()
    try rig.turn()
    let next = try rig.connect()
    try next.call("Monitor")
    try rig.turn()
    #expect(next.messages() == [#"{"parameters":{}}"#])
  }

  @Test func callsThatStopThingsKeepTheirRoom() throws {
    let rig = try ServerRig()
    rig.stopping = ["AssertSecureInput"]
    rig.answer = { $1.send(.result([:], continues: true)) }
    let clients = try (0..<40).map { _ in try rig.connect() }
    for client in clients { try client.call("AssertSecureInput", more: true) }
    try rig.turn()
    let another = try rig.connect()
    #expect(another.messages() == [Self.tooMany("connections", 32)] && another.isClosed)
    #expect(rig.refusals == ["more than 32 connections"] && rig.ended.count == 1)
    #expect(clients.allSatisfy { $0.messages().count == 1 && !$0.isClosed })
  }

  /// A list may have several pages, each with a call of its own.
  @Test func aConnectionToStopThingsLastsUntilItsAnswerIsWhole() throws {
    let rig = try ServerRig()
    rig.stopping = ["ReleaseHotkeys"]
    let clients = try (0..<33).map { _ in try rig.connect() }
    for isWhole in [false, false, true] {
      rig.answer = { $1.send(.done, isWhole: isWhole) }
      try clients[32].call("ReleaseHotkeys")
      try rig.turn()
      #expect(clients[32].messages() == [#"{"parameters":{}}"#])
      #expect(clients[32].isClosed == isWhole)
    }
  }

  private static func tooMany(_ limit: String, _ maximum: Int) -> String {
    #"{"error":"org.gliss.Broker.LimitReached","parameters":{"limit":"\#(limit)","maximum":\#(maximum),"#
      + #""advice":"close connections that are not needed any more"}}"#
  }

  @Test(arguments: [ClientIdentity.Confinement.anonymous, .app("org.example.App"), .unknown])
  func sandboxesHaveALimitOfTheirOwn(confinement: ClientIdentity.Confinement) throws {
    var now = ClientIdentity.Confinement.none
    let rig = try ServerRig(identify: { peer, answer in
      answer(
        ClientIdentity(uid: peer.uid, pid: peer.pid, startTime: 1, confinement: now, program: nil))
    })
    let free = try (0..<32).map { _ in try rig.connect() }
    now = confinement
    let boxed = try (0..<20).map { _ in try rig.connect() }
    let answers = boxed.map { $0.messages() }
    #expect(answers[8...].allSatisfy { $0 == [Self.tooMany("connections of sandboxes", 8)] })
    #expect(boxed.map(\.isClosed) == (0..<20).map { $0 >= 8 })
    #expect(free.allSatisfy { $0.messages().isEmpty && !$0.isClosed })
  }

  /// A process known to be in a sandbox counts as such before it is looked up again; others do not.
  @Test(
    arguments: [(.anonymous, 8), (.app("org.example.App"), 8), (.unknown, 20), (.none, 20)]
      as [(ClientIdentity.Confinement, Int)])
  func aKnownSandboxIsLimitedFromItsFirstConnection(
    confinement: ClientIdentity.Confinement, places: Int
  ) throws {
    var isKnown = true
    var lookups = 0
    let rig = try ServerRig(identify: { peer, answer in
      lookups += 1
      guard isKnown else { return }
      answer(
        ClientIdentity(
          uid: peer.uid, pid: peer.pid, startTime: 1, confinement: confinement, program: nil))
    })
    let first = try rig.connect()
    isKnown = false
    let more = try (1..<20).map { _ in try rig.connect() }
    #expect(lookups == places && !first.isClosed)
    #expect(more.count { $0.messages().isEmpty } == places - 1)
  }

  /// Its connections from outside the sandbox do not keep the mark.
  @Test func aSandboxIsForgottenWithItsLastSandboxedConnection() throws {
    var confinement: ClientIdentity.Confinement? = ClientIdentity.Confinement.none
    let rig = try ServerRig(identify: { peer, answer in
      guard let confinement else { return }
      answer(
        ClientIdentity(
          uid: peer.uid, pid: peer.pid, startTime: 1, confinement: confinement, program: nil))
    })
    let free = try rig.connect()
    confinement = .anonymous
    let boxed = try rig.connect()
    boxed.hangUp()
    try rig.turn()
    #expect(rig.server.connections.count == 1 && !free.isClosed)
    confinement = nil
    let more = try (0..<20).map { _ in try rig.connect() }
    #expect(more.allSatisfy { $0.messages().isEmpty && !$0.isClosed })
  }

  /// Clients that are not identified yet delay nobody, and get no answers.
  @Test func onlyTheUnidentifiedClientWaits() throws {
    var waiting: [() -> Void] = []
    var isSlow = true
    let rig = try ServerRig(identify: { peer, answer in
      let identity = ClientIdentity(
        uid: peer.uid, pid: peer.pid, startTime: 1, confinement: .none, program: nil)
      if isSlow { waiting.append { answer(identity) } } else { answer(identity) }
    })
    rig.answer = { $1.send(.done) }
    let slow = try (0..<100).map { _ in try rig.connect() }
    #expect(slow[32...].allSatisfy { $0.messages() == [Self.tooMany("connections", 32)] })
    for client in slow[..<32] { try client.call("Status") }
    try rig.turn()
    #expect(rig.calls.isEmpty && slow.count { !$0.isClosed } == 32)
    isSlow = false
    let other = try rig.connect()
    #expect(other.messages() == [Self.tooMany("connections", 32)])
    for answer in waiting { answer() }
    try rig.turn()
    #expect(rig.calls.count == 32)
    #expect(slow.count { $0.messages() == [#"{"parameters":{}}"#] } == 32)
  }

  @Test func allUsersTogetherHaveALimit() throws {
    let rig = try ServerRig {
      $0.allConnections = 4
      $0.keptConnections = 0
    }
    let clients = try (0..<4).map { _ in try rig.connect() }
    // root is accepted, because it may have to stop something
    let isRefused = try rig.connect().messages().first?.contains("connections of all users") == true
    #expect(isRefused == (getuid() != 0))
    #expect(clients.allSatisfy { !$0.isClosed })
  }

  @Test func tenThousandConnectionsLeakNothing() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let before = try openDescriptors()
    for number in 0..<10_000 {
      let client = try Client(rig.path)
      switch number % 4 {
      case 0: break
      case 1: client.send(Self.status + [0])
      case 2: client.send(Self.status.dropLast())
      case _: client.send([0])
      }
      try rig.turn()
      client.hangUp()
      try rig.turn()
    }
    #expect(rig.ended.count == 10_000 && rig.server.connections.isEmpty)
    // a leak would be thousands
    #expect(try openDescriptors() <= before + 200)
    #expect(rig.server.deadline.map { $0 > rig.clock.time } ?? true)
  }

  /// Other tests open and close descriptors meanwhile.
  private func openDescriptors() throws -> Int {
    let folder = try #require(opendir("/proc/self/fd"))
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    return count
  }
}

/// Each test runs in a process of its own.
@Suite struct HostileExitTests {
  @Test func withoutFreeDescriptorsNobodyIsAccepted() async {
    await #expect(processExitsWith: .success) {
      let rig = try ServerRig()
      let waiting = try Client(rig.path)
      var limit = rlimit(rlim_cur: rlim_t(waiting.descriptor) + 1, rlim_max: 1024)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      // the loop does not spin while nobody can be accepted
      for _ in 0..<3 { try rig.turnOnce() }
      guard try rig.loop.wait(until: .zero) == 0, rig.server.connections.isEmpty else { exit(1) }
      guard rig.server.deadline == rig.clock.time + .milliseconds(1000) else { exit(2) }
      limit.rlim_cur = 512
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      rig.pass(1000)
      try rig.turn()
      guard rig.server.connections.count == 1 else { exit(3) }
    }
  }

  @Test func anEndedConnectionMakesRoomForAWaitingOne() async {
    await #expect(processExitsWith: .success) {
      let rig = try ServerRig()
      let first = try rig.connect()
      let waiting = try Client(rig.path)
      var limit = rlimit(rlim_cur: rlim_t(waiting.descriptor) + 1, rlim_max: 1024)
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      for _ in 0..<3 { try rig.turnOnce() }
      guard rig.server.connections.count == 1 else { exit(1) }
      first.hangUp()
      try rig.turn()
      guard rig.server.connections.count == 1, rig.ended.count == 1 else { exit(2) }
    }
  }
}
