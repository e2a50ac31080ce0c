import GlissEvents
import Testing

@testable import GlissRecordings

@Suite struct FormatTests {
  @Test func libinputRecordGivesTheDeviceAndItsEvents() throws {
    let outcome = read(Samples.libinput)
    #expect(outcome.error == nil)
    #expect(outcome.warnings.isEmpty)
    let device = try #require(outcome.devices.first)
    #expect(device.name == "Some Touchpad")
    #expect(
      device.identifier == .init(bus: 24, vendor: 1267, product: 1590, version: 256))
    #expect(device.axes[.positionX] == AxisRange(minimum: 0, maximum: 3206, resolution: 31))
    #expect(device.axes[.slot] == AxisRange(minimum: 0, maximum: 4))
    #expect(device.keys == [.leftButton, .toolFinger, .touch, .toolDoubleTap])
    #expect(device.properties == [.pointer, .buttonPad])
    #expect(device.kind == .touchpad)
    #expect(outcome.events == Samples.libinputEvents)
  }

  @Test func version2IsReadLikeVersion1AndVersion3IsRefusedAtItsLine() {
    let second = Samples.libinput.replacing("version: 1\n", with: "version: 2\n")
    #expect(read(second).events == Samples.libinputEvents)
    let third = read(Samples.libinput.replacing("\nversion: 1\n", with: "\nversion: 3\n"))
    #expect(third.error?.line == 2)
    #expect(
      third.error?.description == "2: this is version 3 of the format; only 1 and 2 are known")
  }

  @Test func evemuGivesTheDeviceAndItsEvents() throws {
    let outcome = read(Samples.evemu)
    #expect(outcome.error == nil)
    let device = try #require(outcome.devices.first)
    #expect(device.name == "Some Touchpad")
    #expect(
      device.identifier == .init(bus: 0x18, vendor: 0x4f3, product: 0x636, version: 0x100))
    #expect(device.keys == [.leftButton, .toolFinger, .touch, .toolDoubleTap])
    #expect(device.relativeAxes == [0, 1])
    #expect(device.properties == [.pointer, .buttonPad])
    #expect(device.axes[.positionX]?.resolution == 31)
    #expect(device.axes[.positionY] == AxisRange(minimum: 0, maximum: 1832))
    #expect(
      outcome.events == [
        .at(1, .trackingID, 123), .report(1), .at(12_000_002, .positionX, -5),
      ])
  }

  @Test func evtestGivesTheDeviceAndItsEvents() throws {
    let outcome = read(Samples.evtest)
    #expect(outcome.error == nil)
    #expect(outcome.warnings.isEmpty, "\(outcome.warnings.kept)")
    let device = try #require(outcome.devices.first)
    #expect(device.name == "Some Touchpad")
    #expect(
      device.identifier == .init(bus: 0x18, vendor: 0x4f3, product: 0x636, version: 0x100))
    #expect(device.keys == [.leftButton, .toolFinger])
    #expect(
      device.axes[.positionX] == AxisRange(minimum: 0, maximum: 3206, fuzz: 8, resolution: 31))
    // its line stands behind the resolution of the axis before it
    #expect(device.axes[.positionY] == AxisRange(minimum: 0, maximum: 1832, resolution: 31))
    #expect(device.properties == [.pointer, .buttonPad])
    let start: Int64 = 5_110_340_365_703
    #expect(outcome.events.count == 5)
    #expect(outcome.events[0] == .at(start, .trackingID, 1))
    // scan codes are printed in hexadecimal
    #expect(outcome.events[1].value == 0x7001e)
    #expect(outcome.events[2] == .report(start))
    #expect(outcome.events[3].value == -1)
  }

  @Test(arguments: [
    ("-------------- SYN_REPORT ------------", SynchronizationCode.report),
    ("-------------- Report Sync ------------", SynchronizationCode.report),
    ("++++++++++++++ SYN_MT_REPORT ++++++++++++", SynchronizationCode.multitouchReport),
    (">>>>>>>>>>>>>> SYN_DROPPED <<<<<<<<<<<<", SynchronizationCode.dropped),
    ("-------------- Config Sync ------------", SynchronizationCode.configuration),
    ("type 0 (EV_SYN), code 0 (SYN_REPORT), value 0", SynchronizationCode.report),
    ("type 0 (Sync), code 2 (MT Report), value 0", SynchronizationCode.multitouchReport),
  ])
  func evtestWritesSynchronizationInManyWords(line: String, code: UInt16) {
    let outcome = read("Event: time 1.000002, \(line)\n", description: pad)
    #expect(outcome.error == nil)
    #expect(outcome.events.map(\.code) == [code])
    #expect(outcome.events.map(\.type) == [.synchronization])
  }

  @Test func aDescriptionAloneIsADeviceWithoutEvents() {
    let outcome = read("N: Pad\nA: 35 0 100 0 0 10\nA: 36 0 50 0 0 10\n")
    #expect(outcome.devices.first?.axes.count == 2)
    #expect(outcome.warnings.kept.map(\.problem) == ["the recording has no events"])
  }

  @Test(arguments: [
    "", "\n\n", "hello\nworld\n", "{\"a\":1}\n", "\u{0}\u{1}\u{2}\n", "%PDF-1.4\n",
  ])
  func aFileThatIsNoRecordingIsRejected(text: String) {
    let outcome = read(text)
    #expect(outcome.items.isEmpty)
    #expect(outcome.error != nil)
  }

  @Test func textOfATerminalMayStandBeforeARecording() {
    let outcome = read("# evtest /dev/input/event5\nNo device specified\n\n" + Samples.evtest)
    #expect(outcome.error == nil)
    #expect(outcome.events.count == 5)
  }
}
