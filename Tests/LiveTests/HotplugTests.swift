import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

extension LiveTests {
  /// Devices that come and go.
  @Suite struct HotplugTests {
    static let keyboard = Device(
      name: "Gliss Keyboard", identifier: Device.Identifier(bus: 0x11, vendor: 1, product: 1),
      keys: Set((1...120).map { Key(rawValue: $0) }))

    static let mouse = Device(
      name: "Gliss Mouse", identifier: Device.Identifier(bus: 3, vendor: 1, product: 2),
      keys: [.leftButton, .rightButton, .middleButton], relativeAxes: [0, 1, 8, 11])

    /// `GLISS_PLUGS=10000` for the long run.
    static let rounds =
      ProcessInfo.processInfo.environment["GLISS_PLUGS"].flatMap { Int($0) } ?? 300

    @Test func comingAndGoingLeavesNothingBehind() throws {
      let kinds = [Pad.medium.device, Self.keyboard, Pad.touchscreen.device, Self.mouse]
      let devices = try LiveDevices()
      let session = Session()
      var (round, descriptors, memory, growth) = (0, 0, 0, 0)
      var present: VirtualDevice?
      session.addHandler(matching: .device) { [unowned devices] event in
        guard case .device(let change) = event else { return }
        switch change.change {
        case .added: present?.close()
        case .removed:
          round += 1
          // the first rounds load what every later one uses again
          if round == kinds.count * 5 {
            (descriptors, memory) = (Holdings.descriptors, Holdings.memory)
          }
          if round == Self.rounds { growth = Holdings.memory - memory }
          present = round < Self.rounds ? try? VirtualDevice(kinds[round % kinds.count]) : nil
          if present == nil { devices.stop() }
        }
      }
      devices.alarm = InputLoop.now + .milliseconds(10)
      devices.didRing = { [unowned devices] in
        if round == 0 && present == nil { present = try? VirtualDevice(kinds[0]) }
        // ten minutes without an end: something is stuck
        if present == nil || devices.alarm != nil {
          devices.stop()
        } else {
          devices.alarm = InputLoop.now + .milliseconds(600_000)
        }
      }
      try devices.run(into: session)
      #expect(round == Self.rounds)
      #expect(Holdings.descriptors <= descriptors, "descriptors were \(descriptors)")
      #expect(growth < 16_384 + round * 16, "memory grew by \(growth) bytes in \(round) rounds")
      print("\(round) devices came and went: memory grew by \(growth) bytes")
    }

    @Test func onesThatAreThereAreReadFromTheirPlaceOn() throws {
      // fingers lie there before anybody reads
      let device = try VirtualDevice.settled(Pad.medium.device)
      for event: EvdevEvent in [
        .absolute(.slot, 0, at: .zero), .absolute(.trackingID, 7, at: .zero),
        .absolute(.positionX, 1000, at: .zero), .absolute(.positionY, 900, at: .zero),
        .key(.touch, 1, at: .zero), .report(at: .zero),
      ] { try device.write(event) }
      let keeper = open(device.path, O_RDONLY)
      defer { close(keeper) }
      let script = try Script(.paths([device.path]))
      script.step {
        try device.write(.absolute(.trackingID, -1, at: .zero))
        try device.write(.report(at: .zero))
      }
      try script.run()
      let began = script.touches.first { $0.touches.firstIndex { $0.phase == .began } != nil }
      #expect(began != nil)
      #expect(script.ledger.faults == [])
    }

    @Test func oneThatIsNamedTwiceIsReadOnce() throws {
      let device = try VirtualDevice.settled(Self.keyboard)
      let link = FileManager.default.temporaryDirectory.appending(path: "gliss-\(getpid())").path
      try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: device.path)
      defer { unlink(link) }
      let script = try Script(.paths([link, device.path, link]))
      script.step {
        for value in [Int32(1), 0] {
          try device.write(.key(.a, value, at: .zero))
          try device.write(.report(at: .zero))
        }
      }
      try script.run()
      #expect(script.changes == [.added])
      #expect(script.keys.map(\.state) == [.down, .up])
    }

    @Test func oneThatWasPluggedInAgainBetweenTwoRunsIsRead() throws {
      let first = try VirtualDevice.settled(Self.keyboard)
      let devices = try LiveDevices(.paths([first.path]))
      devices.didAdd = { [unowned devices] _, _ in devices.stop() }
      try devices.run(into: Session())
      first.close()
      let second = try VirtualDevice.settled(Self.keyboard)
      try #require(second.path == first.path, "it has another node")
      // without the device the reading ends by itself
      var rings = 0
      devices.didAdd = nil
      devices.alarm = InputLoop.now
      devices.didRing = { [unowned devices] in
        rings += 1
        if rings == 10 { devices.stop() } else { devices.alarm = InputLoop.now }
      }
      try devices.run(into: Session())
      #expect(rings == 10)
      second.close()
    }

