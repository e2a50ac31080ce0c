import GlissEvents

/// Turns a stroke into what each finger is meant to do and when. Second 0 is when the last finger has landed.
struct Choreography {
  let stroke: Stroke
  let pad: Pad

  private var options: StrokeOptions { stroke.options }
  /// The share of the pad's height above which nobody rests a thumb.
  private static let aboveThumbs = 0.8
  /// So many mm from the side no edge of a hand lies.
  private static let besidePalms = 8.0

  func plan(using random: inout RandomSource) -> Plan {
    var plan = shapePlan(using: &random)
    addRestingFingers(to: &plan)
    place(&plan, using: &random)
    addCompany(to: &plan, using: &random)
    return plan
  }

  private func shapePlan(using random: inout RandomSource) -> Plan {
    switch stroke.shape {
    case .drag(let displacement, let fingers), .swipe(let displacement, let fingers):
      let places = Hand.row(fingers, options, using: &random)
      return moving(places, by: displacement, contact: .finger)
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

  /// How long a motion of `travel` mm takes, in s.
  private func duration(travel: Double) -> Double {
    if let milliseconds = options.durationMilliseconds { return milliseconds / 1000 }
    return max(0.12, min(0.9, travel / 110))
  }

  /// Fingers that make the routes `route` gives them, and what the options add.
  private func plan(
    _ places: [Vector2], firstIsThumb: Bool, travel: Double,
    route: (Int, Vector2) -> [Route]
  ) -> Plan {
    let duration = duration(travel: travel)
    let begin = options.restMilliseconds / 1000
    let end =
      options.liftShare < 1
      ? begin + duration * options.liftShare
      : begin + duration + options.lingerMilliseconds / 1000
    let middle = Vector2.mean(places)
    var fingers: [FingerPlan] = []
    for (i, place) in places.enumerated() {
      var routes = route(i, place)
      if options.drift != .zero { routes.append(.line(options.drift)) }
      if options.convergence != 0 { routes.append(.line((middle - place) * options.convergence)) }
      let lag = i == places.count - 1 ? (options.laggingFingerMilliseconds ?? 0) / 1000 : 0
      let moves = routes.map { Move(begin: begin + lag, duration: duration, route: $0) }
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

  /// Fingers that move together.
  private func moving(_ places: [Vector2], by displacement: Vector2, contact: Contact) -> Plan {
    let route = straightOrTurning(displacement, around: Vector2.mean(places))
    return plan(places, firstIsThumb: false, travel: displacement.length) { _, _ in [route] }
  }

  private func straightOrTurning(_ displacement: Vector2, around middle: Vector2) -> Route {
    let length = displacement.length
    guard length > 0 else { return .line(.zero) }
    if options.turn != 0 {
      return .curve(displacement: displacement, turn: options.turn.radians)
    }
    guard let radius = options.pivotRadius, abs(radius) > 1 else { return .line(displacement) }
    // half the turn before, half after the chord, so that the hand ends where it was meant to
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
    let pin = still.map { places[$0] } ?? Vector2.mean(places)
    let travel = abs(to - from) * (still == nil ? 0.5 : 1)
    let coupling = options.anchorCoupling
    return plan(places, firstIsThumb: true, travel: travel) { i, place in
      guard i == still else { return [.line((place - pin) * growth)] }
      // what the still finger does, it does with the first that moves
      let other = places[i == 0 ? 1 : 0]
      return coupling == 0 ? [] : [.line((other - pin) * (growth * coupling))]
    }
  }

  // MARK: - Placing

  /// Moves the stroke to where it fits: above a thumb, beside a palm.
  private func place(_ plan: inout Plan, using random: inout RandomSource) {
    if case .edgeSwipe = stroke.shape { return }
    let margin = 3.0
    var low = Vector2(x: margin, y: margin)
    var high = pad.size - Vector2(x: margin, y: margin)
    for company in options.company {
      switch company {
      case .thumb: high.y = pad.size.y * 0.62
      case .palm(.left): low.x = min(24, pad.size.x * 0.3)
      case .palm(.right): high.x = pad.size.x - min(24, pad.size.x * 0.3)
      // where contact size is not reported, a finger that rests low on the pad looks like a thumb, and one that
      // rests at its side like the edge of a hand
      case .finger:
        high.y = pad.size.y * Self.aboveThumbs
        low.x = Self.besidePalms
        high.x = pad.size.x - Self.besidePalms
      case .palm(.top), .palm(.bottom): break
      }
    }
    if case .hold(fingers: 1) = stroke.shape { high.y = pad.size.y * Self.aboveThumbs }
    plan.fit(low: low, high: high, centre: options.centre, using: &random)
  }

  /// Fingers that rest beside the stroke and have to fit the pad with it.
  private func addRestingFingers(to plan: inout Plan) {
    guard let first = plan.fingers.first, let end = plan.fingers.map(\.lifting).max() else {
      return
    }
    for case .finger(let offset, let earlier) in options.company {
      plan.fingers.append(
        FingerPlan(
          landing: first.landing - earlier / 1000, lifting: end + 0.05,
          start: first.start + offset, isTimed: true))
    }
  }

  private func addCompany(to plan: inout Plan, using random: inout RandomSource) {
    guard let first = plan.fingers.map(\.landing).min(),
      let end = plan.fingers.map(\.lifting).max()
    else { return }
    for company in options.company {
      switch company {
      case .thumb(let earlier):
        let x = plan.bounds.low.x + (plan.bounds.high.x - plan.bounds.low.x) * random.unit()
        let aside = x + random.uniform(-20...20)
        let start = Vector2(
          x: max(4, min(pad.size.x - 4, aside)),
          y: pad.size.y - random.uniform(1.5...min(pad.size.y * 0.14, 9)))
        plan.fingers.append(
          FingerPlan(
            contact: .thumb, landing: first - earlier / 1000,
            lifting: end + random.uniform(0.02...0.3), start: start, takesPart: false,
            wobble: random.uniform(0...1), isTimed: true))
      case .palm(let edge):
        // half of a hand's edge lies beyond the pad's
        let inset = random.uniform(0...4)
        let x = edge == .right ? pad.size.x - inset : inset
        let start = Vector2(x: x, y: pad.size.y * random.uniform(0.3...0.95))
        plan.fingers.append(
          FingerPlan(
            contact: .palm, landing: first - random.uniform(0.15...0.6),
            lifting: end + random.uniform(-0.05...0.3), start: start, takesPart: false,
            wobble: random.uniform(0...2), isTimed: true))
      case .finger: break
      }
    }
  }
}
