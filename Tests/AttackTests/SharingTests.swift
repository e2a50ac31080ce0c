import Foundation
import TestSupport
import Testing

/// What some programs take leaves others theirs, and stopping something always has room.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct SharingTests {
  static let lock = #"{"method":"org.gliss.Grants.Lock","more":true}"#

  private func answer(_ theatre: Theatre, as uid: UInt32? = Theatre.user, _ call: String) throws
    -> String
  {
    let client = try theatre.client(as: uid, call)
    defer { client.stop() }
    return try client.hear("an answer") { _ in true }
  }

  // MARK: Connections

  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func aSandboxTakesNoConnectionOfItsUser() throws {
    let theatre = try Theatre()
    let crowd = try theatre.client(wrapper: SandboxTests.sandbox(theatre), "!connect 300")
    try crowd.hear("!open")
    let locker = try theatre.client(Self.lock)
    #expect(try locker.hear("an answer") { _ in true }.contains("locked"))
    locker.stop()
    let others = try theatre.client("!connect 20")
    try others.hear("!open 20")
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    #expect(try prompt.hear("an answer") { _ in true }.contains("seconds"))
  }

  @Test func aUserWhoseConnectionsAreTakenCanStillStopThings() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let owner = try theatre.client(Scopes.hotkeys(["super+k", "super+j"]))
    try owner.hear("registered")
    // each says something, or it would be ended
    let crowd = try (0..<30).map { _ in
      try theatre.client(#"{"method":"org.varlink.service.GetInfo"}"#)
    }
    for client in crowd { try client.hear("vendor") }
    #expect(try answer(theatre, Scopes.hotkey("super+t")).contains("LimitReached"))
    // those that would stay idle after an answer or a refusal take no room
    for call in [#"{"method":"org.gliss.Broker.Status"}"#, Scopes.hotkey("super+t")] {
      let idle = try (0..<8).map { _ in try theatre.client(call) }
      for client in idle { try client.hear("!closed") }
    }
    // nor do those that say nothing
    let silent = try theatre.client("!connect 7")
    try silent.hear("!open")
    owner.say(
      #"!call {"method":"org.gliss.Broker.ReleaseHotkeys","#
        + #""parameters":{"hotkeys":[{"hotkey":"super+k"}]}}"#)
    #expect(try owner.hear("released").contains(#""released":1"#))
    let locker = try theatre.client(Self.lock)
    #expect(try locker.hear("an answer") { _ in true }.contains("locked"))
    try reader.hear(#""state":"locked""#)
    locker.stop()
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    #expect(try prompt.hear("an answer") { _ in true }.contains("seconds"))
    prompt.stop()
    #expect(
      try answer(theatre, #"{"method":"org.gliss.Grants.Pause"}"#) == #"{"parameters":{}}"#)
    try reader.hear(#""state":"paused""#)
    try theatre.revokeAll()
    try reader.hear("NotGranted")
  }

  /// Another user's clients, in a flood, keep nobody from the broker.
  @Test func aFloodOfAnotherUsersKeepsNobodyOut() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let flooders = try (0..<4).map { _ in
      try theatre.client(as: Theatre.other, "!churn 1000000")
    }
    for index in 0..<20 {
      let client = try theatre.client(Scopes.hotkey("super+\(index % 10)"))
      try client.hear("registered")
      client.stop()
      try theatre.act("key KEY_A")
      try reader.hear(#""state":"up""#)
    }
    try theatre.revokeAll()
    try reader.hear("NotGranted")
    for flooder in flooders { flooder.kill(SIGKILL) }
  }

  // MARK: Questions

  private static func add(_ client: String) -> String {
    #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"client":"program:/usr/bin/\#(client)","scope":\#(Scopes.gestures)}}}"#
  }

  @Test func oneDialogAMinuteWhateverAsks() throws {
    let theatre = try Theatre()
    try theatre.act("lock")
    #expect(try answer(theatre, Self.add("a")).contains("the screen is locked"))
    #expect(try theatre.act("asked") == "asked 0")
    try theatre.act("unlock")
    try theatre.act("consent refuse")
    let long = String(repeating: "a", count: 600)
    #expect(try answer(theatre, Self.add(long)).contains("an administrator has to agree"))
    #expect(try theatre.audit().contains("by an administrator: grant gesture"))
    for name in ["b", "c", "d"] {
      let refusal = try answer(theatre, Self.add(name))
      #expect(refusal.contains("less than a minute ago"), "\(refusal)")
    }
    let request =
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.gestures)}}"#
    #expect(try answer(theatre, request).contains("pending"))
    #expect(try theatre.act("asked") == "asked 1")
    // root asks nobody
    #expect(
      try answer(
        theatre, as: nil,
        Self.add("e").replacing(#""terms":{"#, with: #""terms":{"uid":\#(Theatre.user),"#)
      ).contains("grant"))
  }

  @Test func nobodyToAskIsNoRefusal() throws {
    let theatre = try Theatre()
    let request =
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.gestures)}}"#
    let answer = try answer(theatre, request)
    #expect(answer.contains("notDetermined") && answer.contains(#""pending":1"#), "\(answer)")
    #expect(try !theatre.audit().contains("by an administrator"))
    // and it can be answered
    let root = try self.answer(
      theatre, as: nil,
      #"{"method":"org.gliss.Grants.Answer","parameters":{"number":1,"allow":true}}"#)
    #expect(root.contains("grant"))
  }

  @Test func aListOfSomeGrantsHasOnlyTheRequestsThatMatch() throws {
    let theatre = try Theatre()
    let request =
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.gestures)}}"#
    #expect(try answer(theatre, request).contains(#""pending":1"#))
    func lists(_ query: String) throws -> Bool {
      let call = #"{"method":"org.gliss.Grants.List","parameters":{"query":{\#(query)}}}"#
      return try answer(theatre, as: nil, call).contains(#""pid""#)
    }
    let matching = [
      "", #""tier":"gesture""#, #""client":"\#(theatre.heckler)""#, #""uid":\#(Theatre.user)"#,
    ]
    for query in matching { #expect(try lists(query), "\(query)") }
    let others = [
      #""tier":"raw""#, #""client":"program:/opt/foo""#, #""uid":\#(Theatre.other)"#,
      #""group":"org.example""#, #""id":1"#,
    ]
    for query in others { #expect(try !lists(query), "\(query)") }
  }

  @Test func noProgramUndoesWhatAPersonHasStopped() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    #expect(
      try answer(theatre, #"{"method":"org.gliss.Grants.Pause"}"#) == #"{"parameters":{}}"#)
    try reader.hear(#""state":"paused""#)
    let resume = #"{"method":"org.gliss.Grants.Resume"}"#
    #expect(try answer(theatre, resume).contains("NobodyToAsk"))
    #expect(try theatre.act("resumed") == "resumed 0")
    try theatre.act("key KEY_A")
    try theatre.act("consent agree")
    #expect(try answer(theatre, resume) == #"{"parameters":{}}"#)
    #expect(try theatre.act("resumed") == "resumed 1")
    try reader.hear(#""state":"active""#)
    #expect(!reader.said.joined().contains("KEY_A"))
    // a program that consumes hotkeys does not end what the panic chord has stopped
    try theatre.grant(Scopes.post)
    let consumer = try theatre.client(
      #"{"method":"org.gliss.Broker.ConsumeHotkey","parameters":{"hotkey":"super+t"},"more":true}"#)
    try consumer.hear("registered")
    #expect(try theatre.act("resumed") == "resumed 1")
  }

  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func theUserAtTheSeatLearnsTheNamesOfDevices() throws {
    let theatre = try Theatre()
    let status = #"{"method":"org.gliss.Broker.Status"}"#
    #expect(try answer(theatre, status).contains("Stage keyboard"))
    #expect(try answer(theatre, as: nil, status).contains("Stage keyboard"))
    #expect(try !answer(theatre, as: Theatre.other, status).contains("Stage keyboard"))
    let inside = try theatre.client(wrapper: SandboxTests.sandbox(theatre), status)
    let answer = try inside.hear("an answer") { _ in true }
    #expect(answer.contains("session") && !answer.contains("Stage"), "\(answer)")
  }
}
