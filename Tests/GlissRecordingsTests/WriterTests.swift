import Foundation
import GlissEvents
import Testing

@testable import GlissRecordings

@Suite struct WriterTests {
  static let devices = [
    pad,
    Device(
      name: "A \"quoted\" \\ pad: # é\u{1}\n\u{85}\u{feff}",
      identifier: .init(bus: 0xffff, vendor: 1, product: 2, version: 3),
      axes: [.x: AxisRange(minimum: .min, maximum: .max, fuzz: -1, flat: 2, resolution: 3)],
      keys: [.leftButton, Key(rawValue: 0x2ff)], relativeAxes: [0, 8],
      properties: [.pointer, DeviceProperty(rawValue: 31)]),
    Device(name: ""),
  ]

  static let events: [EvdevEvent] = [
    .at(0, .trackingID, 5), .at(0, .positionX, .min), .report(0),
    .at(7_000, .positionX, .max), .report(7_000),
    .at(1_234_567, .trackingID, -1), .key(.touch, 0, at: EventTime(microseconds: 1_234_567)),
    .report(1_234_567),
    .at(-1, .positionY, 4), .report(-1), .report(-1_000_000),
    EvdevEvent(
      time: EventTime(microseconds: 9_000_000), type: EvdevType(rawValue: 0xffff), code: 0xffff,
      value: 0),
    .report(9_000_000),
  ]

  @Test(arguments: devices)
  func writtenRecordingsReadBackTheSame(device: Device) throws {
    let outcome = read(RecordingWriter.bytes(of: RecordedDevice(device), Self.events))
    #expect(outcome.error == nil)
    #expect(outcome.devices == [device])
    #expect(outcome.events == Self.events)
  }

  @Test func severalDevicesReadTheSame() throws {
    let memory = Memory()
    var writer = RecordingWriter(deviceCount: 2) { memory.bytes += $0 }
    for device in Self.devices.prefix(2) {
      try writer.add(RecordedDevice(device))
      for event in Self.events { try writer.write(event) }
    }
    try writer.finish()
    let outcome = read(memory.bytes)
    #expect(outcome.devices == Array(Self.devices.prefix(2)))
    #expect(outcome.events == Self.events + Self.events)
  }

  @Test func everyPacketIsOutBeforeTheNextBegins() throws {
    let memory = Memory()
    var writer = RecordingWriter { memory.bytes += $0 }
    // not the pad, whose range the positions would leave
    try writer.add(RecordedDevice(Self.devices[1]))
    for event in Self.events.prefix(5) {
      try writer.write(event)
      if event.code == SynchronizationCode.report, event.type == .synchronization {
        let outcome = read(memory.bytes)
        #expect(outcome.error == nil)
        #expect(outcome.warnings.isEmpty)
        #expect(outcome.events.last == event)
      }
    }
  }

  @Test func commentsNameWhatTheEventIs() {
    let bytes = RecordingWriter.bytes(of: RecordedDevice(pad), Self.events)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(
      text.contains(
        "    - [  0,      0,   3,  57,       5] # EV_ABS / ABS_MT_TRACKING_ID        5\n"))
    #expect(
      text.contains(
        "    - [  0,   7000,   0,   0,       0] # ------------ SYN_REPORT (0) ---------- +7ms\n"))
  }

  /// The structure that libinput's own replay program asks for, checked with Python's YAML as it does.
  @Test(.enabled(if: WriterTests.hasPythonYaml), arguments: devices)
  func libinputReplayFindsAllItAsksFor(device: Device) throws {
    let path = FileManager.default.temporaryDirectory
      .appendingPathComponent("gliss-\(UInt64.random(in: 0 ... .max)).yml").path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let bytes = RecordingWriter.bytes(of: RecordedDevice(device), Self.events)
    try Data(bytes).write(to: URL(filePath: path))
    #expect(Self.python(Self.check, path) == 0)
  }

  private static let check = """
    import sys, yaml
    y = yaml.safe_load(open(sys.argv[1]))
    assert y['version'] == 1 and y['ndevices'] == len(y['devices'])
    for d in y['devices']:
        e = d['evdev']
        assert isinstance(e['name'], str) and len(e['id']) == 4
        for t, codes in e['codes'].items():
            for c in codes:
                assert isinstance(c, int)
                if t == 3: assert len(e['absinfo'][c]) == 5
        assert all(isinstance(p, int) for p in e['properties'])
        assert dict(p.split('=', maxsplit=1) for p in d['udev']['properties'])['ID_INPUT'] == '1'
        for packet in d['events'] or []:
            assert packet['evdev']
            for (s, us, t, c, v) in packet['evdev']: assert 0 <= us < 1000000
            assert packet['evdev'][-1][2:4] == [0, 0]
    """

  static let hasPythonYaml = python("import yaml") == 0

  private static func python(_ script: String, _ arguments: String...) -> Int32? {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    guard (try? process.run()) != nil else { return nil }
    process.waitUntilExit()
    return process.terminationStatus
  }
}

/// Bytes that a writer's sink gathers.
final class Memory {
  var bytes: [UInt8] = []
}
