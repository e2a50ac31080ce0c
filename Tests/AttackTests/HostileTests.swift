import Foundation
import TestSupport
import Testing

/// Clients that misbehave: they are ended, it is written down, and nobody else is kept waiting.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct HostileTests {
  /// What is sent, in hex, and what the answer or the end has in it.
  static let messages: [(name: String, hex: String, answer: String)] = [
    ("no JSON", "7878780000", "!closed"),
    ("not UTF-8", "7b226d6574686f64223a22ff227d00", "!closed"),
    ("no method", "7b7d00", "!closed"),
    ("an array", "5b5d00", "!closed"),
    ("nothing", "00", "!closed"),
    ("deep", String(repeating: "5b", count: 4000) + "00", "!closed"),
    (
      "deep in the parameters",
      hex(#"{"method":"a.b.C","parameters":"#) + String(repeating: "7b2261223a", count: 20)
        + "00", "!closed"
    ),
    ("large", String(repeating: "20", count: 70_000), "!closed"),
    // to compare such text took seconds, during which nobody was served
    ("marks for a method", marks(before: #"{"method":""#, after: #""}"#), "!closed"),
    (
      "flags for a method",
      hex(#"{"method":"a."# + String(repeating: "\u{1f1e6}", count: 15_900) + #""}"#) + "00",
      "InterfaceNotFound"
    ),
    ("marks for a member", marks(before: #"{""#, after: #"":1}"#), "!closed"),
    (
      "marks for a hotkey",
      marks(
        before: #"{"method":"org.gliss.Broker.RegisterHotkey","parameters":{"hotkey":""#,
        after: #""}}"#), "!closed"
    ),
    (
      "a character of many bytes",
      hex(
        #"{"method":"org.gliss.Broker.Post","parameters":{"keys":["ctrl+a"#
          + String(repeating: "\u{200d}", count: 20_000) + #""]}}"#) + "00", "InvalidHotkey"
    ),
    ("another interface", hex(#"{"method":"org.example.Foo"}"#) + "00", "InterfaceNotFound"),
    ("another method", hex(#"{"method":"org.gliss.Broker.Foo"}"#) + "00", "MethodNotFound"),
    (
      "a wrong type",
      hex(#"{"method":"org.gliss.Broker.Monitor","parameters":{"scope":7}}"#)
        + "00", "InvalidParameter"
    ),
  ]

  /// Combining marks in the order that takes the longest to sort.
  private static func marks(before: String, after: String) -> String {
    let marks = ["\u{301}", "\u{323}"].map { String(repeating: $0, count: 15_500) }
    return hex(before + marks.joined() + after) + "00"
  }

  private static func hex(_ text: String) -> String {
    text.utf8.map { String(format: "%02x", $0) }.joined()
  }

  @Test func badMessagesEndTheirConnectionOrAreAnswered() throws {
    let theatre = try Theatre()
    let bystander = try theatre.client(Scopes.hotkey("super+t"))
    try bystander.hear("registered")
    for message in Self.messages {
      let client = try theatre.client()
      client.say("!raw \(message.hex)")
      let end = try client.hear(message.name) {
        $0.contains(message.answer) || $0.contains("!closed")
      }
      #expect(end.contains(message.answer), "\(message.name): \(end.prefix(200))")
    }
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T")
    try bystander.hear("pressed")
    #expect(try theatre.audit().contains(#""action":"refuse""#))
  }

  @Test func aUserHasThirtyTwoConnectionsAndOthersHaveTheirs() throws {
    let theatre = try Theatre()
    let crowd = try theatre.client("!connect 1000")
    try crowd.hear("!open")
    // a silent one makes room for it, where it may only stop something
    let late = try theatre.client(Scopes.hotkey("super+t"))
    #expect(try late.hear("an answer") { _ in true }.contains("LimitReached"))
    let other = try theatre.client(
      as: Theatre.other, #"{"method":"org.varlink.service.GetInfo"}"#)
    try other.hear("vendor")
    // two descriptors for each of 32 and of the 8 that may stop something, once those that are over are let go
    try wait(for: "the others to be let go") { try self.descriptors(theatre) < 2 * 40 + 32 }
    crowd.stop()
  }

  @Test func thoseWhoNeverSpeakAreEnded() throws {
    let theatre = try Theatre()
    let silent = try theatre.client()
    let slow = try theatre.client()
    slow.say("!raw 7b226d657468")
    // the limit is 5 s: the one real wait of these tests
    try silent.hear("!closed")
    try slow.hear("!closed")
  }

  @Test func oneThatNeverReadsCostsOthersNothingAndLosesWhatItMissed() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    let deaf = try theatre.client(Scopes.monitor(Scopes.everything))
    try deaf.hear("verdict")
    deaf.say("!deaf")
    let reader = try theatre.client(Scopes.monitor(Scopes.everything))
    try reader.hear("verdict")
    let before = try memory(theatre)
    for _ in 0..<20 {
      try theatre.act("motion 2000")
      try theatre.act("key KEY_A")
      try reader.hear(#""state":"up""#)
    }
    #expect(reader.said.count { $0.contains("motion") } >= 1)
    #expect(try memory(theatre) - before < 8192)
  }

  private func memory(_ theatre: Theatre) throws -> Int {
    let words = try theatre.act("memory").split(separator: " ")
    return try #require(words.count > 1 ? Int(words[1]) : nil)
  }

  @Test func connectionsOneAfterAnotherLeakNothing() throws {
    let theatre = try Theatre()
    // one that says nothing itself would be ended meanwhile
    let client = try theatre.client(#"{"method":"org.varlink.service.GetInfo"}"#)
    try client.hear("vendor")
    let descriptors = try self.descriptors(theatre)
    client.say("!churn 500")
    try client.hear("!churned")
    let memory = try self.memory(theatre)
    client.say("!churn 10000")
    try client.hear("!churned")
    // the ends of the last ones may not have been seen yet
    try wait(for: "all descriptors to be closed") {
      try self.descriptors(theatre) == descriptors
    }
    #expect(try self.memory(theatre) - memory < 1024)
  }

  private func descriptors(_ theatre: Theatre) throws -> Int {
    try #require(try theatre.act("descriptors").split(separator: " ").last.flatMap { Int($0) })
  }

  @Test func secureInputStopsKeysForAWhileAndIsNobodysForEver() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let holder = try theatre.client(Scopes.secureInput("pinentry"))
    try holder.hear(#""seconds":120"#)
    try reader.hear("secureInput")
    try theatre.act("key KEY_A")
    let second = try theatre.client(Scopes.secureInput("other"))
    try second.hear("seconds")
    let status = try theatre.client(#"{"method":"org.gliss.Broker.Status"}"#)
    let told = try status.hear("secureInput")
    #expect(told.contains(#""holder":"pinentry ("#) && told.contains(#""holder":"other ("#))
    // the panic chord, which ends all of it
    for name in ["KEY_BACKSPACE", "KEY_ESC", "KEY_ENTER"] { try theatre.act("key \(name) down") }
    try holder.hear("over")
    try second.hear("over")
    let next = try theatre.client(Scopes.secureInput("next"))
    #expect(try !next.hear("SecureInputTaken").contains("holder"))
    for name in ["KEY_BACKSPACE", "KEY_ESC", "KEY_ENTER"] { try theatre.act("key \(name) up") }
    try reader.hear(#""state":"active""#)
    try theatre.act("key KEY_B")
    try reader.hear("KEY_B")
    #expect(!reader.said.joined().contains("KEY_A\""))
  }
}
