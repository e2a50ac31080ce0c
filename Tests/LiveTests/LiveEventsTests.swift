import GlissDevices
import GlissEvents
import GlissRecognition
import GlissSynthesis
import Synchronization
import TestSupport
import Testing

extension LiveTests {
  /// Live devices with `for try await`.
  @Suite(.timeLimit(.minutes(5))) struct LiveEventsTests {
    private let pinch = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)

    @Test func theGesturesOfADeviceEndWithIt() async throws {
      var device: VirtualDevice? = try .settled(pinch.device)
      let path = try #require(device?.path)
      let missed = Atomic<Int>(0)
      var events = LiveDevices.events(
        matching: [.gesture, .device], of: .paths([path]),
        didMiss: { missed.store($0, ordering: .relaxed) }
      ).makeAsyncIterator()
      guard case .device? = try await events.next(isolation: nil) else {
        Issue.record("the device was not reported")
        return
      }
      try device?.play(pinch.events)
      // unplugged
      device = nil
      var gestures: [GestureEvent] = []
      while let event = try await events.next(isolation: nil) {
        if case .gesture(let gesture) = event { gestures.append(gesture) }
      }
      let expected = pinch.gestures()
      #expect(gestures.first?.kind == .pinch && gestures.last?.phase == expected.last?.phase)
      #expect(abs(gestures.count - expected.count) < expected.count / 4)
      #expect(missed.load(ordering: .relaxed) == 0)
    }

    @Test func aTaskThatIsCancelledReadsNoLonger() async throws {
      let device = try VirtualDevice.settled(pinch.device)
      let gestures = LiveDevices.gestures(of: .paths([device.path]))
      let task = Task {
        var count = 0
        for try await _ in gestures { count += 1 }
        return count
      }
      try device.play(pinch.events)
      task.cancel()
      _ = try await task.value
    }
  }
}
