import Foundation
import TestSupport
import Testing

/// Who may have strokes hidden from the desktop, and when.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct HidingTests {
  private static let post = #"{"tier":"post"}"#

  private static func take(_ fingers: String, now: String? = nil) -> String {
    let now = now.map { #","now":[\#($0)]"# } ?? ""
    return
      #"{"method":"org.gliss.Broker.TakeStrokes","parameters":{"fingers":[\#(fingers)]\#(now)}}"#
  }

  private static func decide(_ time: Int, keep: Bool = true, on pad: String? = nil) -> String {
    let device = pad.map { #","device":"\#($0)""# } ?? ""
    return
      #"{"method":"org.gliss.Broker.DecideStroke","parameters":{"time":\#(time),"keep":\#(keep)\#(device)}}"#
  }

  private func hidden(_ theatre: Theatre) throws -> String {
    try String(theatre.act("hidden").dropFirst("hidden ".count))
  }

  /// The answer to a line, of a client that goes on.
  private func answer(_ client: Player, _ line: String) throws -> String {
    client.say(line)
    return try client.hear("parameters")
  }

  @Test func nothingIsHiddenForWhoMayNot() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    let client = try theatre.client(Self.take("3"))
    #expect(try client.hear("parameters").contains("NotGranted"))
    #expect(try !answer(client, Self.decide(1)).contains("error"))
    #expect(try hidden(theatre) == "none of none: ")
  }

  @Test func grantedStrokesAreHiddenUntilTheClientGoes() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.take("3,4", now: "3"))
    #expect(try !client.hear("parameters").contains("error"))
    #expect(try hidden(theatre) == "3 of 3,4: ")
    #expect(try answer(client, Self.take("3", now: "4")).contains("InvalidParameter"))
    #expect(try answer(client, Self.take("2")).contains("InvalidParameter"))
    #expect(try !answer(client, Self.decide(17)).contains("error"))
    #expect(try hidden(theatre) == "3 of 3,4: 17 kept")
    // a verdict on the stroke of a pad that is not there
    #expect(try !answer(client, Self.decide(18, on: "Gone")).contains("error"))
    #expect(try hidden(theatre) == "3 of 3,4: 17 kept")
    #expect(try theatre.audit().contains("strokes may be hidden"))
    client.kill(SIGKILL)
    try wait(for: "the strokes to be the desktop's") {
      try hidden(theatre).hasPrefix("none of none")
    }
  }

  /// A user who is not in front, or whose screen is locked, hides nothing from who is.
  @Test(arguments: ["lock", "sleep", "user \(Theatre.other)"])
  func nothingIsHiddenForWhoIsNotServed(_ event: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.take("3"))
    try client.hear("parameters")
    try theatre.act(event)
    #expect(try hidden(theatre) == "none of none: ")
    #expect(try !answer(client, Self.decide(1)).contains("error"))
    #expect(try !answer(client, Self.take("4")).contains("error"))
    #expect(try hidden(theatre) == "none of none: ")
    try theatre.act(["lock": "unlock", "sleep": "wake"][event] ?? "user \(Theatre.user)")
    #expect(try hidden(theatre) == "4 of 4: ")
  }

  /// Gestures go on meanwhile, so that rules act on them.
  @Test func strokesStayHiddenWhileASecretIsTyped() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.take("3"))
    try client.hear("parameters")
    let secret = try theatre.client(Scopes.secureInput("a prompt"))
    try secret.hear("seconds")
    #expect(try hidden(theatre) == "3 of 3: ")
    #expect(try !answer(client, Self.decide(5)).contains("error"))
    #expect(try hidden(theatre).hasPrefix("3 of 3: 5"))
  }

  @Test func withoutADeviceNoGrantIsUsedUp() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post, #","expiry":"once""#)
    try theatre.act("uinput gone")
    let client = try theatre.client(Self.take("3"))
    #expect(try client.hear("parameters").contains("error"))
    try theatre.act("uinput back")
    #expect(try !answer(client, Self.take("3")).contains("error"))
  }

  @Test func whoIsNotServedLearnsThatNothingCanBeHidden() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    try theatre.act("lock")
    try theatre.act("uinput gone")
    let client = try theatre.client(Self.take("3"))
    #expect(try client.hear("parameters").contains("NoKeyboard"))
  }

  @Test func aDeviceThatCannotBeMadeLaterEndsTheConnection() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.take("3"))
    #expect(try !client.hear("parameters").contains("error"))
    try theatre.act("lock")
    try theatre.act("uinput gone")
    try theatre.act("unlock")
    #expect(try client.end() == 0)
    #expect(try theatre.audit().contains("strokes cannot be hidden"))
  }

  /// Not by a program that hides other strokes, or none at present, either.
  @Test(arguments: ["3", "4", ""])
  func whatOneProgramKeepsAnotherDoesNotGiveBack(now: String) throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let keeper = try theatre.client(Self.take("3,4", now: "3"))
    try keeper.hear("parameters")
    let other = try theatre.client(Self.take("3,4", now: now))
    try other.hear("parameters")
    _ = try answer(other, Self.decide(1, keep: false))
    _ = try answer(keeper, Self.decide(2))
    _ = try answer(other, Self.decide(3, keep: false))
    #expect(try hidden(theatre).hasSuffix(": 1 given back, 2 kept"))
    // the keeper may change its mind
    _ = try answer(keeper, Self.decide(4, keep: false))
    _ = try answer(other, Self.decide(5, keep: false))
    #expect(try hidden(theatre).hasSuffix("2 kept, 4 given back, 5 given back"))
    // what it kept ends when the fingers have lifted, and when it goes
    _ = try answer(keeper, Self.decide(6))
    try theatre.act("stroke swipe-3")
    _ = try answer(other, Self.decide(7, keep: false))
    _ = try answer(keeper, Self.decide(8))
    keeper.stop()
    try wait(for: "the keeper to be gone") {
      _ = try answer(other, Self.decide(9, keep: false))
      return try hidden(theatre).contains("9 given back")
    }
    #expect(try hidden(theatre).contains("6 kept, 7 given back, 8 kept, 9 given back"))
  }

  /// The agent waits for no answer, so that its connection's end is all that it learns.
  @Test func aRevokedGrantEndsTheConnection() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.take("3"))
    try client.hear("parameters")
    try theatre.revokeAll()
    #expect(try hidden(theatre) == "none of none: ")
    #expect(try client.end() == 0)
  }

  @Test func aGrantForOnceIsUsedUntilTheConnectionEnds() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post, #","expiry":"once""#)
    let client = try theatre.client(Self.take("3,4", now: "3"))
    #expect(try !client.hear("parameters").contains("error"))
    #expect(try !answer(client, Self.take("3,4", now: "4")).contains("error"))
    #expect(try hidden(theatre) == "4 of 3,4: ")
    client.stop()
    let second = try theatre.client(Self.take("3"))
    #expect(try second.hear("parameters").contains("NotGranted"))
  }

  /// Each other set of fingers is another device, which the desktop has to open.
  @Test func devicesAndVerdictsAreLimited() throws {
    let theatre = try Theatre()
    try theatre.grant(Self.post)
    let client = try theatre.client(Self.take("3"))
    try client.hear("parameters")
    var refused = 0
    let others = ["4", "5", "3,4", "3,5", "4,5", "3,4,5", "3"]
    for number in 0..<70 {
      let line = Self.take(others[number % others.count])
      if try answer(client, line).contains("LimitReached") { refused += 1 }
    }
    #expect(refused > 30)
    refused = 0
    for number in 0..<2000 {
      if try answer(client, Self.decide(number)).contains("LimitReached") { refused += 1 }
    }
    #expect(refused > 500)
  }
}
