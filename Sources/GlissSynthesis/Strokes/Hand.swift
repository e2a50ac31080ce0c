import GlissEvents

/// The positions of a hand's fingers, in mm around their middle.
enum Hand {
  /// Fingers side by side, as in drags, swipes, taps and holds; the last of five is the thumb.
  static func row(
    _ fingers: Int, _ options: StrokeOptions, using random: inout RandomSource
  ) -> [Vector2] {
    let spacing = options.separation
    let mirror: Double = options.isLeftHanded ? -1 : 1
    guard fingers > 1 else { return [.zero] }
    if fingers == 2 {
      let degrees = options.handAngle ?? random.uniform(-35...35)
      let arm = Vector2(angle: -degrees.radians) * (spacing / 2)
      return [-arm, arm]
    }
    // Index, middle, ring and little finger form a flat arch; the thumb lies to the side and below.
    let arch = [0.0, -0.28, -0.12, 0.45]
    let bend = random.uniform(0.7...1.3)
    var places = (0..<min(fingers, 4)).map { i in
      Vector2(x: Double(i) * spacing, y: arch[i] * spacing * bend)
    }
    if fingers > 4 {
      places.append(
        Vector2(x: -spacing * random.uniform(0.7...1.2), y: random.uniform(28...42)))
    }
    let turn = (options.handAngle ?? random.uniform(-12...12)).radians
    return centred(places.map { Vector2(x: $0.x * mirror, y: $0.y).turned(by: -turn) })
  }

  /// Thumb and fingers on a circle of `diameter` mm, as in pinches and rotations; the thumb comes
  /// first.
  static func ring(
    _ fingers: Int, diameter: Double, _ options: StrokeOptions,
    using random: inout RandomSource
  ) -> [Vector2] {
    let degrees = options.handAngle ?? random.uniform(15...70)
    // Towards the fingers: up and to the right for a right hand.
    let axis = options.isLeftHanded ? .pi + degrees.radians : -degrees.radians
    let fan: [Double]
    switch fingers {
    case ...2: fan = [0]
    case 3: fan = [-32, 32]
    case 4: fan = [-52, 0, 52]
    case _: fan = [-75, -25, 25, 75]
    }
    let radius = diameter / 2
    return [Vector2(angle: axis + .pi) * radius]
      + fan.map { Vector2(angle: axis + $0.radians) * radius }
  }

  private static func centred(_ places: [Vector2]) -> [Vector2] {
    let middle = Vector2.mean(places)
    return places.map { $0 - middle }
  }
}

extension Vector2 {
  /// The middle of the points; the origin if there are none.
  static func mean(_ points: [Vector2]) -> Vector2 {
    guard !points.isEmpty else { return .zero }
    return points.reduce(.zero) { $0 + $1 } * (1 / Double(points.count))
  }
}
