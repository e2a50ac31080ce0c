import GlissEvents

/// Recognizes fingers that come in over an edge of the pad.
extension Hand {
  /// The edge that all fingers came in over, if any: they landed on it and moved inward at once.
  func edge(
    crossedBy motion: Vector2, of place: Arbiter.FrameContext,
    _ limits: GestureConfiguration.EdgeSwipe
  ) -> Edge? {
    guard count <= 3 else { return nil }
    return Edge.allCases.first {
      $0.isInward(motion) && crossed($0, of: place.size, limits, at: place.time)
    }
  }

  /// Whether every participating finger came in over `edge`: it was moving when it landed, and so
  /// near the edge that one frame earlier it was outside.
  private func crossed(
    _ edge: Edge, of size: Vector2, _ limits: GestureConfiguration.EdgeSwipe, at time: EventTime
  ) -> Bool {
    for index in fingers.indices where takesPart(index) {
      let finger = fingers[index]
      let age = time - finger.landed
      guard age.milliseconds <= limits.duration, age.microseconds > 0 else { return false }
      let from = edge.distance(to: finger.landing, size: size)
      let inward = edge.distance(to: finger.position, size: size) - from
      let speed = inward / age.seconds
      // A finger that lands near the edge and only then speeds up was not outside a frame before.
      let firstSpeed = finger.firstVelocity.map { edge.component(of: $0) } ?? speed
      let aFrame = min(max(0, firstSpeed) * limits.frame / 1000, limits.longestStep)
      if speed < limits.speed || from > limits.zone + aFrame { return false }
    }
    return true
  }
}

extension Edge {
  /// Distance from the edge to `position` on a pad of `size`, in mm.
  func distance(to position: Vector2, size: Vector2) -> Double {
    switch self {
    case .left: position.x
    case .right: size.x - position.x
    case .top: position.y
    case .bottom: size.y - position.y
    }
  }

  /// The part of `motion` that points away from the edge.
  func component(of motion: Vector2) -> Double {
    switch self {
    case .left: motion.x
    case .right: -motion.x
    case .top: motion.y
    case .bottom: -motion.y
    }
  }

  /// Whether `motion` points away from the edge, within 45° of the perpendicular.
  func isInward(_ motion: Vector2) -> Bool {
    let inward = component(of: motion)
    return inward >= 0 && 2 * inward * inward >= motion.lengthSquared
  }
}
