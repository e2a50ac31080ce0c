package import GlissEvents

/// How the possible meanings of the fingers compare after a frame, for pictures.
///
/// ``Decision`` has the same numbers for the frame in which something was decided.
package struct Evidence: Sendable, BitwiseCopyable {
  package var time: EventTime
  package var device: DeviceID
  /// How many fingers take part.
  package var fingers: Int
  /// What each meaning leaves unexplained, in mm.
  package var costs: Costs
  /// By how much the cheapest meaning leads, and the lead it needs, in mm.
  package var lead: Double
  package var needed: Double

  package init(_ decision: Decision) {
    time = decision.time
    device = decision.device
    fingers = decision.fingers
    costs = decision.costs
    lead = decision.lead
    needed = decision.needed
  }

  fileprivate init(
    _ weighing: Weighing, _ configuration: GestureConfiguration, fingers: Int,
    in place: Arbiter.FrameContext
  ) {
    let best = weighing.cheapest
    time = place.time
    device = place.device
    self.fingers = fingers
    costs = weighing.costs
    lead = best.lead
    needed = weighing.needed(best, configuration)
  }
}

extension Arbiter {
  /// What is being weighed: the fingers' motion until a decision, and whether to correct it after
  /// that. Otherwise `nil`.
  func evidence(
    for hand: Hand, _ configuration: GestureConfiguration, in place: FrameContext
  ) -> Evidence? {
    guard hand.count >= 2 else { return nil }
    let past: Past
    switch state {
    case .watching(let watch): past = watch.past(configuration.late, jitter: hand.jitter)
    case .active(_, let until?) where place.time <= until: past = Past()
    case .idle, .active: return nil
    }
    let weighing = Weighing(hand, configuration, size: place.size, past: past)
    return Evidence(weighing, configuration, fingers: hand.count, in: place)
  }
}

extension Evidence {
  /// The cost of the cheapest meaning.
  package var least: Double { min(costs.drag, costs.still, costs.pinch, costs.rotate, costs.rest) }
}
