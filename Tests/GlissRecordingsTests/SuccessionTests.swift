import Foundation
import GlissEvents
import Testing

@testable import GlissRecordings

/// Several libinput recordings in one file, as `cat` makes it, or as documents of YAML.
@Suite struct SuccessionTests {
  static let separators = ["", "---\n", "...\n", "...\n---\n", "\n--- # the next\n"]

  /// Devices, and times in ms.
  private func played(_ recording: inout Recording) throws -> [[Int64]] {
    var played: [[Int64]] = []
    try recording.forEachEvent { entry, _ in
      played.append([Int64(entry.device), entry.event.time.microseconds / 1000])
      return true
    }
    return played
  }

  private static let both =
    [
      [0, 0], [0, 0], [0, 0], [1, 5], [1, 5], [1, 5], [0, 11], [0, 11], [1, 500], [1, 500],
      [0, 1000],
      [0, 1000], [2, 2000], [2, 2000], [2, 2000], [2, 2011], [2, 2011], [2, 3000], [2, 3000],
    ] as [[Int64]]

  @Test(arguments: separators)
  func eachIsPlayedAfterTheOneBeforeIt(_ separator: String) throws {
    let text = Samples.twoDevices + separator + Samples.libinput
    for text in [text, text.replacing("\n", with: "\r\n"), text + "---\n"] {
      var recording = try Recording(bytes: Array(text.utf8))
      #expect(recording.devices.count == 3 && recording.origin == .zero)
      #expect(try played(&recording) == Self.both)
      #expect(recording.warnings.isEmpty)
    }
  }

  @Test(arguments: separators)
  func aPipeGivesTheSameAsAFile(_ separator: String) throws {
    // the first lasts 12 ms: less than a clock may be late
    let short = Samples.libinput.replacing("[  1,     20", with: "[  0,  12000")
    let text = short + separator + Samples.libinput + separator + Samples.twoDevices
    var file = try Recording(bytes: Array(text.utf8))
    let expected = try played(&file)
    #expect(
      expected.map { $0[0] } == Array(repeating: 0, count: 7) + Array(repeating: 1, count: 7)
        + Self.both.prefix(12).map { $0[0] + 2 })
    #expect(expected[7] == [1, 1012] && expected[14] == [2, 3012])
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    try writing.write(contentsOf: Data((short + separator + Samples.libinput).utf8))
    try writing.close()
    defer { close(ends[0]) }
    var piped = try Recording(path: "/dev/fd/\(ends[0])")
    #expect(try played(&piped) == Array(expected.prefix(14)))
    #expect(piped.warnings.isEmpty)
  }

  @Test func aLaterClockStaysAsItIs() {
    var succession = Succession()
    func place(_ ms: Double, _ recording: Int) -> Int64 {
      succession.place(.zero + .milliseconds(ms), of: recording).microseconds / 1000
    }
    #expect([place(10, 0), place(20, 0), place(5000, 1), place(5001, 1)] == [10, 20, 5000, 5001])
    #expect([place(0, 2), place(7, 2), place(8000, 3)] == [6001, 6008, 8000])
  }

  @Test(
    arguments: [
      ("---\n- node: /dev/input/event3\n", "another recording begins with its version:"),
      ("---\n  quirks:\n", "another recording begins with its version:"),
      ("--- here\n", "a device begins with its node:"),
      ("version: 1\n---\n", "this is outside devices:"),
      ("version: 1\n- node: /dev/input/event3\n", "this is outside devices:"),
    ])
  func anInvalidRecordingIsRefusedAtItsLine(_ text: String, _ problem: String) throws {
    let before = Samples.libinput.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    let outcome = read(Samples.libinput + text)
    #expect(outcome.events == Samples.libinputEvents)
    #expect(outcome.error?.problem == problem)
    let line = before + (text.hasPrefix("--- ") ? 1 : 2)
    #expect(outcome.error?.line == line)
  }

  /// In the middle of its description it may be an error, as of a recording that stands alone.
  @Test func theSecondMayBeCutOffAnywhere() {
    let bytes = Array((Samples.libinput + "---\n" + Samples.libinput).utf8)
    var errors = 0
    for end in Samples.libinput.utf8.count..<bytes.count {
      let cut = read(Array(bytes[..<end]))
      #expect(cut.events.prefix(7) == Samples.libinputEvents[...], "\(end)")
      if cut.error != nil { errors += 1 }
    }
    #expect(errors < 20)
  }

  @Test(
    arguments: [
      ("1", "1", nil), ("1", "2", "the recording says it has 3 devices, but has 2"),
      ("1", nil, nil),
    ] as [(String, String?, String?)])
  func theDevicesOfAllAreCounted(_ first: String, _ second: String?, _ warning: String?) throws {
    let line = second.map { "ndevices: \($0)\n" } ?? ""
    let text =
      Samples.libinput.replacing("ndevices: 1", with: "ndevices: \(first)")
      + Samples.libinput.replacing("ndevices: 1\n", with: line)
    let recording = try Recording(bytes: Array(text.utf8))
    #expect(recording.warnings.map(\.problem) == (warning.map { [$0] } ?? []))
  }
}
