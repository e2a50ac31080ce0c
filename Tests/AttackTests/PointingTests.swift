import Foundation
import TestSupport
import Testing

/// Who learns that a finger points after a drag or swipe.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct PointingTests {
  private static let call = #"{"method":"org.gliss.Broker.AwaitPointing"}"#

  /// Clients that wait for it, once the broker knows them.
  private func waiting(_ theatre: Theatre, _ users: [UInt32]) throws -> [Player] {
    let clients = try users.map { try theatre.client(as: $0, Self.call) }
    try wait(for: "the calls") {
      let root = try theatre.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
      defer { root.stop() }
      let status = try root.hear("clients")
      return status.components(separatedBy: #""doing":"pointing""#).count == users.count + 1
    }
    return clients
  }

  private func play(_ theatre: Theatre, _ strokes: String...) throws {
    for stroke in strokes { try theatre.act("stroke \(stroke)") }
  }

  private func answers(_ client: Player) -> Int { client.said.count { $0.contains("time") } }

  @Test func nobodyLearnsItWhoMayNotSeeGestures() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.post)
    #expect(try theatre.client(Self.call).hear("parameters").contains("NotGranted"))
  }

  @Test func aOnewayCallDoesNotOccupyItsConnection() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try theatre.client(
      #"{"method":"org.gliss.Broker.AwaitPointing","oneway":true}"#,
      #"{"method":"org.gliss.Broker.Status"}"#)
    #expect(try client.hear("clients").contains(#""doing":"nothing""#))
  }

  @Test func theFirstAfterASwipeIsReportedOnce() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try waiting(theatre, [Theatre.user])[0]
    try play(theatre, "pointing", "pinch-out-symmetric", "pointing")
    try play(theatre, "swipe-3", "pointing", "pointing")
    try client.hear("time")
    // the connection goes on with other calls
    client.say(#"{"method":"org.gliss.Broker.Status"}"#)
    try client.hear("clients")
    #expect(answers(client) == 1)
  }

  /// A call is no way to learn of every touch.
  @Test func oneThatComesLongAfterwardsIsNotReported() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try waiting(theatre, [Theatre.user])[0]
    try play(theatre, "swipe-3", "pinch-out-symmetric", "pinch-out-symmetric")
    try play(theatre, "pinch-out-symmetric", "pinch-out-symmetric", "pointing")
    try theatre.act("asked")
    #expect(answers(client) == 0)
    try play(theatre, "swipe-3", "pointing")
    try client.hear("time")
  }

  @Test func anotherUserAndAProgramWhoseGrantIsGoneLearnNothing() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    try theatre.grant(Scopes.gestures, to: Theatre.other)
    let clients = try waiting(theatre, [Theatre.user, Theatre.other])
    try play(theatre, "swipe-3", "pointing")
    try clients[0].hear("time")
    try theatre.revokeAll()
    let third = try theatre.client(Self.call)
    #expect(try third.hear("parameters").contains("NotGranted"))
    #expect(answers(clients[1]) == 0)
  }

  @Test func aCallThatWaitsEndsWhenItsGrantIsRevoked() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try waiting(theatre, [Theatre.user])[0]
    try theatre.revokeAll()
    try client.hear("NotGranted")
    try play(theatre, "swipe-3", "pointing")
    try theatre.act("asked")
    #expect(answers(client) == 0)
  }

  @Test func aGrantForASingleUseIsUsedUp() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures, #","expiry":"once""#)
    let client = try waiting(theatre, [Theatre.user])[0]
    #expect(try theatre.client(Self.call).hear("parameters").contains("NotGranted"))
    try play(theatre, "swipe-3", "pointing")
    try client.hear("time")
    client.say(Self.call)
    try client.hear("NotGranted")
  }

  @Test func aCallThatComesLaterLearnsOfTheNextFinger() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    try play(theatre, "swipe-3", "click-2")
    let client = try waiting(theatre, [Theatre.user])[0]
    try play(theatre, "click-2")
    try client.hear("time")
  }

  @Test func aSwipeFromBeforeALockIsNotReportedAfterIt() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.gestures)
    let client = try waiting(theatre, [Theatre.user])[0]
    try play(theatre, "swipe-3")
    try theatre.act("lock")
    try theatre.act("unlock")
    try play(theatre, "pointing")
    try theatre.act("asked")
    #expect(answers(client) == 0)
    try play(theatre, "swipe-3", "pointing")
    try client.hear("time")
  }
}
