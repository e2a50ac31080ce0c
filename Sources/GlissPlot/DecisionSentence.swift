import GlissEvents
package import GlissGestures

/// Describes a decision in plain words, from the figures it was based on. Only how far fingers got
/// that had lifted before is measured by ``PlottedStroke``.
package enum DecisionSentence {
  package static func outcome(_ decision: Decision, in stroke: PlottedStroke) -> String {
    rested(decision, in: stroke).map { "finger \($0)" } ?? decision.outcome?.name ?? "no gesture"
  }

  /// The finger that only rests, numbered as in the picture of the stroke.
  package static func rested(_ decision: Decision, in stroke: PlottedStroke) -> Int? {
    decision.restedTouch.flatMap { stroke.number(of: $0) } ?? decision.rested
  }

  /// How many fingers were counted: "2", or "5 of 10 fingers" if that is fewer than took part.
  package static func fingers(_ decision: Decision, in stroke: PlottedStroke) -> String {
    let all = stroke.most(in: decision)
    return "\(decision.fingers)" + (all > decision.fingers ? " of \(all) fingers" : "")
  }

  /// How far the fingers moved, in mm, with their numbers in the picture of the stroke.
  package static func travels(
    _ decision: Decision, in stroke: PlottedStroke
  ) -> [(finger: Int, way: Double)] {
    decision.travel.indices.compactMap { index in
      guard let number = decision.touches[index].flatMap({ stroke.number(of: $0) }) else {
        return nil
      }
      return (finger: number, way: decision.travel[index])
    }
  }

  /// "fingers moved 1.80, 1.75 mm since they settled: " and the parts of that motion, if it was
  /// weighed; "fingers 2, 3 moved" if others rest or are missing; "5 of 10 fingers moved" if more
  /// took part.
  package static func motion(_ decision: Decision, in stroke: PlottedStroke) -> String {
    let travels = travels(decision, in: stroke)
    let numbers = travels.map(\.finger)
    let isAll = numbers.elementsEqual(1..<(decision.fingers + 1))
    let list = numbers.map { "\($0)" }.joined(separator: ", ")
    let all = stroke.most(in: decision)
    let who =
      all > decision.fingers
      ? "\(numbers.count) of \(all) fingers"
      : isAll ? "fingers" : "finger\(numbers.count == 1 ? "" : "s") \(list)"
    let ways = travels.map { $0.way.fixed(2) }.joined(separator: ", ")
    let (since, isFitted) =
      switch decision.rule {
      case .lead, .still, .patience, .correction, .resting, .afterTap: ("they settled", true)
      case .lift: ("their number changed", true)
      case .hold: ("their number changed", false)
      case .edge, .tap, .nothing: ("they landed", false)
      }
    let fit = isFitted && !weighed(decision).isEmpty ? ": \(parts(decision))" : ""
    return "\(who) moved \(ways) mm since \(since)\(fit)"
  }

  package static func reason(_ decision: Decision) -> String {
    let kind = decision.outcome?.spoken ?? "nothing"
    let one = decision.outcome?.withArticle ?? "nothing"
    let best = isDecided("still", in: decision) ? "a drag past a still finger" : one
    switch decision.rule {
    case .lead: return "Taken for \(one), the motion leaves the least unexplained."
    case .still:
      return "One finger moved beside one that lay still: this counts as \(one) with both."
    case .patience:
      return "No meaning led clearly, but the fingers had gone far: \(best) explains the most."
    case .lift where decision.lead < decision.needed:
      return "The fingers left before the lead was long enough: \(best) explains the most."
    case .lift:
      return "The fingers left before a decision was due: \(one) has the lead it needs."
    case .correction: return "Within the correction window, the motion turned out to be \(one)."
    case .resting where decision.fingers > 2:
      return "One finger only rests: the others are weighed again without it."
    case .resting:
      return "A finger rests beside a single other one, which points when it moves."
    case .edge: return "The fingers came in over an edge: \(kind)."
    case .afterTap: return "One finger came back right after a tap and moved: \(kind)."
    case .tap: return "The fingers left within a tap's time and motion."
    case .hold: return "The fingers lay still for as long as a hold needs."
    case .nothing: return nothing(decision)
    }
  }

  /// Why fingers that lifted were not even a tap.
  private static func nothing(_ decision: Decision) -> String {
    let noMotion =
      decision.fingers < 2
      ? "A single finger points when it moves, and this was no tap: "
      : "No motion was decided, and it was no tap: "
    switch decision.tapFault {
    case .slid(let way, let most):
      return noMotion
        + "a finger slid \(way.fixed(2)) mm, \(most.trimmed(2)) mm are allowed (tap.movement)."
    case .landedApart(let time, let most) where time <= most:
      return noMotion + "a finger landed after another had lifted."
    case .landedApart(let time, let most):
      return noMotion
        + "the fingers landed \(time.fixed(1)) ms apart, \(most.trimmed(1)) ms are allowed (tap.landingSpread)."
    case .hardlyTogether(let share, let least):
      return noMotion
        + "the fingers shared \(share.fixed(2)) of their time, \(least.fixed(2)) are needed (tap.overlap)."
    case .lasted(let time, let most):
      return noMotion
        + "it lasted \(time.fixed(1)) ms, \(most.trimmed(1)) ms are allowed (tap.duration)."
    case .clicked: return noMotion + "the pad was clicked."
    case .bounced: return noMotion + "it came too soon after a gesture (tap.quiet)."
    case .typing: return noMotion + "a key was typed meanwhile (typing.afterKey)."
    case .gesture, nil:
      return decision.lead >= decision.needed
        ? "The fingers left before they had gone lift.flickTravel."
        : "No meaning had the lead it needed before the fingers left."
    }
  }

  /// "38 ms after motion began, 120 ms after the first finger landed"; for taps and holds, how long
  /// they took. The picture's time axis begins at the first landing, too.
  package static func delay(_ decision: Decision, in stroke: PlottedStroke) -> String {
    switch decision.rule {
    case .tap, .hold:
      if let timed = decision.timed { return "after \(timed.measured.fixed(0)) ms" }
    case .correction:
      let delay = (decision.time - decision.landed).milliseconds
      return "\(delay.fixed(0)) ms after the first decision"
    case .lead, .still, .lift, .resting, .edge, .afterTap, .patience, .nothing: break
    }
    let since = (decision.time - stroke.start).milliseconds
    let first = stroke.continues ? "was seen again" : "landed"
    let landed = "\(since.fixed(0)) ms after the first finger \(first)"
    guard let onset = decision.onset else { return landed }
    return "\((decision.time - onset).milliseconds.fixed(0)) ms after motion began, \(landed)"
  }

  /// The meanings that were considered and what each left unexplained, in mm; empty for a single
  /// finger.
  package static func weighed(_ decision: Decision) -> [(meaning: String, cost: Double)] {
    let costs = decision.costs
    let drag = decision.outcome == .swipe || decision.fingers > 2 ? "swipe" : "drag"
    // for two fingers, the cost of a rotation already allows for one that lags
    let isMany = decision.fingers > 2
    let isLate = isMany || costs.lateDrag < costs.drag
    let all = [
      (drag, costs.drag), ("late-\(drag)", isLate ? costs.lateDrag : .infinity),
      ("still", costs.still), ("pinch", costs.pinch), ("rotate", costs.rotate),
      ("late-rotate", isMany ? costs.lateRotate : .infinity), ("rest", costs.rest),
    ]
    let finite = all.filter { $0.1.isFinite }
    // for one finger, or one that is left of several, nothing is to be compared
    let isWeighed =
      decision.fingers >= 2 && decision.lead.isFinite && finite.contains { $0.1 != 0 }
    return isWeighed ? finite : []
  }

  /// The cheapest meaning, with those that count as the same: a drag, one past a still finger and
  /// one with a late finger do.
  private static func own(_ decision: Decision) -> [String] {
    let costs = decision.costs
    return switch decision.least {
    case min(costs.drag, costs.still): ["drag", "swipe", "still", "late-drag", "late-swipe"]
    case costs.pinch: ["pinch"]
    case costs.rotate: ["rotate", "late-rotate"]
    case _: ["rest"]
    }
  }

  /// How a meaning belongs to what was decided; `nil` if it is another. One with a late finger keeps
  /// others from being decided, and is not decided itself.
  package static func relation(of name: String, in decision: Decision) -> String? {
    let own = own(decision)
    // of two fingers, one that may be late may just as well rest
    let isRest = decision.fingers == 2 && own == ["rest"]
    if own.contains(name) || isRest, name.hasPrefix("late-") { return "not compared" }
    if isDecided(name, in: decision) { return "decided" }
    let decided = own.contains(name) ? own.first { isDecided($0, in: decision) } : nil
    return decided.map { "counts as \($0)" }
  }

  /// The cheapest meaning, whose lead it is; `nil` if nothing was weighed.
  package static func leader(_ decision: Decision) -> String? {
    weighed(decision).first { $0.cost == decision.least && !$0.meaning.hasPrefix("late-") }?.meaning
  }

  /// The meaning that the cheapest one leads, or is behind.
  package static func rival(_ decision: Decision) -> String? {
    let own = own(decision)
    let cost = decision.least + decision.lead
    let others = weighed(decision).filter { !own.contains($0.meaning) }
    return others.min { abs($0.cost - cost) < abs($1.cost - cost) }?.meaning
  }

  /// The duration of a tap or hold, if it was decisive or the fingers stayed too long for a tap.
  package static func timed(_ decision: Decision) -> TimedEvidence? {
    guard decision.rule == .nothing else { return decision.timed }
    return switch decision.tapFault {
    case .lasted, nil: decision.timed
    case _: nil
    }
  }

  /// "0.98 mm ahead of pinch, 0.45 mm needed at 35 mm/s", and what else the decision waited for.
  package static func lead(_ decision: Decision) -> String {
    "\(abs(decision.lead).fixed(2)) mm "
      + (decision.lead < 0 ? "behind" : "ahead of") + " \(rival(decision) ?? "the next")"
      + ", \(decision.needed.fixed(2)) mm needed"
      + (decision.speed > 0 ? " at \(decision.speed.fixed(0)) mm/s" : "")
      + (decision.waited.map { "; waited for \(waiting($0))" } ?? "")
  }

  /// The fitted parts of the motion, from which the costs follow (docs/gestures.md): "together 1.80
  /// mm, apart 0.31, around 0.12"; for three or more fingers, also how far out the outermost is.
  private static func parts(_ decision: Decision) -> String {
    "together \(decision.together.fixed(2)) mm, apart \(decision.apart.fixed(2))"
      + ", around \(decision.around.fixed(2))"
      + (decision.fingers > 2 ? ", k \(decision.reach.fixed(2))" : "")
  }

  private static func waiting(_ wait: DecisionWait) -> String {
    switch wait {
    case .grace: "more fingers to land or lift (landing.grace, lift.grace, click.grace)"
    case .tap: "a tap that slides (tap.slide)"
    case .click: "the click to be over (click.travel)"
    case .thumb: "a resting finger that begins to move (thumb.wakeTravel)"
    case .jump: "a contact to come back from a jump"
    case .merged: "the pad to report two contacts again"
    }
  }

  /// How the duration compares, such as "120 ms of at most 250 ms", and the consequence.
  package static func verdict(_ timed: TimedEvidence, in decision: Decision) -> (String, String) {
    let numbers =
      "\(timed.measured.fixed(0)) ms of " + (timed.isLimit ? "at most " : "")
      + "\(timed.required.fixed(0)) ms"
    if decision.outcome == .tap || decision.outcome == .hold { return (numbers, "decided") }
    if timed.isMet { return (numbers, timed.isLimit ? "within" : "enough") }
    let gap = "\(abs(timed.required - timed.measured).fixed(0)) ms"
    return (numbers, "rejected, \(gap) " + (timed.isLimit ? "over" : "short"))
  }

  /// Whether `name` is the meaning that was decided.
  package static func isDecided(_ name: String, in decision: Decision) -> Bool {
    if decision.rule == .resting { return name == "rest" }
    switch decision.outcome {
    // a drag past a finger that lies still is the cheaper of two
    case .drag where decision.costs.still < decision.costs.drag: return name == "still"
    case .swipe, .edgeSwipe, .drag: return name == "drag" || name == "swipe"
    case .pinch: return name == "pinch"
    case .rotate: return name == "rotate"
    case .tap, .hold, nil: return false
    }
  }
}
