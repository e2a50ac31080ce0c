import ArgumentParser
import Foundation
import Testing

@testable import gliss_cli

/// What the command says of itself, and what it makes of arguments that make no sense.
@Suite struct UsageTests {
  @Test func itsVersionIsANumber() throws {
    let command = try Command.run("--version")
    #expect(command.status == 0)
    #expect(command.output.split(separator: ".").count == 3)
    #expect(command.errors == "")
  }

  @Test(arguments: [
    "watch", "record", "replay", "explain", "thresholds", "devices", "doctor", "grants", "status",
    "pause", "resume", "lock", "check", "config", "run", "reload", "why", "import", "keys",
  ])
  func everySubcommandHasHelpWithExamples(_ name: String) throws {
    for arguments in [["help", name], [name, "--help"]] {
      let process = try Command.process(arguments)
      let pipe = Pipe()
      process.standardOutput = pipe
      try process.run()
      let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(String(decoding: bytes, as: UTF8.self).contains("EXAMPLES"))
    }
  }

  /// Wider lines are broken where they can no longer be copied.
  @Test func helpFitsATerminalAsItIsWritten() throws {
    func all(_ command: any ParsableCommand.Type, _ path: [String]) -> [(
      [String], CommandConfiguration
    )] {
      [(path, command.configuration)]
        + command.configuration.subcommands.flatMap {
          all($0, path + [$0.configuration.commandName ?? ""])
        }
    }
    for (path, configuration) in all(GlissCommand.self, []) {
      let name = path.joined(separator: " ")
      let help = try Command.run(path + ["--help"])
      let lines = Set(help.lines)
      for line in configuration.discussion.split(separator: "\n") {
        #expect(lines.contains(line), "gliss \(name)")
      }
      for line in lines { #expect(line.count <= 80, "gliss \(name)") }
    }
  }

  @Test func itsHelpDocumentsTheExitStatus() throws {
    let command = try Command.run("help")
    #expect(command.status == 0)
    for word in [
      "EXIT STATUS", "129", "130", "143", "watch", "record", "replay", "explain", "thresholds",
      "devices", "doctor", "grants", "status", "pause", "resume", "lock", "check",
      "config",
    ] {
      #expect(command.output.contains(word))
    }
  }

  @Test(
    arguments: [
      (["explain", "a", "b"], "explain takes one recording"),
      (["replay", "--events", "gesture,", "a"], "a value is missing after the last comma"),
    ])
  func theReasonIsSaid(_ arguments: [String], _ reason: String) throws {
    let command = try Command.run(arguments)
    #expect(command.status == 2 && command.errors.contains(reason), "\(command.errors)")
  }

  @Test(
    arguments: [
      ["--bogus"], ["replay"], ["replay", "--format", "xml", "a"], ["bogus"],
      ["replay", "--speed", "fast", "a"], ["replay", "--speed", "0", "a"],
      ["replay", ""], ["replay", "--speed", "nan", "a"],
      ["replay", "--events", "gesture,smell", "a"],
      ["replay", "--set", "motion.floor", "a"], ["replay", "--set", "motion.flor=1", "a"],
      ["replay", "--set", "motion.floor=1e9", "a"],
      ["replay", "--picture", "--format", "jsonl", "a"],
      ["explain"], ["explain", "a", "b"], ["explain", "--set", "motion.flor=0.5", "-"],
      ["devices", "--format", "jsonl"], ["devices", "--seat", ""], ["devices", "extra"],
      ["devices", "--all", "--seat", "seat0"], ["doctor", "--format", "xml"],
      ["doctor", "--seat", ""], ["doctor", "--layout", "us intl"], ["doctor", "extra"],
      ["watch", "--seat", "a", "--device", "/dev/null"], ["watch", "--seat", ""],
      ["watch", "--duration", "0"], ["watch", "--duration", "nan"], ["watch", "--events", "smell"],
      ["watch", "--set", "motion.flor=1"], ["watch", "file"], ["record", "--force"],
      ["record", "--device"], ["record", "--duration", "soon"],
      ["watch", "--broker", "--device", "/dev/null"], ["watch", "--broker", "--stats"],
      ["watch", "--broker", "--set", "motion.floor=1"], ["watch", "--devices", "--socket", "a"],
      ["watch", "--devices", "--broker"],
      ["grants", "--socket", ""], ["grants", "frant"], ["grants", "show"],
      ["grants", "show", "one"], ["grants", "list", "--tier", "all"],
      ["grants", "list", "--user", "no-such-user"], ["grants", "list", "--group", "a..b"],
      ["grants", "grant", "ls"], ["grants", "grant", "ls", "--tier", "hotkey"],
      ["grants", "grant", "ls", "--tier", "raw"],
      ["grants", "grant", "ls", "--tier", "gesture", "--events", "touch"],
      ["grants", "grant", "ls", "--tier", "raw", "--events", "key"],
      ["grants", "grant", "ls", "--tier", "raw", "--events", "touch", "--keys", "media"],
      ["grants", "grant", "ls", "--tier", "gesture", "--expires", "soon"],
      ["grants", "grant", "ls", "--tier", "gesture", "--expires", "2001-01-01"],
      ["grants", "grant", "ls", "--tier", "gesture", "--expires", "10000-01-01"],
      ["grants", "grant", "ls", "--tier", "gesture", "--availability", "often"],
      ["grants", "grant", "no-such-program", "--tier", "gesture"],
      ["grants", "grant", "unit:", "--tier", "gesture"],
      ["grants", "deny", "ls", "--tier", "gesture", "--expires", "once"],
      ["grants", "grant", "ls", "--tier", "touch", "--device", "/dev/input/event5"],
      ["grants", "answer", "1"], ["grants", "answer", "1", "--allow", "--deny"],
      ["grants", "change", "1"], ["grants", "revoke"], ["grants", "revoke", "--all"],
      ["grants", "revoke", "1", "--tier", "raw"], ["grants", "log", "--limit", "0"],
      ["grants", "log", "--action", "connected"],
      ["grants", "import"], ["grants", "group", "add"], ["grants", "group", "add", "org.a"],
      ["grants", "group", "add", "a", "unit:a"], ["grants", "group", "bogus"],
      ["grants", "group", "remove", "org.a", "unit:"], ["grants", "group", "list", "extra"],
      ["status", "extra"], ["lock"], ["lock", "true"], ["lock", "--"],
      ["check", "--format", "xml"], ["check", "-", "-"], ["config", "bogus"],
      ["config", "path", "extra"], ["run", "--broker", "--devices"], ["run", "a.yml"],
      ["run", "--stop", "--dry-run"], ["run", "--stop", "--broker"], ["run", "--format", "jsonl"],
      ["run", "--dry-run", "--broker"], ["keys", "--count", "0"], ["keys", "--count", "-1"],
      ["keys", "--seat", "a", "b.yml"], ["keys", "-", "-"],
      ["keys", "--socket", "a", "--seat", "b"], ["keys", "--socket", "a", "b.yml"],
    ])
  func badUsageIsStatusTwoAndOneLineOfReason(_ arguments: [String]) throws {
    let process = try Command.process(arguments)
    let pipe = Pipe()
    process.standardError = pipe
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let errors = String(
      decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 2)
    #expect(errors.hasPrefix("gliss: "))
    #expect(!errors.contains("Error:"))
  }

  /// Even if its value is taken for something else.
  @Test(arguments: [
    (["watch", "--evnts", "gesture"], "--evnts"), (["run", "--dryrun", "a.yml"], "--dryrun"),
    (["replay", "--fromat", "jsonl", "a"], "--fromat"),
  ])
  func anUnknownOptionIsNamed(_ arguments: [String], _ option: String) throws {
    let command = try Command.run(arguments)
    #expect(command.status == 2)
    #expect(command.errors.hasPrefix("gliss: Unknown option '\(option)'"), "\(command.errors)")
  }

  @Test(arguments: [
    (["watch", "--duration", "-1"], "'-1' is not a number of seconds above 0"),
    (["record", "--duration", "-0.5"], "'-0.5' is not a number of seconds above 0"),
    (["record", "--duration", "--force"], "'--force' is not a number of seconds above 0"),
    (["watch", "--events", "key", "--repeat-delay", "-5"], "--repeat-delay is from 50 to 10000"),
    (["watch", "--events", "key", "--repeat-rate", "-5"], "--repeat-rate is 0, or from 0.2"),
    (["replay", "--speed", "-1", "a"], "'-1' is neither 'max' nor a number from 0.001"),
    (["grants", "log", "--limit", "-1"], "--limit is"),
  ])
  func aNegativeNumberIsSaidWhatItMustBe(_ arguments: [String], _ sentence: String) throws {
    let command = try Command.run(arguments)
    #expect(command.status == 2 && command.errors.contains(sentence), "\(command.errors)")
    #expect(!command.errors.contains("Missing value"))
  }

  @Test(arguments: [
    (
      ["grants", "grnat", "a"],
      "there is no command “grnat” of 'gliss grants'; did you mean grant?"
    ),
    (
      ["help", "grants", "group", "ad"],
      "there is no command “ad” of 'gliss grants group'; did you mean add?"
    ),
    (["chek", "a.yaml"], "there is no command “chek”; did you mean check?"),
    (["help", "Replya"], "there is no command “Replya”; did you mean replay?"),
    (["init"], "there is no command “init”; did you mean 'gliss config example'?"),
    (["version"], "there is no command “version”; did you mean 'gliss --version'?"),
    (["man"], "there is no command “man”; did you mean 'gliss help'?"),
    (
      ["completions", "bash"],
      "there is no command “completions”; did you mean 'gliss --generate-completion-script bash'?"
    ),
    (["rnu"], "there is no command “rnu”; did you mean run?"),
    (["pan"], "there is no command “pan”; 'gliss --help' lists them"),
    (["help", "nosuch"], "there is no command “nosuch”; 'gliss --help' lists them"),
  ])
  func aMisspelledCommandNamesTheNearest(_ arguments: [String], _ errors: String) throws {
    let command = try Command.run(arguments)
    #expect(command.errors == "gliss: \(errors)\n")
    #expect(command.status == 2 && command.output.isEmpty)
  }

  @Test func aMisspelledSettingNamesTheNearest() throws {
    let command = try Command.run("replay", "--set", "motion.flor=1", Command.demo)
    #expect(command.errors.contains("motion.floor"))
    #expect(command.errors.contains("unknown setting “motion.flor”"))
  }

  @Test func aSettingOutOfRangeNamesTheRange() throws {
    let command = try Command.run("replay", "--set", "motion.floor=99", Command.demo)
    #expect(command.errors.contains("from 0.1 to 5"))
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func completionScriptsKnowTheSubcommands(_ shell: String) throws {
    let command = try Command.run("--generate-completion-script", shell)
    #expect(command.status == 0)
    for name in ["watch", "record", "replay", "explain", "thresholds", "--set", "device"] {
      #expect(command.output.contains(name))
    }
  }

  /// The reader of messages may leave, as in `2>&1 | head -1`.
  @Test(arguments: [("nothing: 1", 2), ("gestures: [{gesture: tap, do: {run: [/no/such]}}]", 0)])
  func withoutAReaderOfMessagesTheStatusStays(_ rules: String, _ status: Int32) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    let script = #"exec 3> >(:); wait $!; printf '%s\n' "$1" | "$0" check - 2>&3"#
    process.arguments = ["-c", script, try Command.executable().path, rules]
    #expect(try Command.run(process).status == status)
  }

  @Test func thresholdsListsEverySettingInBothFormats() throws {
    let table = try Command.run("thresholds")
    let json = try Command.run("thresholds", "--format", "json")
    #expect(table.status == 0 && json.status == 0)
    let settings = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(settings.count > 20)
    for setting in settings {
      let name = try #require(setting["name"] as? String)
      #expect(table.output.contains(name))
      let value = try #require(setting["default"] as? Double)
      let (low, high) = (setting["minimum"] as? Double, setting["maximum"] as? Double)
      #expect(try #require(low) <= value && value <= #require(high), "\(name)")
      #expect((setting["summary"] as? String)?.isEmpty == false, "\(name)")
    }
  }

  @Test(arguments: [("tap.movement", 1...1), ("tap", 2...20), ("tap.", 2...20)])
  func thresholdsListsThoseWithThatName(_ name: String, _ count: ClosedRange<Int>) throws {
    let table = try Command.run("thresholds", name)
    let json = try Command.run("thresholds", "--format", "json", name)
    let settings = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]])
    #expect(count.contains(settings.count))
    #expect(settings.allSatisfy { ($0["name"] as? String)?.hasPrefix(name) == true })
    let rows = table.lines.filter { $0.hasPrefix(name) }
    #expect(rows.count == settings.count && !table.lines.contains { $0.hasPrefix("motion.") })
  }

  @Test(arguments: [("tap.movment", "tap.movement"), ("moton", "motion")])
  func anUnknownThresholdNamesTheNearest(_ name: String, _ nearest: String) throws {
    let command = try Command.run("thresholds", name)
    #expect(command.status == 2 && command.output.isEmpty)
    #expect(command.errors == "gliss: unknown setting “\(name)”; did you mean \(nearest)?\n")
  }

  @Test func switchesAreTrueOrFalse() throws {
    let lines = try Command.run("thresholds").lines
    for (name, value) in [("anchor.turns", "false"), ("typing.disables", "true")] {
      let row = try #require(lines.first { $0.hasPrefix("\(name) ") })
      #expect(row.split(separator: " ").dropFirst() == [Substring(value), "true", "or", "false"])
    }
  }

  @Test func whyNamesTheCommandForRecordings() throws {
    let command = try Command.run("why", "mine.yml")
    #expect(command.status == 2)
    #expect(command.errors.contains("for a recording: gliss explain mine.yml"))
  }
}
