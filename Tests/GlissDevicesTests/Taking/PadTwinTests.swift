import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissDevices

/// The virtual touchpad that the desktop reads.
@Suite struct PadTwinTests {
  @Test func theTwinIsDescribedAsThePad() {
    var device = TwinRig.device
    device.axes[.positionX]?.fuzz = 8
    var twin = PadTwin.description(device)
    #expect(twin.axes[.toolType]?.maximum == ToolType.palm)
    #expect(twin.axes[.positionX]?.fuzz == 0, "the kernel would smooth positions twice")
    twin.axes[.toolType] = nil
    twin.axes[.positionX]?.fuzz = 8
    #expect(twin == device)
  }

  // MARK: Its events

  /// Whole frames of motion pass in a shorter way than others.
  @Test func aFramePassesAsItsEventsDo() throws {
    var passed = 0
    for index in 0..<500 {
      var random = Seed.source("Frames", index)
      var whole = TwinFlow(machine: try #require(TwinMachine(of: TwinRig.device)))
      whole.allow(FingerCounts([3]))
      whole.grab.want(from: .zero)
      #expect(whole.advance(to: .zero) == .grab)
      whole.grab.took(at: .zero)
      var single = whole
      for frame in 1..<40 {
        let events = Self.events(at: EventTime(microseconds: Int64(frame) * 8000), &random)
        var (action, other): (GrabMachine.Action?, GrabMachine.Action?)
        if whole.passMotion(events) {
          passed += 1
        } else {
          for event in events where whole.take(event) { action = whole.endFrame() }
        }
        for event in events where single.take(event) { other = single.endFrame() }
        if frame == 30 {
          #expect(whole.grab.unwant(at: .zero) == single.grab.unwant(at: .zero))
        }
        #expect(
          whole.packet == single.packet && action == other && whole.deadline == single.deadline,
          "\(index), frame \(frame), \(Seed.advice)")
      }
    }
    #expect(passed > 1000)
  }

  /// A frame or a part of one, mostly of motion.
  private static func events(
    at time: EventTime, _ random: inout RandomSource
  ) -> [EvdevEvent] {
    var events: [EvdevEvent] = []
    for _ in 0..<random.integer(0...4) {
      switch random.integer(0...9) {
      case 0: events.append(.key(.leftButton, Int32(random.integer(0...1)), at: time))
      case 1:
        let code = UInt16(random.integer(4...5))
        events.append(EvdevEvent(time: time, type: .miscellaneous, code: code, value: 9))
      case 2: events.append(.absolute(.trackingID, Int32(random.integer(-1...3)), at: time))
      case 3: events.append(.absolute(.slot, Int32(random.integer(0...3)), at: time))
      case _: events.append(.absolute(.positionX, Int32(random.integer(0...900)), at: time))
      }
    }
    if random.integer(0...9) > 0 { events.append(.report(at: time)) }
    return events
  }
}
