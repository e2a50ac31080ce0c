import Foundation
import Glibc
import GlissEvents
import Testing

/// `gliss watch --broker`.
@Suite(.timeLimit(.minutes(15))) struct BrokerWatchTests {
  private static let scope: JSON = ["tier": "gesture", "events": ["gesture"]]
  private static let granted: JSON = [
    "standing": "granted", "granted": [["scope": scope, "availability": "whenUnlocked"]],
  ]
  private static let tap: JSON = [
    "time": .decimal(1.5), "device": "Pad", "kind": "gesture", "gesture": "tap",
    "phase": "recognized",
    "fingers": 2, "count": 1,
  ]

  private func broker(
    _ standing: JSON, pending: JSON? = nil, session: JSON = ["state": "active"]
  ) throws -> FakeBroker {
    try FakeBroker { call in
      switch call.method {
      case "org.gliss.Broker.Status":
        .result([
          "version": "0.1.0", "session": session, "clients": [], "hotkeys": [], "devices": [],
          "problems": [],
        ])
      case "org.gliss.Broker.Preflight": .result(["verdict": standing])
      case "org.gliss.Broker.Request":
        .result(pending.map { ["verdict": standing, "pending": $0] } ?? ["verdict": standing])
      case "org.gliss.Broker.Monitor":
        .ending(
          [
            ["verdict": Self.granted], ["events": [Self.tap]],
            ["events": [["time": 2, "kind": "session", "state": "locked"]]],
            ["events": [["kind": "lost", "count": 12]]],
          ], "org.gliss.Broker.NotGranted", ["standing": "denied", "advice": "it is over"])
      case _: .hangUp
      }
    }
  }

  @Test func linesAreThoseOfTheSchema() throws {
    let broker = try broker(Self.granted)
    let command = try Command.run(broker, "watch", "--broker", "--format", "jsonl")
    #expect(command.lines.count == 3)
    #expect(
      command.lines[0].contains("\"device\":\"Pad\",\"kind\":\"gesture\",\"gesture\":\"tap\""))
    #expect(command.lines[1].contains("\"kind\":\"session\",\"state\":\"locked\""))
    #expect(command.lines[2] == "{\"kind\":\"lost\",\"count\":12}")
    // the grant was taken away
    #expect(command.status == 1 && command.errors.contains("it is over"))
    #expect(!broker.calls.contains { $0.method == "org.gliss.Broker.Request" })
    #expect(broker.called("org.gliss.Broker.Monitor").first?["scope"] == Self.scope)
  }

  @Test func rowsAreThoseOfDevices() throws {
    let command = try Command.run(try broker(Self.granted), "watch", "--broker")
    #expect(command.output.hasPrefix("Pad\n"))
    #expect(command.lines.last?.contains("tap") == true)
    #expect(command.errors.contains("session: locked"))
    #expect(command.errors.contains("12 messages were left out"))
  }

  @Test(
    arguments: [
      ("notDetermined", 5, "gliss grants answer 5 --allow"), ("denied", nil, "denied"),
      ("restricted", nil, "cannot be granted"),
    ] as [(String, Int64?, String)])
  func missingGrantsAreRequested(_ standing: String, _ pending: Int64?, _ words: String) throws {
    let broker = try broker(
      ["standing": .string(standing), "granted": []], pending: pending.map(JSON.integer))
    let command = try Command.run(broker, "watch", "--broker", "--events", "key")
    #expect(command.status == 1 && command.output == "")
    #expect(command.errors.contains(words))
    let asked = broker.called("org.gliss.Broker.Request").first?["scope"]
    #expect(asked?["tier"] == "raw" && asked?["events"] == ["key"])
    #expect(broker.called("org.gliss.Broker.Monitor").isEmpty)
  }

  @Test func itEndsInTime() throws {
    let broker = try FakeBroker { call in
      call.method == "org.gliss.Broker.Monitor"
        ? .stream([["verdict": Self.granted]]) : .result(["verdict": Self.granted])
    }
    let command = try Command.run(broker, "watch", "--broker", "--duration", "0.1")
    #expect(command.status == 0)
  }

  @Test func theBrokerIsSuggestedIfNoDeviceCanBeRead() throws {
    let broker = try broker(Self.granted)
    let command = try Command.run(broker, "watch", "--device", "/dev/null")
    #expect(command.status == 1 && command.errors.contains("with --broker, events come from it"))
    #expect(broker.calls.isEmpty)
    let without = try Command.run(
      "watch", "--device", "/dev/null", environment: ["GLISS_SOCKET": "/no/such/socket"])
    #expect(!without.errors.contains("--broker"))
  }

  // MARK: Without being asked for

  @Test func aBrokerThatServesIsUsedByItself() throws {
    let broker = try broker(Self.granted)
    let command = try Command.run(broker, "watch")
    #expect(command.output.hasPrefix("Pad\n"))
    #expect(command.errors.contains("--devices reads the devices itself"))
    #expect(!broker.calls.contains { $0.method == "org.gliss.Broker.Request" })
  }

  @Test(arguments: [["--devices"], ["--seat", "seat-of-nobody"], ["--stats"]])
  func optionsForDevicesReadThem(_ arguments: [String]) throws {
    let broker = try broker(Self.granted)
    let process = try Command.process(
      ["watch", "--duration", "0.1"] + arguments, environment: ["GLISS_SOCKET": broker.path])
    _ = try Command.run(process)
    #expect(broker.calls.isEmpty)
  }

  private static let elsewhere = "the broker shows input only to the user whose session is on"

  @Test(arguments: [["watch", "--device", "/dev/null"], ["keys", "--device", "/dev/null"]])
  func aBrokerIsNotAskedHowItServesForDevicesThatAreNamed(_ arguments: [String]) throws {
    let broker = try broker(Self.granted, session: ["state": "inactive"])
    let process = try Command.process(arguments, environment: ["GLISS_SOCKET": broker.path])
    #expect(!(try Command.run(process).errors.contains(Self.elsewhere)))
    #expect(broker.calls.isEmpty)
  }

  @Test func aBrokerThatShowsNothingHereIsNotUsedAndThatIsSaid() throws {
    let broker = try broker(Self.granted, session: ["state": "inactive"])
    let command = try Command.run(broker, "watch", "--duration", "0.1")
    #expect(command.errors.contains(Self.elsewhere))
    #expect(command.errors.contains("the devices are read instead"))
    #expect(!command.errors.contains("gliss watch --broker"))
    #expect(broker.called("org.gliss.Broker.Monitor").isEmpty)
  }

  @Test func keysDoesNotUseABrokerThatShowsNothingHere() throws {
    let broker = try FakeBroker { call in
      switch call.method {
      case "org.gliss.Broker.Preflight":
        .result([
          "verdict": [
            "standing": "granted",
            "granted": [["scope": call.parameters["scope"] ?? [:], "availability": "always"]],
          ]
        ])
      case "org.gliss.Broker.Status":
        .result([
          "version": "0.1.0", "session": ["state": "inactive"], "clients": [], "hotkeys": [],
          "devices": [], "problems": [],
        ])
      case _: .hangUp
      }
    }
    let process = try Command.process(["keys"], environment: ["GLISS_SOCKET": broker.path])
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    var said = ""
    while !said.contains("\n") {
      let data = errors.fileHandleForReading.availableData
      try #require(!data.isEmpty)
      said += String(decoding: data, as: UTF8.self)
    }
    kill(process.processIdentifier, SIGINT)
    process.waitUntilExit()
    #expect(said.contains(Self.elsewhere) && said.contains("the devices are read instead"))
    #expect(broker.called("org.gliss.Broker.Monitor").isEmpty)
  }

  @Test func aNamedBrokerThatShowsNothingIsReported() throws {
    let broker = try broker(Self.granted, session: ["state": "inactive"])
    let command = try Command.run(broker, "watch", "--broker")
    #expect(command.errors.contains(Self.elsewhere) && !command.errors.contains("instead"))
    #expect(broker.called("org.gliss.Broker.Monitor").count == 1)
  }

  /// The state is the one of the user at the screen, if root asks.
  @Test(.enabled(if: getuid() == 0)) func rootIsAdvisedToRunItAsTheUserAtTheScreen() throws {
    let broker = try broker(Self.granted, session: ["state": "active", "user": 54_321])
    let command = try Command.run(broker, "watch", "--duration", "0.1")
    #expect(command.errors.contains("run this as 54321, without sudo"))
    #expect(broker.called("org.gliss.Broker.Monitor").isEmpty)
  }

  @Test func nobodyIsAskedForWhatTheBrokerHasNotGranted() throws {
    let broker = try broker(["standing": "notDetermined", "granted": [], "advice": "ask"])
    let command = try Command.run(broker, "watch", "--duration", "0.1")
    #expect(command.output == "")
    #expect(broker.calls.map(\.method) == ["org.gliss.Broker.Preflight"])
  }
}
