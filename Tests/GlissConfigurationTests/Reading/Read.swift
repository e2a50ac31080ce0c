import GlissConfiguration
import Testing

/// What is read of a file called `f`.
func read(_ yaml: String) -> ConfigurationReading {
  Configuration.read([ConfigurationText(name: "f", bytes: Array(yaml.utf8))])
}

/// The configuration of a file in which nothing is wrong; warnings do not count.
func configuration(
  _ yaml: String, sourceLocation: SourceLocation = #_sourceLocation
) throws -> Configuration {
  let reading = read(yaml)
  let errors = reading.mistakes.filter { $0.severity == .error }
  #expect(errors.isEmpty, "\(errors.text)", sourceLocation: sourceLocation)
  return try #require(reading.configuration, sourceLocation: sourceLocation)
}

extension Configuration {
  /// The condition of its only rule.
  var gesture: GestureCondition? {
    guard rules.count == 1, case .gesture(let condition) = rules[0].trigger else { return nil }
    return condition
  }

  var hotkey: HotkeyCondition? {
    guard rules.count == 1, case .hotkey(let condition) = rules[0].trigger else { return nil }
    return condition
  }

  /// What its only rule does at its end.
  var verbs: [Action.Verb] { rules.count == 1 ? rules[0].reactions.end.map(\.verb) : [] }
}

extension Mistake {
  /// Short enough for a table: place, what is marked, message.
  var short: String {
    "\(place.line):\(place.column)+\(length) \(severity == .warning ? "warning: " : "")\(message)"
  }
}
