import Foundation
import Glibc
import GlissDevices
import Testing

/// `gliss watch` and `gliss record` as processes, on a seat that has no devices.
@Suite(.timeLimit(.minutes(15))) struct WatchTests {
  private static let seat = ["--seat", "seat-of-nobody"]

  @Test(arguments: [
    ("gesture", "touchpad or touchscreen"), ("key", "keyboard"), ("all", "device for these events"),
  ])
  func withoutADeviceItWaitsAndSaysForWhat(_ events: String, _ missing: String) throws {
    let command = try Command.run(["watch", "--duration", "0.1", "--events", events] + Self.seat)
    #expect(command.status == 0)
    #expect(command.output == "")
    let rest =
      try DeviceFinder().isUdevRunning ? " yet: waiting for one" : ", and without udev one that"
    #expect(command.errors.contains("seat-of-nobody has no \(missing)\(rest)"))
    #expect(command.errors.contains("gliss doctor"))
  }

  @Test func itsStatisticsAreOnStandardError() throws {
    let command = try Command.run(
      "watch", "--seat", "seat-of-nobody", "--duration", "0.1", "--stats", "--format", "jsonl")
    #expect(command.status == 0)
    #expect(command.output == "")
    #expect(command.errors.contains("gliss: 0 packets and 0 gestures in "))
    #expect(command.errors.contains(" s of CPU"))
  }

  @Test(arguments: [["/dev/null"], ["/no/such/device"], ["/dev/null", "/dev/zero"], ["/dev"]])
  func devicesThatCannotBeReadAreNamedOneByOne(_ paths: [String]) throws {
    for arguments in [["watch"], ["record", "--output", "/dev/null"]] {
      let command = try Command.run(arguments + ["--device"] + paths)
      #expect(command.status == 1)
      for path in paths {
        let reason =
          path == "/no/such/device" ? "the node does not exist" : "not an event device"
        #expect(command.errors.contains("gliss: \(path): \(reason)"))
      }
      #expect(command.errors.contains("gliss doctor"))
    }
  }

  @Test(
    arguments: [([SIGINT], 0), ([SIGTERM], 143), ([SIGHUP], 129), ([SIGINT, SIGINT], 0)]
      as [([Int32], Int32)])
  func aSignalEndsItWithItsStatistics(_ signals: [Int32], _ status: Int32) throws {
    let process = try Command.process(["watch", "--stats"] + Self.seat)
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    // from here on it is told of signals
    var said = errors.fileHandleForReading.availableData
    for signal in signals { kill(process.processIdentifier, signal) }
    said += try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == status)
    #expect(String(decoding: said, as: UTF8.self).contains(" s of CPU"))
  }

  @Test func aReaderThatLeavesEndsItThoughNothingHappens() throws {
    let command = try Command.shell(
      "gliss watch --seat seat-of-nobody | true; echo ${PIPESTATUS[0]}")
    #expect(command.output == "0\n")
  }

  @Test func recordSaysWhatToNameWhereThereIsNoTouchpad() throws {
    let command = try Command.run("record", "--seat", "seat-of-nobody")
    #expect(command.status == 1)
    #expect(command.output == "")
    #expect(command.errors.contains("--device"))
  }

  @Test func recordKeepsAFileThatIsThere() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("dear", as: "a.yml")
    let command = try Command.run("record", "-o", path, "--device", "/dev/null")
    #expect(command.status == 2)
    #expect(command.errors.hasPrefix("gliss: \(path): the file exists"))
    #expect(command.errors.contains("--force"))
    #expect(try folder.text("a.yml") == "dear")
  }

  @Test func recordMakesNoFileWhereNothingIsRecorded() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.yml").path
    let command = try Command.run("record", "-o", path, "--device", "/dev/null")
    #expect(command.status == 1)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
