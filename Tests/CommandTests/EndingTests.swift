import Foundation
import Glibc
import Testing

/// How the command ends when the world outside does not go along.
@Suite(.timeLimit(.minutes(15))) struct EndingTests {
  @Test(arguments: [["replay", "--format", "jsonl", Command.demo], ["thresholds"], ["help"]])
  func aFullDiskIsAFailureWithAMessage(_ arguments: [String]) throws {
    let process = try Command.process(arguments)
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: "/dev/full"))
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = String(
      decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 1)
    #expect(said == "gliss: cannot write the output: No space left on device\n")
  }

  @Test(arguments: [["replay", "--format", "jsonl", Command.demo], ["thresholds"], ["help"]])
  func aReaderThatLeavesIsNoFailure(_ arguments: [String]) throws {
    let process = try Command.process(arguments)
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    process.standardOutput = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    close(ends[0])
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let said = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == 0)
    #expect(said.isEmpty)
  }

  @Test(arguments: [(SIGINT, 130), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalEndsItAfterAWholeLine(_ signal: Int32, _ status: Int32) throws {
    // at a hundredth of the speed it would take minutes
    let process = try Command.process([
      "replay", "--format", "jsonl", "--events", "touch", "--speed", "0.01", Command.demo,
    ])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    // a line must come before the process ends: each is flushed on its own
    var bytes = pipe.fileHandleForReading.availableData
    #expect(!bytes.isEmpty)
    kill(process.processIdentifier, signal)
    bytes += try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    #expect(process.terminationStatus == status)
    #expect(bytes.last == UInt8(ascii: "\n"))
  }

  @Test func aClosedOutputIsAFailureAndNotAFileOfItsOwn() throws {
    let command = try Command.shell("exec gliss replay \(Command.demo) >&-")
    #expect(command.status == 1)
    #expect(command.errors == "gliss: cannot write the output: Bad file descriptor\n")
  }

  @Test func aClosedInputIsSaidSo() throws {
    let command = try Command.shell("exec gliss replay - <&-")
    #expect(command.status == 2)
    #expect(command.errors == "gliss: -: it cannot be read: Bad file descriptor\n")
  }

  @Test func withoutStandardErrorTheStatusStaysWhatItIs() throws {
    let command = try Command.shell("exec gliss replay no-such-file \(Command.demo) 2>&-")
    #expect(command.status == 2)
    #expect(command.lines.contains { $0.contains("pinch") })
  }

  @Test func aReaderOfAPipeSeesEachLineAtOnce() throws {
    let process = try Command.process([
      "replay", "--format", "jsonl", "--events", "touch", "-",
    ])
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    // half a recording goes in and the pipe stays open: what it holds must come out all the same
    let data = try Data(contentsOf: Command.root.appending(path: Command.demo))
    try input.fileHandleForWriting.write(contentsOf: data.prefix(data.count / 2))
    #expect(!output.fileHandleForReading.availableData.isEmpty)
    try input.fileHandleForWriting.close()
    _ = try output.fileHandleForReading.readToEnd()
    process.waitUntilExit()
  }
}
