import Foundation
import Testing

/// Adding hotkeys to a connection of the same process.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct AddingTests {
  private func add(_ hotkeys: String, beside: String = "super+t") -> String {
    #"{"method":"org.gliss.Broker.AddHotkeys","parameters":{"beside":{"hotkey":"\#(beside)"},"hotkeys":[\#(hotkeys)]}}"#
  }

  @Test func theirEventsComeOverThatConnectionAndItsEndFreesThem() throws {
    let theatre = try Theatre()
    let owner = try theatre.client(Scopes.hotkey("super+t"))
    try owner.hear("registered")
    owner.say("!call " + add(#"{"hotkey":"super+k"},{"hotkey":"super+j"}"#))
    #expect(try owner.hear("registered").contains(#"["super+k","super+j"]"#))
    try theatre.act("key KEY_LEFTMETA down")
    for (key, hotkey) in [("KEY_K", "super+k"), ("KEY_T", "super+t")] {
      try theatre.act("key \(key)")
      #expect(try owner.hear("pressed").contains(hotkey))
      #expect(try owner.hear("released").contains(hotkey))
    }
    let late = try theatre.client(Scopes.hotkey("super+k"))
    #expect(try late.hear("error").contains("HotkeyTaken"))
    owner.stop()
    try theatre.wait(until: "active")
    let next = try theatre.client(Scopes.hotkeys(["super+k", "super+t"]))
    try next.hear("registered")
  }

  @Test(arguments: [nil, Theatre.user, Theatre.other] as [UInt32?])
  func nobodyAddsToTheHotkeysOfAnotherProcess(_ user: UInt32?) throws {
    let theatre = try Theatre()
    let owner = try theatre.client(Scopes.hotkey("super+t"))
    try owner.hear("registered")
    let thief = try theatre.client(as: user, add(#"{"hotkey":"super+k"}"#))
    #expect(try thief.hear("error").contains(#""parameter":"beside""#))
    let other = try theatre.client(Scopes.hotkey("super+k"))
    try other.hear("registered")
  }

  @Test(arguments: [
    (#"{"hotkey":"t"}"#, "HotkeyCouldType"), (#"{"hotkey":"super+t"}"#, "HotkeyTaken"),
    (#"{"hotkey":"super+k"},{"hotkey":"super+"}"#, #""parameter":"hotkeys[1].hotkey""#),
    (#"{"hotkey":"super+k"},{"hotkey":"super+k"}"#, #""parameter":"hotkeys[1]""#),
    (#"{"hotkey":"super+k","mood":"x"}"#, "InvalidParameter"),
    (#"{"hotkey":"super+"}"#, "InvalidHotkey"), ("", "InvalidParameter"),
  ])
  func invalidHotkeysCannotBeAdded(
    _ hotkeys: String, _ error: String
  ) throws {
    let theatre = try Theatre()
    let owner = try theatre.client(Scopes.hotkey("super+t"))
    try owner.hear("registered")
    owner.say("!call " + add(hotkeys))
    #expect(try owner.hear("error").contains(error))
  }

  @Test(arguments: [("super+t", "k"), ("t", "super+k"), ("t", "tap:super")])
  func aConnectionRestsOnTheSameGrants(_ first: String, _ second: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    try theatre.grant(Scopes.gestures)
    let owner = try theatre.client(Scopes.hotkey(first))
    try owner.hear("registered")
    owner.say("!call " + add(#"{"hotkey":"\#(second)"}"#, beside: first))
    #expect(try owner.hear("error").contains(#""parameter":"beside""#))
  }

  @Test func aConnectionWithHotkeysOfBothKindsTakesMoreOfBoth() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let owner = try theatre.client(Scopes.hotkeys(["super+t", "t"]))
    try owner.hear("registered")
    owner.say("!call " + add(#"{"hotkey":"super+k"},{"hotkey":"k"}"#))
    try owner.hear(#"["super+k","k"]"#)
    try theatre.revokeAll()
    try owner.hear("NotGranted")
  }

  @Test func aRefusedHotkeyIsPointedOut() throws {
    let theatre = try Theatre()
    let owner = try theatre.client(Scopes.hotkey("super+t"))
    try owner.hear("registered")
    owner.say("!call " + add(#"{"hotkey":"super+k"},{"hotkey":"super+t"}"#))
    let own = try owner.hear("HotkeyTaken")
    #expect(own.contains(#""holder":"this program""#))
    #expect(own.contains(#""parameter":"hotkeys[1].hotkey""#))
    #expect(own.contains(#""conflict":"super+t""#))
    let other = try theatre.client(Scopes.hotkey("super+t"))
    let taken = try other.hear("HotkeyTaken")
    #expect(taken.contains("heckler, process") && taken.contains(#""parameter":"hotkey""#))
    #expect(!taken.contains("conflict"))
    let typing = try theatre.client(Scopes.hotkeys(["super+j", "j"]))
    let refusal = try typing.hear("HotkeyCouldType")
    #expect(refusal.contains(#""parameter":"hotkeys[1].hotkey""#))
    #expect(refusal.contains("needs a grant: raw"))
  }

  @Test func hotkeysThatNeedTheSameGrantShareAConnection() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let owner = try theatre.client(Scopes.hotkey("t"))
    try owner.hear("registered")
    owner.say("!call " + add(#"{"hotkey":"k"}"#, beside: "t"))
    try owner.hear(#"["k"]"#)
    try theatre.revokeAll()
    try owner.hear("NotGranted")
  }
}
