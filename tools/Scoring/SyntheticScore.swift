import GlissEvents
package import GlissSynthesis

/// Whether a synthetic trace came out clean, and what it was if not.
package enum SyntheticScore {
  /// `nil` where it is clean, else a few words for what is wrong.
  package static func fault(_ outcomes: [Outcome], _ truth: Truth) -> String? {
    let rest = outcomes.filter { !truth.tolerated.contains($0.kind) }
    if rest.contains(where: \.wasCancelled) || outcomes.contains(where: \.isOpen) {
      return words(outcomes)
    }
    guard !truth.expected.isEmpty else { return rest.isEmpty ? nil : words(rest) }
    if truth.expected.contains(where: { $0.kind == .tap }) { return tapFault(outcomes, truth) }
    guard rest.count == 1, let outcome = rest.first else { return words(rest) }
    let faults = truth.expected.map { fault(outcome, $0) }
    return faults.contains(nil) ? nil : faults.compactMap { $0 }.first
  }

  private static func tapFault(_ outcomes: [Outcome], _ truth: Truth) -> String? {
    guard let expected = truth.expected.first, let count = expected.count else { return nil }
    guard outcomes.allSatisfy({ $0.kind == .tap }) else { return words(outcomes) }
    if outcomes.contains(where: { $0.fingers != expected.fingers }) {
      return "tap of " + Set(outcomes.map { "\($0.fingers)" }).sorted().joined(separator: "+")
    }
    let counts = outcomes.map(\.last.count)
    return counts == Array(1...max(1, count)) ? nil : counts.isEmpty ? "none" : "counted \(counts)"
  }

  private static func fault(_ outcome: Outcome, _ expected: Truth.Expectation) -> String? {
    if outcome.kind != expected.kind { return outcome.word }
    if outcome.fingers != expected.fingers { return "\(outcome.kind.name) of \(outcome.fingers)" }
    if let directions = expected.directions {
      guard let direction = outcome.direction, directions.contains(direction) else {
        return "\(outcome.kind.name) wrong way"
      }
    }
    if let sign = expected.scaleSign, sign != outcome.scaleSign { return "pinch wrong way" }
    if let sign = expected.rotationSign, sign != outcome.rotationSign { return "rotate wrong way" }
    if let edge = expected.edge, edge != outcome.last.edge { return "edgeSwipe wrong edge" }
    if expected.isAfterTap != outcome.last.isAfterTap { return "drag without its tap" }
    return nil
  }

  private static func words(_ outcomes: [Outcome]) -> String {
    outcomes.isEmpty ? "none" : outcomes.map(\.word).joined(separator: "+")
  }
}
