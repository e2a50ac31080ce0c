import Foundation
import TestSupport
import Testing

/// Rights, holds and chords that must be gone once what they rest on is.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct OutlivingTests {
  static let getState = #"{"method":"org.gliss.Broker.GetState"}"#
  static let secure = Scopes.secureInput("pinentry")
  static let lock = #"{"method":"org.gliss.Grants.Lock","more":true}"#
  static let onewayRequest =
    #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.keys)},"oneway":true}"#

  @Test func aGrantForOnceIsForOneLookAtTheKeys() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys, #","expiry":"once""#)
    let client = try theatre.client(Self.getState)
    try client.hear("keys")
    // its own once more
    client.say(Self.getState)
    #expect(try client.hear("an answer") { _ in true }.contains("NotGranted"))
  }

  @Test func aFollowedVerdictChangesWithItsOwnGrantsOnly() throws {
    let theatre = try Theatre()
    let call =
      #"{"method":"org.gliss.Broker.Preflight","parameters":{"scope":\#(Scopes.keys)},"more":true}"#
    let client = try theatre.client(call)
    let other = try theatre.client(as: Theatre.other, call)
    for client in [client, other] {
      #expect(try client.hear("an answer") { _ in true }.contains(#""standing":"notDetermined""#))
    }
    try theatre.grant(Scopes.gestures)
    try theatre.grant(Scopes.post, to: Theatre.other)
    try theatre.grant(Scopes.media)
    let part = try client.hear("an answer") { _ in true }
    #expect(part.contains(#""standing":"granted""#) && !part.contains("typing\"]"), "\(part)")
    try theatre.grant(Scopes.keys)
    #expect(try client.hear("an answer") { _ in true }.contains("typing"))
    try theatre.revokeAll()
    #expect(try client.hear("an answer") { _ in true }.contains(#""standing":"notDetermined""#))
    // the connection takes no other call meanwhile, and a grant for the other was none of this one's
    try theatre.grant(Scopes.keys, to: Theatre.other)
    #expect(try other.hear("an answer") { _ in true }.contains(#""standing":"granted""#))
    #expect(client.said.count == 4, "\(client.said)")
  }

  @Test func aGrantForOnceIsForOneHotkey() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys, #","expiry":"once""#)
    let first = try theatre.client(Scopes.hotkey("a"))
    try first.hear("registered")
    let second = try theatre.client(Scopes.hotkey("b"))
    #expect(try second.hear("an answer") { _ in true }.contains("HotkeyCouldType"))
    // the first one goes on, until it ends or is revoked
    try theatre.act("key KEY_A")
    try first.hear("pressed")
    try theatre.revokeAll()
    #expect(try first.hear("NotGranted").contains(#""advice":"ended: revoked; not granted: "#))
  }

  @Test func aQuestionWhoseAnswerNobodyWantsTakesNoHotkeyAway() throws {
    let theatre = try Theatre()
    try theatre.act("consent wait")
    let client = try theatre.client(Self.onewayRequest, Scopes.hotkey("super+t"))
    try waitForQuestion(theatre)
    try theatre.act("consent refuse")
    try client.hear("registered")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T")
    try client.hear("pressed")
    client.stop()
    let next = try theatre.client(Scopes.hotkey("super+t"))
    try next.hear("registered")
  }

  @Test func aQuestionWhoseAnswerNobodyWantsKeepsNoLock() throws {
    let theatre = try Theatre()
    try theatre.act("consent wait")
    let client = try theatre.client(Self.onewayRequest, Self.lock)
    try waitForQuestion(theatre)
    try theatre.act("consent refuse")
    try client.hear("locked")
    client.stop()
    let status = try theatre.client(#"{"method":"org.gliss.Broker.Status"}"#)
    #expect(try status.hear("session").contains(#""state":"active""#))
  }

  private func waitForQuestion(_ theatre: Theatre, isThere: Bool = true) throws {
    let root = try theatre.client(as: nil)
    for _ in 0..<1000 {
      root.say(#"{"method":"org.gliss.Grants.List"}"#)
      if try root.hear("pending").contains(#""pid""#) == isThere { return }
    }
    throw Player.Silence(description: "nobody asks")
  }

  @Test func aProcessThatIsGoneIsGrantedNothing() throws {
    let theatre = try Theatre()
    try theatre.act("consent wait")
    let client = try theatre.client(Self.onewayRequest, Scopes.hotkey("super+t"))
    try waitForQuestion(theatre)
    client.stop()
    try waitForQuestion(theatre, isThere: false)
    try theatre.act("consent agree")
    let late = try theatre.client(Scopes.monitor(Scopes.keys))
    #expect(try late.hear("an answer") { _ in true }.contains("NotGranted"))
  }

  /// The number that it was given is still good.
  @Test func aRequestStaysWhileAnotherProcessOfTheProgramHasMadeIt() throws {
    let theatre = try Theatre()
    try theatre.act("consent wait")
    let first = try theatre.client(Self.onewayRequest)
    try waitForQuestion(theatre)
    let second = try theatre.client(
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.keys)}}"#)
    let pending = try second.hear("pending")
    first.stop()
    try waitUntilNobodyWaits(theatre)
    try waitForQuestion(theatre)
    #expect(pending.contains(#""pending":1"#), "\(pending)")
    let root = try theatre.client(
      as: nil, #"{"method":"org.gliss.Grants.Answer","parameters":{"number":1,"allow":true}}"#)
    #expect(try root.hear("parameters").contains("heckler"))
  }

  private func waitUntilNobodyWaits(_ theatre: Theatre) throws {
    try wait(for: "its end") {
      let root = try theatre.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
      defer { root.stop() }
      return try !root.hear("clients").contains(#""doing":"waits for an answer""#)
    }
  }

  @Test func aRequestStaysIfItsOwnProcessWasToldTheNumber() throws {
    let theatre = try Theatre()
    try theatre.act("consent wait")
    let client = try theatre.client(Self.onewayRequest)
    try waitForQuestion(theatre)
    client.say(
      #"!call {"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.keys)}}"#)
    let answer = try client.hear("pending")
    #expect(answer.contains(#""pending":1"#), "\(answer)")
    client.stop()
    try waitUntilNobodyWaits(theatre)
    let root = try theatre.client(
      as: nil, #"{"method":"org.gliss.Grants.Answer","parameters":{"number":1,"allow":true}}"#)
    #expect(try root.hear("an answer") { _ in true }.contains("heckler"))
  }

  @Test func aRequestWhoseNumberNobodyWasToldEnds() throws {
    let theatre = try Theatre()
    // nobody is asked for a user who is not at the seat
    let client = try theatre.client(
      as: Theatre.other, Self.onewayRequest, #"{"method":"org.gliss.Broker.Status"}"#)
    try client.hear("session")
    try waitForQuestion(theatre, isThere: false)
    // and it has used up no number
    client.say(
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.keys)}}"#)
    let answer = try client.hear("pending")
    #expect(answer.contains(#""pending":1}"#), "\(answer)")
  }

  /// What root does, and what the client that waits is told.
  static let decisions: [(Decision, String)] = [
    (.answer(#""allow":true"#), "granted"), (.answer(#""allow":false"#), "denied"),
    (.answer(#""allow":false,"expiry":"once""#), "denied"), (.grant, "granted"),
    (.join, "granted"),
  ]

  enum Decision: Sendable {
    case answer(String)
    case grant
    /// Puts the client into a group that has the grant.
    case join
  }

  @Test(arguments: decisions)
  func aRequestThatWaitsIsAnsweredByWhatRootDecides(_ decision: Decision, _ standing: String) throws
  {
    let theatre = try Theatre()
    try theatre.act("consent wait")
    let client = try theatre.client(
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":\#(Scopes.keys)}}"#)
    try waitForQuestion(theatre)
    switch decision {
    case .answer(let answer):
      let root = try theatre.client(
        as: nil, #"{"method":"org.gliss.Grants.Answer","parameters":{"number":1,\#(answer)}}"#)
      try root.hear("parameters")
    case .grant: try theatre.grant(Scopes.everything)
    case .join:
      try GroupTests().decide(theatre)
      try GroupTests().change(theatre, "AddToGroup")
    }
    let verdict = try client.hear("an answer") { _ in true }
    #expect(verdict.contains(#""standing":"\#(standing)""#), "\(verdict)")
    // the dialog is gone, and a late answer in it changes nothing
    try theatre.act("consent refuse")
    try waitForQuestion(theatre, isThere: false)
    #expect(client.said.count == 1)
  }

  @Test func aTimeThatNeverComesEndsNothing() throws {
    let theatre = try Theatre()
    for time in ["9223372036854775807", "9223372036854"] {
      try theatre.grant(Scopes.gestures, #","expiry":"\#(time)","group":"org.example.g\#(time)""#)
    }
    try theatre.act("key KEY_A")
  }
}
