import Glibc
public import GlissConfiguration

/// The rules in force, and what was wrong with those that were read last.
struct LoadedRules {
  private(set) var configuration: Configuration
  private(set) var files: [String]
  /// Why the rules that were read last were not taken.
  private(set) var mistakes: [String]
  private(set) var warnings: [String]
  /// When the rules in force were read, in seconds since 1970.
  private(set) var loaded: Int64

  enum Outcome: Hashable {
    /// They have not changed.
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

  /// The first rules, or no rules if those have mistakes.
  init(_ reading: RuleSource.Reading, at time: Int64) {
    configuration = Configuration()
    (files, mistakes, warnings, loaded) = ([], [], [], time)
    _ = take(reading, at: time)
  }

  mutating func take(_ reading: RuleSource.Reading, at time: Int64) -> Outcome {
    // one refused file keeps all rules from being taken: other files' rules might apply in place of
    // its own
    guard let next = reading.outcome.configuration, reading.refused.isEmpty else {
      // keep naming the files of the rules in force
      if configuration.rules.isEmpty { files = reading.files }
      mistakes = Self.texts(reading.outcome.mistakes, .error) + reading.refused
      return .refused(mistakes)
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
    let label =
      switch severity {
      case .error: ""
      case .warning: "warning: "
      }
    return mistakes.filter { $0.severity == severity }.map { "\($0.place): \(label)\($0.message)" }
  }

  /// What the rules need from a feed of that type.
  func needs(of feed: any Feed.Type) -> InputNeeds {
    InputNeeds(configuration, namesKeyboards: feed.namesKeyboards)
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

/// Where rules come from whenever they are read.
public struct RuleSource {
  /// What was read, and from where.
  public struct Reading {
    public var outcome: ConfigurationReading
    /// The files that were read.
    public var files: [String]
    /// Files that were not taken, and why.
    public var refused: [String]

    public init(_ outcome: ConfigurationReading, files: [String], refused: [String] = []) {
      self.outcome = outcome
      self.files = files
      self.refused = refused
    }
  }

  /// The paths to watch, whether they exist or not.
  public var files: [String]
  /// Folders in which every file matters.
  public var folders: [String]
  public var read: () -> Reading

  public init(files: [String], folders: [String] = [], read: @escaping () -> Reading) {
    self.files = files
    self.folders = folders
    self.read = read
  }
}

extension RuleSource {
  /// The user's files and the system's.
  ///
  /// - Parameter only: a file that is read instead of all others.
  public static func standard(only: String? = nil) -> RuleSource {
    let files = ConfigurationFiles(only: only.map(fromRoot))
    let known = LastReading()
    return RuleSource(files: files.files, folders: files.folders) { known.reading(of: files) }
  }

  /// Makes the path absolute, so that later changes to the working folder do not matter.
  private static func fromRoot(_ path: String) -> String {
    guard !path.hasPrefix("/"), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return "\(String(cString: current))/\(path)"
  }
}

/// The last reading. Files that have not changed are not parsed again.
private final class LastReading {
  private var texts: [ConfigurationText]?
  private var outcome = ConfigurationReading(configuration: nil, mistakes: [])

  func reading(of files: ConfigurationFiles) -> RuleSource.Reading {
    let found = files.read()
    if found.texts != texts {
      texts = found.texts
      // if there is no file at all, the previous rules are kept
      outcome =
        found.texts.isEmpty
        ? ConfigurationReading(configuration: nil, mistakes: []) : Configuration.read(found.texts)
    }
    return RuleSource.Reading(
      outcome, files: found.texts.map(\.name), refused: found.errors.map(\.description))
  }
}
