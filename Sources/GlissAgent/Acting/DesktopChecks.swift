package import GlissConfiguration
import GlissEvents
package import GlissFocus

extension MatchedWindow {
  /// How the desktop is asked for it.
  package var followed: FollowedWindow {
    switch self {
    case .focused: .focused
    case .underPointer: .underPointer
    }
  }
}

extension Configuration {
  /// Whether a rule asks for the application of this window, or a profile, whose settings apply only
  /// if this process reads the devices.
  package func asks(for window: MatchedWindow, appliesSettings: Bool = true) -> Bool {
    rules.contains { $0.application?.window == window }
      || appliesSettings && profiles.contains { $0.application?.window == window }
  }

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
