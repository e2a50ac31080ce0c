package import GlissConfiguration
import GlissEvents
package import GlissFocus

extension Configuration {
  /// Whether a rule asks the desktop for anything.
  package var asksDesktop: Bool { rules.contains { $0.reactions.asksDesktop } }
}

extension Reactions {
  fileprivate var asksDesktop: Bool {
    actions.contains {
      if case .desktop = $0.verb { true } else { false }
    }
  }
}

extension FocusKind {
  /// An error for each action that this desktop does not do.
  package func mistakes(in rules: [Rule]) -> [Mistake] {
    rules.flatMap { rule in
      rule.reactions.actions.compactMap { action in
        guard case .desktop(let wanted) = action.verb, let refusal = refusal(of: wanted) else {
          return nil
        }
        return Mistake("\(wanted.written) does nothing here: \(refusal)", at: action.place)
      }
    }
  }
}
