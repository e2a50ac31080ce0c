import GlissDevices
import GlissEvents
import Testing

@testable import GlissBroker

/// Clients that follow events.
@Suite struct FollowingTests {
  private func message(_ number: Int, size: Int = 0) -> [UInt8] {
    Array("\(number)\(String(repeating: ".", count: size))".utf8)
  }

  @Test func allFollowersHaveAllMessages() throws {
    let rig = try ServerRig()
    let clients = try (0..<10).map { _ in try rig.follower() }
    for round in 0..<5 {
      for number in 0..<round { rig.post(message(number)) }
      // nothing goes out before the loop turns
      #expect(clients.allSatisfy { $0.messages().isEmpty })
      try rig.turn()
      for client in clients { #expect(client.messages() == (0..<round).map { "\($0)" }) }
    }
    #expect(rig.server.connections.map(\.outbox.delivered) == [UInt64](repeating: 10, count: 10))
  }

  @Test func aClientIsNotSentEarlierEvents() throws {
    let rig = try ServerRig()
    rig.post(message(0))
    let first = try rig.follower()
    rig.post(message(1))
    let second = try rig.follower()
    rig.post(message(2))
    try rig.turn()
    #expect(first.messages() == ["1", "2"])
    #expect(second.messages() == ["2"])
  }

  @Test func aTurnMakesAtMostFourWrites() throws {
    let rig = try ServerRig()
    let clients = try (0..<10).map { _ in try rig.follower() }
    rig.post(message(0))
    var served: [Int] = []
    for _ in 0..<4 {
      try rig.turnOnce()
      served.append(clients.count { !$0.messages().isEmpty })
    }
    #expect(served == [4, 4, 2, 0])
  }

  @Test func anAnswerGoesBeforeEvents() throws {
    let rig = try ServerRig()
    rig.answer = {
      $1.send(.result(["first": true], continues: true))
      $1.follow()
      $1.send(event: Array("event".utf8))
    }
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{"first":true},"continues":true}"#, "event"])
  }

