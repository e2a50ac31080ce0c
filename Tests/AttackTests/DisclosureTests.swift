import Foundation
import Testing

/// What real processes are sent, to the byte.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct DisclosureTests {
  @Test func aClientWithoutAGrantIsRefusedAndLearnsHowToAsk() throws {
    let theatre = try Theatre()
    let client = try theatre.client(Scopes.monitor(Scopes.gestures))
    let answer = try client.hear("error")
    #expect(answer.contains("org.gliss.Broker.NotGranted"))
    #expect(answer.contains("gliss grants grant"))
    #expect(try theatre.audit().contains(#""action":"refuse""#))
  }

  @Test func gesturesAreSeenAndKeysAreNotAndARevocationEndsTheStream() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try theatre.client(Scopes.monitor(Scopes.everything))
    #expect(try client.hear("verdict").contains(#""standing":"granted""#))
    try theatre.act("key KEY_A")
    try theatre.act("key KEY_VOLUMEUP")
    try theatre.act("motion 3")
    try theatre.act("stroke swipe-3")
    try client.hear(#""phase":"ended""#)
    for line in client.said {
      for word in ["KEY_", "touch", "pointer", "centroid", "position"] {
        #expect(!line.contains("\"\(word)"), "\(line)")
      }
    }
    try theatre.revokeAll()
    #expect(try client.hear("error").contains("NotGranted"))
    try theatre.act("stroke swipe-3")
    #expect(!client.said.last!.contains("gesture\",\"phase"))
  }

  @Test func aLossIsReportedToThoseWhoMightHaveSeenWhatIsLost() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try theatre.client(Scopes.monitor(Scopes.gestures))
    try client.hear("verdict")
    try theatre.act("key KEY_A")
    try theatre.act("lose keyboard")
    try theatre.act("lose pad")
    #expect(try client.hear("lost").contains(#""device":"Stage pad","kind":"lost""#))
    #expect(!client.said.joined().contains("Stage keyboard"))
  }

  @Test func anotherUserSeesNothing() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    try theatre.grant(Scopes.everything, to: Theatre.other)
    let seated = try theatre.client(Scopes.monitor(Scopes.everything))
    try seated.hear("verdict")
    let other = try theatre.client(as: Theatre.other, Scopes.monitor(Scopes.everything))
    try other.hear("inactive")
    try theatre.act("key KEY_A")
    try seated.hear("KEY_A")
    // the same loop has told both by now, or neither
    try theatre.act("user \(Theatre.other)")
    try other.hear("active")
    #expect(!other.said.joined().contains("KEY_A"))
    try theatre.act("key KEY_B")
    try other.hear("KEY_B")
    try theatre.act("user \(Theatre.user)")
    try seated.hear(#""active""#)
    #expect(!seated.said.joined().contains("KEY_B"))
  }

  @Test func lockingReleasesWhatIsHeldAndNothingIsReplayed() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    let client = try theatre.client(Scopes.monitor(Scopes.everything))
    try client.hear("verdict")
    try theatre.act("key KEY_A down")
    try client.hear(#""state":"down""#)
    try theatre.act("lock")
    #expect(try client.hear("KEY_A").contains(#""state":"up""#))
    try client.hear(#""state":"locked""#)
    for name in ["KEY_P", "KEY_W", "KEY_VOLUMEUP"] { try theatre.act("key \(name)") }
    try theatre.act("key KEY_ENTER down")
    try theatre.act("unlock")
    try client.hear(#""state":"active""#)
    try theatre.act("key KEY_ENTER up")
    try theatre.act("key KEY_A up")
    try theatre.act("key KEY_Z")
    try client.hear("KEY_Z")
    let heard = client.said.joined()
    for name in ["KEY_P", "KEY_W", "KEY_VOLUMEUP", "KEY_ENTER"] {
      #expect(!heard.contains("\"\(name)\""))
    }
    #expect(client.said.filter { $0.contains("KEY_A") }.count == 2)
  }
}
