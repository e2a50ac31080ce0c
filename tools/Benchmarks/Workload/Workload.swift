package import Gliss
package import GlissSynthesis

/// Strokes that can be played again and again, each time later than the time before.
package struct Workload: Sendable {
  package let name: String
  package let device: Device
  /// One stroke after the other, in order of time.
  package private(set) var events: [EvdevEvent] = []
  /// What the decoder makes of the events.
  package private(set) var frames: [RawFrame] = []
  /// How much later the next round is.
  package let period: EventInterval

  /// Between two strokes: what was begun has ended, and the next tap is no double tap.
  private static let pause = EventInterval.milliseconds(1000)

  /// - Parameter milliseconds: how long each stroke's motion takes; `nil` for what suits it.
  package init(
    _ name: String, on pad: Pad, _ strokes: [Stroke], lasting milliseconds: Double? = nil
  ) {
    self.name = name
    device = pad.device
    var start = EventTime.zero
    for (index, stroke) in strokes.enumerated() {
      let stroke = stroke.with {
        if let milliseconds { $0.duration = .milliseconds(milliseconds) }
      }
      let trace = stroke.trace(on: pad, seed: UInt64(index + 1))
      guard let first = trace.events.first?.time else { continue }
      // each stroke's driver begins in slot 0, wherever the one before it ended
      events.append(.absolute(.slot, 0, at: start))
      for var event in trace.events {
        event.time = start + (event.time - first)
        events.append(event)
      }
      start = (events.last?.time ?? start) + Self.pause
    }
    period = start - .zero
    var decoder = EvdevDecoder(for: device)
    for event in events {
      switch decoder.process(event) {
      case .frame: frames.append(decoder.frame)
      case .none, .key, .lost: break
      }
    }
  }

  /// Makes the next round of frames and events later by one period.
  package mutating func shift() {
    for index in frames.indices { frames[index].time = frames[index].time + period }
    for index in events.indices { events[index].time = events[index].time + period }
  }
}

extension Workload {
  /// Two fingers: drags, pinches, rotations.
  package static func twoFingers(on pad: Pad) -> Workload {
    Workload(
      "2 fingers", on: pad,
      [
        .drag(by: Vector2(x: 30, y: 5)), .pinch(from: 20, to: 45), .drag(by: Vector2(x: 0, y: -20)),
        .rotate(by: 40), .pinch(from: 45, to: 20), .drag(by: Vector2(x: -30, y: 10)),
      ], lasting: 800)
  }

  /// Five fingers: swipes, pinches, rotations.
  package static func fiveFingers(on pad: Pad) -> Workload {
    Workload(
      "5 fingers", on: pad,
      [
        .swipe(fingers: 5, direction: .right, distance: 20), .pinch(from: 30, to: 50, fingers: 5),
        .swipe(fingers: 5, direction: .up, distance: 15), .rotate(by: 30, fingers: 5),
      ], lasting: 800)
  }

  /// One to three fingers that tap, a tap and drag, fingers that lie still.
  package static func taps(on pad: Pad) -> Workload {
    Workload(
      "taps and holds", on: pad,
      [
        .tap(), .tap(fingers: 2), .tap(fingers: 3, count: 2), .tapAndDrag(by: Vector2(x: 15, y: 0)),
        .hold(fingers: 1), .hold(fingers: 2),
      ])
  }

  /// What a hand does in half a minute, for text to read.
  package static let mixture: [Stroke] = [
    .point(by: Vector2(x: 40, y: 10)), .tap(), .drag(by: Vector2(x: 0, y: -30)),
    .drag(by: Vector2(x: 5, y: 30)), .pinch(from: 20, to: 45), .tap(fingers: 2), .rotate(by: 40),
    .swipe(fingers: 3, direction: .left), .swipe(fingers: 4, direction: .up, distance: 20),
    .pinch(from: 50, to: 30, fingers: 5), .hold(fingers: 2), .tapAndDrag(by: Vector2(x: 15, y: 0)),
    .click(),
  ]
}
