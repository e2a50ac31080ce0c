import Foundation
import Testing

/// What could be learned beside the events themselves.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct SideChannelTests {
  private static let status = #"{"method":"org.gliss.Broker.Status"}"#

  /// A program without a grant that counts what a granted one is sent would know when keys are pressed.
  @Test func howMuchOthersAreSentIsNobodysBusiness() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let granted = try theatre.client(Scopes.monitor(Scopes.keys))
    try granted.hear("verdict")
    // another program of the same user, which was granted nothing
    let spy = try Player(
      ["/usr/bin/env", "cp", theatre.folder.appending(path: "heckler").path, "/dev/null"])
    _ = try spy.end()
    let client = try theatre.client(Self.status)
    let before = try client.hear("session")
    try theatre.act("key KEY_A")
    try granted.hear(#""state":"up""#)
    client.say(Self.status)
    let after = try client.hear("session")
    #expect(Self.numbers(in: before) == Self.numbers(in: after))
    // root sees it
    let root = try theatre.client(as: nil, Self.status)
    #expect(try root.hear("session").contains(#""delivered":2"#))
  }

  private static func numbers(in status: String) -> [String] {
    status.components(separatedBy: "\"delivered\":").dropFirst().map {
      String($0.prefix { $0 != "}" })
    }
  }

  @Test func nobodyFollowsWhatHasNoEvents() throws {
    let theatre = try Theatre()
    for tier in ["hotkey", "post"] {
      let client = try theatre.client(Scopes.monitor(#"{"tier":"\#(tier)"}"#))
      let answer = try client.hear("an answer") { _ in true }
      #expect(answer.contains("error"), "\(answer)")
    }
  }

  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func aSandboxDoesNotLearnWhatRunsBesideIt() throws {
    let theatre = try Theatre()
    let chord = try theatre.client(Scopes.hotkey("super+t"))
    try chord.hear("registered")
    let prompt = try theatre.client(OutlivingTests.secure)
    try prompt.hear("seconds")
    for call in [Scopes.hotkey("super+t"), OutlivingTests.secure, Self.status] {
      let inside = try theatre.client(wrapper: SandboxTests.sandbox(theatre), call)
      let answer = try inside.hear("an answer") { _ in true }
      #expect(!answer.contains("process \(chord.pid)"), "\(answer)")
      #expect(!answer.contains("pinentry"), "\(answer)")
      // no list, which an empty one would be
      #expect(!answer.contains(#""devices""#), "\(answer)")
      #expect(!answer.contains("process \(prompt.pid)"), "\(answer)")
    }
  }

  /// Hotkeys that act when keys are released: a chord, which is held now, and a tap.
  private func holdHotkeys(in theatre: Theatre) throws -> (released: Player, tapped: Player) {
    try theatre.grant(Scopes.gestures)
    let released = try theatre.client(Scopes.hotkey("release:super+t"))
    try released.hear("registered")
    let tapped = try theatre.client(Scopes.hotkey("tap:super"))
    try tapped.hear("registered")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_T down")
    try released.hear("pressed")
    return (released, tapped)
  }

  @Test func keysThatAreReleasedBecauseEventsWereLostDoNotAct() throws {
    let theatre = try Theatre()
    let (released, tapped) = try holdHotkeys(in: theatre)
    let sequence = try theatre.client(Scopes.hotkey("super+k ; super+w"))
    try sequence.hear("registered")
    try theatre.act("lose pad")
    try theatre.act("lose keyboard")
    #expect(try released.hear("released").contains(#""acts":false"#))
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("lose keyboard")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_K")
    try theatre.act("lose keyboard")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("key KEY_W")
    try theatre.act("key KEY_LEFTMETA up")
    // what is reported now comes after everything before
    try theatre.act("key KEY_LEFTMETA")
    try tapped.hear("pressed")
    try tapped.hear("released")
    #expect(tapped.said.count == 3, "\(tapped.said)")
    #expect(sequence.said.count == 1, "\(sequence.said)")
  }

  @Test func aHotkeyThatIsCutOffDoesNotAct() throws {
    let theatre = try Theatre()
    let (released, tapped) = try holdHotkeys(in: theatre)
    try theatre.act("lock")
    #expect(try released.hear("released").contains(#""acts":false"#))
    try theatre.act("key KEY_T up")
    try theatre.act("key KEY_LEFTMETA up")
    try theatre.act("unlock")
    try theatre.act("key KEY_LEFTMETA down")
    try theatre.act("lock")
    try theatre.act("key KEY_LEFTMETA up")
    try theatre.act("unlock")
    try theatre.revokeAll()
    try tapped.hear("NotGranted")
    #expect(!tapped.said.joined().contains("pressed"))
  }

  /// A program that asks until somebody gives in would be granted what it wants.
  @Test func afterARefusalNobodyIsAskedAgainForAWhile() throws {
    let theatre = try Theatre()
    let request =
      #"{"method":"org.gliss.Broker.Request","parameters":{"scope":{"tier":"gesture"}}}"#
    try theatre.act("consent refuse")
    let first = try theatre.client(request)
    #expect(try first.hear("verdict").contains("refused"))
    try theatre.act("consent agree")
    let again = try theatre.client(request)
    let answer = try again.hear("verdict")
    #expect(answer.contains("notDetermined"))
    #expect(answer.contains("pending"))
  }

  @Test func aLateClientGetsNothingThatBeganBefore() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    try theatre.act("key KEY_A down")
    try theatre.act("key BTN_LEFT down")
    let client = try theatre.client(Scopes.monitor(Scopes.everything))
    try client.hear("verdict")
    try theatre.act("key KEY_A up")
    try theatre.act("key BTN_LEFT up")
    try theatre.act("key KEY_Z")
    try client.hear("KEY_Z")
    #expect(!client.said.joined().contains("KEY_A"))
    #expect(!client.said.joined().contains("BTN_LEFT"))
  }

  @Test func keysTypedBeforeTheUnlockAreNotReportedAfterIt() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    let client = try theatre.client(Scopes.monitor(Scopes.everything))
    try client.hear("verdict")
    try theatre.act("lock")
    try theatre.act("unlock")
    // the kernel had it before, and it was read after
    try theatre.act("late KEY_P")
    try theatre.act("key KEY_Z")
    try client.hear("KEY_Z")
    #expect(!client.said.joined().contains("KEY_P"))
  }

  @Test func nobodyHidesWhatHappenedToAnother() throws {
    let theatre = try Theatre()
    let client = try theatre.client(Scopes.monitor(Scopes.keys))
    try client.hear("NotGranted")
    // each a line of its own
    for index in 0..<30 {
      let loud = try theatre.client(
        as: Theatre.other,
        Scopes.monitor(
          #"{"tier":"raw","events":["key"],"keys":["typing"],"devices":["\#(index)"]}"#))
      try loud.hear("NotGranted")
      loud.stop()
    }
    client.say(#"{"method":"org.gliss.Grants.Log","parameters":{"limit":5}}"#)
    let own = try client.hear("entries")
    #expect(own.contains("refuse"))
    #expect(!own.contains("\(Theatre.other)"))
  }
}
