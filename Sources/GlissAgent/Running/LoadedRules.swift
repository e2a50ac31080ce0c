package import GlissConfiguration
import GlissDevices

/// The rules in force, and what was wrong with those that were read last.
struct LoadedRules {
  private(set) var configuration: Configuration
  private(set) var files: [String]
  /// The paths that the files read last include, whether they exist or not.
  private(set) var included: [String]
  private(set) var mistakes: [String]
  private(set) var warnings: [String]
  /// When the rules in force were read, in seconds since 1970.
  private(set) var loaded: Int64

  enum Outcome: Hashable {
    case same
    case taken
    case refused
  }

  /// The first rules, or no rules if those have mistakes.
  init(_ reading: RuleReading, at time: Int64) {
    configuration = Configuration()
    (files, included, mistakes, warnings, loaded) = ([], [], [], [], time)
    _ = take(reading, at: time)
  }

  mutating func take(_ reading: RuleReading, at time: Int64) -> Outcome {
    included = reading.included
    // one refused file keeps all rules from being taken: other files' rules might apply in place of
    // its own
    guard let next = reading.outcome.configuration, reading.refused.isEmpty else {
      // keep naming the files of the rules in force
      if configuration.rules.isEmpty { files = reading.files }
      mistakes = Self.texts(reading.outcome.mistakes, .error) + reading.refused
      return .refused
    }
    files = reading.files
    warnings = Self.texts(reading.outcome.mistakes, .warning)
    let hadMistakes = !mistakes.isEmpty
    mistakes = []
    if next == configuration, !hadMistakes { return .same }
    configuration = next
    loaded = time
    return .taken
  }

  private static func texts(_ mistakes: [Mistake], _ severity: Mistake.Severity) -> [String] {
    let label = severity == .warning ? "warning: " : ""
    return mistakes.filter { $0.severity == severity }.map { "\($0.place): \(label)\($0.message)" }
  }

  /// What the rules need from a feed, given whether it names keyboards.
  func needs(namesKeyboards: Bool, focus: RuleFocus? = nil) -> InputNeeds {
    InputNeeds(configuration, namesKeyboards: namesKeyboards, focus: focus)
  }

  var hotkeyCount: Int { configuration.rules.count { $0.isHotkey } }
  var gestureCount: Int { configuration.rules.count - hotkeyCount }

  var summary: String {
    if configuration.rules.isEmpty {
      return mistakes.isEmpty ? "there are no rules yet" : "no rules are in force"
    }
    let rules = counted(configuration.rules.count, "rule")
    return "\(rules) of \(files.joined(separator: ", "))"
  }
}

package struct RuleReading {
  package var outcome: ConfigurationReading
  package var files: [String]
  /// The paths that those files include, whether they exist or not.
  package var included: [String] = []
  package var refused: [String]
}

extension ConfigurationFiles {
  package func readRules() -> RuleReading {
    let found = read()
    // if there is no file at all, the previous rules are kept
    let outcome =
      found.texts.isEmpty
      ? ConfigurationReading(configuration: nil, mistakes: []) : Configuration.read(found.texts)
    return RuleReading(
      outcome: outcome, files: found.texts.map(\.name), included: found.included,
      refused: found.errors.map(\.description))
  }
}
