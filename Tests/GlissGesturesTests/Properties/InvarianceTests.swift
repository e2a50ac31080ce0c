import GlissEvents
import GlissSession
import GlissSynthesis
import TestSupport
import Testing

/// What must not change when a stroke is made later, elsewhere, mirrored, or on a pad that counts in other units.
@Suite struct InvarianceTests {
  /// A gesture without its numbers, so that a mirrored one can be compared.
  private struct Outline: Equatable, CustomStringConvertible {
    var kind: GestureKind
    var phases: [GesturePhase]
    var fingers: Int
    var count: Int
    var time: EventTime
    var direction: Direction?
    /// -1, 0 or 1
    var growth: Int
    var turn: Int
    var horizontal: Int
    var vertical: Int

    var description: String {
      "\(kind.name)\(fingers) \(phases.map(\.name).joined(separator: " ")) \(direction?.name ?? "")"
        + " growth \(growth) turn \(turn) motion \(horizontal) \(vertical)"
    }
  }

  /// Strokes in the middle of a large pad, far from its edges and from where thumbs rest.
  private static let strokes: [Stroke] = [
    .drag(by: Vector2(x: 25, y: 6)), .drag(by: Vector2(x: -5, y: -22)), .pinch(from: 20, to: 45),
    .pinch(from: 45, to: 18), .rotate(by: 40), .rotate(by: -40),
    .pinch(from: 25, to: 45, fingers: 3), .swipe(fingers: 3, direction: .left, distance: 25),
    .swipe(fingers: 4, direction: .up, distance: 20), .tap(), .tap(fingers: 2, count: 2),
    .hold(fingers: 2, for: .milliseconds(900)), .drag(by: Vector2(x: 12, y: 0), fingers: 1),
  ]

  private static func traces() -> [Trace] {
    var random = Seed.source("invariance")
    var traces: [Trace] = []
    for stroke in strokes {
      let central = stroke.with { $0.centre = Vector2(x: 80, y: 57) }
      for _ in 0..<3 {
        var trace = central.trace(on: .large, seed: random.next())
        while !saysWhereAllIs(trace) { trace = central.trace(on: .large, seed: random.next()) }
        traces.append(trace)
      }
    }
    return traces
  }

  /// A driver does not send a coordinate that is 0 as it always was, and what is not sent cannot be moved. This pad has
  /// its 0 in the middle.
  private static func saysWhereAllIs(_ trace: Trace) -> Bool {
    var (slot, said): (Int32, [Int32: Set<AbsoluteAxis>]) = (0, [:])
    for event in trace.events where event.type != .key {
      let axis = AbsoluteAxis(rawValue: event.code)
      if event.type == .synchronization {
        if said.values.contains(where: { $0.count < 2 }) { return false }
      } else if axis == .slot {
        slot = event.value
      } else if axis == .trackingID {
        said[slot, default: []] = said[slot, default: []]
      } else if axis == .positionX || axis == .positionY {
        said[slot, default: []].insert(axis)
      }
    }
    return true
  }

  private static func outlines(_ gestures: [GestureEvent]) -> [Outline] {
    var outlines: [Outline] = []
    for gesture in gestures {
      if gesture.phase == .began || gesture.phase == .recognized {
        outlines.append(
          Outline(
            kind: gesture.kind, phases: [], fingers: gesture.fingers, count: gesture.count,
            time: gesture.time, growth: 0, turn: 0, horizontal: 0, vertical: 0))
      }
      guard let last = outlines.indices.last else { continue }
      outlines[last].phases.append(gesture.phase)
      outlines[last].direction = gesture.direction
      outlines[last].growth = sign(gesture.scale - 1)
      outlines[last].turn = sign(gesture.rotation)
      outlines[last].horizontal = sign(gesture.translation.millimetres.x)
      outlines[last].vertical = sign(gesture.translation.millimetres.y)
    }
    return outlines
  }

  /// What is smaller than a thousandth has no sign.
  private static func sign(_ value: Double) -> Int { value > 1e-3 ? 1 : value < -1e-3 ? -1 : 0 }

  /// The trace with its positions changed; and its device, where the axes change too.
  private static func moved(
    _ trace: Trace, x: (Int32) -> Int32 = { $0 }, y: (Int32) -> Int32 = { $0 }
  ) -> [EvdevEvent] {
    trace.events.map { event in
      var event = event
      guard event.type == .absolute else { return event }
      switch AbsoluteAxis(rawValue: event.code) {
      case .positionX, .x: event.value = x(event.value)
      case .positionY, .y: event.value = y(event.value)
      case _: break
      }
      return event
    }
  }

