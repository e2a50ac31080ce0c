import GlissConfiguration
import GlissEvents

/// Joins pairs of inward and outward pinches, where each does on its way back what the other does
/// on its way forward.
///
/// touchégg follows one of them until the fingers lift. Here both would count beyond the point
/// where they began, so one rule without a direction replaces them.
enum MirroredPinches {
  static func join(in parts: inout [ImportedFile.Part]) {
    var index = 0
    while index < parts.count {
      for later in parts.indices.dropFirst(index + 1) {
        guard let joined = joined(parts[index], parts[later]) else { continue }
        parts[index] = joined
        parts.remove(at: later)
        break
      }
      index += 1
    }
  }

  private static func joined(
    _ a: ImportedFile.Part, _ b: ImportedFile.Part
  ) -> ImportedFile.Part? {
    guard case .gesture(var condition) = a.rule.trigger, case .gesture(var other) = b.rule.trigger,
      condition.kind == .pinch, a.proposal == nil, b.proposal == nil,
      let step = onlyStep(of: a.rule), let back = onlyStep(of: b.rule),
      step.interval == back.interval, step.forward.map(\.verb) == back.back.map(\.verb),
      step.back.map(\.verb) == back.forward.map(\.verb), condition.sense != other.sense
    else { return nil }
    let isOutward = condition.sense == .outward
    condition.sense = nil
    other.sense = nil
    guard condition == other else { return nil }
    var joined = a
    joined.sources += b.sources
    joined.rule.trigger = .gesture(condition)
    // without a direction, outward counts as forward
    joined.rule.reactions.steps = [isOutward ? step : back]
    return joined
  }

  private static func onlyStep(of rule: Rule) -> Step? {
    guard let step = rule.reactions.steps.first,
      rule.reactions == Reactions(steps: [step]), !step.back.isEmpty
    else { return nil }
    return step
  }
}
