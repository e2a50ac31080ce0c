package import GlissConfiguration
import Testing

extension Configuration {
  /// The rules of a file of ours without their places; its errors are failures.
  package static func rules(of text: String) -> [Rule] {
    let reading = read([ConfigurationText(name: "gliss.yaml", bytes: Array(text.utf8))])
    let errors = reading.mistakes.filter { $0.severity == .error }
    #expect(errors.map { "\($0.place): \($0.message)" } == [], "\(text)")
    return (reading.configuration?.rules ?? []).map(\.withoutPlaces)
  }
}

extension Rule {
  package var isOfHotkey: Bool {
    if case .hotkey = trigger { true } else { false }
  }

  package static let nowhere = Place(file: "", line: 0, column: 0)

  /// The same rule, wherever it stands.
  package var withoutPlaces: Rule {
    var rule = self
    rule.place = Self.nowhere
    if case .gesture(var condition) = rule.trigger {
      condition.settings = condition.settings.map { setting in
        SettingChange(name: setting.name, value: setting.value)
      }
      rule.trigger = .gesture(condition)
    }
    let all: [WritableKeyPath<Reactions, [Action]>] = [
      \.begin, \.change, \.end, \.cancel, \.release,
    ]
    for path in all {
      rule.reactions[keyPath: path] = rule.reactions[keyPath: path].map(\.withoutPlace)
    }
    rule.reactions.steps = rule.reactions.steps.map { step in
      Step(
        interval: step.interval, forward: step.forward.map(\.withoutPlace),
        back: step.back.map(\.withoutPlace), place: Self.nowhere)
    }
    return rule
  }
}

extension Action {
  fileprivate var withoutPlace: Action {
    guard case .turns(let turns) = verb else { return Action(verb, place: Rule.nowhere) }
    return Action(.turns(turns.map { $0.map(\.withoutPlace) }), place: Rule.nowhere)
  }
}
