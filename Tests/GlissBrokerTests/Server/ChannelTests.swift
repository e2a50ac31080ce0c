import GlissDevices
import GlissEvents
import Testing

@testable import GlissBroker

/// Many who follow the same.
@Suite struct ChannelTests {
  private func message(_ number: Int, size: Int = 0) -> [UInt8] {
    Array("\(number)\(String(repeating: ".", count: size))".utf8)
  }

  @Test func allFollowersHaveAllMessages() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let clients = try (0..<10).map { _ in try rig.follower(of: channel) }
    #expect(channel.followerCount == 10)
    for round in 0..<5 {
      for number in 0..<round { channel.append(message(number)) }
      // nothing goes out before the loop turns
      #expect(clients.allSatisfy { $0.messages().isEmpty })
      try rig.turn()
      for client in clients { #expect(client.messages() == (0..<round).map { "\($0)" }) }
    }
    #expect(rig.server.connections.map(\.delivered) == [UInt64](repeating: 10, count: 10))
  }

  @Test func nobodyIsSentWhatCameBefore() throws {
    let rig = try ServerRig()
    let channel = Channel()
    channel.append(message(0))
    let first = try rig.follower(of: channel)
    channel.append(message(1))
    let second = try rig.follower(of: channel)
    channel.append(message(2))
    try rig.turn()
    #expect(first.messages() == ["1", "2"])
    #expect(second.messages() == ["2"])
  }

  @Test func aTurnMakesOnlySoManyWrites() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let clients = try (0..<10).map { _ in try rig.follower(of: channel) }
    channel.append(message(0))
    var served: [Int] = []
    for _ in 0..<4 {
      try rig.turnOnce()
      served.append(clients.count { !$0.messages().isEmpty })
    }
    #expect(served == [4, 4, 2, 0])
  }

  @Test func anAnswerGoesBeforeWhatTheChannelHas() throws {
    let rig = try ServerRig()
    let channel = Channel()
    rig.answer = {
      $1.send(.result(["first": true], continues: true))
      $1.follow(channel)
      channel.append(Array("event".utf8))
    }
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{"first":true},"continues":true}"#, "event"])
  }

  @Test func theLastAnswerEndsTheFollowing() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let client = try rig.follower(of: channel)
    channel.append(message(1))
    rig.server.connections[0].send(.error("org.gliss.Broker.NotGranted", [:]))
    channel.append(message(2))
    try rig.turn()
    // what had not gone out by then is not granted any more
    #expect(client.messages() == [#"{"error":"org.gliss.Broker.NotGranted","parameters":{}}"#])
    #expect(channel.followerCount == 0)
    rig.answer = { $1.send(.done) }
    try client.call("Status")
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{}}"#])
  }

  @Test func nothingGoesOutOnceItIsUnfollowed() throws {
    let rig = try ServerRig()
    let (channel, other) = (Channel(), Channel())
    let client = try rig.follower(of: channel)
    channel.append(message(1))
    rig.server.connections[0].unfollow()
    try rig.turn()
    #expect(client.messages().isEmpty)
    rig.server.connections[0].follow(other)
    channel.append(message(2))
    other.append(message(3))
    try rig.turn()
    #expect(client.messages() == ["3"])
  }

  @Test func aFollowerThatIsGoneIsNoneAnyMore() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let clients = try (0..<3).map { _ in try rig.follower(of: channel) }
    clients[0].hangUp()
    channel.append(message(1))
    try rig.turn()
    #expect(channel.followerCount == 2 && rig.ended.count == 1)
    #expect(clients[1].messages() == ["1"] && clients[2].messages() == ["1"])
  }

  /// One of three never reads.
  @Test func whoDoesNotReadIsToldWhatItLostAndTheOthersLoseNothing() throws {
    let rig = try ServerRig()
    let channel = Channel(bytes: 100_000, messages: 100)
    let stuck = try rig.follower(of: channel)
    let others = try [rig.follower(of: channel), rig.follower(of: channel)]
    let count = 2000
    for number in 0..<count {
      channel.append(message(number, size: 500))
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
    #expect(rig.server.connections[0].lost == UInt64(count - numbers.count))
    #expect(rig.server.connections[0].delivered == UInt64(numbers.count))
    // and goes on with the newest
    channel.append(message(count))
    try rig.turn()
    #expect(stuck.messages() == ["\(count)"])
    #expect(rig.refusals.isEmpty)
  }

  @Test func whatIsPartlyOutIsCompletedEvenWhereItWasForgottenOrUnfollowed() throws {
    for isUnfollowed in [false, true] {
      let rig = try ServerRig()
      let channel = Channel(bytes: 300_000, messages: 4)
      let client = try rig.follower(of: channel)
      let large = message(1, size: 290_000)
      channel.append(large)
      try rig.turn()
      client.read(1000)
      #expect(client.hasPart)
      for number in 2..<10 { channel.append(message(number, size: 1000)) }
      if isUnfollowed { rig.server.connections[0].unfollow() }
      var messages: [String] = []
      for _ in 0..<10 {
        try rig.turn()
        messages += client.messages()
      }
      #expect(messages.first == String(decoding: large, as: UTF8.self))
      #expect(messages.count == (isUnfollowed ? 1 : 2))
      if !isUnfollowed { #expect(messages.last?.contains(#""count":8"#) == true) }
      #expect(!client.hasPart)
    }
  }

  @Test func whoTakesNothingIsDropped() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let stuck = try rig.follower(of: channel)
    let other = try rig.follower(of: channel)
    while rig.server.connections[0].blockedSince == nil {
      channel.append(message(1, size: 1000))
      try rig.turn()
      other.read()
    }
    #expect(rig.server.connections[0].deadline == rig.clock.time + .milliseconds(30_000))
    rig.pass(29_999)
    channel.append(message(2))
    try rig.turn()
    #expect(rig.server.connections.count == 2)
    rig.pass(1)
    #expect(rig.server.connections.count == 1 && channel.followerCount == 1)
    #expect(rig.refusals == ["read nothing for 30.0 s"])
    stuck.read()
    #expect(stuck.isClosed && !other.isClosed)
  }

  @Test func whoTakesSomethingInTimeIsNot() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let slow = try rig.follower(of: channel)
    for _ in 0..<5 {
      while rig.server.connections[0].blockedSince == nil {
        channel.append(message(1, size: 1000))
        try rig.turn()
      }
      rig.pass(29_000)
      slow.read()
      try rig.turn()
      slow.read()
    }
    #expect(rig.server.connections.count == 1 && rig.refusals.isEmpty)
  }

  @Test func clientsThatAskWithoutEndDoNotHoldUpAChannel() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let channel = Channel()
    let follower = try rig.follower(of: channel)
    let busy = try (0..<8).map { _ in try rig.connect() }
    for client in busy { for _ in 0..<100 { try client.call("Status") } }
    channel.append(message(1))
    for _ in 0..<4 { try rig.turnOnce() }
    #expect(follower.messages() == ["1"])
    for client in busy { #expect(client.messages().count < 50) }
  }

  @Test func theLoopDoesNotSleepWhileSomethingIsToBeSent() throws {
    let rig = try ServerRig()
    let channel = Channel()
    let clients = try (0..<9).map { _ in try rig.follower(of: channel) }
    channel.append(message(1))
    // would wait for ever otherwise
    for _ in 0..<2 { try rig.loop.wait(until: nil) }
    try rig.turnOnce()
    #expect(clients.allSatisfy { $0.messages() == ["1"] })
  }
}
