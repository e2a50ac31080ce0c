import Foundation
import GlissDevices
import GlissEvents
import Testing

/// `gliss status`, `pause`, `resume`, and what the doctor says of the broker.
@Suite(.timeLimit(.minutes(15))) struct StatusTests {
  private func broker(
    grants: Bool = false, state: String = "secureInput", devices: JSON = ["Pad"]
  ) throws -> FakeBroker {
    let standing: JSON =
      grants
      ? [
        "standing": "granted",
        "granted": [
          ["scope": ["tier": "gesture", "events": ["gesture"]], "availability": "whenUnlocked"]
        ],
      ] : ["standing": "notDetermined", "granted": [], "advice": "ask"]
    return try FakeBroker { call in
      switch call.method {
      case "org.gliss.Broker.Status" where state != "secureInput":
        .result([
          "version": "0.1.0", "session": ["state": .string(state)], "clients": [], "hotkeys": [],
          "devices": devices,
        ])
      case "org.gliss.Broker.Status": .result(FakeBroker.status)
      case "org.gliss.Broker.Preflight": .result(["verdict": standing])
      case _: .result([:])
      }
    }
  }

  @Test func statusSaysWhoSeesWhat() throws {
    let command = try Command.run(try broker(), "status")
    #expect(command.status == 0 && command.errors == "")
    for words in [
      "secureInput: c2 of root", "pinentry (pinentry, process 12)", "42 s at most",
      "vault (vault, process 13)", "8 s at most",
      "Pad", "/usr/bin/foo", "gestures", "super+t", "foo, process 99",
      "problem  the store is read-only", "17", "3",
    ] {
      #expect(command.output.contains(words), "\(words)")
    }
  }

  @Test func statusIsJSONAsTheBrokerHasIt() throws {
    let command = try Command.run(try broker(), "status", "--format", "json")
    #expect(try JSON(parsing: Array(command.output.utf8)) == FakeBroker.status)
  }

  private static func status(clients: [Int64]) -> JSON {
    let clients = clients.map { pid -> JSON in
      [
        "pid": .integer(pid), "uid": 0, "name": "program:/usr/bin/foo", "since": .decimal(0.5),
        "doing": "nothing", "granted": [],
      ]
    }
    return [
      "version": "0.1.0", "session": ["state": "active"], "clients": .array(clients),
      "hotkeys": [], "devices": ["Pad"],
    ]
  }

  @Test(arguments: ["text", "json"])
  func theConnectionThatAsksIsLeftOut(_ format: String) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "pid").path
    let broker = try FakeBroker { _ in
      let text = (try? String(contentsOfFile: file, encoding: .utf8)) ?? ""
      // the other number is above any that Linux gives
      return .result(Self.status(clients: [Int64(text.dropLast()) ?? 0, 5_000_000]))
    }
    // exec keeps the number
    let command = try Command.shell(
      "echo $$ > '\(file)'; exec gliss status --socket '\(broker.path)' --format \(format)")
    let own = try String(contentsOfFile: file, encoding: .utf8).dropLast()
    #expect(command.status == 0 && command.output.contains("5000000"), "\(command.errors)")
    #expect(command.lines.allSatisfy { !$0.contains("\"pid\":\(own),") })
    if format == "json" {
      let clients = try JSON(parsing: Array(command.output.utf8))["clients"]?.array
      #expect(clients?.count == 1)
    }
  }

  @Test(
    arguments: [
      ([], "no input devices"), (nil, "none are read, or none that you may know of"),
    ] as [([String]?, String)])
  func noDevicesAreNoticedUnlessTheyAreHidden(_ names: [String]?, _ words: String) throws {
    let devices = names.map { JSON.array($0.map(JSON.string)) } ?? .null
    let broker = try FakeBroker { _ in
      .result([
        "version": "0.1.0", "session": ["state": "active", "user": .integer(Int64(getuid()))],
        "clients": [], "hotkeys": [], "devices": devices,
      ])
    }
    let command = try Command.run(broker, "status")
    #expect(command.lines.contains("devices  \(words)"), "\(command.output)")
  }

  /// A folder for `XDG_RUNTIME_DIR`, in which this agent runs.
  private static func runtimeFolder(of agent: FakeBroker) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    let runtime = folder.url.appending(path: "gliss")
    try FileManager.default.createDirectory(at: runtime, withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: runtime.appending(path: "org.gliss.Agent").path, withDestinationPath: agent.path)
    return folder
  }

  @Test func aProgramWithSeveralConnectionsIsOneRow() throws {
    func client(_ pid: Int64, _ doing: String, _ granted: JSON) -> JSON {
      [
        "pid": .integer(pid), "uid": 0, "name": "program:/usr/bin/foo", "since": .decimal(0.5),
        "doing": .string(doing), "granted": granted, "delivered": 3, "lost": 1,
      ]
    }
    let gestures: JSON = [
      ["scope": ["tier": "gesture", "events": ["gesture"]], "availability": "always"]
    ]
    // numbers above any that Linux gives
    let clients = [
      client(5_000_000, "events", gestures), client(5_000_000, "hotkey", []),
      client(5_000_001, "hotkey", []),
    ]
    let broker = try FakeBroker { _ in
      .result([
        "version": "0.1.0", "session": ["state": "active"], "clients": .array(clients),
        "hotkeys": [], "devices": ["Pad"],
      ])
    }
    let rows = try Command.run(broker, "status").lines.filter { $0.contains("/usr/bin/foo") }
    #expect(rows.count == 2 && rows.first?.hasSuffix("gestures") == true, "\(rows)")
    #expect(rows.first?.contains(#/events, hotkey +6 +2 /#) == true, "\(rows)")
  }

  @Test func withoutStrokesWhySaysWhatMayHaveKeptThem() throws {
    let broker = try broker(state: "paused")
    let agent = try FakeBroker { call in
      call.method == "org.gliss.Agent.Why"
        ? .result(["strokes": [], "hotkeys": [], "losses": []])
        : .result([
          "version": "0.1.0", "pid": 1, "since": 1, "route": "broker", "taken": true,
          "mistakes": [],
          "problems": ["not granted; allow it: sudo gliss grants grant /bin/a --tier gesture"],
        ])
    }
    let folder = try Self.runtimeFolder(of: agent)
    let environment = ["XDG_RUNTIME_DIR": folder.url.path, "GLISS_SOCKET": broker.path]
    let advice = " sudo gliss grants grant --socket \(broker.path) /bin/a --tier gesture"
    let why = try Command.run("why", environment: environment)
    #expect(why.status == 0 && why.errors == "gliss: there have been no strokes yet\n")
    #expect(why.lines.first == "problem  not granted", "\(why.output)")
    #expect(why.lines.last == "session  paused ('gliss resume' ends it)", "\(why.output)")
    let status = try Command.run("status", environment: environment)
    for command in [why, status] {
      #expect(command.lines.contains { $0.hasSuffix(advice) }, "\(command.output)")
    }
    let reload = try Command.run("reload", environment: environment)
    #expect(reload.errors.hasSuffix(advice + "\n"), "\(reload.errors)")
  }

  @Test(arguments: [("devices", 0), ("broker", 1)])
  func anAgentWithDevicesOfItsOwnNeedsNoBroker(_ route: String, _ status: Int32) throws {
    let agent = try FakeBroker { _ in
      .result([
        "version": "0.1.0", "pid": 1, "since": 1, "route": .string(route), "gestures": 7,
        "problems": ["denied; to take that back, run: sudo gliss grants revoke 15"],
      ])
    }
    let folder = try Self.runtimeFolder(of: agent)
    let command = try Command.run(
      "status",
      environment: ["XDG_RUNTIME_DIR": folder.url.path, "GLISS_SOCKET": "/no/such/socket"])
    #expect(command.status == status, "\(command.errors)")
    #expect(command.output.contains("7 for gestures"), "\(command.output)")
    // the agent may use another broker
    #expect(command.lines.contains { $0.hasSuffix(" sudo gliss grants revoke 15") })
    #expect(command.errors.contains("no broker is running at /no/such/socket"))
  }

  @Test(arguments: [("pause", "Pause"), ("resume", "Resume")])
  func pausingIsOneCall(_ name: String, _ method: String) throws {
    let broker = try broker()
    let command = try Command.run(broker, name)
    #expect(command.status == 0 && command.output == "" && command.errors == "")
    #expect(broker.calls.map(\.method) == ["org.gliss.Grants.\(method)"])
  }

  @Test func theDoctorLooksAtTheBroker() throws {
    let command = try Command.run(try broker(), "doctor", "--format", "json")
    let findings = try JSON(parsing: Array(command.output.utf8))["findings"]?.array ?? []
    let texts = findings.filter { $0["subject"] == "broker" }.compactMap { $0["text"]?.string }
    #expect(texts.count == 3)
    #expect(texts.first?.contains("glissd 0.1.0 is running") == true)
    #expect(texts.contains { $0.contains("nobody has decided yet") })
    #expect(texts.contains("the store is read-only"))
  }

  @Test(arguments: ["active", "secureInput"])
  func gesturesFromTheBrokerNeedNoDevice(_ state: String) throws {
    let command = try Command.run(
      try broker(grants: true, state: state), "doctor", "--format", "json")
    let answer = try JSON(parsing: Array(command.output.utf8))
    #expect(command.status == 0 && answer["ready"] == true)
    #expect(!command.output.contains("usermod"))
    let other = try Command.run(
      try broker(grants: true), "doctor", "--format", "json", "--seat", "nowhere")
    #expect(other.status == 1)
  }

  /// Neither the doctor nor the broker sees one.
  @Test(.enabled(if: Finding.hasNoTouchDevice)) func withoutATouchpadNothingIsRecognized() throws {
    let command = try Command.run(
      try broker(grants: true, state: "active", devices: []), "doctor", "--format", "json")
    let answer = try JSON(parsing: Array(command.output.utf8))
    #expect(command.status == 1 && answer["ready"] == false)
    #expect(answer["summary"]?.string?.contains("No gesture can be recognized now") == true)
  }

  @Test func aBrokerThatShowsNothingNowOrHasGrantedNothingDoesNotCount() throws {
    let paused = try Command.run(try broker(grants: true, state: "paused"), "doctor")
    let words = paused.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("it would show gestures to this program if it were not paused"))
    #expect(words.contains("gliss resume"))
    let refused = try Command.run(try broker(), "doctor")
    #expect(refused.output.contains("sudo gliss grants grant /"))
    #expect(refused.output.contains("/gliss --tier gesture --socket /"))
  }

  @Test func theDoctorSaysHowToStartABroker() throws {
    let command = try Command.run("doctor", environment: ["GLISS_SOCKET": "/no/such/socket"])
    #expect(command.output.contains("no broker at /no/such/socket"))
    #expect(command.output.contains("sudo systemctl enable --now glissd.socket"))
  }
}

extension Finding {
  /// Whether this machine has neither a touchpad nor a touchscreen.
  fileprivate static var hasNoTouchDevice: Bool { !Diagnosis().hasTouchDevice }
}
