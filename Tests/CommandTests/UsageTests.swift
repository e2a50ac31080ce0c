import Foundation
import Testing

/// What the command says of itself, and what it makes of arguments that make no sense.
@Suite struct UsageTests {
  @Test func itsVersionIsANumber() throws {
    let command = try Command.run("--version")
    #expect(command.status == 0)
    #expect(command.output.split(separator: ".").count == 3)
    #expect(command.errors == "")
  }

  @Test(arguments: ["replay", "explain", "thresholds"])
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

  @Test func itsHelpDocumentsTheExitStatus() throws {
    let command = try Command.run("help")
    #expect(command.status == 0)
    for word in ["EXIT STATUS", "129", "130", "143", "replay", "explain", "thresholds"] {
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
    for name in ["replay", "explain", "thresholds", "--set"] {
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
