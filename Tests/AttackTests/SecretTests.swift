import Foundation
import TestSupport
import Testing

/// Several programs to which secrets are typed, and some that only pretend.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct SecretTests {
  private func whoTypes(_ theatre: Theatre) throws -> String {
    let status = try theatre.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
    defer { status.stop() }
    return try status.hear("session")
  }

  private func wait(_ theatre: Theatre, whileHeldBy name: String) throws {
    try TestSupport.wait(for: "\(name) to let go") {
      try !whoTypes(theatre).contains(#""holder":"\#(name) ("#)
    }
  }

  @Test func keysAreShownAgainWhenTheLastPromptIsGone() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let first = try theatre.client(Scopes.secureInput("one"))
    try first.hear("seconds")
    let second = try theatre.client(Scopes.secureInput("two"))
    try second.hear("seconds")
    first.stop()
    try wait(theatre, whileHeldBy: "one")
    try theatre.act("key KEY_A")
    second.stop()
    try reader.hear(#""state":"active""#)
    try theatre.act("key KEY_B")
    try reader.hear("KEY_B")
    #expect(!reader.said.joined().contains("KEY_A\""))
    let audit = try theatre.audit()
    #expect(audit.contains(#""detail":"held""#) && audit.contains(#""detail":"released""#))
  }

  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func aSandboxThatLetsGoOpensNothingToOthers() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let sandboxed = try theatre.client(
      wrapper: SandboxTests.sandbox(theatre), Scopes.secureInput("pretender"))
    try sandboxed.hear("seconds")
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    // all of its time
    try prompt.hear(#""seconds":120"#)
    sandboxed.say("!close")
    try wait(theatre, whileHeldBy: "pretender")
    try theatre.act("key KEY_A")
    prompt.stop()
    try reader.hear(#""state":"active""#)
    #expect(!reader.said.joined().contains("KEY_A\""))
  }

  @Test(.enabled(if: SandboxTests.hasBubblewrap, "bubblewrap is not installed"))
  func sandboxesThatAreFullLeaveRoomForAPrompt() throws {
    let theatre = try Theatre()
    var holders: [Player] = []
    for number in 0..<9 {
      let next = try theatre.client(
        wrapper: SandboxTests.sandbox(theatre), Scopes.secureInput("s\(number)"))
      let answer = try next.hear("an answer") { _ in true }
      #expect(answer.contains(number < 8 ? "seconds" : "LimitReached"), "\(answer)")
      holders.append(next)
    }
    let prompt = try theatre.client(Scopes.secureInput("pinentry"))
    try prompt.hear(#""seconds":120"#)
    // no sandbox is told who types; they have eight connections, too
    holders[0].stop()
    let status = try theatre.client(
      wrapper: SandboxTests.sandbox(theatre), #"{"method":"org.gliss.Broker.Status"}"#)
    #expect(try !status.hear("session").contains("pinentry"))
  }
}
