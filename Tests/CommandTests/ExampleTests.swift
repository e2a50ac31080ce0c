import Foundation
import Testing

/// The programs in Examples/, which this target builds, and what they print.
@Suite struct ExampleTests {
  private func run(_ name: String, _ arguments: String...) throws -> Command {
    let process = try Command.process(
      arguments, environment: ["GLISS_SOCKET": "/no/such/broker"])
    process.executableURL = try Command.executable().deletingLastPathComponent()
      .appending(path: name)
    return try Command.run(process)
  }

  @Test func theZoomOfARecording() throws {
    let lines = try run("example-zoom", Command.demo).lines
    #expect(lines.first?.hasPrefix("began") == true && lines.last?.hasPrefix("ended") == true)
    let missing = try run("example-zoom", "/no/such/file")
    #expect(missing.errors.contains("/no/such/file") && missing.status == 1, "\(missing.errors)")
  }

  @Test func dragsUnder5MillimetresAreSwallowed() throws {
    let lines = try run("example-short-drags").lines
    try #require(lines.count == 4, "\(lines)")
    #expect(lines[0...1] == ["a drag of 4.0 mm", "a drag of 30.0 mm"])
    #expect(lines[2] == "began at 0.0 mm" && lines[3].hasPrefix("ended at 3"))
  }

  @Test(arguments: [
    ("example-hotkeys", "remote"), ("example-global-monitor", ""),
    ("example-chosen-hotkeys", #"{"openTerminal": "super+u"}"#),
  ])
  func withoutABrokerTheySayHowToStartIt(_ name: String, _ argument: String) throws {
    let command = try run(name, argument)
    let text = command.errors + command.output
    #expect(text.contains("/no/such/broker") && text.contains("systemctl"), "\(text)")
  }

  @Test func aMistakeInAChosenHotkeyIsReported() throws {
    let command = try run("example-chosen-hotkeys", #"{"openTerminal": "supr+u"}"#)
    let text = command.errors + command.output
    #expect(text.contains("supr") && text.contains("openTerminal"), "\(text)")
  }

  @Test func anActorFollowsLiveDevicesUntilItIsCancelled() throws {
    let command = try run("example-live-actor")
    #expect(command.status == 0 && command.lines.count == 1, "\(command.output)")
  }

  /// They read until Return is pressed, or the input ends, as here.
  @Test(arguments: [("thread", []), ("actor", ["zoomed by 1.0"]), ("queue", [])])
  func liveDevicesAreReadOnAThreadAnActorAndALoop(_ way: String, _ printed: [Substring]) throws {
    let command = try run("example-loops", way)
    // this machine may have a touchpad
    let lines = command.lines.filter { !$0.hasPrefix("no touchpad yet") }
    #expect(command.status == 0 && lines == printed, "\(command.output)\(command.errors)")
  }

  @Test func eachHasAtMost30Lines() throws {
    let folder = Command.root.appending(path: "Examples")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".build") }
    #expect(files.count == 14)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 31, "\(file)")
    }
  }
}
