import GlissEvents
import GlissSynthesis
import StrokeClasses
import Testing

@Suite struct ClassTests {
  @Test(arguments: TraceClass.all.map(\.name))
  func everyTraceIsWhatADriverCouldHaveWritten(name: String) throws {
    let kind = try #require(TraceClass.named(name))
    for index in 0..<20 {
      let pad = kind.pads[index % kind.pads.count]
      let trace = kind.trace(index: index, seed: 11)
      let replay = Replay(trace.events, slots: pad.slots)
      #expect(replay.mistakes == [], "\(name) \(index)")
      #expect(!replay.frames.isEmpty)
      #expect(axesInRange(trace), "\(name) \(index)")
      #expect(trace.truth.className == name)
      #expect(trace.truth.landed <= trace.truth.lifted)
      if let start = trace.truth.strokeStart, let onset = trace.truth.onset {
        #expect(start <= onset && onset <= trace.truth.lifted)
      }
    }
  }

  private func axesInRange(_ trace: Trace) -> Bool {
    trace.events.allSatisfy { event in
      guard event.type == .absolute else { return true }
      let axis = AbsoluteAxis(rawValue: event.code)
      if axis == .trackingID && event.value == -1 { return true }
      guard let range = trace.device.axes[axis] else { return false }
      return range.minimum <= event.value && event.value <= range.maximum
    }
  }

  @Test func aPadWithTwoSlotsOnlyCountsItsOtherFingers() throws {
    let swipe = try #require(TraceClass.named("swipe-4"))
    let frames = Replay(swipe.trace(on: .small, index: 0, seed: 1).events, slots: 2).frames
    #expect(frames.map(\.contacts.count).max() == 2)
    #expect(frames.contains { $0.pressed.contains(Key.toolQuadTap.rawValue) })
  }

  @Test func namesAreUniqueAndEveryClassIsFoundByItsName() {
    #expect(Set(TraceClass.all.map(\.name)).count == TraceClass.all.count)
    #expect(TraceClass.named("no-such-class") == nil)
  }

  @Test(arguments: 1...5) func aHoldOnlyTrembles(fingers: Int) throws {
    let kind = try #require(TraceClass.named("hold-\(fingers)"))
    let trace = kind.trace(on: .large, index: 3, seed: 9)
    #expect(trace.truth.onset == nil)
    let frames = Replay(trace.events, slots: 16).frames.filter {
      $0.time > trace.truth.landed + .milliseconds(150) && $0.contacts.count == fingers
    }
    let first = try #require(frames.first?.contacts[0])
    let strays = frames.compactMap { $0.contacts[0] }.map {
      (Pad.large.millimetres($0) - Pad.large.millimetres(first)).length
    }
    // tremor of 0.1 mm in a finger and its hand; contact shift while the others lift
    #expect(strays.sorted()[strays.count * 3 / 4] < 0.5)
  }

  @Test func fingersOfASwipeLandWithinFortyMilliseconds() throws {
    let swipe = try #require(TraceClass.named("swipe-5"))
    for index in 0..<20 {
      let frames = Replay(swipe.trace(on: .large, index: index, seed: 4).events, slots: 16).frames
      let first = try #require(frames.first)
      let all = try #require(frames.first { $0.contacts.count == 5 })
      #expect((all.time - first.time).milliseconds <= 60)
    }
  }
}
