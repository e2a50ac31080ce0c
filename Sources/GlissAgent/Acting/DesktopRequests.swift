package import GlissConfiguration
import GlissDevices
package import GlissEvents
package import GlissFocus

/// Asks the desktop for what rules want of it, and reports what came of it.
final class DesktopRequests {
  var didEnd: ((ActionRecord.ID?, ActionRecord.Result) -> Void)?

  private let log: AgentLog
  private let actor: Result<DesktopActor, SystemError>
  /// The failures already logged, by rule and action. They would recur with every gesture.
  private var reported: Set<String> = []

  init(_ loop: InputLoop, _ log: AgentLog, choosing choices: @escaping () -> [ActionChoice]) {
    self.log = log
    do throws(SystemError) {
      actor = .success(try DesktopActor(on: loop, choosing: choices))
    } catch {
      actor = .failure(error)
    }
  }

  func perform(_ action: DesktopAction, _ context: ActionContext) {
    switch actor {
    case .failure(let error): end(action, context, error.description)
    case .success(let actor):
      actor.perform(action) { [weak self] in
        switch $0 {
        case .success: self?.end(action, context, nil)
        case .failure(let failure): self?.end(action, context, failure.description)
        }
      }
    }
  }

  /// - Parameter failure: why it is not done; `nil` if it is.
  private func end(_ action: DesktopAction, _ context: ActionContext, _ failure: String?) {
    let what = "\(context.rule): \(action.written)"
    if let failure, reported.insert(what).inserted {
      log.report(.error, "\(what) is not done: \(failure)")
    } else if failure == nil {
      reported.remove(what)
    }
    didEnd?(context.record, failure.map(ActionRecord.Result.failed) ?? .done)
  }
}

extension Configuration {
  /// Whether a rule or profile asks for the application of this window. A profile's settings apply
  /// only if this process reads the devices.
  package func asks(for window: FollowedWindow, appliesSettings: Bool = true) -> Bool {
    rules.contains { $0.application?.window == window }
      || appliesSettings && profiles.contains { $0.application?.window == window }
  }

  package var asksDesktop: Bool {
    rules.contains { rule in
      rule.reactions.actions.contains { if case .desktop = $0.verb { true } else { false } }
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
