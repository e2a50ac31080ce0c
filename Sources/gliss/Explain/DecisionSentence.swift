import Gliss

/// A decision in plain words, from the numbers it was taken on; nothing is measured again here.
enum DecisionSentence {
  static func outcome(_ decision: Decision) -> String {
    guard let kind = decision.outcome else { return "nothing" }
    return kind.name
  }

  /// One sentence for each rule.
  static func reason(_ decision: Decision) -> String {
    let kind = outcome(decision)
    switch decision.rule {
    case .dominance:
      return "The evidence for \(kind) reached what it needed and beat every other kind's."
    case .patience:
      return
        "No kind beat the others clearly, but the fingers had gone far: \(kind) had the longest way."
    case .lift:
      return
        "The fingers left before the evidence was complete: \(kind) had the longest way."
    case .anchoredAlong:
      return "One finger lay still while another moved along the line between them: \(kind)."
    case .anchoredAcross:
      return
        "One finger lay still while another moved across the line between them, or had rested there: \(kind)."
    case .correction:
      return "What had begun turned out to be another kind within the correction window: \(kind)."
    case .restingThumb:
      return decision.outcome == nil
        ? "A thumb rested while one other finger moved: that is pointing, not a gesture."
        : "A thumb rested and was left out; the other fingers made the \(kind)."
    case .edge: return "The fingers came in over an edge: \(kind)."
    case .afterTap: return "One finger came back right after a tap and moved: \(kind)."
    case .tap: return "The fingers left within a tap's time and motion."
    case .hold: return "The fingers lay still for as long as a hold needs."
    case .nothing: return nothing(decision)
    }
  }

  /// Why fingers that left were nothing, not even a tap.
  private static func nothing(_ decision: Decision) -> String {
    let noMotion =
      decision.fingers < 2
      ? "A single finger points when it moves, and this was no tap: "
      : "No motion was decided, and it was no tap: "
    switch decision.tapFault {
    case .slid(_, let most):
      return noMotion + "a finger slid more than \(most.fixed(2)) mm (tap.movement)."
    case .landedApart(let time, let most):
      return noMotion
        + "the fingers landed \(time.fixed(0)) ms apart, at most \(most.fixed(0)) ms (tap.landingSpread)."
    case .hardlyTogether(let share, let least):
      return noMotion
        + "the fingers shared \(share.fixed(2)) of their time, at least \(least.fixed(2)) (tap.overlap)."
    case .lasted(let time, let most):
      return noMotion
        + "it lasted \(time.fixed(0)) ms of at most \(most.fixed(0)) ms (tap.duration)."
    case .clicked: return noMotion + "the pad was clicked."
    case .bounced: return noMotion + "it came too soon after a gesture (tap.quiet)."
    case .typing: return noMotion + "a key was typed meanwhile (typing.afterKey)."
    case .gesture, nil: return "No kind had what it needed before the fingers left."
    }
  }

  private static func isDuration(_ fault: TapFault) -> Bool {
    if case .lasted = fault { true } else { false }
  }

  /// "38 ms after motion began, 120 ms after landing"; for taps and holds how long they took.
  static func delay(_ decision: Decision) -> String {
    switch decision.rule {
    case .tap, .hold:
      if let still = decision.still { return "after \(still.measured.fixed(0)) ms" }
    case .dominance, .lift, .anchoredAlong, .anchoredAcross, .correction, .restingThumb, .edge,
      .afterTap, .patience, .nothing:
      break
    }
    let landed = "\((decision.time - decision.landed).milliseconds.fixed(0)) ms after landing"
    guard let onset = decision.onset else { return landed }
    return "\((decision.time - onset).milliseconds.fixed(0)) ms after motion began, \(landed)"
  }

  /// The evidence of every kind that was weighed; one finger alone has nothing to pinch or turn.
  ///
  /// Of fingers that were nothing the tap's time is told only where it was the reason; one that pointed was not weighed.
  static func weighed(_ decision: Decision) -> [Evidence] {
    if decision.rule == .nothing {
      let still = decision.tapFault.map(isDuration) ?? true ? decision.still : nil
      let moving =
        decision.fingers < 2 ? [] : [decision.drag, decision.pinch, decision.rotate]
      return moving + (still.map { [$0] } ?? [])
    }
    let moving =
      decision.fingers < 2
      ? [decision.drag] : [decision.drag, decision.pinch, decision.rotate]
    return moving + (decision.still.map { [$0] } ?? [])
  }

  /// How the evidence of one kind fared: "0.7 mm of 1.2 mm" and what follows from it.
  static func verdict(_ evidence: Evidence, in decision: Decision) -> (numbers: String, end: String)
  {
    let isTime = evidence.kind == .tap || evidence.kind == .hold
    let unit = isTime ? "ms" : "mm"
    let places = isTime ? 0 : 2
    let numbers =
      "\(evidence.measured.fixed(places)) \(unit) of "
      + (evidence.isLimit ? "at most " : "") + "\(evidence.required.fixed(places)) \(unit)"
    if evidence.kind == decision.outcome || isSwipe(evidence, decision) {
      return (numbers, "decided")
    }
    let gap = "\(abs(evidence.required - evidence.measured).fixed(places)) \(unit)"
    if evidence.isMet { return (numbers, evidence.isLimit ? "within" : "enough") }
    return (numbers, "rejected, \(gap) " + (evidence.isLimit ? "over" : "short"))
  }

  /// Swipes and edge swipes are weighed as motion together, in the place of the drag.
  private static func isSwipe(_ evidence: Evidence, _ decision: Decision) -> Bool {
    guard evidence.kind == decision.drag.kind else { return false }
    switch decision.outcome {
    case .swipe, .edgeSwipe, .drag: return true
    case .pinch, .rotate, .tap, .hold, nil: return false
    }
  }
}
