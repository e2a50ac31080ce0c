/// A mistake in a file, with its place, and what to do about it.
public struct Mistake: Error, Hashable, Sendable {
  public var place: Place
  /// What is wrong and what was expected, in one or two sentences.
  public var message: String
  /// How many characters are marked, starting at the place.
  public var length: Int
  /// The line in the file; `nil` if there is none.
  public var source: String?
  public var severity: Severity

  public enum Severity: Hashable, Sendable {
    /// The file is rejected.
    case error
    /// The file is accepted.
    case warning
  }

  public init(
    _ message: String, at place: Place, length: Int = 1, source: String? = nil,
    severity: Severity = .error
  ) {
    self.message = message
    self.place = place
    self.length = length
    self.source = source
    self.severity = severity
  }
}

/// A file's name and content.
public struct ConfigurationText: Hashable, Sendable {
  /// The name used in mistakes.
  public var name: String
  public var bytes: [UInt8]
  /// One of the system's files. Its rules give way to user rules with the same trigger.
  public var isSystem: Bool

  public init(name: String, bytes: [UInt8], isSystem: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.isSystem = isSystem
  }
}

/// The result of reading files: the configuration, unless there was an error, and all mistakes in
/// order.
public struct ConfigurationReading: Hashable, Sendable {
  public var configuration: Configuration?
  public var mistakes: [Mistake]

  public init(configuration: Configuration?, mistakes: [Mistake]) {
    self.configuration = configuration
    self.mistakes = mistakes
  }
}