  private static func compare(
    _ events: [EvdevEvent], on device: Device, with expected: [Outline], _ what: String
  ) {
    let ledger = Ledger.play(events, on: device)
    #expect(ledger.faults == [])
    #expect(outlines(ledger.gestures) == expected, "\(what), \(Seed.advice)")
  }

  @Test func theStrokesAreRecognizedAtAll() {
    let found = Self.traces().filter { !Ledger.play($0.events, on: $0.device).gestures.isEmpty }
    // pointing is not a gesture
    #expect(found.count >= (Self.strokes.count - 1) * 3)
  }

  @Test(arguments: [1, 999, 86_400_000_000, -900_000, 1 << 60, .min] as [Int64])
  func aStrokeMadeLaterIsTheSame(microseconds: Int64) {
    for trace in Self.traces() {
      let shift = EventInterval(microseconds: microseconds)
      let later = trace.events.map { event in
        var event = event
        event.time = event.time + shift
        return event
      }
      let expected = Ledger.play(trace.events, on: trace.device).gestures.map { gesture in
        var gesture = gesture
        gesture.time = gesture.time + shift
        return gesture
      }
      // to the last bit: nothing depends on when
      #expect(
        Ledger.play(later, on: trace.device).gestures == expected,
        "\(trace.truth.className), \(Seed.advice)")
    }
  }

  @Test func aStrokeMirroredLeftToRightIsItsMirrorImage() throws {
    for trace in Self.traces() {
      let axis = try #require(trace.device.axes[.positionX])
      let events = Self.moved(trace, x: { axis.minimum + axis.maximum - $0 })
      var expected = Self.outlines(Ledger.play(trace.events, on: trace.device).gestures)
      for index in expected.indices {
        expected[index].turn *= -1
        expected[index].horizontal *= -1
        switch expected[index].direction {
        case .left: expected[index].direction = .right
        case .right: expected[index].direction = .left
        case _: break
        }
      }
      Self.compare(events, on: trace.device, with: expected, "mirrored \(trace.truth.className)")
    }
  }

  @Test func aStrokeMirroredTopToBottomIsItsMirrorImage() throws {
    for trace in Self.traces() {
      let axis = try #require(trace.device.axes[.positionY])
      let events = Self.moved(trace, y: { axis.minimum + axis.maximum - $0 })
      var expected = Self.outlines(Ledger.play(trace.events, on: trace.device).gestures)
      for index in expected.indices {
        expected[index].turn *= -1
        expected[index].vertical *= -1
        switch expected[index].direction {
        case .up: expected[index].direction = .down
        case .down: expected[index].direction = .up
        case _: break
        }
      }
      Self.compare(events, on: trace.device, with: expected, "mirrored \(trace.truth.className)")
    }
  }

  @Test(arguments: [(300, 0), (0, -250), (-411, 203)] as [(Int32, Int32)])
  func aStrokeMadeElsewhereIsTheSame(x: Int32, y: Int32) {
    for trace in Self.traces() {
      let events = Self.moved(trace, x: { $0 + x }, y: { $0 + y })
      let expected = Self.outlines(Ledger.play(trace.events, on: trace.device).gestures)
      Self.compare(events, on: trace.device, with: expected, "moved \(trace.truth.className)")
    }
  }

  @Test(arguments: [2, 3, 7] as [Int32])
  func aPadThatCountsInSmallerUnitsSeesTheSame(factor: Int32) {
    for trace in Self.traces() {
      var device = trace.device
      for (axis, range) in device.axes where Self.isLength(axis) {
        device.axes[axis] = AxisRange(
          minimum: range.minimum * factor, maximum: range.maximum * factor,
          resolution: range.resolution * factor)
      }
      let events = trace.events.map { event in
        var event = event
        if event.type == .absolute, Self.isLength(AbsoluteAxis(rawValue: event.code)) {
          event.value *= factor
        }
        return event
      }
      let expected = Self.outlines(Ledger.play(trace.events, on: trace.device).gestures)
      Self.compare(events, on: device, with: expected, "\(factor) × \(trace.truth.className)")
    }
  }

  private static func isLength(_ axis: AbsoluteAxis) -> Bool {
    [.x, .y, .positionX, .positionY, .touchMajor, .touchMinor].contains(axis)
  }
}