  @Test func theLastAnswerEndsFollowing() throws {
    let rig = try ServerRig()
    let client = try rig.follower()
    rig.post(message(1))
    rig.server.connections[0].send(.error("org.gliss.Broker.NotGranted", [:]))
    rig.post(message(2))
    try rig.turn()
    // the events that had not gone out by then are no longer granted
    #expect(client.messages() == [#"{"error":"org.gliss.Broker.NotGranted","parameters":{}}"#])
    rig.answer = { $1.send(.done) }
    try client.call("Status")
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{}}"#])
  }

  @Test func nothingGoesOutAfterUnfollowing() throws {
    let rig = try ServerRig()
    let client = try rig.follower()
    let connection = rig.server.connections[0]
    rig.post(message(1))
    connection.unfollow()
    rig.post(message(2))
    try rig.turn()
    #expect(client.messages().isEmpty)
    connection.follow()
    rig.post(message(3))
    try rig.turn()
    #expect(client.messages() == ["3"])
  }

  @Test func aFollowerThatHangsUpIsRemoved() throws {
    let rig = try ServerRig()
    let clients = try (0..<3).map { _ in try rig.follower() }
    clients[0].hangUp()
    rig.post(message(1))
    try rig.turn()
    #expect(rig.server.connections.count == 2 && rig.ended.count == 1)
    #expect(clients[1].messages() == ["1"] && clients[2].messages() == ["1"])
  }

  /// One of three never reads.
  @Test func aClientThatDoesNotReadLosesEventsAndTheOthersLoseNone() throws {
    let rig = try ServerRig { $0.eventBytes = 100_000 }
    let stuck = try rig.follower()
    let others = try [rig.follower(), rig.follower()]
    let count = 2000
    for number in 0..<count {
      rig.post(message(number, size: 500))
      try rig.turn()
      for other in others {
        #expect(other.messages() == [String(decoding: message(number, size: 500), as: UTF8.self)])
      }
    }
    var messages: [String] = []
    repeat {
      let more = stuck.messages()
      messages += more
      try rig.turn()
      if more.isEmpty { break }
    } while true
    let lost = try JSON(parsing: Array(messages[messages.count - 1].utf8))
    let event = try #require(lost["parameters"]?["events"]?.array?.first)
    #expect(event["kind"] == "lost" && lost["continues"] == true)
    let numbers = messages.dropLast().map { Int($0.prefix { $0 != "." }) }
    #expect(numbers == Array(0..<messages.count - 1))
    #expect(event["count"]?.integer == Int64(count - numbers.count))
    #expect(rig.server.connections[0].outbox.lost == UInt64(count - numbers.count))
    #expect(rig.server.connections[0].outbox.delivered == UInt64(numbers.count))
    // newer events follow
    rig.post(message(count))
    try rig.turn()
    #expect(stuck.messages() == ["\(count)"])
    #expect(rig.refusals.isEmpty)
  }

  @Test(arguments: [false, true])
  func aPartlySentEventIsCompletedEvenAfterUnfollowing(isUnfollowed: Bool) throws {
    let rig = try ServerRig { $0.eventBytes = 300_000 }
    let client = try rig.follower()
    let large = String(decoding: message(1, size: 290_000), as: UTF8.self)
    rig.post(Array(large.utf8))
    try rig.turn()
    client.read(1000)
    #expect(client.hasPart)
    for number in 2..<10 { rig.post(message(number, size: 70_000)) }
    if isUnfollowed { rig.server.connections[0].unfollow() }
    var messages: [String] = []
    for _ in 0..<10 {
      try rig.turn()
      messages += client.messages()
    }
    #expect(messages.first == large)
    // the large one, four that have room, and the number of the others
    #expect(messages.count == (isUnfollowed ? 1 : 6))
    if !isUnfollowed { #expect(messages.last?.contains(#""count":4"#) == true) }
    #expect(!client.hasPart)
  }

  @Test func aClientThatTakesNothingIsDropped() throws {
    let rig = try ServerRig()
    let stuck = try rig.follower()
    let other = try rig.follower()
    while rig.server.connections[0].blockedSince == nil {
      rig.post(message(1, size: 1000))
      try rig.turn()
      other.read()
    }
    #expect(rig.server.connections[0].deadline == rig.clock.time + .milliseconds(30_000))
    rig.pass(29_999)
    rig.post(message(2))
    try rig.turn()
    #expect(rig.server.connections.count == 2)
    rig.pass(1)
    #expect(rig.server.connections.count == 1)
    #expect(rig.refusals == ["read nothing for 30 s"])
    stuck.read()
    #expect(stuck.isClosed && !other.isClosed)
  }

  @Test func aClientThatTakesSomethingInTimeIsNot() throws {
    let rig = try ServerRig()
    let slow = try rig.follower()
    for _ in 0..<5 {
      while rig.server.connections[0].blockedSince == nil {
        rig.post(message(1, size: 1000))
        try rig.turn()
      }
      rig.pass(29_000)
      slow.read()
      try rig.turn()
      slow.read()
    }
    #expect(rig.server.connections.count == 1 && rig.refusals.isEmpty)
  }

  @Test func clientsThatCallWithoutEndDoNotHoldUpEvents() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let follower = try rig.follower()
    let busy = try (0..<8).map { _ in try rig.connect() }
    for client in busy { for _ in 0..<100 { try client.call("Status") } }
    rig.post(message(1))
    for _ in 0..<4 { try rig.turnOnce() }
    #expect(follower.messages() == ["1"])
    for client in busy { #expect(client.messages().count < 50) }
  }

  @Test func theLoopDoesNotSleepWhileSomethingIsToBeSent() throws {
    let rig = try ServerRig()
    let clients = try (0..<9).map { _ in try rig.follower() }
    rig.post(message(1))
    // would wait for ever otherwise
    for _ in 0..<2 { try rig.loop.wait(until: nil) }
    try rig.turnOnce()
    #expect(clients.allSatisfy { $0.messages() == ["1"] })
  }
}
