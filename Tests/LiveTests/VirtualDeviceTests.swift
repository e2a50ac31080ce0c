import Foundation
import GlissDevices
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

extension LiveTests {
  /// What is described comes back from the kernel, and what is written comes out of it.
  @Suite struct VirtualDeviceTests {
    // MARK: Describing

    @Test(arguments: SampleDevice.all) func comesBackAsItIsDescribed(sample: SampleDevice) throws {
      let plugged = try VirtualDevice(sample.device)
      let descriptor = open(plugged.path, O_RDONLY)
      defer { close(descriptor) }
      #expect(try EvdevReader(descriptor: descriptor, isOwned: false).device == sample.device)
    }

    @Test(arguments: SampleDevice.all) func isSetUpByUdevAsWhatItIs(sample: SampleDevice) throws {
      let plugged = try VirtualDevice.settled(sample.device)
      let expected: DeviceClasses =
        switch sample.device.kind {
        case .touchpad: .touchpad
        case .touchscreen: .touchscreen
        case .keyboard: .keyboard
        case .mouse: .mouse
        case .other: []
        }
      // the rules may run a second time, for a node that had another device a moment ago
      try wait(for: "udev to say that it is a \(sample.device.kind)") {
        try DeviceFinder().device(at: plugged.path)?.classes.isSuperset(of: expected) ?? false
      }
      #expect(
        try DeviceFinder().device(at: plugged.path)?.identifier == sample.device.identifier)
    }

    @Test(arguments: [
      Array("a\u{1b}[2Jb\nc\"d".utf8), [0x50, 0xff, 0xfe, 0xc3, 0x28], Array("   ".utf8),
      [UInt8](repeating: 0x78, count: 79),
    ])
    func keepsAnyNameByteForByte(name: [UInt8]) throws {
      let plugged = try VirtualDevice.settled(SampleDevice.pad.device, nameBytes: name)
      #expect(try Self.attribute("name", of: plugged.path) == name + [0x0a])
    }

    @Test func keepsNoMoreOfANameThanTheKernelDoes() throws {
      let name = [UInt8](repeating: 0x78, count: 200)
      let plugged = try VirtualDevice(SampleDevice.pad.device, nameBytes: name)
      #expect(try Self.attribute("name", of: plugged.path) == name.prefix(79) + [0x0a])
    }

    private static func attribute(_ name: String, of path: String) throws -> [UInt8] {
      let node = (path as NSString).lastPathComponent
      return [UInt8](
        try Data(contentsOf: URL(fileURLWithPath: "/sys/class/input/\(node)/device/\(name)")))
    }

    @Test func isRefusedWhereTheKernelHasNoSuchDevice() throws {
      var device = SampleDevice.pad.device
      device.axes[.positionX] = AxisRange(minimum: 10, maximum: -10)
      try Self.expectRefusal(device, "the kernel rejects the device")
      device = SampleDevice.pad.device
      device.axes[.positionX] = AxisRange(minimum: 0, maximum: 10, flat: 11)
      try Self.expectRefusal(device, "the kernel rejects the device")
      device = SampleDevice.pad.device
      device.name = ""
      try Self.expectRefusal(device, "the kernel rejects the device")
    }

    private static func expectRefusal(_ device: Device, _ words: String) throws {
      let error = #expect(throws: SystemError.self) { try VirtualDevice(device) }
      #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
      #expect(error?.advice != nil)
    }

    // MARK: Writing

    /// A packet of each type, nothing of which the kernel has a reason to drop.
    @Test func passesOnWhateverIsWritten() throws {
      let events: [EvdevEvent] = [
        .absolute(.slot, 2, at: .zero), .absolute(.trackingID, 7, at: .zero),
        .absolute(.positionX, 500, at: .zero), .absolute(.positionY, 300, at: .zero),
        .key(.touch, 1, at: .zero), .key(.toolFinger, 1, at: .zero),
        .absolute(.x, 500, at: .zero), .absolute(.y, 300, at: .zero), .report(at: .zero),
        .absolute(.positionX, 501, at: .zero), .report(at: .zero),
        .key(.leftButton, 1, at: .zero), .report(at: .zero),
        .absolute(.trackingID, -1, at: .zero), .key(.touch, 0, at: .zero),
        .key(.toolFinger, 0, at: .zero), .key(.leftButton, 0, at: .zero), .report(at: .zero),
      ]
      let plugged = try VirtualDevice(SampleDevice.pad.device)
      let kernel = try KernelEvents(plugged.path)
      for event in events { try plugged.write(event) }
      #expect(try kernel.read()?.map { $0.at(.zero) } == events)
    }

    @Test func passesOnMotionAndKeys() throws {
      let mouse = try VirtualDevice(SampleDevice.mouse.device)
      let kernel = try KernelEvents(mouse.path)
      let moved = EvdevEvent(time: .zero, type: .relative, code: 0, value: -3)
      let events = [moved, .report(at: .zero), moved, .report(at: .zero)]
      for event in events { try mouse.write(event) }
      #expect(try kernel.read()?.map { $0.at(.zero) } == events)
    }

    @Test func passesOnNothingThatChangesNothing() throws {
      let plugged = try VirtualDevice(SampleDevice.pad.device)
      let kernel = try KernelEvents(plugged.path)
      try plugged.play([.absolute(.x, 5, at: .zero), .report(at: .zero)])
      try plugged.play([.absolute(.x, 5, at: .zero), .report(at: .zero)])
      // the device has no such key
      try plugged.play([.key(.a, 1, at: .zero), .report(at: .zero)])
      #expect(try kernel.read()?.count == 2)
    }

    @Test func playsNoPacketBeforeItIsDue() throws {
      let milliseconds: [Double] = [0, 8, 8, 30, 25, 31, 90]
      let events = milliseconds.enumerated().flatMap { index, time -> [EvdevEvent] in
        let time = EventTime(microseconds: .max / 2) + .milliseconds(time)
        return [.absolute(.x, Int32(index + 1), at: time), .report(at: time)]
      }
      let plugged = try VirtualDevice(SampleDevice.pad.device)
      let kernel = try KernelEvents(plugged.path)
      let began = InputLoop.now
      let raw = try plugged.played(events, to: kernel)
      #expect(raw.map { $0.at(.zero) } == events.map { $0.at(.zero) })
      for (event, expected) in zip(raw, events) {
        #expect(event.time - began >= expected.time - events[0].time)
      }
      #expect(raw.map(\.time) == raw.map(\.time).sorted())
    }

    @Test func theKernelRepeatsNoKeys() throws {
      let quiet = try VirtualDevice(SampleDevice.keyboard.device)
      // EV_REP is bit 20 of the event types
      let types = String(
        decoding: try Self.attribute("capabilities/ev", of: quiet.path), as: UTF8.self)
      let bits = try #require(
        UInt64(types.trimmingCharacters(in: .whitespacesAndNewlines), radix: 16))
      #expect(bits & 1 << 20 == 0)
    }

    @Test func isGoneWhenItIsClosed() throws {
      let plugged = try VirtualDevice.settled(SampleDevice.pad.device)
      let kernel = try KernelEvents(plugged.path)
      plugged.close()
      #expect(try kernel.read() == nil)
      #expect(!FileManager.default.fileExists(atPath: plugged.path))
      let error = #expect(throws: SystemError.self) { try plugged.write(.report(at: .zero)) }
      #expect(error?.code == ENODEV)
    }
  }
}