    @Test func touchesKeepTheirTimeWhileOtherDevicesOpenSlowly() throws {
      let pad = try VirtualDevice.settled(Pad.medium.device)
      let keyboard = try VirtualDevice.settled(Self.keyboard)
      let script = try Script(.paths([pad.path, keyboard.path]))
      var written = EventTime.zero
      script.devices.didAdd = { _, path in
        guard path == pad.path else { return }
        for event: EvdevEvent in [
          .absolute(.slot, 0, at: .zero), .absolute(.trackingID, 7, at: .zero),
          .absolute(.positionX, 1000, at: .zero), .absolute(.positionY, 900, at: .zero),
          .key(.touch, 1, at: .zero), .report(at: .zero),
        ] { try? pad.write(event) }
        written = InputLoop.now
        // longer than an event may be late
        usleep(1_500_000)
      }
      script.step {}
      try script.run()
      let touch = try #require(script.touches.first)
      #expect(touch.time <= written, "\((touch.time - written).seconds) s too late")
      #expect(script.ledger.faults == [])
    }

    @Test func moreThanUdevCanReportIsStillFound() throws {
      let devices = try LiveDevices()
      var plugged: [VirtualDevice] = []
      var seen: Set<String> = []
      var failure: (any Error)?
      devices.didAdd = { [unowned devices] _, path in
        seen.insert(path)
        if plugged.count == 20, seen.isSuperset(of: plugged.map(\.path)) { devices.stop() }
      }
      devices.alarm = InputLoop.now + .milliseconds(50)
      devices.didRing = { [unowned devices] in
        guard plugged.isEmpty else { return devices.stop() }
        // nobody listens meanwhile
        Self.shrinkSockets()
        do {
          while plugged.count < 20 { plugged.append(try VirtualDevice.settled(Self.keyboard)) }
        } catch { failure = error }
        devices.alarm = InputLoop.now + .milliseconds(60_000)
      }
      try devices.run(into: Session())
      if let failure { throw failure }
      #expect(Set(plugged.map(\.path)).subtracting(seen) == [])
    }

    /// Netlink sockets of this process keep one message or two, as any would be too small at some time.
    private static func shrinkSockets() {
      for descriptor in Int32(0)..<256 {
        var (domain, length): (Int32, socklen_t) = (0, 4)
        guard getsockopt(descriptor, SOL_SOCKET, SO_DOMAIN, &domain, &length) == 0,
          domain == AF_NETLINK
        else { continue }
        var size: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, 4)
      }
    }

    @Test func aNameOfAnyBytesIsReadAndPrinted() throws {
      let device = try VirtualDevice.settled(
        Pad.medium.device, nameBytes: [0x41, 0x1b, 0x5b, 0x32, 0x4a, 0xff, 0xfe, 0x0a, 0x42])
      let script = try Script(.paths([device.path]))
      script.step {}
      try script.run()
      #expect(script.refused == [])
      #expect(script.changes.first == .added)
      let described = try DeviceFinder().device(at: device.path)
      var encoder = JSONLineEncoder()
      encoder.append(try #require(script.events.first), deviceName: try #require(described).name)
      let line = String(decoding: encoder.buffer.bytes, as: UTF8.self)
      #expect(line.hasSuffix("}\n") && line.filter { $0 == "\n" }.count == 1, "\(line)")
      #expect(!line.utf8.contains(0x1b))
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(line.utf8)) }
    }

    @Test(arguments: [
      (0, 0, 0), (100, 100, 10), (0, 4000, 0), (0, 4000, 30000), (-30000, 30000, 1),
    ])
    func absurdAxesAreReadAndTrapNothing(_ minimum: Int, _ maximum: Int, _ resolution: Int) throws {
      var pad = Pad.medium.device
      for axis in [AbsoluteAxis.positionX, .positionY, .x, .y] {
        pad.axes[axis] = AxisRange(
          minimum: Int32(minimum), maximum: Int32(maximum), resolution: Int32(resolution))
      }
      let device: VirtualDevice
      do {
        device = try VirtualDevice.settled(pad)
      } catch let error as SystemError {
        // the kernel itself would not have it
        #expect(error.code == EINVAL, "\(error)")
        return
      }
      let script = try Script(.paths([device.path]))
      let trace = Stroke.drag(by: Vector2(x: 0, y: 20)).trace(on: .medium, seed: 3)
      script.step { try device.play(trace.events) }
      try script.run()
      #expect(script.changes.first == .added, "\(script.refused)")
      #expect(script.ledger.faults == [])
      for gesture in script.gestures {
        #expect(gesture.translation.points.x.isFinite && gesture.velocity.y.isFinite)
      }
    }

    @Test func keysOfAKeyboardThatIsUnpluggedAreReleased() throws {
      let device = try VirtualDevice.settled(Self.keyboard)
      let script = try Script(.paths([device.path]))
      script.step {
        for key in [Key.leftShift, .a] { try device.write(.key(key, 1, at: .zero)) }
        try device.write(.report(at: .zero))
      }
      script.step { device.close() }
      script.step { Issue.record("reading went on without a device") }
      try script.run()
      let keys = script.keys.map { "\($0.key.name) \($0.state.name)" }
      #expect(keys.prefix(2).sorted() == ["KEY_A down", "KEY_LEFTSHIFT down"])
      #expect(keys.dropFirst(2).filter { $0.hasSuffix("up") }.count == 2, "\(keys)")
      #expect(script.ledger.faults == [])
    }
  }
}
