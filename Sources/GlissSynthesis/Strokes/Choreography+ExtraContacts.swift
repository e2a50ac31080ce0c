import GlissEvents

/// Places a stroke on the pad, and what rests beside it.
extension Choreography {
  /// The share of the pad's height above which no thumb rests.
  fileprivate static let aboveThumbs = 0.8
  /// No edge of a hand lies farther than this from the side, in mm.
  fileprivate static let besidePalms = 8.0
  /// The minimum distance between a thumb and the fingers above it, in mm.
  fileprivate static let aboveThumb = 12.0
  /// Contacts that land more than this many ms apart do not land together.
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
      case .palm(.left): low.x = min(24, pad.size.x * 0.3)
      case .palm(.right): high.x = pad.size.x - min(24, pad.size.x * 0.3)
      // If contact size is not reported, a finger that rests low on the pad looks like a thumb, and
      // one that rests at its side like the edge of a hand.
      case .finger: keepClear()
      case .palm(.top), .palm(.bottom), .stillFinger: break
      case .lowThumb(let height, _, _), .wakingThumb(let height, _, _):
        high.y = min(high.y, min(pad.size.y * 0.62, pad.size.y - height - Self.aboveThumb))
      case .restingPalm(let edge, _, _):
        if edge == .left { low.x = min(24, pad.size.x * 0.3) }
        if edge == .right { high.x = pad.size.x - min(24, pad.size.x * 0.3) }
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
      let (offset, earlier): (Vector2, Double)
      switch contact {
      case .finger(let place, let time), .stillFinger(_, let place, let time):
        (offset, earlier) = (place, time)
      case .thumb, .palm, .lowThumb, .wakingThumb, .restingPalm: continue
      }
      plan.fingers.append(
        FingerPlan(
          landing: first.landing - earlier / 1000, lifting: end + 0.05,
          start: first.start + offset, isTimed: true))
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
          y: pad.size.y - random.uniform(1.5...min(pad.size.y * 0.14, 9)))
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
