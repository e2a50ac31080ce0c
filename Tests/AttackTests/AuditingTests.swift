import Foundation
import Testing

/// What a client could do so that its name does not appear beside what it was given.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct AuditingTests {
  @Test func aReaderOfKeysIsAuditedAfterAnyNumberOfRefusals() throws {
    let theatre = try Theatre()
    let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
    let hotkeys = (letters + letters.map { "shift+\($0)" }).prefix(40)
    let client = try theatre.client()
    for hotkey in hotkeys {
      client.say(Scopes.hotkey(hotkey))
      try client.hear("HotkeyCouldType")
    }
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let entries = try entries(theatre)
    let connects = entries.filter { $0["action"] as? String == "connect" }
    #expect(connects.count == 1)
    #expect(connects.first?["client"] as? String == theatre.heckler)
    #expect((connects.first?["detail"] as? String)?.contains("key") == true)
    // and so is who was refused, though not each time with what
    let refusals = entries.filter { $0["action"] as? String == "refuse" }
    #expect(refusals.allSatisfy { $0["client"] as? String == theatre.heckler })
    #expect((2..<20).contains(refusals.count))
    #expect(refusals.last?["detail"] as? String == "too many to list")
  }

  @Test(arguments: [OutlivingTests.getState, Scopes.hotkeys(["a", "b"])])
  func whoeverLearnsOfKeysIsAudited(_ call: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(call)
    try reader.hear("parameters")
    let connects = try entries(theatre).filter { $0["action"] as? String == "connect" }
    #expect(connects.map { $0["client"] as? String } == [theatre.heckler])
    #expect((connects.first?["detail"] as? String)?.contains("key") == true, "\(connects)")
  }

  @Test func refusalsDoNotHideWhoReadsKeysFromWhoLooksForThat() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let client = try theatre.client()
    for letter in "abcdefgh" {
      client.say(#"{"method":"org.gliss.Grants.Log","parameters":{"limit":1,"action":"refuse"}}"#)
      try client.hear("entries")
      client.say(Scopes.monitor(#"{"tier":"raw","events":["touch"],"devices":["\#(letter)"]}"#))
      try client.hear("NotGranted")
    }
    client.say(#"{"method":"org.gliss.Grants.Log","parameters":{"limit":1,"action":"connect"}}"#)
    #expect(try client.hear("entries").contains(theatre.heckler))
    client.say(#"{"method":"org.gliss.Grants.Log","parameters":{"action":"peek"}}"#)
    try client.hear("InvalidParameter")
  }

  @Test func whatDoesNotFitAnAnswerCanBeAskedFor() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let ids = try entries(theatre).compactMap { $0["id"] as? Int }
    let last = try #require(ids.last)
    #expect(ids.count > 1)
    let root = try theatre.client(
      as: nil, #"{"method":"org.gliss.Grants.Log","parameters":{"before":\#(last)}}"#)
    let older = try entries(in: try root.hear("entries")).compactMap { $0["id"] as? Int }
    #expect(older == Array(ids.dropLast()))
    // from the gaps between ids others would learn how much happens
    let user = try theatre.client(
      #"{"method":"org.gliss.Grants.Log","parameters":{"before":\#(last)}}"#)
    #expect(try user.hear("error").contains("InvalidParameter"))
  }

  private func entries(_ theatre: Theatre) throws -> [[String: Any]] {
    try entries(in: try theatre.audit())
  }

  private func entries(in text: String) throws -> [[String: Any]] {
    let answer = try JSONSerialization.jsonObject(with: Data(text.utf8))
    let parameters = (answer as? [String: Any])?["parameters"] as? [String: Any]
    return try #require(parameters?["entries"] as? [[String: Any]])
  }
}
