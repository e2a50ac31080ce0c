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
    "watch", "record", "replay", "explain", "thresholds", "devices", "doctor",
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
    let commands: [any ParsableCommand.Type] =
      [GlissCommand.self] + GlissCommand.configuration.subcommands
    for command in commands {
      let configuration = command.configuration
      let name = configuration.commandName ?? ""
      let help = try Command.run(name == "gliss" ? ["--help"] : [name, "--help"])
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
      "devices", "doctor",
    ] {
      #expect(command.output.contains(word))
    }
  }

  @Test(
    arguments: [
      ["--bogus"], ["replay"], ["replay", "--format", "xml", "a"], ["bogus"],
      ["replay", "--speed", "fast", "a"], ["replay", "--speed", "0", "a"],
      ["replay", "--speed", "nan", "a"], ["replay", "--events", "gesture,smell", "a"],
      ["replay", "--set", "motion.floor", "a"], ["replay", "--set", "motion.flor=1", "a"],
      ["replay", "--set", "motion.floor=1e9", "a"],
      ["replay", "--picture", "--format", "jsonl", "a"],
      ["explain"], ["explain", "--set", "motion.flor=0.5", "-"],
      ["devices", "--format", "jsonl"], ["devices", "--seat", ""], ["devices", "extra"],
      ["devices", "--all", "--seat", "seat0"], ["doctor", "--format", "xml"],
      ["doctor", "--seat", ""], ["doctor", "--layout", "us intl"], ["doctor", "extra"],
      ["watch", "--seat", "a", "--device", "/dev/null"], ["watch", "--seat", ""],
      ["watch", "--duration", "0"], ["watch", "--duration", "nan"], ["watch", "--events", "smell"],
      ["watch", "--set", "motion.flor=1"], ["watch", "file"], ["record", "--force"],
      ["record", "--device"], ["record", "--duration", "soon"],
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

  @Test func aMisspelledSettingNamesTheNearest() throws {
    let command = try Command.run("replay", "--set", "motion.flor=1", Command.demo)
    #expect(command.errors.contains("motion.floor"))
    #expect(command.errors.contains("gliss thresholds"))
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
}
