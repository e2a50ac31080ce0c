import Foundation
import GlissEvents
import GlissSession
import Testing

@testable import GlissRecordings

@Suite struct PlayingTests {
  private func played(_ recording: inout Recording) throws(RecordingError) -> [(Int64, Int)] {
    var order: [(Int64, Int)] = []
    try recording.forEachEvent { entry, _ in
      order.append((entry.event.time.microseconds, entry.device))
      return true
    }
    return order
  }

  @Test func severalDevicesAreMergedByTime() throws {
    var recording = try Recording(bytes: Array(Samples.twoDevices.utf8))
    #expect(recording.devices.map(\.name) == ["Some Touchpad", "Some Keyboard"])
    #expect(recording.origin == .zero)
    let order = try played(&recording)
    #expect(
      order.map(\.0) == [
        0, 0, 0, 5000, 5000, 5000, 11879, 11879, 500_000, 500_000, 1_000_020, 1_000_020,
      ])
    #expect(order.map(\.1) == [0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0])
    #expect(recording.warnings.isEmpty)
  }

  @Test(arguments: [
    (Samples.twoDevices, 12, 2), (Samples.libinput, 7, 1), (Samples.evtest, 5, 1),
    ("E: 1.0 3 35 5\nE: 1.0 0 0 0\n", 2, 1),
  ])
  func aPipeGivesTheSameAsAFile(text: String, events: Int, devices: Int) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("gliss-\(UInt64.random(in: 0 ... .max)).pipe").path
    #expect(mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    Thread.detachNewThread {
      guard let pipe = FileHandle(forWritingAtPath: path) else { return }
      try? pipe.write(contentsOf: Data(text.utf8))
      try? pipe.close()
    }
    var piped = try Recording(path: path)
    var whole = try Recording(bytes: Array(text.utf8))
    #expect(piped.devices.map(\.axes) == whole.devices.map(\.axes))
    #expect(piped.devices.count == devices)
    let order = try played(&piped)
    #expect(order.count == events)
    #expect(try order.map(\.0) == played(&whole).map(\.0))
  }

  /// A recording of devices with as many packets, one each millisecond.
  private func packets(_ counts: [Int]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var writer = RecordingWriter(deviceCount: counts.count) { bytes += $0 }
    for count in counts {
      try writer.add(RecordedDevice(pad))
      for index in 0..<count { try writer.write(.report(Int64(index) * 1000)) }
    }
    return bytes
  }

  @Test(arguments: [[20_000], [20_000, 10]])
  func progressEndsAtTheRecordingsSize(_ counts: [Int]) throws {
    let bytes = try packets(counts)
    var recording = try Recording(bytes: bytes)
    var progress: [(read: Int64, size: Int64?)] = []
    recording.didRead = { progress.append(($0, $1)) }
    try recording.run(into: Session())
    #expect(progress.count > 2)
    #expect(progress.last?.read == Int64(bytes.count))
    #expect(progress.last?.size == Int64(bytes.count))
  }

  @Test func aMergedRecordingIsPlayedInPieces() throws {
    var recording = try Recording(bytes: packets([30_000, 1]))
    var succession = Succession()
    var pieces: [Int] = []
    var isPlaying = true
    while isPlaying {
      var count = 0
      isPlaying = recording.playPiece(&succession) { _, _ in
        count += 1
        return true
      }
      pieces.append(count)
    }
    #expect(pieces.reduce(0, +) == 30_001)
    #expect(pieces.allSatisfy { $0 <= 10_000 })
  }

  @Test func anErrorInOneDeviceLeavesTheOthersWhole() throws {
    let broken = Samples.twoDevices.replacing("[  0, 500000,   1,", with: "[  0, 500000,   x,")
    var recording = try Recording(bytes: Array(broken.utf8))
    var times: [Int64] = []
    let error = #expect(throws: RecordingError.self) {
      try recording.forEachEvent { entry, _ in
        times.append(entry.event.time.microseconds)
        return true
      }
    }
    #expect(error?.line == 74)
    #expect(times == [0, 0, 0, 5000, 5000, 5000, 11879, 11879, 1_000_020, 1_000_020])
  }

  @Test func anAnnouncedDeviceThatIsMissingIsAWarning() throws {
    let text = Samples.libinput.replacing("ndevices: 1", with: "ndevices: 2")
    var recording = try Recording(bytes: Array(text.utf8))
    #expect(try played(&recording).count == 7)
    #expect(
      recording.warnings.map(\.problem)
        == ["the recording says it has 2 devices, but has 1"])
  }

  @Test func anErrorThatHidesADeviceIsNoMissingDevice() throws {
    let broken = Samples.twoDevices.replacing("[  0,  11879,   0,", with: "[  0,  11879,   x,")
    var recording = try Recording(bytes: Array(broken.utf8))
    #expect(throws: RecordingError.self) { try played(&recording) }
    #expect(recording.warnings.isEmpty, "\(recording.warnings)")
  }

  @Test func eventsAloneGiveADeviceOfAssumedSize() throws {
    let text = """
      E: 1.000000 0003 0035 3000
      E: 1.000000 0003 0036 1000
      E: 1.000000 0001 014d 1
      E: 1.010000 0003 0035 3100
      E: 1.010000 0000 0000 0

      """
    let recording = try Recording(bytes: Array(text.utf8))
    let device = try #require(recording.devices.first)
    #expect(device.size.isAssumed)
    #expect(device.kind == .touchpad)
    // as fine down as across, with 11 mm beyond what was touched: 39.7 units to a millimetre
    #expect(device.axes[.positionX] == AxisRange(minimum: -438, maximum: 3538))
    #expect(device.axes[.positionY] == AxisRange(minimum: -438, maximum: 2147))
    let warning = try #require(recording.warnings.first?.problem)
    #expect(warning.contains("--axes FILE") && warning.contains("lengths in mm are guesses"))
  }

  @Test(arguments: [("", true), ("A: 20 0 100 0 0 0\n", true), ("A: 35 0 9 0 0 0\n", false)])
  func aDescriptionWithoutTouchAxesIsAWarning(_ axes: String, _ isWarning: Bool) throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).desc").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let keys = "N: Keys\nB: 01 fe ff ff ff ff ff ff ff\n"
    try (keys + axes).write(toFile: path, atomically: true, encoding: .utf8)
    let touch = try Recording(bytes: Array("E: 1.0 0003 0035 5\n".utf8), axes: path)
    let words = "\(path) describes no touch axes, but the recording has their events"
    #expect(touch.warnings.contains { $0.problem == words } == isWarning, "\(touch.warnings)")
    let typed = try Recording(bytes: Array("E: 1.0 0001 001e 1\n".utf8), axes: path)
    #expect(!typed.warnings.contains { $0.problem == words })
  }

  @Test func keysThatADescriptionLeavesOutAreTakenFromTheEvents() throws {
    let text = """
      N: Pad
      A: 35 0 1000 0 0 10
      A: 36 0 600 0 0 10
      E: 1.000000 0001 0145 1
      E: 1.000000 0001 014a 1
      E: 1.000000 0000 0000 0

      """
    let recording = try Recording(bytes: Array(text.utf8))
    let device = try #require(recording.devices.first)
    #expect(device.keys == [.toolFinger, .touch])
    #expect(device.kind == .touchpad)
    #expect(device.size.millimetres == Vector2(x: 100, y: 60))
    #expect(recording.warnings.isEmpty)
  }

  @Test func willAdvanceSeesEachInstantOnceAndMayEndTheReplay() throws {
    var recording = try Recording(bytes: Array(Samples.twoDevices.utf8))
    var instants: [Int64] = []
    recording.willAdvance = { time in
      instants.append(time.microseconds)
      return time.microseconds < 11879
    }
    try recording.run(into: Session())
    #expect(instants == [0, 5000, 11879])
  }

  @Test func descriptionsAreFoundBesideTheRecording() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("gliss-recordings-\(UInt64.random(in: 0 ... .max))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let description =
      "N: Found\nB: 01 00 00 00 00 00 00 00 00\nA: 35 0 100 0 0 10\nA: 36 0 50 0 0 10\n"
    try description.write(
      to: folder.appendingPathComponent("found.desc"), atomically: true, encoding: .utf8)
    let events = folder.appendingPathComponent("found.tap.events").path
    try "E: 1.000000 0003 0035 3000\n".write(toFile: events, atomically: true, encoding: .utf8)
    let recording = try Recording(path: events)
    #expect(recording.devices.first?.name == "Found")
    #expect(recording.devices.first?.axes[.positionX]?.resolution == 10)
    #expect(recording.descriptionPath?.hasSuffix("/found.desc") == true)
    #expect(recording.warnings.isEmpty)
    // a description of another name is used, too, but not silently
    let other = folder.appendingPathComponent("other.events").path
    try FileManager.default.moveItem(atPath: events, toPath: other)
    let described = try Recording(path: other)
    #expect(described.devices.first?.name == "Found")
    #expect(described.warnings.contains { $0.problem.contains("found.desc, the only") })
  }

  @Test(
    arguments: [
      ("a.tap.events", ["a.desc", "b.desc"], "a.desc"),
      ("a-b.tap.events", ["a.desc", "a-b.desc"], "a-b.desc"),
      ("ab.events", ["a.desc", "b.desc"], nil),
      ("z.events", ["a.touchpad"], "a.touchpad"),
      ("z.events", [], nil),
    ] as [(String, [String], String?)])
  func theDescriptionWithTheLongestCommonNameIsTaken(
    name: String, candidates: [String], expected: String?
  ) {
    #expect(Descriptions.best(of: candidates, for: name) == expected)
  }

  /// A keyboard's modifier goes up after a turn of its wheel.
  @Test func aWheelTurnsAndSpoilsATap() throws {
    let text = """
      N: Keyboard
      B: 01 00 00 00 00 00 00 00 00
      B: 02 40 01 00 00 00 00 00 00
      E: 0.000001 0001 007d 1
      E: 0.000001 0000 0000 0
      E: 0.100000 0002 0008 -1
      E: 0.100000 0002 000b -120
      E: 0.100000 0002 0006 2
      E: 0.100000 0000 0000 0
      E: 0.200000 0001 007d 0
      E: 0.200000 0000 0000 0

      """
    var recording = try Recording(bytes: Array(text.utf8))
    let session = Session()
    var turns: [Vector2] = []
    var hotkeys: [HotkeyEvent] = []
    session.addHandler(matching: .scroll) {
      if case .scroll(let turn) = $0 { turns.append(turn.delta) }
    }
    try session.registerHotkey("tap:super") { hotkeys.append($0) }
    try session.registerHotkey("super+wheeldown") { hotkeys.append($0) }
    try recording.run(into: session)
    #expect(turns == [Vector2(x: 0, y: 15), Vector2(x: 30, y: 0)])
    #expect(hotkeys.count { $0.phase == .pressed } == 1)
  }

  @Test func anErrorInADescriptionNamesItsFile() throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("gliss-\(UInt64.random(in: 0 ... .max)).desc").path
    try "A: 35 x\n".write(toFile: path, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(atPath: path) }
    let error = #expect(throws: RecordingError.self) {
      try Recording(bytes: Array("E: 1.0 3 35 1\n".utf8), axes: path)
    }
    #expect(error?.message(for: "a.dat") == "\(path):1: A: needs numbers of 32 bits")
  }

  @Test func aFileThatCannotBeOpenedIsReported() {
    let error = #expect(throws: RecordingError.self) { try Recording(path: "/nonexistent.yml") }
    #expect(
      error?.description == "/nonexistent.yml: No such file or directory")
    let folder = #expect(throws: RecordingError.self) { try Recording(path: "/") }
    #expect(folder?.description == "/: it cannot be read: Is a directory")
  }

  @Test func aRecordingThatHasRunSaysSo() throws {
    var recording = try Recording(bytes: Array("N: Pad\nA: 35 0 9 0 0\nE: 0.000001 3 35 1\n".utf8))
    try recording.run(into: Session())
    let error = #expect(throws: RecordingError.self) { try recording.run(into: Session()) }
    #expect(error?.description == "it has been played already (open it again to play it again)")
  }
}
