import Foundation
import GlissSynthesis
import TestSupport
import Testing

/// Modes are a client's own: nobody learns more in one, and nobody else notices it.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct ModeTests {
  private func enter(_ mode: String?, _ client: Player) throws -> String {
    client.say(Scopes.enter(mode))
    return try client.hear("!answer")
  }

  private func press(_ theatre: Theatre, _ key: String) throws {
    for name in ["KEY_LEFTMETA down", key, "KEY_LEFTMETA up"] { try theatre.act("key \(name)") }
  }

  @Test func aModeRevealsNothingOfEscapeAndDeafensNobody() throws {
    let theatre = try Theatre()
    let victim = try theatre.client(Scopes.hotkey("super+t"))
    try victim.hear("registered")
    let spy = try theatre.client(Scopes.hotkeys(["super+h"], mode: "trap"))
    try spy.hear("registered")
    #expect(try enter("trap", spy).contains(#""leavesWithEscape":false"#))
    for _ in 0..<3 { try theatre.act("key KEY_ESC") }
    try press(theatre, "KEY_T")
    try victim.hear("pressed")
    // it is in its mode still, and has been told nothing before this
    try press(theatre, "KEY_H")
    #expect(try spy.hear("an event") { _ in true }.contains("pressed"))
    #expect(!spy.said.contains { $0.contains(#""left""#) })
    // and out of it when it says so
    #expect(try !enter(nil, spy).contains("error"))
    try press(theatre, "KEY_H")
    try press(theatre, "KEY_T")
    try victim.hear("pressed")
    #expect(spy.said.count { $0.contains("pressed") } == 1)
  }

  @Test func escapeLeavesTheModeOfWhoMayReadKeysUntilThatIsRevoked() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let client = try theatre.client(Scopes.hotkeys(["super+h"], mode: "size"))
    try client.hear("registered")
    #expect(try enter("size", client).contains(#""leavesWithEscape":true"#))
    try theatre.act("key KEY_ESC")
    #expect(try client.hear("left").contains(#""left":"size""#))
    // not of a secret
    try enterAgain(client)
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    try prompt.hear("seconds")
    try theatre.act("key KEY_ESC")
    prompt.stop()
    try theatre.wait(until: "active")
    try press(theatre, "KEY_H")
    #expect(try client.hear("an event") { _ in true }.contains("pressed"))
    try client.hear("released")
    try theatre.revokeAll()
    try theatre.act("key KEY_ESC")
    try press(theatre, "KEY_H")
    #expect(try client.hear("an event") { _ in true }.contains("pressed"))
    #expect(client.said.count { $0.contains(#""left""#) } == 1)
  }

  private func enterAgain(_ client: Player) throws {
    #expect(try enter("size", client).contains(#""leavesWithEscape":true"#))
  }

  @Test func noGrantForOnceIsUsedUpByAMode() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys, #","expiry":"once""#)
    let client = try theatre.client(Scopes.hotkeys(["super+h"], mode: "size"))
    try client.hear("registered")
    #expect(try enter("size", client).contains(#""leavesWithEscape":false"#))
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("granted")
  }

  @Test func aChordOfAnotherIsTakenInAModeToo() throws {
    let theatre = try Theatre()
    let owner = try theatre.client(Scopes.hotkey("super+t"))
    try owner.hear("registered")
    let thief = try theatre.client(Scopes.hotkeys(["lsuper+t"], mode: "trap"))
    #expect(try thief.hear("error").contains("HotkeyTaken"))
    let moded = try theatre.client(Scopes.hotkeys(["super+h"], mode: "size"))
    try moded.hear("registered")
    for mode in [nil, "size", "other"] {
      let late = try theatre.client(Scopes.hotkeys(["super+h"], mode: mode))
      #expect(try late.hear("error").contains("HotkeyTaken"))
    }
    // a client may have one in several modes, each its own
    let several = try theatre.client(
      Scopes.wishes([
        #"{"hotkey":"super+k"}"#, #"{"hotkey":"super+k","mode":"a"}"#,
        #"{"hotkey":"super+k ; super+w","mode":"b"}"#,
      ]))
    try several.hear("registered")
    let free = try theatre.client(Scopes.hotkey("super+w"))
    try free.hear("registered")
    // and when it is gone all is free
    moded.stop()
    try wait(for: "the chord to be free") {
      let next = try theatre.client(Scopes.hotkeys(["super+h"], mode: "other"))
      defer { next.stop() }
      return try next.hear("an answer") { _ in true }.contains("registered")
    }
  }

  @Test func aModesKeysAreKeptOnlyForItsOwnClient() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.post)
    let client = try theatre.client(
      #"{"method":"org.gliss.Broker.ConsumeHotkeys","parameters":{"hotkeys":[{"hotkey":"super+h","mode":"size"},{"hotkey":"super+t"}]},"more":true}"#
    )
    try client.hear("registered")
    #expect(try theatre.act("consumed") == "consumed KEY_T KEY_H")
    #expect(try enter("size", client).contains(#""leavesWithEscape":false"#))
    try theatre.act("key KEY_ESC")
    try press(theatre, "KEY_T")
    try press(theatre, "KEY_H")
    try client.hear("pressed")
    #expect(try theatre.act("kept") == "kept KEY_H")
  }

  // MARK: Independence

  /// What somebody does: a key, or one of two clients that enters a mode or leaves it.
  private enum Act {
    case key(String)
    case mode(client: Int, String?)
  }

  private static let modes: [String?] = [nil, "m", "n"]
  /// What is a hotkey of one of them in some mode, and what is none.
  private static let chords: [(modifiers: [String], key: String)] =
    [
      (["KEY_LEFTMETA"], ["KEY_A", "KEY_B", "KEY_D"]),
      (["KEY_LEFTCTRL"], ["KEY_A", "KEY_B", "KEY_D"]),
      (["KEY_LEFTALT"], ["KEY_A", "KEY_B", "KEY_C"]),
      (["KEY_LEFTMETA", "KEY_LEFTALT"], ["KEY_A", "KEY_B", "KEY_C"]), ([], ["KEY_ESC", "KEY_F1"]),
    ].flatMap { modifiers, keys in keys.map { (modifiers, $0) } }

  /// Each has some of the same keys, with another modifier.
  private static func wishes(_ client: Int) -> [String] {
    let (one, other) = (["super", "ctrl"][client], ["alt", "super+alt"][client])
    return [
      #"{"hotkey":"\#(one)+a"}"#, #"{"hotkey":"\#(one)+a","mode":"m"}"#,
      #"{"hotkey":"\#(one)+b","mode":"m"}"#, #"{"hotkey":"\#(other)+c ; \#(one)+d","mode":"n"}"#,
      #"{"hotkey":"\#(one)+d ; \#(other)+a"}"#, #"{"hotkey":"\#(other)+b","mode":"n"}"#,
      // the mark of the end
      #"{"hotkey":"\#(one)+f9"}"#,
    ]
  }

  /// What each client hears of the acts, but for the times, if only the modes of `entering` are entered.
  private func play(_ acts: [Act], entering: [Int]) throws -> [[String]] {
    let theatre = try Theatre()
    let clients = try (0..<2).map { try theatre.client(Scopes.wishes(Self.wishes($0))) }
    for client in clients { try client.hear("registered") }
    for act in acts {
      switch act {
      case .key(let line): try theatre.act("key \(line)")
      case .mode(let client, let mode) where entering.contains(client):
        _ = try enter(mode, clients[client])
      case .mode: break
      }
    }
    for client in clients { _ = try enter(nil, client) }
    for modifier in ["KEY_LEFTMETA", "KEY_LEFTCTRL"] {
      for name in ["\(modifier) down", "KEY_F9", "\(modifier) up"] {
        try theatre.act("key \(name)")
      }
    }
    return try clients.map { client in
      try client.hear("the end") { $0.contains("f9") && $0.contains("released") }
      return client.said.filter { $0.contains("event") }.map { line in
        line.replacing(/"time":[0-9.]+,/, with: "")
      }
    }
  }

  @Test(arguments: 0..<3) func otherClientsModesDoNotChangeWhatIsReported(_ index: Int) throws {
    var random = Seed.source("modes of two", index)
    var acts: [Act] = []
    for _ in 0..<120 {
      if random.chance(0.2) {
        acts.append(.mode(client: random.integer(0...1), random.pick(Self.modes)))
      }
      let (modifiers, key) = random.pick(Self.chords)
      acts += modifiers.map { .key("\($0) down") }
      acts.append(.key(key))
      acts += modifiers.map { .key("\($0) up") }
    }
    let both = try play(acts, entering: [0, 1])
    for client in 0..<2 {
      let alone = try play(acts, entering: [client])
      #expect(alone[client] == both[client], "client \(client); \(Seed.advice)")
    }
    #expect(both.joined().count > 4, "they are told of nothing but the end; \(Seed.advice)")
  }
}
