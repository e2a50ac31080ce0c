import GlissConfiguration

/// Imports `update:`, which fusuma repeats by time: at once, and then every 0.1 s times `interval`.
///
/// Here it is repeated by distance, namely what fingers typically cover in 0.1 s: 10 mm, a tenth or
/// 15°.
extension FusumaRules {
  /// The range of step lengths, in multiples of that distance. libinput reports motion about every
  /// 10 ms, in which a quick stroke covers 2 mm. An ordinary stroke is over after 40 mm, so longer
  /// steps would never be reached.
  private static let intervals = 0.2...4.0

  /// Up to this interval fusuma acts whenever libinput reports motion.
  private static let everyMotion = 0.1

  func updates(
    of binding: FusumaBinding, _ one: FusumaCases.Case, _ file: inout ImportedFile
  ) -> Reactions {
    let interval = one.interval?.value ?? 1
    // with a direction, moving back must not count, which requires steps
    if binding.isFed || (one.direction == nil && interval <= Self.everyMotion) {
      return Reactions(change: binding.actions)
    }
    guard let every = every(of: binding.location.kind, one.interval, &file) else {
      return Reactions(begin: binding.actions)
    }
    // without a direction, both ways count as forward
    let back = one.direction == nil ? binding.actions : back(one)?.actions ?? []
    return Reactions(
      begin: binding.actions,
      steps: [Step(interval: every, forward: binding.actions, back: back, place: binding.place)])
  }

  /// The binding that acts while the fingers move back.
  private func back(_ one: FusumaCases.Case) -> FusumaBinding? {
    guard let back = one.back.map({ reading.bindings[$0] }), !back.isFed, back.proposal == nil
    else { return nil }
    return back
  }

  /// The lines of that binding, if the rule uses it.
  func backLines(_ one: FusumaCases.Case) -> [Int] {
    one.direction == nil ? [] : back(one)?.lines ?? []
  }

  private func every(
    of kind: FusumaLocation.Kind, _ number: FusumaNumber?, _ file: inout ImportedFile
  ) -> Step.Interval? {
    let times = number?.value ?? 1
    let range = Self.intervals
    let taken = min(max(times, range.lowerBound), range.upperBound)
    func fitted(_ one: Double, _ measure: Measure) -> Double {
      let way = Fitted(one * taken, measure, parts: 10)
      if taken != times, let number {
        file.note(
          "interval \(times.written)",
          taken > times
            ? "taken for \(way.words), which is about as often as libinput tells of motion"
            : "taken for \(way.words), as far as an ordinary stroke goes", at: number.place)
      }
      return way.value
    }
    return switch kind {
    case .swipe: .millimetres(fitted(10, .length))
    case .pinch: .percent(fitted(10, .percent))
    case .rotate: .degrees(fitted(15, .turn))
    case .hold, .tap: nil
    }
  }
}

extension Rule {
  /// Whether one gesture can trigger both rules.
  func isOfSameGesture(as other: Rule) -> Bool {
    guard case .gesture(var mine) = trigger, case .gesture(let its) = other.trigger,
      let low = mine.fingers, let high = its.fingers, low.overlaps(high)
    else { return false }
    mine.fingers = its.fingers
    if mine.sense == nil || its.sense == nil { mine.sense = its.sense }
    return mine == its
  }
}

extension Reactions {
  /// Whether actions are repeated during the gesture.
  private var isUpdate: Bool { !steps.isEmpty || !change.isEmpty }

  /// Whether `other` can be added without overlap. An update also acts at the beginning, after the
  /// actions of `begin`.
  func canTake(_ other: Reactions) -> Bool {
    let isOneUpdate = isUpdate != other.isUpdate
    return (begin.isEmpty || other.begin.isEmpty || isOneUpdate)
      && (end.isEmpty || other.end.isEmpty) && (cancel.isEmpty || other.cancel.isEmpty)
      && !(isUpdate && other.isUpdate)
  }

  mutating func take(_ other: Reactions) {
    begin = isUpdate ? other.begin + begin : begin + other.begin
    change += other.change
    end += other.end
    cancel += other.cancel
    steps += other.steps
  }
}
