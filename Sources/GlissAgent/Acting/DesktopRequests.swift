package import GlissConfiguration
import GlissDevices
package import GlissEvents
package import GlissFocus

/// Asks the desktop for what rules want of it, and reports what came of it.
final class DesktopRequests {
  var didEnd: ((ActionRecord.ID?, ActionRecord.Result) -> Void)?

  private let log: AgentLog
  private let actor: Result<DesktopActor, SystemError>
  /// The failures already logged. They would recur with every gesture.
  private var reported: Set<Report> = []

  private struct Report: Hashable {
    var rule: String
    var action: DesktopAction
  }

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
    case .failure(let error): fail(action, context, error.description)
    case .success(let actor):
      actor.perform(action) { [weak self] in
        switch $0 {
        case .success: self?.succeed(action, context)
        case .failure(let failure): self?.fail(action, context, failure.description)
        }
      }
    }
  }

  private func succeed(_ action: DesktopAction, _ context: ActionContext) {
    reported.remove(Report(rule: context.rule, action: action))
    didEnd?(context.record, .done)
  }

  private func fail(_ action: DesktopAction, _ context: ActionContext, _ reason: String) {
    if reported.insert(Report(rule: context.rule, action: action)).inserted {
      log.report(.error, "\(context.rule): \(action.written) is not done: \(reason)")
    }
    didEnd?(context.record, .failed(reason))
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
