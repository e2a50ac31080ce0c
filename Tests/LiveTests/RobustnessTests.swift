import CLinux
import Foundation
import GlissDevices
import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

extension LiveTests {
  /// What goes wrong with real devices, made to happen on a real kernel.
  @Suite struct RobustnessTests {
    private static let fingers = Pad.medium.device

    /// One packet: where the contacts of these slots are, by tracking id; a negative one lifts.
    private func packet(_ contacts: [(slot: Int32, id: Int32, x: Int32, y: Int32)]) -> [EvdevEvent]
    {
      var events: [EvdevEvent] = []
      for contact in contacts {
        events.append(.absolute(.slot, contact.slot, at: .zero))
        events.append(.absolute(.trackingID, contact.id, at: .zero))
        if contact.id < 0 { continue }
        events.append(.absolute(.positionX, contact.x, at: .zero))
        events.append(.absolute(.positionY, contact.y, at: .zero))
      }
      return events + [.report(at: .zero)]
    }

    private func write(_ events: [EvdevEvent], to device: VirtualDevice) throws {
      for event in events { try device.write(event) }
    }

    @Test func droppedEventsLeaveNoTouchStuckOrJumping() throws {
      let device = try VirtualDevice.settled(Self.fingers)
      let script = try Script(.paths([device.path]))
      script.step { try write(packet([(0, 1, 900, 900), (1, 2, 1500, 900)]), to: device) }
      script.step {
        // far more than its queue holds, and nobody reads meanwhile
        for step in Int32(1)...3000 {
          let x = 900 + step % 500
          try write(packet([(0, 1, x, 900), (1, 2, x + 600, 900)]), to: device)
        }
        // one lifts, another lands
        try write(packet([(0, -1, 0, 0), (2, 3, 2000, 1000)]), to: device)
      }
      script.step { try write(packet([(1, -1, 0, 0), (2, -1, 0, 0)]), to: device) }
      try script.run()
      #expect(script.devices.lossCount > 0, "the kernel dropped nothing")
      #expect(script.ledger.faults == [])
      let losses = script.events.compactMap { event in
        if case .lost(let loss) = event { loss } else { nil }
      }
      #expect(losses.count == script.devices.lossCount && losses.allSatisfy { $0.since != nil })
      let frames = script.touches
      let cancelled = frames.first { $0.touches.firstIndex { $0.phase == .cancelled } != nil }
      #expect(cancelled != nil, "what was lost was not told")
      let after = frames.filter { frame in cancelled.map { frame.time > $0.time } ?? false }
      let began = after.flatMap { frame in
        frame.touches.indices.map { frame.touches[$0] }.filter { $0.phase == .began }
      }
      // those that were down after it, where they were
      let geometry = Self.fingers.size.millimetres
      let places = began.map { Int(($0.position.x / geometry.x * 10000).rounded()) }.sorted()
      let expected = [900 + 600 + 3000 % 500, 2000].map { x -> Int in
        let axis = Self.fingers.horizontal!
        return Int(
          (Double(x - Int(axis.minimum)) / Double(axis.maximum - axis.minimum) * 10000).rounded())
      }
      #expect(places == expected.sorted())
    }

    @Test func unpluggingInMidGestureCancelsIt() throws {
      let trace = Stroke.drag(by: Vector2(x: 0, y: 20)).trace(on: .medium, seed: 4)
      let device = try VirtualDevice.settled(trace.device)
      let script = try Script(.paths([device.path]))
      let half = trace.events.prefix(trace.events.count * 3 / 4)
      script.step { try device.play(half) }
      script.step { device.close() }
      script.step { Issue.record("reading went on without a device") }
      try script.run()
      #expect(script.gestures.last?.phase == .cancelled)
      #expect(script.gestures.contains { $0.phase == .began && $0.kind == .drag })
      #expect(script.changes == [.added, .removed])
      #expect(script.ledger.faults == [])
    }

