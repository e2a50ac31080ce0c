import Foundation
import GlissEvents
import Testing

/// `gliss grants group` as a process, with a broker that says what the test wants.
@Suite(.timeLimit(.minutes(15))) struct GrantGroupTests {
  private static let member: JSON = [
    "uid": 0, "client": "unit:foo.service", "group": "org.example.suite", "since": 1_790_000_000,
    "by": "uid 0\u{1b}",
  ]

  @Test func theTypedProgramIsAddedToTheGroup() throws {
    let broker = try FakeBroker { _ in .result([:]) }
    let command = try Command.run(
      broker, "grants", "group", "add", "org.example.suite", "sh", "--user", "0")
    let shell = URL(filePath: "/bin/sh").resolvingSymlinksInPath().path
    #expect(command.status == 0 && command.output == "\(shell) of root is in org.example.suite\n")
    #expect(
      broker.called("org.gliss.Grants.AddToGroup") == [
        ["uid": 0, "client": .string("program:\(shell)"), "group": "org.example.suite"]
      ])
  }

  @Test func aProgramThatIsGoneCanBeRemovedFromAGroup() throws {
    let broker = try FakeBroker { _ in .result([:]) }
    let command = try Command.run(
      broker, "grants", "group", "remove", "org.example", "/gone/foo", "--user", "0")
    #expect(
      command.status == 0 && command.output == "/gone/foo of root is no longer in org.example\n")
    #expect(
      broker.called("org.gliss.Grants.RemoveFromGroup") == [
        ["uid": 0, "client": "program:/gone/foo", "group": "org.example"]
      ])
  }

  @Test(arguments: [["grants", "group"], ["grants", "group", "list"]])
  func theListIsATable(_ arguments: [String]) throws {
    let broker = try FakeBroker { _ in .result(["members": [Self.member]]) }
    let process = try Command.process(arguments, environment: ["GLISS_SOCKET": broker.path])
    let command = try Command.run(process)
    #expect(command.status == 0 && command.errors == "" && command.lines.count == 2)
    #expect(command.lines[1].hasPrefix("org.example.suite  root  "))
    #expect(command.lines[1].contains("foo"))
    #expect(!command.output.contains("\u{1b}"))
  }

  @Test func theListIsJSONAsTheBrokerHasIt() throws {
    let broker = try FakeBroker { _ in .result(["members": [Self.member]]) }
    let command = try Command.run(
      broker, "grants", "group", "list", "--format", "json", "--group", "org.example.suite",
      "--client", "unit:foo", "--user", "0")
    #expect(try JSON(parsing: Array(command.output.utf8)) == [Self.member])
    #expect(
      broker.called("org.gliss.Grants.ListGroups") == [
        ["query": ["uid": 0, "client": "unit:foo.service", "group": "org.example.suite"]]
      ])
  }

  @Test func anEmptyGroupIsReported() throws {
    let broker = try FakeBroker { _ in .result(["members": []]) }
    let all = try Command.run(broker, "grants", "group")
    #expect(all.status == 0 && all.output == "")
    #expect(all.errors == "gliss: nobody is in a group\n")
    let some = try Command.run(broker, "grants", "group", "list", "--user", "0")
    #expect(some.errors == "gliss: nobody matches\n")
  }

  @Test(
    arguments: [
      ("add", "AlreadyMember", ["message": "unit:a is in org.a already"], "is in org.a already"),
      ("add", "NotAllowed", ["advice": "an administrator has to agree"], "administrator"),
      ("remove", "NotFound", ["message": "it is not in there"], "gliss grants group list --socket"),
    ] as [(String, String, JSON, String)])
  func whyItFailedIsSaid(
    _ subcommand: String, _ name: String, _ given: JSON, _ words: String
  ) throws {
    let broker = try FakeBroker { _ in .error("org.gliss.Grants.\(name)", given) }
    let command = try Command.run(broker, "grants", "group", subcommand, "org.a", "unit:a")
    #expect(command.status == 1 && command.output == "")
    #expect(command.errors.hasPrefix("gliss: ") && command.errors.contains(words))
    #expect(!command.errors.contains("gliss grants list"))
  }
}
