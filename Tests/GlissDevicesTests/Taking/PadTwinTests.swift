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

  @Test func onlyKnownPlacesAreTheTwins() {
    let name = "ID_INPUT_TOUCHPAD_INTEGRATION"
    #expect(PadTwin.place([name: "internal"]) == "twin/internal")
    #expect(PadTwin.place([name: "external"]) == "twin/external")
    #expect(PadTwin.place([name: "elsewhere"]) == "twin")
    #expect(PadTwin.place([:]) == "twin")
  }

  // MARK: Its events

  /// A twin's machines, as ``PadTwin`` uses them.
  private struct Flow {
    var grab = GrabMachine()
    var machine: TwinMachine
    private var passed: [EvdevEvent] = []
    private(set) var packet: [EvdevEvent] = []

    init(_ machine: TwinMachine) {
      self.machine = machine
      self.machine.allow(FingerCounts([3]), into: &packet)
      grab.want(from: .zero)
      grab.took(at: .zero)
    }

    mutating func take(_ events: [EvdevEvent]) -> GrabMachine.Action? {
      var action: GrabMachine.Action?
      for event in events {
        if let next = grab.process(event, into: &passed) { action = next }
      }
      machine.process(passed, into: &packet)
      passed.removeAll()
      return action
    }
  }

  /// Frames are taken as a whole, and some come in parts.
  @Test func aFramePassesAsItsEventsDo() throws {
    var count = 0
    for index in 0..<500 {
      var random = Seed.source("Frames", index)
      var whole = Flow(try #require(TwinMachine(of: TwinRig.device)))
      var single = whole
      for frame in 1..<40 {
        let events = Self.events(at: EventTime(microseconds: Int64(frame) * 8000), &random)
        let action = whole.take(events)
        var other: GrabMachine.Action?
        for event in events {
          if let next = single.take([event]) { other = next }
        }
        if frame == 30 {
          #expect(whole.grab.unwant(at: .zero) == single.grab.unwant(at: .zero))
        }
        #expect(
          whole.packet == single.packet && action == other
            && whole.machine.deadline == single.machine.deadline,
          "\(index), frame \(frame), \(Seed.advice)")
      }
      count += whole.packet.count
    }
    #expect(count > 1000)
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
