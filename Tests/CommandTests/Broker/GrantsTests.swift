import Foundation
import GlissEvents
import Testing

/// `gliss grants` as a process, with a broker that says what the test wants.
@Suite(.timeLimit(.minutes(15))) struct GrantsTests {
  private func broker(_ result: JSON) throws -> FakeBroker {
    try FakeBroker { _ in .result(result) }
  }

  private static let list: JSON = [
    "grants": [
      FakeBroker.grant(1),
      FakeBroker.grant(
        12, client: "unit:foo.service",
        scope: ["tier": "raw", "events": ["key", "touch"], "keys": ["media"]], allowed: false),
    ], "pending": [FakeBroker.pending(7, reason: "to show\u{1b}[31m keys")],
  ]

  // MARK: Reading

  @Test(arguments: [["grants"], ["grants", "list"]])
  func theListIsATableWithWhatWaitsBelow(_ arguments: [String]) throws {
    let broker = try broker(Self.list)
    let process = try Command.process(arguments, environment: ["GLISS_SOCKET": broker.path])
    let command = try Command.run(process)
    #expect(command.status == 0 && command.errors == "")
    #expect(command.lines.count >= 5)
    #expect(command.lines[1].hasPrefix(" 1  root  unlocked  revoked  /usr/bin/foo"))
    #expect(command.lines[2].hasSuffix("denied: raw: touch, key (media)"))
    #expect(command.output.contains("sudo gliss grants answer 7 --allow --socket \(broker.path) "))
    #expect(command.output.contains("/usr/bin/foo (process 4711"))
    // a denial holds while the screen is locked, too
    #expect(command.lines[2].contains("  always  "))
    #expect(!command.output.contains("\u{1b}"))
  }

  /// In ASCII the mark of a cut is three characters long.
  @Test func aNameThatIsCutKeepsTheColumns() throws {
    let client = JSON.string("program:/usr/libexec/" + String(repeating: "a", count: 80))
    let grants: JSON = [FakeBroker.grant(1, client: client), FakeBroker.grant(2)]
    let broker = try broker(["grants": grants, "pending": []])
    let terminal = try PseudoTerminal(
      "gliss grants --socket '\(broker.path)'; echo over $?", environment: ["LC_ALL": "C"])
    terminal.wait { $0.contains("over 0") }
    let rows = terminal.shown.split(separator: "\r\n").filter { $0.hasSuffix("  gestures") }
    #expect(rows.count == 2 && rows.first?.contains("a...aaa") == true)
    #expect(rows.first?.count == rows.last?.count, "\(rows)")
  }

  @Test func aPathThatLooksLikeWordsIsQuoted() throws {
    let path = "/tmp/x (gestures only, approved by root)"
    let client = JSON.string("program:\(path)")
    let broker = try broker([
      "grants": [FakeBroker.grant(1, client: client)],
      "pending": [FakeBroker.pending(7, client: client, reason: "r")],
    ])
    let command = try Command.run(broker, "grants")
    #expect(command.lines[1].hasPrefix(" 1  root  unlocked  revoked  '\(path)'  gestures"))
    let joined = command.output.replacing("\n  ", with: " ")
    #expect(joined.contains("7: '\(path)' (process 4711 of root)"), "\(command.output)")
  }

  @Test func theListIsJSONAsTheBrokerHasIt() throws {
    let broker = try broker(Self.list)
    let command = try Command.run(broker, "grants", "list", "--format", "json")
    #expect(command.status == 0)
    let json = try JSON(parsing: Array(command.output.utf8))
    #expect(json["grants"]?.array?.count == 2)
    #expect(json["grants"]?.array?.last?["client"] == "unit:foo.service")
    #expect(json["pending"] == Self.list["pending"])
    #expect(command.lines.count { $0.hasPrefix("  {\"id\":") } == 2)
  }

  @Test func theListSaysHowManyMoreWait() throws {
    let broker = try broker([
      "grants": [], "pending": [FakeBroker.pending(7, reason: "r")], "omittedPending": 3,
    ])
    let command = try Command.run(broker, "grants", "list")
    #expect(command.status == 0 && command.output.contains("gliss grants answer 7"))
    #expect(command.errors.contains("3 more pending") && command.errors.contains("--user"))
  }

  @Test func filtersGoToTheBroker() throws {
    let broker = try broker(["grants": [], "pending": []])
    let command = try Command.run(
      broker, "grants", "list", "--client", "unit:foo", "--tier", "raw", "--user", "root",
      "--group", "org.foo")
    #expect(command.status == 0 && command.output == "")
    #expect(command.errors == "gliss: nothing matches\n")
    #expect(
      broker.called("org.gliss.Grants.List").first?["query"]
        == ["uid": 0, "client": "unit:foo.service", "group": "org.foo", "tier": "raw"])
  }

  @Test func oneGrantIsShownWhole() throws {
    let broker = try broker(["grants": [FakeBroker.grant(3)], "pending": []])
    let text = try Command.run(broker, "grants", "show", "3")
    #expect(text.status == 0)
    for words in ["grant      3", "user       root (0)", "last used  never", "to this machine"] {
      #expect(text.output.contains(words))
    }
    let json = try Command.run(broker, "grants", "show", "3", "--format", "json")
    #expect(try JSON(parsing: Array(json.output.utf8))["grantedBy"] == "root")
  }

  @Test func aGrantThatIsNotThereIsAFailure() throws {
    let broker = try broker(["grants": [], "pending": []])
    let command = try Command.run(broker, "grants", "show", "3")
    #expect(command.status == 1 && command.output == "")
    #expect(command.errors.hasPrefix("gliss: there is no grant 3"))
  }

  @Test func theLogHasALineForEach() throws {
    let broker = try broker([
      "entries": [
        [
          "time": 1_790_000_000, "action": "refuse", "uid": 0, "client": "program:/usr/bin/foo",
          "detail": "raw", "count": 3,
        ]
      ]
    ])
    let text = try Command.run(broker, "grants", "log", "--limit", "5")
    #expect(text.lines.count == 2)
    #expect(text.lines[1].hasSuffix("root  refuse  /usr/bin/foo  raw (3 times)"))
    #expect(broker.called("org.gliss.Grants.Log") == [["limit": 5]])
    _ = try Command.run(broker, "grants", "log", "--action", "connect")
    #expect(broker.called("org.gliss.Grants.Log").last == ["limit": 100, "action": "connect"])
    #expect(try Command.run(broker, "grants", "log", "--help").output.contains("(default: 100)"))
    for name in ["jsonl", "json"] {
      let json = try Command.run(broker, "grants", "log", "--format", name)
      #expect(json.lines.count == 1)
      #expect(try JSON(parsing: Array(json.output.utf8))["count"] == 3)
    }
  }

  @Test func anEmptyLogIsReported() throws {
    let command = try Command.run(try broker(["entries": []]), "grants", "log")
    #expect(command.status == 0 && command.output == "")
    #expect(command.errors == "gliss: there are no such entries that you may see\n")
  }

  @Test(arguments: [([], 0), (["grants.db: is torn"], 1)] as [([String], Int32)])
  func checkFailsWhereTheStoreIsNotSound(_ problems: [String], _ status: Int32) throws {
    let broker = try broker([
      "sound": .bool(problems.isEmpty), "problems": .array(problems.map(JSON.string)),
    ])
    let command = try Command.run(broker, "grants", "check")
    #expect(command.status == status)
    #expect(command.output == (problems.first ?? "the store is sound") + "\n")
  }

  // MARK: Deciding

  @Test func theTypedScopeIsGranted() throws {
    let broker = try broker(["grant": FakeBroker.grant(4, group: "org.foo")])
    let command = try Command.run(
      broker, "grants", "grant", "sh", "--tier", "raw", "--events", "key,touch", "--keys",
      "modifiers,media", "--device", "A pad", "--device", "B", "--user", "0", "--expires",
      "2100-01-02T03:04Z", "--availability", "always", "--group", "org.foo", "--reason", "why",
      "--any-device")
    #expect(command.status == 0)
    let terms = try #require(broker.called("org.gliss.Grants.Add").first?["terms"])
    let shell = URL(filePath: "/bin/sh").resolvingSymlinksInPath().path
    #expect(terms["client"]?.string == "program:\(shell)")
    #expect(command.errors == "gliss: sh is \(shell)\n")
    #expect(terms["scope"]?["tier"] == "raw")
    #expect(Set(terms["scope"]?["events"]?.strings ?? []) == ["key", "touch"])
    #expect(terms["scope"]?["keys"]?.strings == ["modifiers", "media"])
    #expect(terms["scope"]?["devices"]?.strings == ["A pad", "B"])
    #expect(terms["availability"] == "always" && terms["expiry"] == "4102542240")
    #expect(terms["group"] == "org.foo" && terms["reason"] == "why")
    #expect(terms["thisDeviceOnly"] == false && terms["allowed"] == true)
    let sentence = "/usr/bin/foo of root may have gestures, for all of org.foo, until revoked"
    #expect(command.output == "grant 4: \(sentence)\n")
  }

  @Test func aDeviceThatIsNotConnectedIsNamed() throws {
    let status: JSON = [
      "version": "0.1.0", "session": ["state": "active", "user": .integer(Int64(getuid()))],
      "clients": [], "hotkeys": [], "devices": ["Pad"],
    ]
    let broker = try FakeBroker { call in
      .result(
        call.method == "org.gliss.Broker.Status" ? status : ["grant": FakeBroker.grant(4)])
    }
    let command = try Command.run(
      broker, "grants", "grant", "unit:foo", "--tier", "gesture", "--device", "Pad", "--device",
      "Bad")
    #expect(command.status == 0 && command.output.hasPrefix("grant 4: "))
    #expect(
      command.errors
        == "gliss: no device of the name 'Bad' is connected now; 'gliss devices' lists them\n")
  }

  @Test(arguments: [("python3.11", true), ("gliss", false), ("foo", false)])
  func aGrantOfAnInterpreterIsForAllThatItRuns(_ name: String, _ isForAll: Bool) throws {
    let grant = FakeBroker.grant(4, client: .string("program:/usr/bin/\(name)"))
    let broker = try broker(["grant": grant, "grants": [], "pending": []])
    let command = try Command.run(broker, "grants", "grant", "unit:foo", "--tier", "gesture")
    #expect(command.status == 0)
    #expect(command.errors.contains("runs any program of that user") == isForAll)
  }

  @Test func aGrantIsNarrowByDefault() throws {
    let broker = try broker(["grant": FakeBroker.grant(4)])
    _ = try Command.run(broker, "grants", "grant", "app:org.foo.Bar", "--tier", "gesture")
    let terms = try #require(broker.called("org.gliss.Grants.Add").first?["terms"])
    #expect(terms["expiry"] == "never" && terms["availability"] == "whenUnlocked")
    #expect(terms["thisDeviceOnly"] == true && terms["scope"]?["devices"] == nil)
  }

  @Test func denialsThatOverrideANewGrantAreNamed() throws {
    let denials = [
      FakeBroker.grant(11, allowed: false), FakeBroker.grant(12),
      FakeBroker.grant(13, scope: ["tier": "raw", "events": ["touch"]], allowed: false),
    ]
    let broker = try FakeBroker { call in
      .result(
        call.method == "org.gliss.Grants.List"
          ? ["grants": .array(denials), "pending": []] : ["grant": FakeBroker.grant(14)])
    }
    let command = try Command.run(broker, "grants", "grant", "unit:foo", "--tier", "gesture")
    #expect(command.status == 0 && command.output.hasPrefix("grant 14: "))
    let advice = "gliss grants revoke 11 --socket \(broker.path)"
    #expect(command.errors == "gliss: denial 11 overrides it: \(advice)\n")
  }

  @Test(arguments: [("grant", "grant"), ("deny", "denial")])
  func aGrantThatCannotBePrintedIsMade(_ subcommand: String, _ word: String) throws {
    let broker = try broker(["grant": FakeBroker.grant(4, allowed: subcommand == "grant")])
    let command = try Command.shell(
      "gliss grants \(subcommand) unit:foo --tier gesture --socket '\(broker.path)' >/dev/full")
    #expect(command.status == 1)
    #expect(command.errors.hasSuffix(": No space left on device; \(word) 4 was made\n"))
  }

  @Test func aRefusalIsNotAllowed() throws {
    let broker = try broker(["grant": FakeBroker.grant(4, allowed: false)])
    let command = try Command.run(broker, "grants", "deny", "unit:foo", "--tier", "gesture")
    #expect(command.output.contains("is denied gestures"))
    #expect(broker.called("org.gliss.Grants.Add").first?["terms"]?["allowed"] == false)
  }

  @Test(arguments: [("root", "c2"), ("1", nil)])
  func aSessionIsTheOneOnTheScreen(_ user: String, _ name: String?) throws {
    let broker = try FakeBroker { call in
      .result(
        call.method == "org.gliss.Broker.Status"
          ? FakeBroker.status : ["grant": FakeBroker.grant(4)])
    }
    let command = try Command.run(
      broker, "grants", "grant", "unit:foo", "--tier", "gesture", "--expires", "session",
      "--user", user)
    #expect(command.status == (name == nil ? 2 : 0))
    let terms = broker.called("org.gliss.Grants.Add").first?["terms"]
    #expect(terms?["expiry"]?.string == name.map { "session:\($0)" })
  }

  @Test(arguments: [("--allow", true), ("--deny", false)])
  func aRequestIsAnswered(_ option: String, _ isAllowed: Bool) throws {
    let broker = try FakeBroker { call in
      .result(call.parameters["allow"] == true ? ["grant": FakeBroker.grant(9)] : [:])
    }
    let command = try Command.run(broker, "grants", "answer", "7", option, "--expires", "once")
    #expect(command.status == 0)
    #expect(
      broker.calls.first?.parameters
        == ["number": 7, "allow": .bool(isAllowed), "expiry": "once"])
    #expect(command.output.contains(isAllowed ? "grant 9" : "request 7 is denied"))
  }

  @Test func revokingSaysWhatWentAway() throws {
    let broker = try broker(["revoked": [FakeBroker.grant(1), FakeBroker.grant(2)]])
    let command = try Command.run(
      broker, "grants", "revoke", "--client", "/gone/foo", "--tier", "gesture", "--all")
    #expect(command.lines.count == 2)
    #expect(command.lines.first == "revoked grant 1: /usr/bin/foo of root had gestures")
    let parameters = broker.calls.first?.parameters
    #expect(parameters?["all"] == true)
    #expect(parameters?["query"]?["client"] == "program:/gone/foo")
    #expect(command.errors == "")
  }

  @Test(arguments: [true, false])
  func aPathThatIsALinkIsRevokedAsTypedFirst(_ isGranted: Bool) throws {
    let folder = try TemporaryFolder()
    let link = folder.url.appending(path: "link").path
    let program = URL(filePath: "/bin/ls").resolvingSymlinksInPath().path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "/bin/ls")
    let broker = try FakeBroker { call in
      isGranted || call.parameters["query"]?["client"]?.string != "program:\(link)"
        ? .result(["revoked": [FakeBroker.grant(1)]])
        : .error("org.gliss.Grants.NotFound", ["message": "no grant matches"])
    }
    let command = try Command.run(broker, "grants", "revoke", "--client", link)
    #expect(command.status == 0, "\(command.errors)")
    let asked = broker.called("org.gliss.Grants.Revoke").map { $0["query"]?["client"]?.string }
    #expect(asked == (isGranted ? [link] : [link, program]).map { "program:\($0)" })
    let notice =
      isGranted
      ? "\(link) is \(program) now; this was only about \(link) as it is written: for the program "
        + "that it leads to, name \(program)"
      : "\(link) is \(program); program:\(link) names it as it is written"
    #expect(command.errors.contains(notice), "\(command.errors)")
  }

  @Test func revokingSaysWhoseGrantsWentAway() throws {
    let broker = try broker([
      "revoked": [
        FakeBroker.grant(1), FakeBroker.grant(2, uid: 54321),
        FakeBroker.grant(3, allowed: false, uid: 54321),
      ]
    ])
    let command = try Command.run(broker, "grants", "revoke", "--client", "/gone/foo", "--all")
    #expect(command.status == 0)
    #expect(
      command.lines.last == "revoked grant 3: /usr/bin/foo of 54321 was denied gestures")
    #expect(
      command.errors == "gliss: revoked grants of several users: 1 of root, 2 of 54321\n")
  }

  @Test func revokingSaysHowManyMoreWentAway() throws {
    let broker = try broker(["revoked": [FakeBroker.grant(1)], "omitted": 1234])
    let command = try Command.run(broker, "grants", "revoke", "--tier", "gesture", "--all")
    #expect(command.status == 0 && command.lines.count == 1)
    #expect(
      command.errors == "gliss: revoked 1234 more; the broker's answer had no room for them\n")
  }

  // MARK: What goes wrong

  @Test(
    arguments: [
      ("NotAllowed", ["advice": "an administrator has to agree"], 1, "administrator"),
      ("NobodyToAsk", ["advice": ""], 1, "nobody could be asked"),
      ("NotFound", ["message": "there is no grant 5"], 1, "gliss grants list"),
      ("Ambiguous", ["count": 3, "advice": ""], 1, "3 grants match"),
      ("Duplicate", ["id": 8, "advice": ""], 1, "gliss grants show 8"),
      ("Refused", ["message": "no\u{1b}", "advice": "go away"], 1, "go away"),
      ("Invalid", ["parameter": "query.id", "message": "is odd"], 2, "query.id: is odd"),
      ("NewTrouble", ["a": 1], 1, "NewTrouble"),
    ] as [(String, JSON, Int32, String)])
  func whyItFailedIsSaid(_ name: String, _ given: JSON, _ status: Int32, _ words: String) throws {
    let broker = try FakeBroker { _ in .error("org.gliss.Grants.\(name)", given) }
    let command = try Command.run(broker, "grants", "revoke", "5")
    #expect(command.status == status && command.output == "")
    #expect(command.errors.hasPrefix("gliss: ") && command.errors.contains(words))
    #expect(command.lines.isEmpty && !command.errors.contains("\u{1b}"))
  }

  @Test(
    arguments: [
      ("Broker.NotGranted", "run: sudo gliss grants revoke", " 15"),
      ("Broker.LimitReached", "an administrator answers: 'gliss grants list", "' shows them"),
      ("Grants.Refused", "see the members: gliss grants group list", ""),
    ])
  func commandsThatTheBrokerAdvisesNameItsSocket(
    _ name: String, _ command: String, _ rest: String
  ) throws {
    let broker = try FakeBroker { _ in
      .error(
        "org.gliss.\(name)",
        [
          "standing": "denied", "limit": "requests", "maximum": 8, "message": "no",
          "advice": .string(command + rest),
        ])
    }
    let errors = try Command.run("grants", "--socket", broker.path).errors
    #expect(errors.hasSuffix("\(command) --socket \(broker.path)\(rest)\n"), "\(errors)")
  }

  @Test func withoutABrokerItIsSaidHowToStartOne() throws {
    let command = try Command.run("grants", environment: ["GLISS_SOCKET": "/no/such/socket"])
    #expect(command.status == 1)
    for words in ["/no/such/socket", "systemctl enable --now glissd.socket", "$GLISS_SOCKET"] {
      #expect(command.errors.contains(words))
    }
    let other = try Command.run("grants", "--socket", "/dev/null/x")
    #expect(other.errors.contains("/dev/null/x"))
  }

  @Test(arguments: [FakeBroker.Answer.hangUp, .result("x"), .result(["grants": 5])])
  func aBrokerThatTalksNonsenseIsAFailure(_ answer: FakeBroker.Answer) throws {
    let broker = try FakeBroker { _ in answer }
    let command = try Command.run(broker, "grants")
    #expect(command.status == 1 && command.errors.hasPrefix("gliss: "))
  }

  @Test func waitingForAnAdministratorIsReported() throws {
    let broker = try FakeBroker { _ in .silence }
    let process = try Command.process(
      ["grants", "revoke", "5"], environment: ["GLISS_SOCKET": broker.path])
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
    #expect(said.contains("waiting for the broker"))
    // root is never asked
    #expect(said.contains("which may ask an administrator") == (geteuid() != 0))
    process.interrupt()
    process.waitUntilExit()
    #expect(process.terminationStatus == 130)
  }
}
