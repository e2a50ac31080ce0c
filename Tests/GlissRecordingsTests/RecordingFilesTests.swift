import Foundation
import GlissEvents
import Testing

@testable import GlissRecordings

/// What is on the disk while a recording is made, and after.
@Suite final class RecordingFilesTests {
  private let folder: URL
  private var path: String { folder.appending(path: "a.yml").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
  }

  private func contents(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: folder.appending(path: name)))
  }

  private static let mouse = Device(name: "A mouse", keys: [.leftButton], relativeAxes: [0, 1])
  private static let devices = [
    RecordedDevice(pad, node: "/dev/input/event7"), RecordedDevice(mouse),
    RecordedDevice(Device(name: "A switch"), otherCodes: [EvdevType(rawValue: 5): [0]]),
  ]

  private static func packet(_ number: Int64, _ device: Int) -> [EvdevEvent] {
    let time = EventTime(microseconds: number * 1000)
    return [
      EvdevEvent(time: time, type: .relative, code: 0, value: Int32(device)), .report(at: time),
    ]
  }

  @Test func oneDeviceIsWrittenToTheFileItself() throws {
    let files = try RecordingFiles(path: path, devices: [Self.devices[0]])
    for event in Self.packet(1, 0) { try files.write(event, of: 0) }
    let before = try contents("a.yml")
    try files.finish()
    #expect(try contents("a.yml") == before)
    #expect(try names == ["a.yml"])
    let outcome = read(before)
    #expect(outcome.error == nil)
    #expect(outcome.devices == [pad])
    #expect(outcome.events == Self.packet(1, 0))
    #expect(String(decoding: before, as: UTF8.self).contains("- node: /dev/input/event7\n"))
  }

  @Test func severalDevicesAreJoinedInTheirOrder() throws {
    let files = try RecordingFiles(path: path, devices: Self.devices)
    var expected: [[EvdevEvent]] = [[], [], []]
    for number in Int64(0)..<5000 {
      let device = Int(number % 3)
      for event in Self.packet(number, device) { try files.write(event, of: device) }
      expected[device] += Self.packet(number, device)
    }
    try files.finish()
    #expect(try names == ["a.yml"])
    let outcome = read(try contents("a.yml"))
    #expect(outcome.error == nil)
    #expect(outcome.warnings.isEmpty)
    #expect(outcome.devices.map(\.name) == Self.devices.map(\.device.name))
    #expect(outcome.events == expected.flatMap { $0 })
  }

  @Test func theJoinedFileIsWhatAWriterOfAllWrites() throws {
    let files = try RecordingFiles(path: path, devices: Self.devices)
    let memory = Memory()
    var writer = RecordingWriter(deviceCount: Self.devices.count) { memory.bytes += $0 }
    for (index, device) in Self.devices.enumerated() {
      try writer.add(device)
      for event in Self.packet(1, index) {
        try writer.write(event)
        try files.write(event, of: index)
      }
    }
    try files.finish()
    #expect(try contents("a.yml") == memory.bytes)
  }

  @Test func whateverEndsItEachFileIsARecordingOfItsOwn() throws {
    let files = try RecordingFiles(path: path, devices: Self.devices)
    for number in Int64(0)..<4 {
      for device in Self.devices.indices {
        // half a packet is not on the disk yet
        for event in Self.packet(number, device) {
          try files.write(event, of: device)
          for name in try names {
            let outcome = read(try contents(name))
            #expect(outcome.error == nil)
            #expect(outcome.devices.count == 1)
            #expect(outcome.warnings.isEmpty || outcome.events.isEmpty)
            #expect(outcome.events.count % 2 == 0)
          }
        }
      }
    }
    #expect(try names == ["a.yml", "a.yml.2.part", "a.yml.3.part"])
  }

  @Test func aFileThatIsThereIsKeptUnlessItMayBeReplaced() throws {
    try Data("dear".utf8).write(to: folder.appending(path: "a.yml"))
    #expect(throws: RecordingError.self) {
      try RecordingFiles(path: path, devices: [Self.devices[0]])
    }
    #expect(try contents("a.yml") == Array("dear".utf8))
    chmod(path, 0o644)
    try RecordingFiles(path: path, replacing: true, devices: [Self.devices[0]]).finish()
    #expect(read(try contents("a.yml")).devices == [pad])
    var status = stat()
    #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600, "others may read it")
  }

  @Test func aPartThatIsThereIsKeptAndTheFileIsNotBegun() throws {
    try Data("dear".utf8).write(to: folder.appending(path: "a.yml.3.part"))
    let error = #expect(throws: RecordingError.self) {
      try RecordingFiles(path: path, devices: Self.devices)
    }
    #expect(error?.file?.hasSuffix("a.yml.3.part") == true)
    #expect(try names == ["a.yml.3.part"])
    #expect(try contents("a.yml.3.part") == Array("dear".utf8))
  }

  @Test func theFileToJoinInIsKeptUnlessItMayBeReplaced() throws {
    try Data("dear".utf8).write(to: folder.appending(path: "a.yml.whole.part"))
    let error = #expect(throws: RecordingError.self) {
      try RecordingFiles(path: path, devices: Self.devices)
    }
    #expect(error?.file?.hasSuffix("a.yml.whole.part") == true)
    #expect(try names == ["a.yml.whole.part"])
    #expect(try contents("a.yml.whole.part") == Array("dear".utf8))
    try RecordingFiles(path: path, replacing: true, devices: Self.devices).finish()
    #expect(try names == ["a.yml"])
  }

  @Test func aFileToReplaceIsKeptIfAPartCannotBeWritten() throws {
    try Data("dear".utf8).write(to: folder.appending(path: "a.yml"))
    // no file can be linked to this
    try FileManager.default.createSymbolicLink(
      atPath: path + ".2.part", withDestinationPath: "/no/such/folder/file")
    #expect(throws: RecordingError.self) {
      try RecordingFiles(path: path, replacing: true, devices: Self.devices)
    }
    #expect(try contents("a.yml") == Array("dear".utf8))
  }

  @Test func onlyTheOwnerMayReadIt() throws {
    try RecordingFiles(path: path, devices: Self.devices).finish()
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func aLinkStaysALink() throws {
    try Data().write(to: folder.appending(path: "real.yml"))
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: folder.appending(path: "real.yml").path)
    try RecordingFiles(path: path, replacing: true, devices: Self.devices).finish()
    #expect(try names == ["a.yml", "real.yml"])
    #expect(read(try contents("real.yml")).devices.count == 3)
    let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
    #expect(target.hasSuffix("real.yml"))
  }

  @Test func aStreamTakesOneDevice() throws {
    try RecordingFiles(path: "/dev/null", devices: [Self.devices[0]]).finish()
    #expect(throws: RecordingError.self) {
      try RecordingFiles(path: "/dev/null", devices: Self.devices)
    }
    #expect(throws: RecordingError.self) {
      try RecordingFiles(path: "/dev/full", devices: [Self.devices[0]])
    }
    #expect(throws: RecordingError.self) {
      try RecordingFiles(path: folder.path, replacing: true, devices: [Self.devices[0]])
    }
  }
}
