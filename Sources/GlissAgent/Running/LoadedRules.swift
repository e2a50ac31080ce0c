import GlissConfiguration

/// The rules that hold, and what was wrong with those that were read last.
struct LoadedRules {
  private(set) var configuration: Configuration
  private(set) var files: [String]
  /// Files that were not taken, and why.
  private(set) var refused: [String]
  /// What keeps the rules that were read last from being taken.
  private(set) var mistakes: [String]
  private(set) var warnings: [String]
  /// When the rules that hold were read, in seconds since 1970.
  private(set) var loaded: Int64

  enum Outcome: Hashable {
    /// They are what they were.
    case same
    case taken
    case refused([String])

    var isTaken: Bool {
      switch self {
      case .same, .taken: true
      case .refused: false
      }
    }
  }

  /// The first rules: none, where those have mistakes.
  init(_ reading: RuleSource.Reading, at time: Int64) {
    configuration = Configuration()
    (files, refused, mistakes, warnings, loaded) = ([], [], [], [], time)
    _ = take(reading, at: time)
  }

  mutating func take(_ reading: RuleSource.Reading, at time: Int64) -> Outcome {
    guard let next = reading.outcome.configuration else {
      // the files of the rules that hold stay those that are named
      if configuration.rules.isEmpty { files = reading.files }
      mistakes = Self.texts(reading.outcome.mistakes, .error) + reading.refused
      return .refused(mistakes)
    }
    files = reading.files
    let isNews = refused != reading.refused
    refused = reading.refused
    warnings = Self.texts(reading.outcome.mistakes, .warning) + refused
    let hadMistakes = !mistakes.isEmpty
    mistakes = []
    if next == configuration, !isNews, !hadMistakes { return .same }
    configuration = next
    loaded = time
    return .taken
  }

  private static func texts(_ mistakes: [Mistake], _ severity: Mistake.Severity) -> [String] {
    mistakes.filter { $0.severity == severity }.map { "\($0.place): \($0.message)" }
  }

  var hotkeyCount: Int { configuration.rules.count { $0.isHotkey } }
  var gestureCount: Int { configuration.rules.count - hotkeyCount }

  var summary: String {
    if configuration.rules.isEmpty {
      return mistakes.isEmpty ? "there are no rules yet" : "no rules hold"
    }
    let rules = configuration.rules.count == 1 ? "1 rule" : "\(configuration.rules.count) rules"
    return "\(rules) of \(files.joined(separator: ", "))"
  }
}

extension Rule {
  var isHotkey: Bool {
    switch trigger {
    case .gesture: false
    case .hotkey: true
    }
  }
}
