import GlissEvents

/// Strokes that consist of landing and lifting rather than motion.
extension Choreography {
  func taps(fingers: Int, count: Int, using random: inout RandomSource) -> Plan {
    let options = stroke.options
    let places = Hand.row(fingers, options, using: &random)
    let contact = (options.durationMilliseconds ?? 70) / 1000
    var plan = Plan(fingers: [])
    var time = 0.0
    for _ in 0..<max(1, count) {
      // A hand does not land on exactly the same spot twice.
      let shift = random.vector(length: random.uniform(0...1.5))
      for place in places {
        var finger = FingerPlan(landing: time, lifting: time + contact, start: place + shift)
        if options.drift != .zero {
          finger.moves = [Move(begin: time, duration: contact, route: .line(options.drift))]
        }
        plan.fingers.append(finger)
      }
      time += contact + options.gapMilliseconds / 1000
      // Staggered landing shortens the gap.
      time += options.motor.landingStaggerMilliseconds.upperBound / 1000
    }
    return plan
  }

  func tapAndDrag(by displacement: Vector2) -> Plan {
    let options = stroke.options
    let contact = 0.07
    let again = contact + options.gapMilliseconds / 1000
    let duration =
      (options.durationMilliseconds ?? max(120, min(900, displacement.length * 9))) / 1000
    let begin = again + options.restMilliseconds / 1000
    return Plan(fingers: [
      FingerPlan(landing: 0, lifting: contact, start: Vector2(x: 0.5, y: -0.5), isTimed: true),
      FingerPlan(
        landing: again, lifting: begin + duration + options.lingerMilliseconds / 1000,
        start: .zero,
        moves: [Move(begin: begin, duration: duration, route: .line(displacement))],
        isTimed: true),
    ])
  }

  func click(fingers: Int, using random: inout RandomSource) -> Plan {
    let options = stroke.options
    let held = (options.durationMilliseconds ?? 120) / 1000
    let down = options.restMilliseconds / 1000
    let end = down + held + options.lingerMilliseconds / 1000
    let push = random.vector(length: random.uniform(0.1...0.8))
    var plan = Plan(
      fingers: Hand.row(fingers, options, using: &random).map { place in
        var finger = FingerPlan(landing: 0, lifting: end, start: place)
        finger.press = push + random.vector(length: random.uniform(0...0.3))
        return finger
      })
    plan.click = (down, down + held)
    return plan
  }

  func drumRoll(_ touches: Int, overlap: Double, using random: inout RandomSource) -> Plan {
    let options = stroke.options
    let places = Hand.row(2, options, using: &random)
    var plan = Plan(fingers: [])
    var time = 0.0
    for i in 0..<max(2, touches) {
      let length = (options.durationMilliseconds ?? 90) / 1000 * random.uniform(0.85...1.15)
      let shift = random.vector(length: random.uniform(0...1))
      plan.fingers.append(
        FingerPlan(
          landing: time, lifting: time + length, start: places[i % 2] + shift, isTimed: true))
      time += max(0.02, length - overlap)
    }
    return plan
  }

  /// Fingers that start outside and become touches where they cross the edge.
  func edgeSwipe(
    _ edge: Edge, fingers: Int, length: Double, using random: inout RandomSource
  ) -> Plan {
    let options = stroke.options
    let (inward, along): (Vector2, Vector2)
    switch edge {
    case .left: (inward, along) = (Vector2(x: 1, y: 0), Vector2(x: 0, y: 1))
    case .right: (inward, along) = (Vector2(x: -1, y: 0), Vector2(x: 0, y: 1))
    case .top: (inward, along) = (Vector2(x: 0, y: 1), Vector2(x: 1, y: 0))
    case .bottom: (inward, along) = (Vector2(x: 0, y: -1), Vector2(x: 1, y: 0))
    }
    let side = abs(pad.size.dot(along))
    let span = min(options.separation * Double(fingers - 1), side - 10)
    let spacing = fingers > 1 ? span / Double(fingers - 1) : 0
    let first = random.uniform(5...max(5.1, side - 5 - span))
    let corner: Vector2
    switch edge {
    case .left, .top: corner = .zero
    case .right: corner = Vector2(x: pad.size.x, y: 0)
    case .bottom: corner = Vector2(x: 0, y: pad.size.y)
    }
    let reach = min(length, abs(pad.size.dot(inward)) * 0.75)
    let duration = (options.durationMilliseconds ?? reach * 8) / 1000
    let sway = random.uniform(-0.2...0.2)
    let outside = random.uniform(4...9)
    var plan = Plan(fingers: [])
    for i in 0..<fingers {
      let behind = outside + random.uniform(0...3)
      let start = corner + along * (first + spacing * Double(i)) - inward * behind
      let way = (inward + along * sway) * (reach + behind)
      plan.fingers.append(
        FingerPlan(
          landing: 0, lifting: duration + options.lingerMilliseconds / 1000, start: start,
          moves: [Move(begin: 0, duration: duration, route: .line(way))], isTimed: true,
          entersOverEdge: true))
    }
    return plan
  }
}
