import Glibc
public import GlissConfiguration

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
