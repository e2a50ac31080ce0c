import GlissEvents

/// Turns a stroke into the intended motion and timing of each finger. Time 0 is when the last
/// finger has landed.
struct Choreography {
  let stroke: Stroke
  let pad: Pad

  var options: StrokeOptions { stroke.options }

  func plan(using random: inout RandomSource) -> Plan {
    var plan = shapePlan(using: &random)
    addRestingFingers(to: &plan)
    place(&plan, using: &random)
    addExtraContacts(to: &plan, using: &random)
    return plan
  }

  private func shapePlan(using random: inout RandomSource) -> Plan {
    switch stroke.shape {
    case .drag(let displacement, let fingers), .swipe(let displacement, let fingers):
      let places = Hand.row(fingers, options, using: &random)
      let route = straightOrTurning(displacement, around: Vector2.mean(places))
      return plan(places, firstIsThumb: false, travel: displacement.length) { _, _ in [route] }
    case .pinch(let from, let to, let fingers, let anchor):
      return pinch(from: from, to: to, fingers: fingers, anchor: anchor, using: &random)
    case .rotate(let degrees, let fingers):
      let places = Hand.ring(
        fingers, diameter: options.separation, options, using: &random)
      let travel = options.separation / 2 * abs(degrees.radians)
      let route = Route.arc(centre: Vector2.mean(places), angle: -degrees.radians)
      return plan(places, firstIsThumb: true, travel: travel) { _, _ in [route] }
    case .tap(let fingers, let count):
      return taps(fingers: fingers, count: count, using: &random)
    case .tapAndDrag(let displacement):
      return tapAndDrag(by: displacement)
    case .hold(let fingers):
      let end = (options.durationMilliseconds ?? 1000) / 1000
      return Plan(
        fingers: Hand.row(fingers, options, using: &random).map {
          FingerPlan(landing: 0, lifting: end, start: $0)
        })
    case .edgeSwipe(let edge, let fingers, let length):
      return edgeSwipe(edge, fingers: fingers, length: length, using: &random)
    case .click(let fingers):
      return click(fingers: fingers, using: &random)
    case .drumRoll(let touches, let overlap):
      return drumRoll(touches, overlap: overlap / 1000, using: &random)
    }
  }

  // MARK: - Motion

  /// The duration of a motion of `travel` mm, in s.
  private func duration(travel: Double) -> Double {
    if let milliseconds = options.durationMilliseconds { return milliseconds / 1000 }
    return max(0.12, min(0.9, travel / 110))
  }

  /// A plan for fingers that follow the routes given by `route`, with everything the options add.
  private func plan(
    _ places: [Vector2], firstIsThumb: Bool, travel: Double,
    route: (Int, Vector2) -> [Route]
  ) -> Plan {
    let duration = duration(travel: travel)
    let begin = options.restMilliseconds / 1000
    let creep = options.creepMilliseconds / 1000 * Self.creepAlone
    let end =
      options.liftShare < 1
      ? begin + creep + duration * options.liftShare
      : begin + creep + duration + options.lingerMilliseconds / 1000
    let middle = Vector2.mean(places)
    var fingers: [FingerPlan] = []
    for (i, place) in places.enumerated() {
      var routes = route(i, place)
      if options.drift != .zero { routes.append(.line(options.drift)) }
      if options.convergence != 0 { routes.append(.line((middle - place) * options.convergence)) }
      if i == places.count - 1 && options.lastFingerGain != 1 {
        routes = routes.map { $0.scaled(by: options.lastFingerGain) }
      }
      let lag = i == places.count - 1 ? (options.laggingFingerMilliseconds ?? 0) / 1000 : 0
      let moves = moves(along: routes, begin: begin + lag, duration: duration)
      let contact: Contact = firstIsThumb && i == 0 && places.count > 2 ? .thumb : .finger
      fingers.append(
        FingerPlan(contact: contact, landing: 0, lifting: end, start: place, moves: moves))
    }
    if let late = options.lateFingerMilliseconds {
      for i in fingers.indices {
        fingers[i].isTimed = true
        if i < fingers.count - 1 { fingers[i].landing = -late / 1000 }
      }
    }
    if let share = options.earlyLiftShare {
      fingers[fingers.count - 1].lifting = begin + duration * share
      for i in fingers.indices { fingers[i].isTimed = true }
    }
    return Plan(fingers: fingers)
  }

  /// The share of a creep that is over before the main motion begins.
  private static let creepAlone = 0.8

  /// The moves along the routes: one each, or two if the hand creeps at first.
  private func moves(along routes: [Route], begin: Double, duration: Double) -> [Move] {
    guard options.creepShare > 0 else {
      return routes.map { Move(begin: begin, duration: duration, route: $0) }
    }
    let creep = options.creepMilliseconds / 1000
    return routes.flatMap { route in
      [
        Move(begin: begin, duration: creep, route: route.scaled(by: options.creepShare)),
        Move(
          begin: begin + creep * Self.creepAlone, duration: duration,
          route: route.scaled(by: 1 - options.creepShare)),
      ]
    }
  }

  private func straightOrTurning(_ displacement: Vector2, around middle: Vector2) -> Route {
    let length = displacement.length
    guard length > 0 else { return .line(.zero) }
    if options.turn != 0 {
      return .curve(
        displacement: displacement, turn: options.turn.radians, after: options.turnAfter)
    }
    guard let radius = options.pivotRadius, abs(radius) > 1 else { return .line(displacement) }
    // Half the turn comes before the chord and half after it, so that the hand ends where it was
    // meant to.
    let angle = length / radius
    let heading = displacement.turned(by: -angle / 2) * (1 / length)
    let arm = Vector2(x: heading.y, y: -heading.x) * radius
    return .arc(centre: middle - arm, angle: angle)
  }

  private func pinch(
    from: Double, to: Double, fingers: Int, anchor: Stroke.Anchor?,
    using random: inout RandomSource
  ) -> Plan {
    let places = Hand.ring(fingers, diameter: from, options, using: &random)
    let growth = from > 0 ? to / from - 1 : 0
    let still: Int? =
      switch anchor {
      case .thumb: 0
      case .finger: places.count - 1
      case nil: nil
      }
    var pin = still.map { places[$0] } ?? Vector2.mean(places)
    var share = still == nil ? 0.5 : 1
    if fingers == 2, let fixed = options.fixedPoint {
      pin = places[0] + (places[1] - places[0]) * fixed
      share = max(abs(fixed), abs(1 - fixed))
    }
    let travel = abs(to - from) * share
    let coupling = options.anchorCoupling
    return plan(places, firstIsThumb: true, travel: travel) { i, place in
      guard i == still else { return [.line((place - pin) * growth)] }
      // The still finger moves with the first one that moves.
      let other = places[i == 0 ? 1 : 0]
      return coupling == 0 ? [] : [.line((other - pin) * (growth * coupling))]
    }
  }
}

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
    places = places.map { Vector2(x: $0.x * mirror, y: $0.y).turned(by: -turn) }
    let middle = Vector2.mean(places)
    return places.map { $0 - middle }
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
}

extension Vector2 {
  /// The middle of the points; the origin if there are none.
  static func mean(_ points: [Vector2]) -> Vector2 {
    guard !points.isEmpty else { return .zero }
    return points.reduce(.zero) { $0 + $1 } * (1 / Double(points.count))
  }
}
