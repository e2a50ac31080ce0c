import GlissEvents

/// The evidence for each kind of motion at one moment, and what follows from it.
///
/// Like is compared with like: travel together, apart and around are all mm of finger travel. A kind wins when its
/// travel exceeds a floor, which rises with the measured tremor, by a multiple of its rivals' travel: the boundary
/// of a sequential test for noise that grows with the motion itself.
struct Weighing {
  enum Verdict: Equatable {
    /// Not enough yet.
    case open
    case motion(GestureKind, DecisionRule)
    /// The still ones of three or more fingers rest.
    case rest
  }

  var fit: Similarity
  var drag: Evidence
  var pinch: Evidence
  var rotate: Evidence
  var verdict = Verdict.open

  init(_ hand: Hand, _ configuration: GestureConfiguration) {
    fit = Similarity(of: hand)
    if hand.isBoundingBox { fit.turn = 0 }
    let floor = configuration.motion.floor + configuration.motion.jitterFactor * hand.jitter
    let (together, apart, around) = (fit.travelTogether, fit.travelApart, fit.travelAround)
    let dominance = configuration.dominance
    drag = Evidence(
      kind: hand.count >= 3 ? .swipe : .drag, measured: together,
      required: floor + dominance.drag * max(apart, around))
    pinch = Evidence(
      kind: .pinch, measured: apart,
      required: floor + dominance.caution
        + max(dominance.pinch * together, dominance.pinchOrRotate * around))
    rotate = Evidence(
      kind: .rotate, measured: around,
      required: floor + dominance.caution
        + max(dominance.rotate * together, dominance.pinchOrRotate * apart))
  }

  /// The kind whose evidence is the largest share of what it needs.
  var strongest: Evidence {
    let shares = (
      drag.measured / drag.required, pinch.measured / pinch.required,
      rotate.measured / rotate.required
    )
    if shares.0 >= shares.1 && shares.0 >= shares.2 { return drag }
    return shares.1 >= shares.2 ? pinch : rotate
  }

  /// What speaks for `kind`, in mm.
  func evidence(for kind: GestureKind) -> Double {
    switch kind {
    case .pinch: pinch.measured
    case .rotate: rotate.measured
    case .drag, .swipe, .edgeSwipe, .tap, .hold: drag.measured
    }
  }

  /// The kind with the longest travel, whatever it needs.
  var longest: Evidence {
    let most = max(drag.measured, pinch.measured, rotate.measured)
    if drag.measured == most { return drag }
    return pinch.measured == most ? pinch : rotate
  }

  /// Weighs two or more fingers that are down.
  mutating func judge(
    _ hand: Hand, _ configuration: GestureConfiguration, moving: EventInterval
  ) {
    let farthest = hand.farthest
    let still = hand.stillFingers(configuration.motion, farthest: farthest)
    let tracked = hand.tracked
    if still.count > 0 && still.count < tracked {
      // The middle one of three fingers lies still while the others turn around it or leave it.
      if tracked > 2 && strongest.isMet && strongest.kind != drag.kind {
        verdict = .motion(strongest.kind, .dominance)
      } else {
        judgeAnchored(hand, configuration, still, farthest, moving)
      }
    } else if strongest.isMet {
      verdict = .motion(strongest.kind, .dominance)
    } else {
      judgeByLength(farthest, configuration)
    }
  }

  private mutating func judgeByLength(_ farthest: Double, _ configuration: GestureConfiguration) {
    if farthest >= configuration.dominance.patience {
      verdict = .motion(longest.kind, .patience)
    }
  }

  private mutating func judgeAnchored(
    _ hand: Hand, _ configuration: GestureConfiguration, _ still: StillFingers,
    _ farthest: Double, _ moving: EventInterval
  ) {
    let anchor = configuration.anchor
    guard farthest >= anchor.travel, moving.milliseconds >= anchor.duration else { return }
    let tracked = hand.tracked
    let isCertain = farthest >= configuration.thumb.certainTravel
    guard still.count == 1 else {
      if isCertain { verdict = .rest }
      return
    }
    let gap = still.gap(hand).milliseconds
    // The one that is seen to move has others beside it: a drag or swipe of theirs.
    let hasHidden = hand.count > tracked
    if hasHidden && gap > configuration.thumb.headStart { return verdict = .rest }
    let isAlong = still.isAlong(hand, within: anchor.angle)
    let window = tracked > 2 ? configuration.tap.landingSpread : anchor.landingWindow
    if isAlong && gap <= window {
      // A finger that only lags has begun to move by now.
      guard hand.fingers[still.index].travel <= anchor.lag * farthest else {
        return judgeByLength(farthest / 2, configuration)
      }
      verdict = .motion(.pinch, .anchoredAlong)
      pinch.required = anchor.travel * fit.travelApart / max(farthest, 0.001)
    } else if tracked > 2 {
      // Three or more, one of them late: a swipe, unless it lay there long before.
      let isLate = gap <= configuration.tap.landingSpread
      if isLate && drag.isMet { verdict = .motion(drag.kind, .dominance) }
      let isLost = farthest >= configuration.dominance.patience
      if verdict == .open && (isLate ? isLost : isCertain) { verdict = .rest }
    } else if anchor.turns > 0 && !isAlong {
      verdict = .motion(.rotate, .anchoredAcross)
      rotate.required = anchor.travel * fit.travelAround / max(farthest, 0.001)
    } else {
      verdict = .motion(drag.kind, .anchoredAcross)
      drag.required = anchor.travel * fit.travelTogether / max(farthest, 0.001)
    }
  }
}

/// The fingers that lie still while others move.
struct StillFingers {
  var count = 0
  /// The last of them.
  var index = 0

  /// From the still finger to the middle of those that move, in mm at the baseline.
  func line(_ hand: Hand) -> Vector2 {
    mean(hand) { $0.baseline } - hand.fingers[index].baseline
  }

  /// How far those that move have gone, in mm.
  func motion(_ hand: Hand) -> Vector2 { mean(hand) { $0.displacement } }

  /// Whether those that move go along the line to the still finger, within `degrees` of it.
  func isAlong(_ hand: Hand, within degrees: Double) -> Bool {
    let (line, motion) = (line(hand), motion(hand))
    let (sine, cosine) = Elementary.sineCosine(degrees * .pi / 180)
    return abs(line.dot(motion)) * sine >= abs(line.cross(motion)) * cosine
  }

  /// Between the landing of the still finger and of the first that moves.
  func gap(_ hand: Hand) -> EventInterval {
    var first = EventTime(microseconds: .max)
    for other in hand.fingers.indices where other != index && hand.takesPart(other) {
      first = min(first, hand.fingers[other].landed)
    }
    return max(first - hand.fingers[index].landed, hand.fingers[index].landed - first)
  }

  private func mean(_ hand: Hand, _ part: (Finger) -> Vector2) -> Vector2 {
    var (sum, n) = (Vector2.zero, 0.0)
    for other in hand.fingers.indices where other != index && hand.takesPart(other) {
      sum += part(hand.fingers[other])
      n += 1
    }
    return n > 0 ? sum * (1 / n) : .zero
  }
}

extension Hand {
  /// Those that take part and have moved less than the limits allow.
  func stillFingers(_ motion: GestureConfiguration.Motion, farthest: Double) -> StillFingers {
    var still = StillFingers()
    let limit = max(motion.stillLimit, motion.stillShare * farthest)
    for index in fingers.indices where takesPart(index) && fingers[index].travel < limit {
      still.count += 1
      still.index = index
    }
    return still
  }
}
