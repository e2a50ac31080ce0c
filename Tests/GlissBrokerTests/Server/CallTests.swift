import Glibc
import GlissEvents
import GlissGate
import Testing

@testable import GlissBroker

/// Calls, one at a time, over real sockets.
@Suite struct CallTests {
  @Test func aCallIsAnswered() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.result(["method": .string($0.method)], continues: false)) }
    let client = try rig.connect()
    try client.call("Status")
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{"method":"Status"}}"#])
    try client.call("Preflight")
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{"method":"Preflight"}}"#])
    #expect(rig.calls.map(\.connection.identity.pid) == [getpid(), getpid()])
    #expect(rig.server.connections[0].deadline == nil)
  }

  @Test func theServiceAnswersForItself() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    client.send(Array(#"{"method":"org.varlink.service.GetInfo"}"#.utf8) + [0])
    client.send(Array(#"{"method":"org.gliss.Other.Go"}"#.utf8) + [0])
    try rig.turn()
    let messages = client.messages()
    #expect(messages.count == 2)
    #expect(messages.first?.contains(#""product":"glissd""#) == true)
    #expect(messages.last?.contains("org.varlink.service.InterfaceNotFound") == true)
    #expect(rig.calls.isEmpty)
  }

  @Test func aMessageMayComeByteByByte() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let client = try rig.connect()
    for byte in #"{"method":"org.gliss.Broker.Status"}"#.utf8 {
      client.send([byte])
      try rig.turn()
      #expect(rig.calls.isEmpty)
    }
    client.send([0])
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{}}"#])
  }

  @Test func callsWaitForTheAnswerToTheOneBefore() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    for method in ["Status", "GetState", "Preflight"] { try client.call(method) }
    try rig.turn()
    #expect(rig.calls.map(\.call.method) == ["Status"])
    rig.calls[0].connection.send(.result([:], continues: true))
    try rig.turn()
    #expect(rig.calls.count == 1)
    rig.calls[0].connection.send(.done)
    try rig.turn()
    #expect(rig.calls.map(\.call.method) == ["Status", "GetState"])
    rig.calls[1].connection.send(.done)
    try rig.turn()
    rig.calls[2].connection.send(.error("a.B", [:]))
    // the current call got its last answer
    rig.calls[2].connection.send(.done)
    try rig.turn()
    #expect(
      client.messages() == [
        #"{"parameters":{},"continues":true}"#, #"{"parameters":{}}"#, #"{"parameters":{}}"#,
        #"{"error":"a.B","parameters":{}}"#,
      ])
  }

  /// Status shows how many events a client was sent, also if they are answers, as those of hotkeys.
  @Test func eventsThatAreAnswersAreCounted() throws {
    let rig = try ServerRig()
    rig.answer = {
      $1.send(.result(["registered": "super+t"], continues: true))
      for _ in 0..<3 { $1.send(encoded: Array("event".utf8), isEvent: true) }
    }
    let client = try rig.connect()
    try client.call("RegisterHotkey", more: true)
    try rig.turn()
    #expect(client.messages().count == 4)
    #expect(rig.server.connections[0].outbox.delivered == 3)
    // nothing is sent to who wants no answer
    let other = try rig.connect()
    try other.call("RegisterHotkey", oneway: true)
    try rig.turn()
    #expect(other.messages().isEmpty)
    #expect(rig.server.connections.map(\.outbox.delivered).sorted() == [0, 3])
  }

  @Test func aOnewayCallIsNotAnswered() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.result(["method": .string($0.method)], continues: false)) }
    let client = try rig.connect()
    try client.call("Post", oneway: true)
    try client.call("Status")
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{"method":"Status"}}"#])
    // yet the next one waits until that is decided
    rig.answer = { _, _ in }
    try client.call("Post", oneway: true)
    try client.call("Status")
    try rig.turn()
    #expect(rig.calls.map(\.call.method) == ["Post", "Status", "Post"])
    rig.calls[2].connection.send(.done)
    try rig.turn()
    #expect(rig.calls.map(\.call.method) == ["Post", "Status", "Post", "Status"])
    #expect(client.messages().isEmpty)
  }

  @Test func aClientThatHasClosedItsSendingSideIsStillAnswered() throws {
    let rig = try ServerRig()
    rig.answer = { $1.send(.done) }
    let client = try rig.connect()
    try client.call("Status")
    try client.call("Status")
    client.finish()
    try rig.turn()
    #expect(client.messages().count == 2)
    #expect(client.isClosed)
    #expect(rig.server.connections.isEmpty && rig.ended.count == 1)
  }

  @Test func aClosedConnectionIsRemovedAtOnce() throws {
    let rig = try ServerRig()
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try rig.turn()
    client.hangUp()
    try rig.turn()
    #expect(
      rig.ended.map(ObjectIdentifier.init) == rig.calls.map { ObjectIdentifier($0.connection) })
    #expect(rig.server.connections.isEmpty)
    rig.calls[0].connection.send(.done)
    rig.calls[0].connection.end()
    try rig.turn()
    #expect(rig.ended.count == 1 && rig.refusals.isEmpty)
  }

  @Test func anEndSendsWhatWasSentBefore() throws {
    let rig = try ServerRig()
    rig.answer = {
      $1.send(.result([:], continues: true))
      $1.send(.error("a.B", [:]))
      $1.end()
      $1.send(.done)
    }
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try client.call("Monitor", more: true)
    try rig.turn()
    #expect(
      client.messages() == [
        #"{"parameters":{},"continues":true}"#, #"{"error":"a.B","parameters":{}}"#,
      ])
    #expect(client.isClosed && rig.calls.count == 1 && rig.ended.count == 1)
  }

  @Test func anUnreadAnswerDoesNotDelayTheEnd() throws {
    let rig = try ServerRig()
    let long = JSON.string(String(repeating: "x", count: 1 << 20))
    rig.answer = {
      $1.send(.result(["long": long], continues: true))
      $1.end()
    }
    let client = try rig.connect()
    try client.call("Monitor", more: true)
    try rig.turn()
    #expect(rig.ended.isEmpty)
    rig.pass(999)
    #expect(rig.ended.isEmpty)
    rig.pass(2)
    #expect(rig.ended.count == 1)
    #expect(rig.server.deadline == nil)
    client.read()
    #expect(client.isClosed)
  }

  @Test func aLongAnswerIsSentAsItIsRead() throws {
    let rig = try ServerRig()
    let long = String(repeating: "x", count: 3 << 20)
    rig.answer = { $1.send(.result(["long": .string(long)], continues: false)) }
    let client = try rig.connect()
    try client.call("Status")
    var messages: [String] = []
    for _ in 0..<1000 where messages.isEmpty {
      try rig.turn()
      messages = client.messages()
    }
    #expect(messages == [#"{"parameters":{"long":"\#(long)"}}"#])
    rig.answer = { $1.send(.done) }
    try client.call("Status")
    try rig.turn()
    #expect(client.messages() == [#"{"parameters":{}}"#])
  }
}
