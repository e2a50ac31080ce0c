import GlissEvents

/// What touches the pad.
package enum Contact: Hashable, Sendable {
  case finger, thumb, palm
}

/// One contact from landing to lifting: as intended, or after ``Plan/perform(_:using:)`` as
/// performed.
struct FingerPlan {
  var contact = Contact.finger
  /// When it lands and lifts, in s.
  var landing: Double
  var lifting: Double
  /// Where it lands, in mm from the pad's top left corner.
  var start: Vector2
  var moves: [Move] = []
  /// Whether it takes part in the stroke rather than resting beside it.
  var takesPart = true
  /// How far it rolls about while it rests, in mm.
  var wobble = 0.0
  /// Whether it lands and lifts at exactly these times: staggering is part of the choreography.
  var isTimed = false
  /// Whether it starts outside the pad and lands where it crosses the edge.
  var entersOverEdge = false
  /// How far a press of the pad's button pushes it, in mm.
  var press = Vector2.zero

  /// The position reached by the moves alone.
  func position(at time: Double) -> Vector2 {
    var position = start
    for move in moves { position += move.displacement(from: start, at: time) }
    return position
  }
}

/// All contacts of a trace, and the pad's button.
struct Plan {
  var fingers: [FingerPlan]
  /// The pad's button goes down and up at these times, in s.
  var click: (down: Double, up: Double)?

  /// When the first move of a participating finger begins, in s.
  var strokeStart: Double? {
    fingers.filter(\.takesPart).flatMap { finger in
      finger.moves.map { max($0.begin, finger.landing) }
    }.min()
  }

  /// When a participating finger is first 0.1 mm from where it landed, by its moves alone.
  var onset: Double? {
    guard var time = strokeStart, let end = fingers.map(\.lifting).max() else { return nil }
    while time < end {
      for finger in fingers where finger.takesPart && finger.landing <= time {
        let landed = finger.position(at: finger.landing)
        if (finger.position(at: time) - landed).length >= 0.1 { return time }
      }
      time += 0.0005
    }
    return nil
  }

  /// The corners of a box around all positions of the participating fingers while they touch.
  var bounds: (low: Vector2, high: Vector2) {
    var low = Vector2(x: .infinity, y: .infinity)
    var high = Vector2(x: -.infinity, y: -.infinity)
    for finger in fingers where finger.takesPart {
      for step in 0...16 {
        let share = Double(step) / 16
        let time = finger.landing + (finger.lifting - finger.landing) * share
        let position = finger.position(at: time)
        low = Vector2(x: min(low.x, position.x), y: min(low.y, position.y))
        high = Vector2(x: max(high.x, position.x), y: max(high.y, position.y))
      }
    }
    return (low, high)
  }

  /// Moves, and if necessary shrinks, the participating fingers' motion, so that it fits the
  /// region.
  ///
  /// - Parameter centre: where its middle should be, if it fits there; otherwise anywhere it fits.
  mutating func fit(
    low: Vector2, high: Vector2, centre: Vector2?, using random: inout RandomSource
  ) {
    let box = bounds
    guard box.low.x.isFinite && box.high.x.isFinite else { return }
    let (room, extent) = (high - low, box.high - box.low)
    let factor = min(
      1, room.x / max(extent.x, 1e-9), room.y / max(extent.y, 1e-9))
    let slack = room - extent * factor
    let middle = (box.low + box.high) * 0.5
    var corner = Vector2(
      x: low.x + slack.x * random.unit(), y: low.y + slack.y * random.unit())
    if let centre {
      let wished = centre - extent * (factor / 2)
      corner = Vector2(
        x: max(low.x, min(low.x + slack.x, wished.x)),
        y: max(low.y, min(low.y + slack.y, wished.y)))
    }
    let target = corner + extent * (factor / 2)
    redraw(factor: factor, shift: target - middle * factor)
  }

  /// Scales the participating fingers' motion by `factor` and then shifts it.
  mutating func redraw(factor: Double, shift: Vector2) {
    for i in fingers.indices where fingers[i].takesPart {
      fingers[i].start = fingers[i].start * factor + shift
      for j in fingers[i].moves.indices {
        fingers[i].moves[j].route = fingers[i].moves[j].route.fitted(factor: factor, shift: shift)
      }
    }
  }

  /// Makes fingers that start outside land where they cross the edge.
  mutating func landWhereTheyEnter(_ size: Vector2) {
    for i in fingers.indices where fingers[i].entersOverEdge {
      let finger = fingers[i]
      func isOutside(_ time: Double) -> Bool {
        let p = finger.position(at: time)
        return p.x < 0 || p.y < 0 || p.x > size.x || p.y > size.y
      }
      while fingers[i].landing < finger.lifting && isOutside(fingers[i].landing) {
        fingers[i].landing += 0.0005
      }
    }
  }

  /// Gives every finger its own speed profile, gain, lag, bow and staggering.
  mutating func perform(_ model: MotorModel, using random: inout RandomSource) {
    // Drawn only if used, so that the other profile's draws do not change.
    let sigma = model.profile == .lognormal ? random.uniform(model.skew) : nil
    for i in fingers.indices {
      let speed = sigma.map {
        SpeedProfile.lognormal(sigma: $0 * (1 + random.normal(deviation: 0.05, limit: 0.12)))
      }
      let gain = 1 + random.normal(deviation: model.gainSpread, limit: 2.5 * model.gainSpread)
      let lag = random.uniform(model.lagMilliseconds) / 1000
      let bow = random.normal(deviation: model.bow, limit: 2.5 * model.bow)
      let early = random.uniform(model.landingStaggerMilliseconds) / 1000
      let late = random.uniform(model.liftingStaggerMilliseconds) / 1000
      for j in fingers[i].moves.indices {
        fingers[i].moves[j].route = fingers[i].moves[j].route.scaled(by: gain)
        fingers[i].moves[j].begin += lag
        fingers[i].moves[j].bow += bow
        if let speed { fingers[i].moves[j].speed = speed }
      }
      guard !fingers[i].isTimed else { continue }
      fingers[i].landing -= early
      fingers[i].lifting += late
    }
  }
}
