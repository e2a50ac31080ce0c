import Foundation
import Testing

/// `gliss replay` as a process.
@Suite struct ReplayTests {
  /// The gestures of the demonstration, in their order.
  static let gestures = ["drag", "pinch", "rotate", "swipe", "tap", "hold"]

  @Test func theTableHasARowForEachGesture() throws {
    let command = try Command.run("replay", Command.demo)
    #expect(command.status == 0)
    #expect(command.errors == "")
    for name in Self.gestures {
      #expect(command.lines.contains { $0.contains(" \(name)") }, "no \(name)")
    }
    #expect(!command.output.contains("\u{1b}"))
  }

  @Test func jsonLinesCarryFileAndDevice() throws {
    let command = try Command.run("replay", "--format", "jsonl", "--events", "all", Command.demo)
    #expect(command.status == 0)
    #expect(command.lines.count > 100)
    var last = -1.0
    for line in command.lines {
      let object = try #require(
        JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      #expect(object["file"] as? String == Command.demo)
      #expect(object["device"] as? String == "Gliss Medium Pad")
      let time = try #require(object["time"] as? Double)
      #expect(time >= last)
      last = time
    }
  }

  @Test func standardInputIsTheSameRecording() throws {
    let data = try Data(contentsOf: Command.root.appending(path: Command.demo))
    let named = try Command.run("replay", "--format", "jsonl", Command.demo)
    let piped = try Command.run("replay", "--format", "jsonl", "-", input: data)
    #expect(piped.status == 0)
    #expect(
      named.output.replacing("\"file\":\"\(Command.demo)\"", with: "\"file\":\"-\"") == piped.output
    )
  }

  @Test func onlyTheEventsThatWereAskedForArePrinted() throws {
    let touches = try Command.run("replay", "--format", "jsonl", "--events", "touch", Command.demo)
    #expect(!touches.lines.isEmpty)
    #expect(touches.lines.allSatisfy { $0.contains("\"kind\":\"touch\"") })
  }

  @Test func devicesAreReportedAsAdded() throws {
    let command = try Command.run("replay", "--format", "jsonl", "--events", "device", Command.demo)
    #expect(command.lines.count == 1)
    #expect(command.lines.first?.contains("\"change\":\"added\"") == true)
  }

  /// A drag in the middle of which the kernel has dropped events.
  private func lossy(_ folder: TemporaryFolder) throws -> String {
    let text = try String(
      contentsOf: Command.root.appending(path: "recordings/medium-pad/drag-converging.yml"),
      encoding: .utf8)
    var packets = text.components(separatedBy: "  - evdev:\n")
    let middle = packets.count / 2
    let time = packets[middle].split(separator: "[")[1].prefix { $0 != "]" }.split(separator: ",")
    packets[middle] =
      "    - [\(time[0]),\(time[1]),   0,   3,       0] # SYN_DROPPED\n"
      + "    - [\(time[0]),\(time[1]),   0,   0,       0]\n"
    return try folder.write(packets.joined(separator: "  - evdev:\n"), as: "lossy.yml")
  }

  @Test(arguments: ["gesture", "touch"])
  func aLossIsPrintedWhateverIsAskedFor(_ kind: String) throws {
    let folder = try TemporaryFolder()
    let path = try lossy(folder)
    let table = try Command.run("replay", "--events", kind, path)
    let rows = table.lines.filter { $0.contains(" lost ") }
    #expect(rows.count == 1 && table.status == 0)
    #expect(rows.first?.contains("events that were not read in time, since 0.") == true)
    let lines = try Command.run("replay", "--format", "jsonl", "--events", kind, path).lines
    let losses = lines.indices.filter { lines[$0].contains(#""kind":"lost","since":"#) }
    #expect(losses.count == 1)
    // what was under way ends because of it, and after it
    let end = lines.firstIndex { $0.contains(#""phase":"cancelled""#) }
    #expect(losses.first.flatMap { loss in end.map { loss < $0 } } == true, "\(lines)")
  }

  @Test func speedDoesNotChangeWhatIsPrinted() throws {
    let fast = try Command.run("replay", "--format", "jsonl", Command.demo)
    let paced = try Command.run("replay", "--format", "jsonl", "--speed", "50", Command.demo)
    #expect(fast.output == paced.output)
  }

  @Test func aMissingFileDoesNotHideTheOthers() throws {
    let command = try Command.run("replay", "no-such-file", Command.demo)
    #expect(command.status == 2)
    #expect(command.errors.hasPrefix("gliss: no-such-file: "))
    #expect(command.lines.contains { $0.contains("pinch") })
  }

  @Test func aBadLineIsNamedAndAllBeforeItIsPrinted() throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let bad = lines.count / 2
    lines[bad] = "      - [  1, oops"
    let path = try folder.write(lines.joined(separator: "\n"), as: "bad.yml")
    let command = try Command.run("replay", "--format", "jsonl", path)
    #expect(command.status == 2)
    #expect(command.errors.hasPrefix("gliss: \(path):\(bad + 1): "))
    let whole = try Command.run("replay", "--format", "jsonl", Command.demo)
    let printed = command.output.replacing(path, with: Command.demo).split(separator: "\n")
      .filter { !$0.contains("\"cancelled\"") }
    #expect(printed.count > 10)
    #expect(Array(whole.lines.prefix(printed.count)) == printed)
  }

  @Test(
    arguments: [
      ["replay"], ["explain"], ["run", "--dry-run", "--config", "CONFIG"],
    ])
  func aLineThatIsNotUnderstoodEndsNoRecordingInSilence(_ command: [String]) throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    lines[399] = "garbage"
    let path = try folder.write(lines.joined(separator: "\n"), as: "bad.yml")
    let rules = try folder.write("gestures: [{gesture: tap, do: {mode: none}}]\n", as: "my.yaml")
    let words = command.map { $0 == "CONFIG" ? rules : $0 }
    // `explain` takes one file
    let others = command == ["explain"] ? [] : [Command.demo]
    let outcome = try Command.run(words + [path] + others)
    #expect(outcome.status == 2)
    let said = "gliss: \(path):400: not a line of a libinput recording\n"
    #expect(outcome.errors.contains(said), "\(outcome.errors)")
    // what stands before the line is printed, and so are other files
    #expect(outcome.lines.count > 2)
    if !others.isEmpty {
      let alone = try Command.run(words + others)
      #expect(alone.status == 0, "\(alone.errors)")
      #expect(outcome.lines.suffix(5) == alone.lines.suffix(5))
    }
  }

  @Test func aRecordingWithoutGesturesHasTheSameHead() throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    let start = text.split(separator: "\n").prefix(60).joined(separator: "\n")
    let path = try folder.write(start + "\n", as: "start.yml")
    let command = try Command.run("replay", path)
    #expect(command.status == 0, "\(command.errors)")
    let head = "\(path) · Gliss Medium Pad, 105 × 66 mm\n  nothing recognized; to see why: "
    #expect(command.output.hasPrefix(head), "\(command.output)")
  }

  /// A mouse that moves, and that `gliss explain` can say nothing about.
  @Test func whatAMouseCannotGiveIsSaid() throws {
    let folder = try TemporaryFolder()
    let lines = [
      "N: Mouse", "B: 01 00 00 00 00 00 00 00 00", "B: 01 00 00 00 00 00 00 00 00",
      "B: 01 00 00 00 00 00 00 00 00", "B: 01 00 00 00 00 00 00 00 00",
      "B: 01 00 00 07 00 00 00 00 00", "B: 02 03 01 00 00 00 00 00 00", "E: 0.0 0002 0000 5",
      "E: 0.0 0000 0000 0", "",
    ]
    let path = try folder.write(Data(lines.joined(separator: "\n").utf8), as: "mouse.evemu")
    let gestures = try Command.run("replay", path).output
    #expect(gestures.hasSuffix("  no touchpad or touchscreen in this recording\n"), "\(gestures)")
    let pointer = try Command.run("replay", "--events", "pointer", path).output
    #expect(pointer.contains("recordings have no pointer motion, only buttons"), "\(pointer)")
  }

  @Test(arguments: [("", false), ("E: 1.0", true)])
  func onlyWhereSomethingIsSkippedTheRestIsSaidToBePlayed(_ end: String, _ isSkipped: Bool) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("E: 1.000000 0003 0035 5\n" + end, as: "mine.events")
    let errors = try Command.run("replay", path).errors
    #expect(errors.contains("nothing describes the device"), "\(errors)")
    #expect(errors.contains("everything else is played") == isSkipped, "\(errors)")
    #expect(!errors.contains("--axes FILE; everything"), "\(errors)")
  }

  @Test func aFileThatIsNoRecordingIsReported() throws {
    let command = try Command.run("replay", "README.md")
    #expect(command.status == 2)
    #expect(command.errors.hasPrefix("gliss: README.md:"))
    #expect(command.output == "")
  }

  @Test func standardInputIsReadFromWhereItStands() throws {
    let command = try Command.shell("head -c 3 >/dev/null; exec gliss replay -", input: "xyz")
    #expect(command.errors == "gliss: -: the recording is empty\n")
    let demo = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    let rest = try Command.shell(
      "read -r line; exec gliss replay --format jsonl -", input: "no recording\n" + demo)
    let whole = try Command.run("replay", "--format", "jsonl", Command.demo)
    #expect(rest.status == 0)
    #expect(rest.output.replacing("\"-\"", with: "\"\(Command.demo)\"") == whole.output)
  }

  @Test func aNameThatIsNotUTF8IsSaidSoAndDoesNotHideTheOthers() throws {
    let command = try Command.shell(
      #"exec gliss replay "$(printf 'bad\377.yml')" \#(Command.demo)"#)
    #expect(command.status == 2)
    #expect(command.errors.contains("its name is not UTF-8"))
    #expect(command.lines.contains { $0.contains("pinch") })
  }

  @Test(arguments: [(["replay"], "text"), (["replay", "--format", "jsonl"], "jsonl")])
  func namesCannotHideInControlsOfEightBits(_ arguments: [String], _ format: String) throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    let path = try folder.write(
      text.replacing("Gliss Medium Pad", with: "Pad\\u009b31m\\u202e"), as: "colour.yml")
    let process = try Command.process(arguments + [path])
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let output = String(decoding: bytes, as: UTF8.self)
    #expect(output.contains("31m"))
    #expect(!output.unicodeScalars.contains("\u{9b}"))
    if format == "text" { #expect(!output.unicodeScalars.contains("\u{202e}")) }
  }

  @Test func namesFromFilesCannotDriveTheTerminal() throws {
    let folder = try TemporaryFolder()
    let text = try String(
      contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    let path = try folder.write(
      text.replacing("Gliss Medium Pad", with: "Pad\\e[31m\\a"), as: "colour.yml")
    let command = try Command.run("replay", path)
    #expect(!command.output.isEmpty)
    #expect(!command.output.contains("\u{1b}"))
    #expect(!command.output.contains("\u{7}"))
  }
}
