import Foundation
import Testing

/// Freeing single hotkeys, which anybody may ask for.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct ReleasingTests {
  private func release(_ hotkeys: String) -> String {
    #"{"method":"org.gliss.Broker.ReleaseHotkeys","parameters":{"hotkeys":[\#(hotkeys)]}}"#
  }

  @Test(arguments: [nil, Theatre.user, Theatre.other] as [UInt32?])
  func nobodyFreesTheHotkeysOfAnotherProcess(_ user: UInt32?) throws {
    let theatre = try Theatre()
    let owner = try theatre.client(Scopes.hotkey("super+t"))
    try owner.hear("registered")
    let thief = try theatre.client(as: user, release(#"{"hotkey":"super+t"}"#))
    #expect(try thief.hear("released").contains(#""released":0"#))
    let other = try theatre.client(Scopes.hotkey("super+t"))
    try other.hear("HotkeyTaken")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T")
    try owner.hear("pressed")
  }

  @Test(arguments: ["", #"{"hotkey":"super+"}"#, #"{"mode":"x"}"#, #""super+t""#])
  func anInvalidListOfHotkeysIsAnError(_ hotkeys: String) throws {
    let theatre = try Theatre()
    let client = try theatre.client(release(hotkeys))
    #expect(try client.hear("error").contains("Invalid"))
  }
}
