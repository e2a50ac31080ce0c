import Foundation
import GlissEvents
import Synchronization
import Testing

/// `gliss grants export` and `import`.
@Suite(.timeLimit(.minutes(15))) struct GrantFileTests {
  /// Keeps what it is given; the ids count from 1.
  private func store(_ given: [JSON] = [], members: [JSON] = []) throws -> FakeBroker {
    let kept = Kept(Mutex(given), Mutex(members))
    return try FakeBroker { call in
      switch call.method {
      case "org.gliss.Grants.List":
        return .result(["grants": .array(kept.grants.withLock { $0 }), "pending": []])
      case "org.gliss.Grants.Add":
        let terms = call.parameters["terms"] ?? [:]
        let grant = kept.grants.withLock { grants in
          let grant = FakeBroker.grant(
            Int64(grants.count + 1), client: terms["client"] ?? "", scope: terms["scope"] ?? [:])
          grants.append(grant)
          return grant
        }
        return .result(["grant": grant])
      case "org.gliss.Grants.ListGroups":
        return .result(["members": .array(kept.members.withLock { $0 })])
      case "org.gliss.Grants.AddToGroup":
        kept.members.withLock { $0.append(Self.member(of: call.parameters)) }
        return .result([:])
      case _: return .hangUp
      }
    }
  }

  private final class Kept: Sendable {
    let grants: Mutex<[JSON]>
    let members: Mutex<[JSON]>
    init(_ grants: consuming Mutex<[JSON]>, _ members: consuming Mutex<[JSON]>) {
      self.grants = grants
      self.members = members
    }
  }

  private static func member(of parameters: JSON) -> JSON {
    [
      "uid": parameters["uid"] ?? 0, "client": parameters["client"] ?? "",
      "group": parameters["group"] ?? "", "since": 1_790_000_000, "by": "root",
    ]
  }

  private static let member = member(of: [
    "uid": 0, "client": "unit:foo.service", "group": "org.example.suite",
  ])

  private static let raw: JSON = [
    "tier": "raw", "events": ["touch"], "devices": ["A \"pad\""],
  ]

  @Test func anExportCanBeImported() throws {
    let broker = try store([
      FakeBroker.grant(1, scope: Self.raw), FakeBroker.grant(2, client: "app:org.foo.Bar"),
    ])
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "g.json").path
    let export = try Command.run(broker, "grants", "export", "-o", path)
    #expect(export.status == 0 && export.output == "")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["g.json"])
    let again = try Command.run(broker, "grants", "export", "-o", path)
    #expect(again.status == 2 && again.errors.contains("--force"))

    let empty = try store()
    let first = try Command.run(empty, "grants", "import", path)
    #expect(first.status == 0 && first.output == "2 granted\n")
    let added = empty.called("org.gliss.Grants.Add").map { $0["terms"] }
    #expect(added.first??["scope"] == Self.raw)
    let second = try Command.run(empty, "grants", "import", path)
    #expect(second.status == 1 && second.output == "0 granted, 2 existed already\n")
    #expect(second.errors.contains("grants[1] is granted already: grant 2"))
    let third = try Command.run(empty, "grants", "import", "--skip-existing", path)
    #expect(third.status == 0 && third.output == "0 granted, 2 existed already\n")
    #expect(empty.called("org.gliss.Grants.Add").count == 2)
  }

  @Test(
    arguments: [
      (2, .hangUp, "was not answered", ": go on with --skip-existing"),
      (
        2, .error("org.gliss.Grants.Refused", ["message": "no"]), "was refused",
        ": correct or remove it, then go on with --skip-existing"
      ),
      (1, .hangUp, "was not answered", ": go on with --skip-existing"),
      (1, .error("org.gliss.Grants.Refused", ["message": "no"]), "was refused", ""),
    ] as [(Int, FakeBroker.Answer, String, String)])
  func anImportThatIsCutShortSaysHowToGoOn(
    _ last: Int, _ end: FakeBroker.Answer, _ words: String, _ advice: String
  ) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "g.json").path
    let given = try store([FakeBroker.grant(1), FakeBroker.grant(2, client: "app:org.foo.Bar")])
    #expect(try Command.run(given, "grants", "export", "-o", path).status == 0)
    let broker = try FakeBroker { call in
      switch call.method {
      case "org.gliss.Grants.List": .result(["grants": [], "pending": []])
      case _ where last == 1 || call.parameters["terms"]?["client"] == "app:org.foo.Bar": end
      case _: .result(["grant": FakeBroker.grant(1)])
      }
    }
    let command = try Command.run(broker, "grants", "import", path)
    #expect(command.status == 1)
    let line =
      "grants[\(last - 1)] \(words), after \(last - 1) were granted and 0 put into groups\(advice)\n"
    #expect(command.errors.contains(line), "\(command.errors)")
  }

  @Test func membersGoAlong() throws {
    let broker = try store([FakeBroker.grant(1)], members: [Self.member])
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "g.json").path
    #expect(try Command.run(broker, "grants", "export", "-o", path).status == 0)
    let empty = try store()
    let first = try Command.run(empty, "grants", "import", path)
    #expect(first.status == 0 && first.output == "1 granted, 1 added to groups\n")
    #expect(
      empty.called("org.gliss.Grants.AddToGroup") == [
        ["uid": 0, "client": "unit:foo.service", "group": "org.example.suite"]
      ])
    let second = try Command.run(empty, "grants", "import", path)
    #expect(second.status == 1 && second.output == "0 granted, 2 existed already\n")
    #expect(second.errors.contains("members[0] is in the group already"))
    let third = try Command.run(empty, "grants", "import", "--skip-existing", path)
    #expect(third.status == 0)
    #expect(empty.called("org.gliss.Grants.AddToGroup").count == 1)
  }

  @Test func exportWithoutAFileIsForPipes() throws {
    let command = try Command.run(try store([FakeBroker.grant(1)]), "grants", "export")
    #expect(try JSON(parsing: Array(command.output.utf8))["version"] == 1)
  }

  @Test(
    arguments: [
      ("", ":1:1"), ("{\"version\":1,\n \"grants\":[}", ":2:12"), ("[]", "object"),
      ("{\"version\":2,\"grants\":[]}", "version"),
      ("{\"version\":1,\"grants\":[{\"uid\":0}]}", "grants[0]"),
      ("{\"version\":1,\"grants\":[],\"members\":[{\"uid\":0}]}", "members[0]"),
      (
        "{\"version\":1,\"grants\":[{\"uid\":0,\"client\":\"app:a\",\"scope\":{\"tier\":\"all\"}}]}",
        "grants[0].scope.tier"
      ),
    ])
  func aFileThatIsWrongGrantsNothing(_ text: String, _ place: String) throws {
    let broker = try store()
    let folder = try TemporaryFolder()
    let path = try folder.write(text, as: "g.json")
    let command = try Command.run(broker, "grants", "import", path)
    #expect(command.status == 2)
    #expect(command.errors.contains(place) && command.errors.contains("nothing was granted"))
    #expect(broker.calls.isEmpty)
  }

  @Test func aFileThatIsNotThereIsBadInput() throws {
    let command = try Command.run(try store(), "grants", "import", "/no/such/file")
    #expect(command.status == 2)
    #expect(command.errors.contains("/no/such/file: No such file"))
  }
}
