import Foundation
import GlissEvents
import GlissRecordings
import GlissSynthesis
import Testing

@testable import gliss_cli

/// `gliss plot` as a process.
@Suite struct PlotTests {
  private static let pinch = "recordings/small-pad/pinch-in-symmetric.yml"

  @Test func aPipeGetsThePicture() throws {
    let command = try Command.run("plot", Self.pinch)
    #expect(command.status == 0 && command.errors == "")
    #expect(command.output.hasPrefix("<svg ") && command.output.hasSuffix("</svg>\n"))
    #expect(command.output.contains(">pinch of 2, "))
    // the numbers are those of explain
    let explained = try Command.run("explain", Self.pinch)
    let lead = try #require(explained.output.firstMatch(of: /[0-9.]+ mm ahead of [a-z-]+/))
    #expect(command.output.contains(lead.output))
  }

  @Test(arguments: ["svg", "html"]) func theNameOfTheOutputSaysWhatItIs(_ ending: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "out.\(ending)").path
    let command = try Command.run("plot", "-o", path, Self.pinch)
    #expect(command.status == 0 && command.output == "" && command.errors == "")
    let text = try folder.text("out.\(ending)")
    #expect(text.hasPrefix(ending == "svg" ? "<svg " : "<!DOCTYPE html>"))
    #expect(!text.contains("{{"))
    // anybody may see it whom the umask lets
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
  }

  @Test(
    arguments: [
      (["plot", "-o", "x.pdf", pinch], "the name should end in .svg, .html or .png"),
      (["plot", "--stroke", "7", pinch], "has 1 stroke, so there is no number 7"),
      (["plot", "--stroke", "0", pinch], "--stroke counts from 1"),
      (["plot", pinch, pinch], "two recordings are drawn with --compare"),
      (["plot", "--compare", pinch], "--compare needs two recordings, or one and --set"),
      (["plot", "--compare", "-o", "x.html", pinch, pinch], "--compare draws svg and png"),
      (["plot", "-o", pinch, pinch], "is the recording itself"),
      (["plot", "--set", "motion.flor=1", pinch], "motion.floor"),
      (["plot", "/no/such/file"], "No such file"),
    ])
  func badUsageIsSaidAndNothingWritten(_ arguments: [String], _ words: String) throws {
    let command = try Command.run(arguments)
    #expect(command.status == 2)
    #expect(command.output == "")
    #expect(command.errors.contains(words), "\(command.errors)")
  }

  /// A pipe is read once, so other settings cannot be tried.
  @Test(arguments: ["\(pinch) --axes <(cat \(pinch))", "- < \(pinch)", "<(cat \(pinch))"])
  func aPageOfAPipeDoesNotClaimThatNothingWouldChange(_ files: String) throws {
    let command = try Command.shell("gliss plot --format html \(files)")
    #expect(command.status == 0)
    #expect(command.output.contains("\"grid\":[]"))
    #expect(command.errors.contains("can be read only once"))
  }

  @Test func anInputIsNotReplacedByWhateverNameItHas() throws {
    let folder = try TemporaryFolder()
    let bytes = try Data(contentsOf: Command.root.appending(path: Self.pinch))
    let path = try folder.write(bytes, as: "mine.yml")
    let link = folder.url.appending(path: "link.svg").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    for arguments in [["-o", link, path], ["--axes", path, "-o", link, Self.pinch]] {
      let command = try Command.run(["plot", "--format", "svg"] + arguments)
      #expect(command.status == 2 && command.errors.contains("itself; name another output"))
    }
    #expect(try Data(contentsOf: URL(filePath: path)) == bytes)
  }

  @Test func aLinkAndTheModeOfItsFileAreKept() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data("old".utf8), as: "real.svg")
    #expect(chmod(path, 0o600) == 0)
    let link = folder.url.appending(path: "link.svg").path
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
    #expect(try Command.run("plot", "-o", link, Self.pinch).status == 0)
    #expect(try folder.text("real.svg").hasPrefix("<svg "))
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func bothRecordingsMustHaveTheStroke() throws {
    let folder = try TemporaryFolder()
    let one = try String(contentsOf: Command.root.appending(path: Self.pinch), encoding: .utf8)
    let two = try folder.write(one + one, as: "two.yml")
    let command = try Command.run("plot", "--compare", "--stroke", "2", two, Self.pinch)
    #expect(command.status == 2 && command.output == "")
    #expect(command.errors.contains("pinch-in-symmetric.yml has 1 stroke"), "\(command.errors)")
  }

  @Test func readingEndsWithTheStrokeThatIsTooMany() throws {
    let folder = try TemporaryFolder()
    let trace = Stroke.hold(fingers: 1, for: .milliseconds(330)).trace(on: .medium, seed: 3)
    let events = (0..<70).flatMap { (number: Int) -> [EvdevEvent] in
      let offset = EventInterval.milliseconds(2000 * Double(number))
      return trace.events.map { event in
        var later = event
        later.time = event.time + offset
        return later
      }
    }
    let bytes = RecordingWriter.bytes(of: RecordedDevice(trace.device), events)
    // this would be reported, if it were reached
    let path = try folder.write(Data(bytes) + Data("garbage\n".utf8), as: "long.yml")
    let command = try Command.run("plot", path)
    #expect(command.status == 2 && command.output == "")
    let words = "gliss: more than 60 strokes are too many for one picture: "
    #expect(command.errors.hasPrefix(words), "\(command.errors)")
    #expect(command.errors.split(separator: "\n").count == 1, "\(command.errors)")
  }

  @Test func aPageHasALimitToo() throws {
    let folder = try TemporaryFolder()
    let pad = Stroke.hold(fingers: 1, for: .milliseconds(330)).trace(on: .medium, seed: 3).device
    let events = (0..<2010).flatMap { (number: Int32) -> [EvdevEvent] in
      let down = EventTime(microseconds: Int64(number) * 1_000_000)
      let up = down + .milliseconds(50)
      return [
        .absolute(.trackingID, number, at: down), .absolute(.positionX, 500, at: down),
        .absolute(.positionY, 500, at: down), .report(at: down),
        .absolute(.trackingID, -1, at: up), .report(at: up),
      ]
    }
    let path = try folder.write(
      Data(RecordingWriter.bytes(of: RecordedDevice(pad), events)), as: "long.yml")
    let command = try Command.run("plot", "--format", "html", path)
    #expect(command.status == 2 && command.output == "")
    let words = "gliss: more than 2000 strokes are too many for one page: "
    #expect(command.errors.hasPrefix(words), "\(command.errors)")
  }

  @Test func aHighPictureFitsIntoWhatCairoDraws() {
    #expect(PNGConversion.zoom(width: 900, height: 700) == 2)
    for height in [16_384.0, 20_000, 60_000] {
      let zoom = PNGConversion.zoom(width: 900, height: height)
      #expect(height * zoom <= 32_767 && height * zoom > 32_700)
    }
  }

  @Test func aFileThatCannotBeWrittenIsAnError() throws {
    let command = try Command.run("plot", "-o", "/no/such/folder/x.svg", Self.pinch)
    #expect(command.status == 1)
    #expect(command.errors.contains("/no/such/folder/x.svg: it cannot be written: No such file"))
  }

  /// The picture is longer than a pipe holds.
  @Test(arguments: ["-", "/dev/stdout"]) func aReaderMayLeaveEarly(_ output: String) throws {
    let command = try Command.shell(
      "set -o pipefail; gliss plot --format svg -o \(output) \(Command.demo) | head -c 10")
    #expect(command.status == 0 && command.errors == "", "\(command.errors)")
  }

  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["TSAN_OPTIONS"] == nil,
      "the thread sanitizer keeps its own data in a file, which the limit cuts off"))
  func aFileThatMayNotBecomeSoLongIsAnError() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "out.svg").path
    let command = try Command.shell("ulimit -f 1; exec gliss plot -o '\(path)' \(Self.pinch)")
    #expect(command.status == 1)
    #expect(command.errors.contains("it cannot be written: File too large"), "\(command.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func withoutRsvgItSaysWhatToInstall() throws {
    let process = try Command.process(
      ["plot", "--format", "png", "-o", "-", Self.pinch], environment: ["PATH": "/nowhere"])
    let command = try Command.run(process)
    #expect(command.status == 1 && command.output == "")
    #expect(command.errors.contains("apt install librsvg2-bin"))
  }

  @Test func aConverterThatWritesNothingIsAnError() throws {
    let folder = try TemporaryFolder()
    let program = try folder.write(Data("#!/bin/sh\ncat > /dev/null\n".utf8), as: "rsvg-convert")
    #expect(chmod(program, 0o755) == 0)
    let path = try folder.write(Data("old".utf8), as: "out.png")
    let process = try Command.process(
      ["plot", "-o", path, Self.pinch], environment: ["PATH": "\(folder.url.path):/usr/bin:/bin"])
    let command = try Command.run(process)
    #expect(command.status == 1 && command.errors.contains("wrote no picture"))
    #expect(try folder.text("out.png") == "old")
  }

  @Test func comparingShowsWithoutAndWithTheSettings() throws {
    let command = try Command.run("plot", "--compare", "--set", "lead.caution=5", Self.pinch)
    #expect(command.status == 0)
    #expect(command.output.contains("translate(900 0)"))
    #expect(command.output.components(separatedBy: "with lead.caution=5").count == 2)
  }

  /// What comes before a mistake in the file is drawn, and the status says that something is wrong.
  @Test func aBrokenRecordingIsDrawnAsFarAsItIsWhole() throws {
    let folder = try TemporaryFolder()
    let whole = try String(
      contentsOf: Command.root.appending(path: Self.pinch), encoding: .utf8)
    let path = try folder.write(whole + "  - evdev:\n    - [ nonsense\n", as: "broken.yml")
    let command = try Command.run("plot", path)
    #expect(command.status == 2)
    #expect(command.output.contains(">pinch of 2, "))
    #expect(command.errors.contains("broken.yml:"))
  }

  /// A tap that lasts too long: the recording, the picture that says so, the setting, and the tap.
  @Test func aStrangerFindsTheSettingThatHelps() throws {
    let folder = try TemporaryFolder()
    let trace = Stroke.hold(fingers: 2, for: .milliseconds(330)).trace(on: .medium, seed: 3)
    let bytes = RecordingWriter.bytes(of: RecordedDevice(trace.device), trace.events)
    let path = try folder.write(Data(bytes), as: "mine.yml")
    let before = try Command.run("plot", path).output
    #expect(before.contains("tap.duration"))
    #expect(before.contains("gestures: none"))
    let page = try Command.run("plot", "--format", "html", path).output
    let row = try #require(page.firstMatch(of: /"name":"tap.duration".*?"summary":"tap of 2"/))
    #expect(row.output.contains("\"500\""))
    let after = try Command.run("plot", "--set", "tap.duration=500", path).output
    #expect(after.contains(">tap of 2<"))
  }
}
