import Foundation
import Testing

/// What one user could make the others pay.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct CostTests {
  static let hasNamespaces = FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare")

  /// Somebody's namespace has as many mounts as they like, and what shows a client's mounts shows them all.
  @Test(.enabled(if: hasNamespaces, "unshare is not installed"))
  func aCallerWithThousandsOfMountsKeepsNobodyWaiting() throws {
    let theatre = try Theatre()
    let script = """
      mkdir -p /tmp/m && mount -t tmpfs none /tmp/m && d=/tmp/m/$(printf 'x%.0s' {1..200})
      d=$d/$(printf 'x%.0s' {1..200})/$(printf 'x%.0s' {1..200}); mkdir -p $d
      for n in {1..5000}; do mount --bind /tmp/m $d || break; done
      exec "$@"
      """
    let crowd = try theatre.client(
      wrapper: ["/usr/bin/unshare", "-Urm", "/bin/bash", "-c", script, "bash"],
      #"{"method":"org.varlink.service.GetInfo"}"#)
    try crowd.hear("vendor")
    func lateness() throws -> Int {
      let told = try theatre.stage.hear("flood p50")
      let p50 = told.split(separator: " ").drop { $0 != "p50" }.dropFirst().first
      return try #require(p50.flatMap { Int($0) })
    }
    theatre.stage.say("flood 1000 1000")
    let quiet = try lateness()
    theatre.stage.say("flood 3000 1000")
    crowd.say("!churn 2000")
    // three thousand times as late where all of them were read, as late as before where they are not
    #expect(try lateness() < 300 * max(quiet, 50))
  }

  /// Grants may be long, and whoever takes all of them away must be able to read that it worked.
  @Test func theAnswerToRevokingEverythingFitsAMessage() throws {
    let theatre = try Theatre()
    let root = try theatre.client(as: nil)
    for number in 0..<30 {
      let devices = (0..<64).map { "\"\(number) \($0) \(String(repeating: "x", count: 240))\"" }
      let scope = #"{"tier":"gesture","devices":[\#(devices.joined(separator: ","))]}"#
      root.say(
        #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(Theatre.user),"client":"program:/opt/foo","scope":\#(scope)}}}"#
      )
      try root.hear("grant")
    }
    let answer = try theatre.revokeAll()
    let shown = answer.components(separatedBy: "program:/opt/foo").count - 1
    #expect((1..<30).contains(shown) && answer.contains(#""omitted":\#(30 - shown)"#))
    #expect(answer.utf8.count < 512 << 10)
  }

  @Test func theAnswerAboutGroupsFitsAMessage() throws {
    let theatre = try Theatre()
    let root = try theatre.client(as: nil)
    for number in 0..<120 {
      let name = String(repeating: "x", count: 4000)
      root.say(
        #"{"method":"org.gliss.Grants.AddToGroup","parameters":{"uid":\#(Theatre.user),"group":"org.example","client":"program:/opt/\#(number)\#(name)"}}"#
      )
      try root.hear("parameters")
    }
    func list(skip: Int) throws -> String {
      root.say(#"{"method":"org.gliss.Grants.ListGroups","parameters":{"skip":\#(skip)}}"#)
      return try root.hear("members")
    }
    let first = try list(skip: 0)
    let shown = first.components(separatedBy: "program:/opt/").count - 1
    #expect((1..<120).contains(shown) && first.contains(#""omitted":\#(120 - shown)"#))
    let rest = try list(skip: shown)
    #expect(rest.components(separatedBy: "program:/opt/").count - 1 == 120 - shown)
    #expect(!rest.contains("omitted"))
  }

  @Test func aRepeatedRequestNeedsNoRoom() throws {
    let theatre = try Theatre()
    func answer(to client: Player, _ number: Int) throws -> String {
      client.say(
        #"{"method":"org.gliss.Broker.Request","parameters":{"scope":{"tier":"gesture","devices":["\#(number)"]}}}"#
      )
      return try client.hear("an answer", where: { _ in true })
    }
    let crowd = try (0..<24).map { index in
      let client = try theatre.client(as: 70_000 + UInt32(index))
      for number in 1...8 {
        let said = try answer(to: client, number)
        #expect(said.contains(#""pending":\#(index * 8 + number)}"#), "\(said)")
      }
      return client
    }
    let late = try theatre.client(as: 70_100)
    #expect(try answer(to: late, 1).contains("requests of all users"))
    #expect(try answer(to: crowd[23], 8).contains(#""pending":192}"#))
    crowd.forEach { $0.stop() }
  }

  /// A user who has a range of uids, as rootless containers need, is as many users.
  @Test func manyUsersTogetherLeaveRoomForWhoSitsThere() throws {
    let theatre = try Theatre()
    let crowds = try (0..<17).map { index in
      let crowd = try theatre.client(as: 70_000 + UInt32(index), Scopes.hotkey("super+t"))
      // the last ones find no room
      if try crowd.hear("an answer", where: { _ in true }).contains("registered") {
        crowd.say("!connect 31")
        try crowd.hear("!open")
      }
      return crowd
    }
    let client = try theatre.client(#"{"method":"org.varlink.service.GetInfo"}"#)
    try client.hear("vendor")
    let root = try theatre.client(as: nil, #"{"method":"org.varlink.service.GetInfo"}"#)
    try root.hear("vendor")
    crowds.forEach { $0.stop() }
  }
}
