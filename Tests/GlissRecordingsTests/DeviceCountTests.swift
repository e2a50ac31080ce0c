import Foundation
import GlissEvents
import GlissSession
import Testing

@testable import GlissRecordings

/// Recordings that do not say how many devices they have, or say it wrong, and those that have many.
@Suite struct DeviceCountTests {
  private func order(_ recording: inout Recording) throws -> [Int] {
    var order: [Int] = []
    try recording.forEachEvent { entry, _ in
      order.append(entry.device)
      return true
    }
    return order
  }

  private static let merged = [0, 0, 0, 1, 1, 1, 0, 0, 1, 1, 0, 0]

  @Test(
    arguments: [
      ("", []), ("ndevices: 0\n", ["the recording says it has 0 devices, but has 2"]),
      ("ndevices: 1\n", ["the recording says it has 1 device, but has 2"]),
      ("ndevices: 2\n", []),
      ("ndevices: 99\n", ["the recording says it has 99 devices, but has 2"]),
    ])
  func devicesAreMergedByTimeWhateverTheirNumberIsSaidToBe(_ line: String, _ warnings: [String])
    throws
  {
    let text = Samples.twoDevices.replacing("ndevices: 2\n", with: line)
    var recording = try Recording(bytes: Array(text.utf8))
    #expect(try order(&recording) == Self.merged)
    #expect(recording.warnings.map(\.problem) == warnings)
  }

  @Test func fromAPipeADeviceThatWasNotAnnouncedIsAWarning() throws {
    let text = Samples.twoDevices.replacing("ndevices: 2\n", with: "")
    var ends: [Int32] = [0, 0]
    #expect(pipe(&ends) == 0)
    let writing = FileHandle(fileDescriptor: ends[1], closeOnDealloc: true)
    try writing.write(contentsOf: Data(text.utf8))
    try writing.close()
    defer { close(ends[0]) }
    var recording = try Recording(path: "/dev/fd/\(ends[0])")
    #expect(try order(&recording) == [0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
    #expect(recording.warnings.first?.problem.contains("its 2 devices") == true)
  }

  @Test(arguments: 1...40)
  func aSecondDeviceIsFoundHoweverTheBytesAreCut(_ size: Int) throws {
    for (text, isThere) in [(Samples.twoDevices, true), (Samples.libinput, false)] {
      let events = try #require(text.range(of: "  events:"))
      let bytes = Array(text[events.upperBound...].utf8)
      var search = DeviceSearch(indentation: 2)
      let found = stride(from: 0, to: bytes.count, by: size).contains { start in
        search.finds(in: bytes.span.extracting(start..<min(bytes.count, start + size)))
      }
      #expect(found == isThere)
    }
  }

  @Test func manyDevicesAreMerged() throws {
    var text = Samples.libinput.replacing("ndevices: 1", with: "ndevices: 301")
    for _ in 0..<300 { text += Samples.secondDevice }
    var many = try Recording(bytes: Array(text.utf8))
    #expect(many.devices.count == 301)
    #expect(Set(try order(&many)).count == 301)
  }

  @Test func onePassFeedsSeveralSessionsAlike() throws {
    var recording = try Recording(bytes: Array(Samples.twoDevices.utf8))
    let sessions = [Session(), Session()]
    let seen = Seen()
    for (index, session) in sessions.enumerated() {
      session.addHandler { seen.events[index].append($0) }
    }
    try recording.run(into: sessions)
    #expect(!seen.events[0].isEmpty)
    #expect(seen.events[0].map(\.time) == seen.events[1].map(\.time))
  }

  private final class Seen {
    var events: [[InputEvent]] = [[], []]
  }
}