    @Test func aRevokedDescriptorEndsWhatItBeganAndStaysOpen() throws {
      let trace = Stroke.pinch(from: 20, to: 50).trace(on: .medium, seed: 4)
      let device = try VirtualDevice.settled(trace.device)
      let descriptor = open(device.path, O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      let script = try Script(.descriptors([descriptor]))
      script.step { try device.play(trace.events.prefix(trace.events.count * 3 / 4)) }
      script.step { #expect(gliss_evdev_revoke(descriptor) == 0) }
      script.step { Issue.record("reading went on with nothing to read") }
      try script.run()
      #expect(script.gestures.last?.phase == .cancelled)
      #expect(script.ledger.faults == [])
      #expect(fcntl(descriptor, F_GETFD) >= 0, "it was not ours to close")
    }

    /// libinput opens devices by their paths only; what was handed over takes the place of that, or else it would still
    /// be read once what was handed over is revoked.
    @Test func aKeyboardThatWasHandedOverIsReadByNothingElse() throws {
      let device = try VirtualDevice.settled(HotplugTests.keyboard)
      let descriptor = open(device.path, O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      #expect(try EvdevReader(descriptor: descriptor, isOwned: false).device.kind == .keyboard)
      let script = try Script(.descriptors([descriptor]))
      script.step {
        for value in [Int32(1), 0] {
          try device.write(.key(.a, value, at: .zero))
          try device.write(.report(at: .zero))
        }
      }
      script.step { #expect(gliss_evdev_revoke(descriptor) == 0) }
      script.step { Issue.record("reading went on with nothing to read") }
      try script.run()
      #expect(script.refused == [])
      #expect(script.changes == [.added, .removed])
      #expect(script.keys.map { "\($0.key.name) \($0.state.name)" } == ["KEY_A down", "KEY_A up"])
      #expect(fcntl(descriptor, F_GETFD) >= 0, "it was not ours to close")
    }

    @Test func signalsDisturbNothing() throws {
      let trace = Stroke.swipe(direction: .left).trace(on: .medium, seed: 4)
      let device = try VirtualDevice.settled(trace.device)
      signal(SIGALRM) { _ in }
      var action = sigaction()
      sigaction(SIGALRM, nil, &action)
      action.sa_flags &= ~Int32(SA_RESTART)
      sigaction(SIGALRM, &action, nil)
      var often = itimerval(
        it_interval: timeval(tv_sec: 0, tv_usec: 2000), it_value: timeval(tv_sec: 0, tv_usec: 2000))
      setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &often, nil)
      defer {
        var never = itimerval()
        setitimer(__itimer_which_t(ITIMER_REAL.rawValue), &never, nil)
        signal(SIGALRM, SIG_IGN)
      }
      let script = try Script(.paths([device.path]))
      // by another thread: this one reads
      script.step { Background.play(trace.events, on: device) }
      for _ in 0..<10 { script.step {} }
      try script.run()
      #expect(script.gestures.last?.phase == .ended)
      #expect(script.gestures.first?.kind == .swipe)
      #expect(script.ledger.faults == [])
    }

    @Test func aFloodDoesNotKeepOthersWaiting() throws {
      let trace = Stroke.drag(by: Vector2(x: 20, y: 0)).trace(on: .medium, seed: 9)
      let quiet = try VirtualDevice.settled(trace.device)
      let loud = try VirtualDevice.settled(Pad.large.device)
      let script = try Script(.paths([loud.path, quiet.path]))
      let flood = Background()
      script.step { flood.flood(loud, packetsPerSecond: 8000, seconds: 2) }
      script.step {
        // by another thread: this one reads
        Background.play(trace.events, on: quiet)
      }
      for _ in 0..<15 { script.step {} }
      try script.run()
      flood.wait()
      #expect(script.gestures.contains { $0.kind == .drag && $0.phase == .ended })
      #expect(script.ledger.faults == [])
      #expect(flood.written >= 8000, "\(flood.written) packets are no flood")
    }
  }
}

/// What another thread does with a device while this one reads.
final class Background: @unchecked Sendable {
  private let done = DispatchSemaphore(value: 0)
  private(set) var written = 0

  static func play(_ events: [EvdevEvent], on device: VirtualDevice) {
    nonisolated(unsafe) let device = device
    Thread.detachNewThread { try? device.play(events) }
  }

  /// One finger that moves as often as no finger does.
  func flood(_ device: VirtualDevice, packetsPerSecond: Int, seconds: Int) {
    var events: [EvdevEvent] = [.absolute(.trackingID, 1, at: .zero)]
    for index in 0..<packetsPerSecond * seconds {
      let time = EventTime(microseconds: Int64(index) * 1_000_000 / Int64(packetsPerSecond))
      events.append(.absolute(.positionX, 500 + Int32(index % 100), at: time))
      events.append(.absolute(.positionY, 500 + Int32(index % 90), at: time))
      events.append(.report(at: time))
    }
    events.append(.absolute(.trackingID, -1, at: events.last?.time ?? .zero))
    events.append(.report(at: events.last?.time ?? .zero))
    nonisolated(unsafe) let device = device
    Thread.detachNewThread { [self, events] in
      try? device.play(events)
      written = packetsPerSecond * seconds
      done.signal()
    }
  }

  func wait() { done.wait() }
}
