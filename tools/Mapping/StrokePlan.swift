package import GlissEvents
import GlissGestures
import GlissSynthesis

/// Fingers on a pad of 100 × 60 mm, from the first landing to the last lifting.
package struct StrokePlan: Sendable {
  package var fingers: [PlannedFinger]
  /// From one frame to the next, in ms.
  package var interval: Double
  /// Standard deviation of each coordinate in each frame, in mm.
  package var tremor = 0.0

  package init(_ fingers: [PlannedFinger], interval: Double = 8) {
    self.fingers = fingers
    self.interval = interval
  }

  /// Width and height of the pad in mm.
  package static let padSize = Vector2(x: 100, y: 60)

  static let device = Device(
    name: "map's pad",
    axes: [
      .positionX: AxisRange(minimum: 0, maximum: 1000, resolution: 10),
      .positionY: AxisRange(minimum: 0, maximum: 600, resolution: 10),
      .slot: AxisRange(minimum: 0, maximum: 9),
    ], keys: [.touch, .toolFinger], properties: [.pointer])

  /// When the first finger moves, in ms.
  package var onset: Double { fingers.map(\.onset).min() ?? 0 }

  /// How far the farthest finger has gone by then, in mm.
  package func farthest(at time: Double) -> Double {
    fingers.map { $0.travel(at: time) }.max() ?? 0
  }

  /// What the pad reports. A finger is first seen in the first frame at or after its landing.
  package var frames: [TouchFrame] {
    var random = RandomSource(seed: 1, name: "map")
    var places: [Vector2?] = fingers.map { _ in nil }
    var isGone = fingers.map { _ in false }
    var frames: [TouchFrame] = []
    while isGone.contains(false) {
      // times that a sum of intervals should meet are met
      let time = Double(frames.count) * interval + 1e-6
      var frame = TouchFrame(time: .zero + .milliseconds(time), device: Self.device.id)
      for (index, finger) in fingers.enumerated() where !isGone[index] && time >= finger.landing {
        isGone[index] = time >= finger.lifting
        let last = places[index]
        // a contact that has lifted is where it was seen last
        let place =
          isGone[index] ? last ?? finger.place : trembling(finger.position(at: time), &random)
        places[index] = place
        let phase: Touch.Phase =
          isGone[index] ? .ended : last == nil ? .began : last == place ? .stationary : .moved
        frame.touches.append(touch(index, at: place, phase))
        if !isGone[index] { frame.fingerCount += 1 }
      }
      frames.append(frame)
    }
    return frames
  }

  private func trembling(_ place: Vector2, _ random: inout RandomSource) -> Vector2 {
    guard tremor > 0 else { return place }
    return place + Vector2(x: random.normal(), y: random.normal()) * tremor
  }

  private func touch(_ index: Int, at place: Vector2, _ phase: Touch.Phase) -> Touch {
    Touch(
      id: TouchID(device: Self.device.id, serial: UInt32(index + 1)), phase: phase,
      normalizedPosition: Vector2(x: place.x / Self.padSize.x, y: place.y / Self.padSize.y),
      position: place)
  }

  /// What a recognizer makes of the stroke.
  package func gestures() -> [GestureEvent] {
    var recognizer = GestureRecognizer(for: Self.device)
    var gestures: [GestureEvent] = []
    for frame in frames {
      recognizer.process(frame)
      recognizer.outputs.forEach { output in
        if case .gesture(let gesture) = output { gestures.append(gesture) }
      }
    }
    return gestures
  }
}
