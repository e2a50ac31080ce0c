public import GlissConfiguration

/// Where rules come from, each time they are read.
public struct RuleSource {
  /// What was read, from where, and what to watch to hear of changes.
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

  /// The places, whether there is anything or not.
  public var files: [String]
  /// Folders of which every file counts.
  public var folders: [String]
  public var read: () -> Reading

  public init(files: [String], folders: [String] = [], read: @escaping () -> Reading) {
    self.files = files
    self.folders = folders
    self.read = read
  }
}
