import Foundation
import TestSupport
import Testing

/// Who may keep keys from the rest of the desktop, and when they are kept.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct ConsumingTests {
  private static let post = #"{"tier":"post"}"#

  private static func consume(_ text: String) -> String {
    #"{"method":"org.gliss.Broker.ConsumeHotkey","parameters":{"hotkey":"\#(text)"},"more":true}"#
  }

  private func press(_ theatre: Theatre, _ modifier: String?, _ key: String) throws {
    if let modifier { try theatre.act("key \(modifier) down") }
    try theatre.act("key \(key)")
    if let modifier { try theatre.act("key \(modifier) up") }
  }

  @Test func itTakesTheRightToPressKeys() throws {
    let theatre = try Theatre()
    let refused = try theatre.client(Self.consume("super+t"))
    let refusal = try refused.hear("NotGranted")
    #expect(refusal.contains("--tier post"))
    try theatre.grant(Self.post)
    // no right to keys that could be typed
    let letter = try theatre.client(Self.consume("t"))
    try letter.hear("HotkeyCouldType")
    let tap = try theatre.client(Self.consume("tap:super"))
    try tap.hear("error")
    #expect(try theatre.act("consumed") == "consumed none")
  }

  @Test func aChordIsReportedAndKept() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.consume("super+t"))
    try client.hear("registered")
    let watcher = try theatre.client(Scopes.hotkey("super+w"))
    try watcher.hear("registered")
    #expect(try theatre.act("consumed") == "consumed KEY_T")
    try press(theatre, "KEY_LEFTMETA", "KEY_T")
    try client.hear("pressed")
    try client.hear("released")
    try press(theatre, "KEY_LEFTMETA", "KEY_W")
    try watcher.hear("pressed")
    try press(theatre, nil, "KEY_T")
    #expect(try theatre.act("kept") == "kept KEY_T")
    let status = try theatre.client(#"{"method":"org.gliss.Broker.Status"}"#)
    #expect(try status.hear("hotkeys").contains(#""consumes":true"#))
  }

  @Test func severalShareAConnection() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(
      #"{"method":"org.gliss.Broker.ConsumeHotkeys","parameters":{"hotkeys":[{"hotkey":"super+k ; super+w"},{"hotkey":"super+t"}]},"more":true}"#
    )
    try client.hear("registered")
    try press(theatre, "KEY_LEFTMETA", "KEY_K")
    try press(theatre, "KEY_LEFTMETA", "KEY_W")
    try client.hear("pressed")
    #expect(try theatre.act("kept") == "kept KEY_K KEY_W")
  }

  @Test func aClientThatLeavesGivesEverythingBack() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.consume("super+t"))
    try client.hear("registered")
    client.kill(SIGKILL)
    try waitUntilNothingIsConsumed(theatre)
    let again = try theatre.client(Self.consume("super+t"))
    try again.hear("registered")
    try theatre.revokeAll()
    try again.hear("NotGranted")
    try waitUntilNothingIsConsumed(theatre)
  }

  private func waitUntilNothingIsConsumed(_ theatre: Theatre) throws {
    try wait(for: "the keys to be given back") { try theatre.act("consumed") == "consumed none" }
  }

  @Test(arguments: [
    ("lock", "unlock"), ("sleep", "wake"), ("user \(Theatre.other)", "user \(Theatre.user)"),
  ])
  func behindALockNothingIsKept(_ before: String, _ after: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.consume("super+t"))
    try client.hear("registered")
    try theatre.act(before)
    #expect(try theatre.act("consumed") == "consumed none")
    try press(theatre, "KEY_LEFTMETA", "KEY_T")
    #expect(try theatre.act("kept") == "kept ")
    try theatre.act(after)
    #expect(try theatre.act("consumed") == "consumed KEY_T")
    try press(theatre, "KEY_LEFTMETA", "KEY_T")
    try client.hear("pressed")
    #expect(try theatre.act("kept") == "kept KEY_T")
  }

  @Test func ofASecretNothingIsKept() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    try theatre.grant(Scopes.keys)
    let letter = try theatre.client(Self.consume("t"))
    try letter.hear("registered")
    let chord = try theatre.client(Self.consume("super+w"))
    try chord.hear("registered")
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    try prompt.hear("seconds")
    try press(theatre, nil, "KEY_T")
    try press(theatre, "KEY_LEFTMETA", "KEY_W")
    #expect(try theatre.act("kept") == "kept KEY_W")
  }

  @Test func withoutUinputItSaysWhatWouldHelp() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    try theatre.act("uinput gone")
    let client = try theatre.client(Self.consume("super+t"))
    #expect(try client.hear("NoKeyboard").contains("glissd.service.d"))
    #expect(try theatre.act("consumed") == "consumed none")
  }
}
