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
