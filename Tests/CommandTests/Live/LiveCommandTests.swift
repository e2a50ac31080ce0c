import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

/// `gliss watch` and `gliss record` on devices that the kernel makes for the test.
@Suite(
  .serialized, .timeLimit(.minutes(15)),
  .enabled(if: Live.isAsked, "these run in tools/test live"))
struct LiveCommandTests {
  private static let jsonl = ["watch", "--format", "jsonl", "--events"]

  private static let keyboard = Device(
    name: "Gliss Keyboard", identifier: .init(bus: 3, vendor: 0x6c73, product: 7, version: 1),
    keys: Set((1...120).map { Key(rawValue: $0) }))

  private static func pinch(seed: UInt64) -> Trace {
    Stroke.pinch(from: 20, to: 50).trace(on: .medium, seed: seed)
  }

  private func press(_ key: Key, on device: VirtualDevice) throws {
    for value in [Int32(1), 0] {
      try device.write(.key(key, value, at: .zero))
      try device.write(.report(at: .zero))
    }
  }

  /// Time and all else of each line of JSON.
  private func lines(_ output: String) -> [(time: Double, rest: String)] {
    output.split(separator: "\n").map { line in
      let rest = line.replacing(#/"time":([0-9.]+),("file":"[^"]*",)?/#, with: "")
      let time = line.firstMatch(of: #/"time":([0-9.]+)/#).flatMap { Double($0.1) }
      return (time ?? -1, String(rest))
    }
  }

  @Test func watchAndReplayDifferOnlyInTheirClock() throws {
    let trace = Self.pinch(seed: 1)
    let device = try VirtualDevice.settled(trace.device)
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.yml").path
    let recorder = try Listener(["record", "--output", path], on: [device.path])
    let watcher = try Listener(Self.jsonl + ["gesture,touch", "--stats"], on: [device.path])
    try device.play(trace.events)
    try watcher.wait(for: "the gesture's end") {
      watcher.output.contains(#""gesture":"pinch","phase":"ended""#)
    }
    let (watched, recorded) = (try watcher.finish(), try recorder.finish())
    #expect(watched.status == 0 && recorded.status == 0)
    #expect(watched.errors.contains("latency from the kernel's time"))
    #expect(recorded.errors.contains(" are in \(path)"))
    let replayed = try Command.run("replay", "--format", "jsonl", "--events", "gesture,touch", path)
    let (live, later) = (lines(watched.output), lines(replayed.output))
    #expect(live.map(\.rest) == later.map(\.rest))
    let offset = try #require(live.first).time - (try #require(later.first)).time
    let strays = zip(live, later).filter { abs($0.time - $1.time - offset) > 1e-6 }
    #expect(strays.isEmpty, "from line \(live.count - strays.count) on")
  }

  /// A user's own strokes become test data: each has a file that says what it was meant to be.
  @Test func labelledStrokesAreRecordedOneByOne() throws {
    let swipe = Stroke.swipe(fingers: 3, direction: .left, distance: 40).trace(on: .medium, seed: 6)
    let device = try VirtualDevice.settled(swipe.device)
    let folder = try TemporaryFolder()
    let recorder = try Listener(
      [
        "record", "--label", folder.url.path, "--strokes", "pinch-out,swipe3-left", "--times", "1",
      ], on: [device.path])
    try recorder.wait(for: "the first question") { recorder.errors.contains("[pinch-out]") }
    try device.play(Self.pinch(seed: 5).events)
    try recorder.wait(for: "the second question") { recorder.errors.contains("[swipe3-left]") }
    try device.play(swipe.events)
    try recorder.wait(for: "the end") { recorder.errors.contains("2 strokes are in") }
    let ended = try recorder.finish(nil)
    #expect(ended.status == 0, "\(ended.errors)")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    try #require(files == ["pinch-out-01.yml", "swipe3-left-01.yml"])
    for (file, gesture) in zip(files, ["pinch", "swipe"]) {
      let path = folder.url.appending(path: file).path
      let replayed = try Command.run("replay", "--format", "jsonl", "--events", "gesture", path)
      #expect(replayed.output.contains(#""gesture":"\#(gesture)","phase":"ended""#), "\(file)")
    }
  }

  @Test func aReaderThatStallsLosesNothing() throws {
    // some hundred kB: no pipe holds them
    let swipe = Stroke.swipe(fingers: 5, direction: .left, distance: 60).with {
      $0.durationMilliseconds = 3000
    }
    let trace = swipe.trace(on: .large, seed: 2)
    let device = try VirtualDevice.settled(trace.device)
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.yml").path
    let recorder = try Listener(["record", "--output", path], on: [device.path])
    let pipe = Pipe()
    let watcher = try Listener(
      Self.jsonl + ["touch,device", "--stats"], on: [device.path], output: pipe)
    // a program that does something for the first time takes longer than the kernel's queue lasts
    try device.play(Stroke.tap().trace(on: .large, seed: 1).events)
    usleep(500_000)
    try device.play(trace.events)
    let other = try Listener(Self.jsonl + ["gesture"], on: [device.path])
    usleep(300_000)
    _ = try other.finish()
    kill(watcher.process.processIdentifier, SIGINT)
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    let watched = try watcher.finish(nil)
    _ = try recorder.finish()
    #expect(watched.status == 0)
    #expect(watched.errors.contains("losses (SYN_DROPPED) 0"))
    let replayed = try Command.run("replay", "--format", "jsonl", "--events", "touch", path)
    let live = lines(String(decoding: bytes, as: UTF8.self)).map(\.rest)
      .filter { $0.contains("touch") }
    #expect(bytes.count > 100_000)
    #expect(live == lines(replayed.output).map(\.rest))
  }

  @Test func aDeviceThatIsUnpluggedEndsIt() throws {
    let trace = Self.pinch(seed: 3)
    let device = try VirtualDevice.settled(trace.device)
    let watcher = try Listener(Self.jsonl + ["gesture,device"], on: [device.path])
    try device.play(trace.events.prefix(trace.events.count * 3 / 4))
    try watcher.wait(for: "a gesture") { watcher.output.contains("changed") }
    device.close()
    let watched = try watcher.finish(nil)
    #expect(watched.status == 0)
    let last = watched.lines.suffix(2)
    #expect(last.first?.contains(#""phase":"cancelled""#) == true)
    #expect(last.last?.contains(#""change":"removed""#) == true)
  }

  @Test func nothingWakesItWithoutInput() throws {
    let device = try VirtualDevice.settled(Self.pinch(seed: 4).device)
    let watcher = try Listener(["watch", "--format", "jsonl"], on: [device.path])
    let path = "/proc/\(watcher.process.processIdentifier)/status"
    func switches() throws -> [Substring] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        .filter { $0.contains("ctxt_switches") }
    }
    usleep(1_000_000)
    let before = try switches()
    usleep(2_000_000)
    #expect(try switches().first == before.first)
    #expect(before.count == 2)
    _ = try watcher.finish()
  }

  @Test(arguments: [(["--show-keys"], "KEY_Q"), ([], "KEY_A")])
  func typedKeysAreRecordedOnlyOnRequest(_ option: [String], _ name: String) throws {
    let device = try VirtualDevice.settled(Self.keyboard)
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.yml").path
    let recorder = try Listener(["record", "--output", path] + option, on: [device.path])
    try press(try #require(Key(name: "KEY_Q")), on: device)
    try press(try #require(Key(name: "KEY_F11")), on: device)
    try recorder.wait(for: "the keys") {
      (try? folder.text("a.yml").contains("KEY_F11")) ?? false
    }
    let recorded = try recorder.finish()
    #expect(recorded.errors.contains("passwords") == !option.isEmpty)
    let replayed = try Command.run("replay", "--format", "jsonl", "--events", "key", path)
    let keys = replayed.lines.compactMap { $0.firstMatch(of: #/"key":"(\w+)"/#)?.1 }
    #expect(keys == [Substring(name), Substring(name), "KEY_F11", "KEY_F11"])
  }

  /// Its state when it is opened is no sign of a finger.
  @Test func aPadThatNobodyTouchesIsAskedAboutOnce() throws {
    let pad = try VirtualDevice.settled(Self.pinch(seed: 5).device)
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.yml").path
    let recorder = try Listener(["record", "--output", path], on: [pad.path])
    usleep(4_000_000)
    #expect(!recorder.errors.contains("no events have come"))
    usleep(3_000_000)
    let said = try recorder.finish().errors.components(separatedBy: "no events have come from")
    #expect(said.count == 2)
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func severalDevicesAreWholeHoweverItEnds(_ signal: Int32) throws {
    let trace = Self.pinch(seed: 5)
    let pad = try VirtualDevice.settled(trace.device)
    let keyboard = try VirtualDevice.settled(Self.keyboard)
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "a.yml").path
    let recorder = try Listener(["record", "--output", path], on: [pad.path, keyboard.path])
    try press(.a, on: keyboard)
    try pad.play(trace.events)
    try press(.leftShift, on: keyboard)
    try recorder.wait(for: "the keys") {
      (try? folder.text("a.yml.2.part").components(separatedBy: "SYN_REPORT").count == 5) ?? false
    }
    let recorded = try recorder.finish(signal)
    #expect(recorded.status == (signal == SIGINT ? 0 : -1))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == (signal == SIGINT ? ["a.yml"] : ["a.yml", "a.yml.2.part"]))
    var kinds: Set<Substring> = []
    for name in names {
      let file = folder.url.appending(path: name).path
      let replayed = try Command.run(
        "replay", "--format", "jsonl", "--events", "gesture,key", file)
      #expect(replayed.status == 0)
      #expect(replayed.errors == "")
      kinds.formUnion(replayed.lines.compactMap { $0.firstMatch(of: #/"kind":"(\w+)"/#)?.1 })
    }
    #expect(kinds == ["gesture", "key"])
  }

  @Test func onATerminalThereIsAPictureAboveWhichRowsAre() throws {
    let trace = Self.pinch(seed: 6)
    let device = try VirtualDevice.settled(trace.device)
    let process = try Command.process([], environment: ["TERM": "xterm", "NO_COLOR": "1"])
    process.executableURL = URL(filePath: "/usr/bin/script")
    let gliss = try Command.executable().path
    process.arguments = [
      "-qec", "stty cols 90 rows 34; exec '\(gliss)' watch --device \(device.path)", "/dev/null",
    ]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    var text = ""
    func read(until word: String) {
      while !text.contains(word) {
        let bytes = output.fileHandleForReading.nextData
        if bytes.isEmpty { return }
        text += String(decoding: bytes, as: UTF8.self)
      }
    }
    read(until: "Ctrl-C ends")
    try device.play(trace.events)
    read(until: "out to")
    read(until: " ms ")
    // Ctrl-C, as it is typed
    try input.fileHandleForWriting.write(contentsOf: Data([3]))
    text += String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(text.contains("●") && text.contains("╭──"))
    #expect(text.components(separatedBy: "\u{1b}[?25l").count == 2)
    #expect(text.hasSuffix("\u{1b}[?25h"))
  }
}
