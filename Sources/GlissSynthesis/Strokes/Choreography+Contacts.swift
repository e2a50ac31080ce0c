import GlissEvents

/// Strokes that consist of landing and lifting rather than motion.
extension Choreography {
  func taps(fingers: Int, count: Int, using random: inout RandomSource) -> Plan {
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
    let (inward, corner): (Vector2, Vector2) =
      switch edge {
      case .left: (Vector2(x: 1, y: 0), .zero)
      case .right: (Vector2(x: -1, y: 0), Vector2(x: pad.size.x, y: 0))
      case .top: (Vector2(x: 0, y: 1), .zero)
      case .bottom: (Vector2(x: 0, y: -1), Vector2(x: 0, y: pad.size.y))
      }
    let along = Vector2(x: abs(inward.y), y: abs(inward.x))
    let side = abs(pad.size.dot(along))
    let span = min(options.separation * Double(fingers - 1), side - 10)
    let spacing = fingers > 1 ? span / Double(fingers - 1) : 0
    let first = random.uniform(5...max(5.1, side - 5 - span))
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

/// Places a stroke on the pad, and what rests beside it.
extension Choreography {
  /// The share of the pad's height above which no thumb rests.
  fileprivate static let aboveThumbs = 0.8
  /// No edge of a hand lies farther than this from the side, in mm.
  fileprivate static let besidePalms = 8.0
  /// The minimum distance between a thumb and the fingers above it, in mm.
  fileprivate static let aboveThumb = 12.0
  /// Contacts that land within this many ms of each other count as landing together.
  fileprivate static let apart = 250.0
  /// The minimum distance of a stroke from the pad's edges, in mm.
  fileprivate static let margin = 3.0

  /// Moves the stroke to where it fits: above a thumb, beside a palm.
  func place(_ plan: inout Plan, using random: inout RandomSource) {
    if case .edgeSwipe = stroke.shape { return }
    for case .stillFinger(let height, _, _) in options.extraContacts {
      return placeBesideStill(&plan, height: height, using: &random)
    }
    var low = Vector2(x: Self.margin, y: Self.margin)
    var high = pad.size - Vector2(x: Self.margin, y: Self.margin)
    func keepClear() {
      high.y = pad.size.y * Self.aboveThumbs
      low.x = Self.besidePalms
      high.x = pad.size.x - Self.besidePalms
    }
    for contact in options.extraContacts {
      switch contact {
      case .thumb: high.y = pad.size.y * 0.62
      case .palm(let edge), .restingPalm(let edge, _, _):
        if edge == .left { low.x = min(24, pad.size.x * 0.3) }
        if edge == .right { high.x = pad.size.x - min(24, pad.size.x * 0.3) }
      // If contact size is not reported, a finger that rests low on the pad looks like a thumb, and
      // one that rests at its side like the edge of a hand.
      case .finger: keepClear()
      case .stillFinger: break
      case .lowThumb(let height, _, _), .wakingThumb(let height, _, _):
        high.y = min(high.y, min(pad.size.y * 0.62, pad.size.y - height - Self.aboveThumb))
      }
    }
    // A single finger that lies still also looks like a thumb if it is low, and like the edge of a
    // hand if it is at the side.
    if case .hold(fingers: 1) = stroke.shape { keepClear() }
    plan.fit(low: low, high: high, centre: options.centre, using: &random)
  }

  /// Adds fingers that rest beside the stroke and must fit the pad with it.
  func addRestingFingers(to plan: inout Plan) {
    guard let first = plan.fingers.first, let end = plan.fingers.map(\.lifting).max() else {
      return
    }
    for contact in options.extraContacts {
      switch contact {
      case .finger(let offset, let earlier), .stillFinger(_, let offset, let earlier):
        plan.fingers.append(
          FingerPlan(
            landing: first.landing - earlier / 1000, lifting: end + 0.05,
            start: first.start + offset, isTimed: true))
      case .thumb, .palm, .lowThumb, .wakingThumb, .restingPalm: break
      }
    }
  }

  /// Puts the last finger, which lies still, at its height, and shortens the others' motion until
  /// it fits the pad.
  private func placeBesideStill(
    _ plan: inout Plan, height: Double, using random: inout RandomSource
  ) {
    guard let still = plan.fingers.last else { return }
    let down = pad.size.y - height - still.start.y
    for _ in 0..<8 {
      let box = plan.bounds
      let fits = box.low.y + down >= Self.margin && box.high.y + down <= pad.size.y - Self.margin
      let room = pad.size.x - 2 * Self.besidePalms
      if fits && box.high.x - box.low.x <= room { break }
      for i in plan.fingers.indices {
        for j in plan.fingers[i].moves.indices {
          plan.fingers[i].moves[j].route = plan.fingers[i].moves[j].route.scaled(by: 0.85)
        }
      }
    }
    let box = plan.bounds
    // Away from the sides, where the edges of hands lie.
    let left = max(Self.margin - box.low.x, Self.besidePalms - still.start.x)
    let right = min(
      pad.size.x - Self.margin - box.high.x, pad.size.x - Self.besidePalms - still.start.x)
    let across = left + max(0, right - left) * random.unit()
    plan.redraw(factor: 1, shift: Vector2(x: across, y: down))
  }

  func addExtraContacts(to plan: inout Plan, using random: inout RandomSource) {
    guard let first = plan.fingers.map(\.landing).min(),
      let end = plan.fingers.map(\.lifting).max()
    else { return }
    for contact in options.extraContacts {
      switch contact {
      case .thumb(let earlier):
        let x = plan.bounds.low.x + (plan.bounds.high.x - plan.bounds.low.x) * random.unit()
        let aside = x + random.uniform(-20...20)
        let start = Vector2(
          x: max(4, min(pad.size.x - 4, aside)),
          y: pad.size.y - random.uniform(1.5...max(1.5, min(pad.size.y * 0.14, 9))))
        plan.fingers.append(
          FingerPlan(
            contact: .thumb, landing: first - earlier / 1000,
            lifting: end + random.uniform(0.02...0.3), start: start, takesPart: false,
            wobble: random.uniform(0...1), isTimed: true))
      case .palm(let edge):
        // Half of the edge of a hand lies beyond the pad's edge.
        let inset = random.uniform(0...4)
        let x = edge == .right ? pad.size.x - inset : inset
        let start = Vector2(x: x, y: pad.size.y * random.uniform(0.3...0.95))
        plan.fingers.append(
          FingerPlan(
            contact: .palm, landing: first - random.uniform(0.15...0.6),
            lifting: end + random.uniform(-0.05...0.3), start: start, takesPart: false,
            wobble: random.uniform(0...2), isTimed: true))
      case .lowThumb(let height, let earlier, let roll):
        var thumb = thumb(height: height, earlier: earlier, beside: plan, using: &random)
        thumb.lifting = end + random.uniform(0...0.3)
        thumb.wobble = random.uniform(0...0.3)
        if roll != .zero, let start = plan.strokeStart {
          thumb.moves = [Move(begin: start, duration: end - start, route: .line(roll))]
        }
        plan.fingers.append(thumb)
      case .wakingThumb(let height, let earlier, let share):
        var thumb = thumb(height: height, earlier: earlier, beside: plan, using: &random)
        thumb.takesPart = true
        thumb.moves = plan.fingers.first?.moves ?? []
        for j in thumb.moves.indices {
          thumb.moves[j].route = thumb.moves[j].route.scaled(by: share)
        }
        plan.fingers.append(thumb)
      case .restingPalm(let edge, let inset, let earlier):
        let start = Vector2(
          x: edge == .right ? pad.size.x - inset : inset,
          y: pad.size.y * random.uniform(0.2...0.95))
        plan.fingers.append(
          FingerPlan(
            contact: .palm, landing: first - earlier / 1000,
            lifting: end + random.uniform(-0.05...0.4), start: start, takesPart: false,
            wobble: random.uniform(0...2), isTimed: true))
      case .finger, .stillFinger: break
      }
    }
  }

  /// A thumb below the fingers, or a little to the side.
  private func thumb(
    height: Double, earlier: Double, beside plan: Plan, using random: inout RandomSource
  ) -> FingerPlan {
    let box = plan.bounds
    let x = box.low.x + (box.high.x - box.low.x) * random.unit()
    var aside = x + random.uniform(-20...20)
    // A single finger that lands with the thumb is directly above it; otherwise its motion might be
    // a pinch.
    if plan.fingers.count == 1 && earlier < Self.apart, let finger = plan.fingers.first {
      aside = finger.start.x + random.uniform(-5...5)
    }
    return FingerPlan(
      contact: .thumb, landing: (plan.fingers.map(\.landing).min() ?? 0) - earlier / 1000,
      lifting: plan.fingers.map(\.lifting).max() ?? 0,
      start: Vector2(x: max(4, min(pad.size.x - 4, aside)), y: pad.size.y - height),
      takesPart: false, isTimed: true)
  }
}
