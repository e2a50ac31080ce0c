import Foundation
import Testing

@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct HotkeyTests {
  @Test func aClientLearnsOfItsOwnChordAndOfNothingElse() throws {
    let theatre = try Theatre()
    let client = try theatre.client(Scopes.hotkey("super+shift+t"))
    #expect(try client.hear("registered").contains("super+shift+t"))
    for name in ["KEY_LEFTMETA down", "KEY_H", "KEY_LEFTSHIFT down", "KEY_T down"] {
      try theatre.act("key \(name)")
    }
    #expect(try client.hear("event").contains(#""phase":"pressed""#))
    for name in ["KEY_T up", "KEY_LEFTSHIFT up", "KEY_LEFTMETA up"] {
      try theatre.act("key \(name)")
    }
    #expect(try client.hear("event").contains(#""phase":"released""#))
    try theatre.act("key KEY_T")
    #expect(client.said.count == 3)
    #expect(!client.said.joined().contains("KEY_"))
    // the press and the release
    let root = try theatre.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
    #expect(try root.hear("session").contains(#""delivered":2"#))
  }

  /// On this layout right Ctrl chooses characters: with W it types ł.
  @Test func aChordThatTypesOnTheLayoutIsNotReportedWithoutAGrant() throws {
    let theatre = try Theatre()
    try theatre.act("layout ca:multix")
    let typing = try theatre.client(Scopes.hotkey("rctrl+w"))
    let command = try theatre.client(Scopes.hotkey("lctrl+w"))
    let keypad = try theatre.client(Scopes.hotkey("ctrl+kpasterisk"))
    for client in [typing, command, keypad] { try client.hear("registered") }
    for name in ["KEY_RIGHTCTRL down", "KEY_W", "KEY_RIGHTCTRL up"] {
      try theatre.act("key \(name)")
    }
    for name in ["KEY_LEFTCTRL down", "KEY_W", "KEY_KPASTERISK", "KEY_LEFTCTRL up"] {
      try theatre.act("key \(name)")
    }
    for client in [command, keypad] {
      try client.hear(#""phase":"pressed""#)
      try client.hear(#""phase":"released""#)
    }
    #expect(typing.said.count == 1, "\(typing.said)")
    // nor does the end of a sequence say that its beginning was typed
    let sequence = try theatre.client(Scopes.hotkey("rctrl+o ; f5"))
    let other = try theatre.client(Scopes.hotkey("lctrl+o ; f6"))
    for client in [sequence, other] { try client.hear("registered") }
    for (control, key) in [("RIGHTCTRL", "F5"), ("LEFTCTRL", "F6")] {
      for name in ["KEY_\(control) down", "KEY_O", "KEY_\(control) up", "KEY_\(key)"] {
        try theatre.act("key \(name)")
      }
    }
    try other.hear(#""phase":"pressed""#)
    #expect(sequence.said.count == 1, "\(sequence.said)")
  }

  @Test(arguments: [
    "t", "shift+t", "altgr+t", "super+k ; w", "enter", "'ö'", "'?'", "shift+'a'", "kp1", "space",
    "button1", "wheelup",
  ])
  func chordsThatCouldBeTypingNeedAGrantForKeys(_ text: String) throws {
    let theatre = try Theatre()
    let client = try theatre.client(Scopes.hotkey(text))
    #expect(try client.hear("error").contains("HotkeyCouldType"))
  }

  @Test func theRightToSomeKeysIsNoneToOthers() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.media)
    let letter = try theatre.client(Scopes.hotkey("t"))
    #expect(try letter.hear("error").contains("HotkeyCouldType"))
    for name in ["KEY_A", "KEY_VOLUMEUP"] { try theatre.act("key \(name) down") }
    let state = try theatre.client(#"{"method":"org.gliss.Broker.GetState"}"#)
    let held = try state.hear("parameters")
    #expect(held.contains("KEY_VOLUMEUP") && !held.contains("KEY_A"))
  }

  /// It must not look as if no key were down.
  @Test func theKeysOfOneDeviceAreNotTheStateOfTheSeat() throws {
    let theatre = try Theatre()
    try theatre.grant(
      Scopes.media.replacing("}", with: #","devices":["Stage keyboard"]}"#))
    try theatre.act("key KEY_VOLUMEUP down")
    let state = try theatre.client(#"{"method":"org.gliss.Broker.GetState"}"#)
    let refusal = try state.hear("an answer") { _ in true }
    #expect(refusal.contains("NotGranted") && refusal.contains("notDetermined"), "\(refusal)")
    #expect(refusal.contains("sudo gliss grants grant"), "\(refusal)")
  }

  @Test func aSecretStopsHotkeysThatCouldBeTypedAndNoOthers() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let letter = try theatre.client(Scopes.hotkey("t"))
    try letter.hear("registered")
    let chord = try theatre.client(Scopes.hotkey("super+t"))
    try chord.hear("registered")
    let holder = try theatre.client(Scopes.secureInput("pinentry"))
    try holder.hear("seconds")
    try theatre.act("key KEY_T")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T")
    try theatre.act("key KEY_LEFTMETA up")
    try chord.hear("pressed")
    holder.stop()
    try chord.hear("released")
    try theatre.wait(until: "active")
    try theatre.act("key KEY_T")
    try letter.hear("pressed")
    // the end of the stream comes behind all that it was told
    try theatre.revokeAll()
    try letter.hear("NotGranted")
    #expect(letter.said.count { $0.contains("pressed") } == 1)
  }

  @Test func aTapNeedsTheRightToGestures() throws {
    let theatre = try Theatre()
    let refused = try theatre.client(Scopes.hotkey("tap:super"))
    try refused.hear("HotkeyCouldType")
    try theatre.grant(Scopes.gestures)
    let client = try theatre.client(Scopes.hotkey("tap:super"))
    try client.hear("registered")
    try theatre.act("key KEY_LEFTMETA")
    try client.hear("pressed")
    try theatre.revokeAll()
    try client.hear("NotGranted")
  }

  @Test func aTakenChordNamesItsHolderToTheSameUserOnly() throws {
    let theatre = try Theatre()
    let first = try theatre.client(Scopes.hotkey("super+t"))
    try first.hear("registered")
    let second = try theatre.client(Scopes.hotkey("super+t"))
    let refusal = try second.hear("HotkeyTaken")
    #expect(refusal.contains("heckler, process"))
    // another user's chords are their own
    let other = try theatre.client(as: Theatre.other, Scopes.hotkey("super+t"))
    try other.hear("registered")
    let status = try theatre.client(
      as: Theatre.other, #"{"method":"org.gliss.Broker.Status"}"#)
    let seen = try status.hear("hotkeys")
    #expect(!seen.contains("\(Theatre.user)"))
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T")
    try first.hear("pressed")
    #expect(other.said.count == 1)
  }

  @Test func aHeldHotkeyIsReleasedByTheLockAndSilentBehindIt() throws {
    let theatre = try Theatre()
    let client = try theatre.client(Scopes.hotkey("super+t"))
    try client.hear("registered")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T down")
    try client.hear("pressed")
    try theatre.act("lock")
    #expect(try client.hear("released").contains(#""acts":false"#))
    try theatre.act("key KEY_T up")
    try theatre.act("key KEY_T")
    try theatre.act("unlock")
    try theatre.act("key KEY_LEFTMETA up")
    #expect(client.said.count == 3)
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T")
    try client.hear("pressed")
  }

  @Test func aUserHasTwoHundredAndFiftySixOverHoweverFewConnections() throws {
    let theatre = try Theatre()
    let modifiers = ["ctrl", "alt", "super", "ctrl+alt", "ctrl+super", "alt+super"]
    let wishes = (0..<256).map {
      #"{"hotkey":"\#(modifiers[$0 / 48])+code:\#(1 + $0 % 48 + 60)"}"#
    }
    func register(_ wishes: [String]) throws -> Player {
      try theatre.client(
        #"{"method":"org.gliss.Broker.RegisterHotkeys","parameters":{"hotkeys":[\#(wishes.joined(separator: ","))]},"more":true}"#
      )
    }
    let first = try register(Array(wishes[..<200]))
    try first.hear("registered")
    let clash = try register(Array(wishes[150...]))
    #expect(try clash.hear("error").contains("LimitReached"))
    let taken = try register(Array(wishes[195..<205]))
    #expect(try taken.hear("error").contains("HotkeyTaken"))
    let second = try register(Array(wishes[200...]))
    try second.hear("registered")
    let one = try theatre.client(Scopes.hotkey("super+f1"))
    let refusal = try one.hear("error")
    #expect(refusal.contains("LimitReached"))
    #expect(refusal.contains("256"))
    try theatre.act("key KEY_LEFTCTRL down")
    try theatre.act("key KEY_F3 down")
    #expect(try first.hear("pressed").contains("ctrl+f3"))
    first.stop()
    let again = try theatre.client(Scopes.hotkey("super+f1"))
    try again.hear("an answer") { $0.contains("registered") || $0.contains("error") }
  }

  @Test func aModeIsItsClientsOwn() throws {
    let theatre = try Theatre()
    let client = try theatre.client(
      #"{"method":"org.gliss.Broker.RegisterHotkey","parameters":{"hotkey":"super+h","mode":"size"},"more":true}"#
    )
    try client.hear("registered")
    let stranger = try theatre.client(
      #"{"method":"org.gliss.Broker.EnterMode","parameters":{"mode":"size"}}"#)
    try stranger.hear("NoSuchMode")
    let typing = try theatre.client(
      #"{"method":"org.gliss.Broker.RegisterHotkey","parameters":{"hotkey":"h","mode":"size"},"more":true}"#
    )
    try typing.hear("HotkeyCouldType")
  }
}
