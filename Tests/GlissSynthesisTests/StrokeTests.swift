import GlissEvents
import GlissSynthesis
import Testing

@Suite struct StrokeTests {
  /// Distance between the first two contacts in the first and last frame that has both, in mm.
  private func separations(_ trace: Trace, _ pad: Pad) -> (first: Double, last: Double) {
    let pairs = Replay(trace.events, slots: pad.slots).frames.compactMap { frame -> Double? in
      guard let a = frame.contacts[0], let b = frame.contacts[1] else { return nil }
      return (pad.millimetres(a) - pad.millimetres(b)).length
    }
    return (pairs.first ?? 0, pairs.last ?? 0)
  }

  @Test(arguments: 1...20) func aPinchBeginsAndEndsAsFarApartAsAskedFor(seed: UInt64) {
    let found = separations(
      Stroke.pinch(from: 20, to: 60).trace(on: .large, seed: seed), .large)
    // contact shifts of up to 1 mm a finger at both ends, gains that differ by some percent
    #expect(abs(found.first - 20) < 2.5)
    #expect(abs(found.last - 60) < 7)
  }

  @Test func anIdealHandIsExactToTheNoiseOfTheSensor() {
    let stroke = Stroke.pinch(from: 20, to: 60).with { $0.motor = .ideal }
    let found = separations(stroke.trace(on: .large, seed: 3), .large)
    #expect(abs(found.first - 20) < 0.2)
    #expect(abs(found.last - 60) < 0.2)
  }

  /// Lower than the lowest place of a thumb, and with fewer slots than there can be.
  @Test func aStripHasRoomForAThumb() {
    var strip = Pad(
      name: "strip", size: Vector2(x: 60, y: 10), unitsPerMillimetre: Vector2(x: 20, y: 20))
    strip.slots = -1
    let stroke = Stroke.drag(by: Vector2(x: 3, y: 0)).with {
      $0.extraContacts = [.thumb(earlierMilliseconds: 100)]
    }
    #expect(!stroke.trace(on: strip, seed: 1).events.isEmpty)
  }

  @Test func anAnchoredPinchLeavesOneFingerWhereItWas() throws {
    let stroke = Stroke.pinch(from: 20, to: 50, anchor: .thumb).with { $0.motor = .ideal }
    let frames = Replay(stroke.trace(on: .large, seed: 1).events, slots: 16).frames
    let both = frames.filter { $0.contacts.count == 2 }
    let (first, last) = (try #require(both.first), try #require(both.last))
    let moved = [0, 1].compactMap { slot -> Double? in
      guard let a = first.contacts[slot], let b = last.contacts[slot] else { return nil }
      return (Pad.large.millimetres(b) - Pad.large.millimetres(a)).length
    }
    #expect(moved.min() ?? 9 < 0.2)
    #expect(abs((moved.max() ?? 0) - 30) < 0.3)
  }

  @Test(arguments: [
    (Direction.right, 30.0, 0.0), (.left, -30, 0), (.up, 0, -30), (.down, 0, 30),
  ])
  func aSwipeGoesItsWay(direction: Direction, x: Double, y: Double) throws {
    let stroke = Stroke.swipe(fingers: 3, direction: direction).with { $0.motor = .ideal }
    let trace = stroke.trace(on: .large, seed: 5)
    let frames = Replay(trace.events, slots: 16).frames.filter { $0.contacts.count == 3 }
    let first = try #require(frames.first?.contacts[1])
    let last = try #require(frames.last?.contacts[1])
    let moved = Pad.large.millimetres(last) - Pad.large.millimetres(first)
    #expect((moved - Vector2(x: x, y: y)).length < 0.3)
    #expect(trace.truth.expected.first?.directions == [direction])
  }

  @Test(arguments: [30.0, -30]) func aRotationTurnsAsAskedFor(degrees: Double) throws {
    let stroke = Stroke.rotate(by: degrees).with { $0.motor = .ideal }
    let trace = stroke.trace(on: .large, seed: 2)
    let frames = Replay(trace.events, slots: 16).frames.filter { $0.contacts.count == 2 }
    func arm(_ frame: Replay.Frame) throws -> Vector2 {
      let (a, b) = (try #require(frame.contacts[0]), try #require(frame.contacts[1]))
      return Pad.large.millimetres(b) - Pad.large.millimetres(a)
    }
    let (before, after) = (try arm(#require(frames.first)), try arm(#require(frames.last)))
    // y is down: a positive cross product is clockwise
    let turned = Elementary.angle(y: before.cross(after), x: before.dot(after)) * 180 / .pi
    #expect(abs(turned + degrees) < 1)
    #expect(trace.truth.expected.first?.rotationSign == (degrees > 0 ? 1 : -1))
  }

  @Test func onsetIsWhereTheMeantMotionHasComeATenthOfAMillimetre() throws {
    let stroke = Stroke.drag(by: Vector2(x: 30, y: 0)).with {
      $0.motor = .ideal
      $0.restMilliseconds = 200
      $0.durationMilliseconds = 400
    }
    let truth = stroke.trace(on: .large, seed: 1).truth
    let (start, onset) = (try #require(truth.strokeStart), try #require(truth.onset))
    #expect((start - truth.landed).milliseconds == 200)
    // 30 mm × 10 τ³ = 0.1 mm at τ = 0.072 of 400 ms
    #expect(abs((onset - start).milliseconds - 28) < 2)
  }

  @Test func theSameSeedGivesTheSameBitsAndAnotherSeedAnotherHand() {
    let stroke = Stroke.drag(by: Vector2(x: 25, y: 5))
    let events = stroke.trace(on: .medium, seed: 7).events
    #expect(stroke.trace(on: .medium, seed: 7).events == events)
    #expect(stroke.trace(on: .medium, seed: 8).events != events)
  }

  @Test func theBitsAreTheOnesTheyHaveAlwaysBeen() {
    var random = RandomSource(seed: 1)
    #expect(
      (0..<3).map { _ in random.next() } == [
        12_966_619_160_104_079_557, 9_600_361_134_598_540_522, 10_590_380_919_521_690_900,
      ])
    let events = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1).events
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for event in events {
      for word in [event.time.microseconds, Int64(event.code), Int64(event.value)] {
        hash = (hash ^ UInt64(bitPattern: word)) &* 0x100_0000_01b3
      }
    }
    #expect(hash == 7_075_408_435_229_308_699)
  }

  @Test func timesAreDurations() {
    var options = StrokeOptions()
    #expect(options.duration == nil && options.rest == .milliseconds(60))
    options.duration = .seconds(2)
    options.lateFinger = .milliseconds(30)
    (options.rest, options.linger, options.gap) = (
      .milliseconds(-5), .zero, .milliseconds(0.5)
    )
    (options.creep, options.laggingFinger) = (.milliseconds(7), nil)
    #expect(options.durationMilliseconds == 2000 && options.lateFingerMilliseconds == 30)
    #expect(options.rest == .milliseconds(-5) && options.gapMilliseconds == 0.5)
    #expect(options.linger == .zero && options.creep == .milliseconds(7))
    #expect(options.laggingFinger == nil && options.duration == .seconds(2))
    #expect(Stroke.hold(for: .milliseconds(900)).options.durationMilliseconds == 900)
  }
}
