import Foundation
import TestSupport
import Testing

/// Who may have keys pressed, and when.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct PressingTests {
  private static let post = #"{"tier":"post"}"#

  private static func press(_ chords: String...) -> String {
    let list = chords.map { "\"\($0)\"" }.joined(separator: ",")
    return #"{"method":"org.gliss.Broker.Post","parameters":{"keys":[\#(list)]}}"#
  }

  /// What the broker answers to a client that presses `chords`.
  private func answer(
    _ theatre: Theatre, as uid: UInt32 = Theatre.user, _ line: String
  ) throws -> String {
    let client = try theatre.client(as: uid, line)
    defer { client.stop() }
    return try client.hear("parameters")
  }

  @Test func nothingIsPressedForWhoMayNot() throws {
    let theatre = try Theatre()
    let refusal = try answer(theatre, Self.press("alt+left"))
    #expect(refusal.contains("NotGranted"))
    #expect(refusal.contains("gliss grants grant") && refusal.contains("--tier post"))
    // all that could be read is no right to press anything
    try theatre.grant(Scopes.everything)
    #expect(try answer(theatre, Self.press("alt+left")).contains("NotGranted"))
    #expect(try theatre.act("pressed") == "pressed ")
  }

  /// There are no keys of one device to press.
  @Test func aGrantToPressHasNoDevices() throws {
    let theatre = try Theatre()
    let root = try theatre.client(
      as: nil,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(Theatre.user),"client":"\#(theatre.heckler)","scope":{"tier":"post","devices":["Pad"]}}}}"#
    )
    #expect(try root.hear("parameters").contains("scope.devices"))
    #expect(try answer(theatre, Self.press("alt+left")).contains("NotGranted"))
  }

  /// Up to 256 chords wait for the desktop to read them, also of a client that has gone.
  @Test func whatWaitsIsNotPressedAfterTheGrantIsRevoked() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    #expect(try !answer(theatre, Self.press("a")).contains("error"))
    try theatre.grant(Scopes.gestures, to: Theatre.other)
    #expect(try theatre.act("dropped") == "dropped 0")
    try theatre.revokeAll()
    #expect(try theatre.act("dropped") == "dropped 1")
  }

  @Test func whatCannotBePressedUsesUpNoGrant() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post, #","expiry":"once""#)
    let hold =
      #"{"method":"org.gliss.Broker.Hold","parameters":{"keys":["wheelup"]},"more":true}"#
    #expect(try answer(theatre, hold).contains("CannotPress"))
    #expect(try answer(theatre, Self.press("é")).contains("error"))
    #expect(try !answer(theatre, Self.press("a")).contains("error"))
    #expect(try answer(theatre, Self.press("a")).contains("NotGranted"))
  }

  @Test func grantedChordsArePressedInOrderAndNotLogged() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    #expect(
      try !answer(theatre, Self.press("alt+left", "super+k ; w", "tap:super")).contains("error"))
    #expect(try theatre.act("pressed") == "pressed alt+left super+k w lsuper")
    let audit = try theatre.audit()
    #expect(audit.contains(#""action":"post""#))
    #expect(!audit.contains("left") && !audit.contains("super"))
    try theatre.revokeAll()
    #expect(try answer(theatre, Self.press("a")).contains("NotGranted"))
  }

  private static func hold(_ keys: String) -> String {
    #"{"method":"org.gliss.Broker.Hold","parameters":{"keys":["\#(keys)"]},"more":true}"#
  }

  @Test func heldKeysComeUpWhenTheirClientIsGone() throws {
    let theatre = try Theatre()
    #expect(try answer(theatre, Self.hold("alt")).contains("NotGranted"))
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.hold("ctrl+alt"))
    try client.hear("held")
    let other = try theatre.client(Self.hold("button1"))
    try other.hear("held")
    #expect(try theatre.act("held") == "held button1 lctrl+leftalt")
    client.kill(SIGKILL)
    try wait(for: "Ctrl and Alt to come up") { try theatre.act("held") == "held button1" }
    other.stop()
    try wait(for: "the button to come up") { try theatre.act("held") == "held " }
    #expect(
      try answer(theatre, Self.hold("alt").replacing(#","more":true"#, with: "")).contains("error"))
    #expect(try answer(theatre, Self.hold("wheelup")).contains("CannotPress"))
  }

  @Test(arguments: ["lock", "sleep", "revoke", "panic"])
  func heldKeysComeUpWhenNoneMayBePressed(_ event: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.hold("super"))
    try client.hear("held")
    switch event {
    case "revoke":
      try theatre.revokeAll()
      #expect(try client.hear("error").contains("NotGranted"))
    case "panic":
      for name in ["KEY_BACKSPACE", "KEY_ESC", "KEY_ENTER"] { try theatre.act("key \(name) down") }
    case _: try theatre.act(event)
    }
    try wait(for: "Super to come up") { try theatre.act("held") == "held " }
  }

  @Test func oneThatCannotBePressedKeepsAllFromBeing() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let unknown = try answer(theatre, Self.press("alt+left", "'ö'"))
    #expect(unknown.contains("CannotPress") && unknown.contains("layout"))
    #expect(try answer(theatre, Self.press("a", "code:288")).contains("CannotPress"))
    #expect(try answer(theatre, Self.press("a", "supr+t")).contains("InvalidHotkey"))
    #expect(try answer(theatre, Self.press("a", "release:b")).contains("InvalidHotkey"))
    #expect(try answer(theatre, Self.press()).contains("InvalidParameter"))
    #expect(try theatre.act("pressed") == "pressed ")
  }

  @Test(arguments: [
    ("lock", "locked"), ("sleep", "asleep"), ("user \(Theatre.other)", "inactive"),
  ])
  func nothingIsPressedBehindALock(_ act: String, _ state: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    try theatre.act(act)
    let refusal = try answer(theatre, Self.press("enter"))
    #expect(refusal.contains("NotServed") && refusal.contains(state))
    #expect(try theatre.act("pressed") == "pressed ")
  }

  @Test func nothingIsTypedIntoAPrompt() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    try prompt.hear("seconds")
    #expect(try answer(theatre, Self.press("enter")).contains("secureInput"))
    prompt.stop()
    try theatre.wait(until: "active")
    #expect(try !answer(theatre, Self.press("enter")).contains("error"))
  }

  @Test func endlessPressingIsStopped() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let many = Self.press("a ; a ; a ; a ; a ; a ; a ; a")
    let client = try theatre.client(
      #"{"method":"org.gliss.Broker.Preflight","parameters":{"scope":\#(Self.post)}}"#)
    try client.hear("granted")
    var answers: [String] = []
    for _ in 0..<60 {
      client.say(many)
      answers.append(try client.hear("parameters"))
    }
    #expect(answers.first?.contains("error") == false)
    #expect(answers.last?.contains("LimitReached") == true)
    let long = (0..<65).map { _ in "a" }.map { "\"\($0)\"" }.joined(separator: ",")
    #expect(
      try answer(theatre, #"{"method":"org.gliss.Broker.Post","parameters":{"keys":[\#(long)]}}"#)
        .contains("InvalidParameter"))
  }

  @Test func withoutUinputItSaysWhatWouldHelp() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    try theatre.act("uinput gone")
    let refusal = try answer(theatre, Self.press("a"))
    #expect(refusal.contains("NoKeyboard") && refusal.contains("Permission denied"))
    #expect(refusal.contains("glissd.service.d"))
    let preflight = #"{"method":"org.gliss.Broker.Preflight","parameters":{"scope":\#(Self.post)}}"#
    #expect(try answer(theatre, preflight).contains("NoKeyboard"))
    // nothing of it stays
    try theatre.act("uinput there")
    #expect(try !answer(theatre, Self.press("a")).contains("error"))
  }
}
