/// Something wrong in a file, where it is, and what to do about it.
public struct Mistake: Error, Hashable, Sendable {
  public var place: Place
  /// What is wrong and what was expected; one sentence, or two.
  public var message: String
  /// How many characters the mark goes over, from its place on.
  public var length: Int
  /// The line as it stands in the file; `nil` where there is none.
  public var source: String?
  public var severity: Severity

  public enum Severity: Hashable, Sendable {
    /// The file is not taken.
    case error
    /// The file is taken.
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
  /// As it is told in mistakes.
  public var name: String
  public var bytes: [UInt8]
  /// One of the system's: a rule in it gives way to a user's rule that waits for the same.
  public var isSystem: Bool

  public init(name: String, bytes: [UInt8], isSystem: Bool = false) {
    self.name = name
    self.bytes = bytes
    self.isSystem = isSystem
  }
}

/// What came of reading files: the configuration, unless a mistake is an error, and all mistakes in their order.
public struct ConfigurationReading: Hashable, Sendable {
  public var configuration: Configuration?
  public var mistakes: [Mistake]

  public init(configuration: Configuration?, mistakes: [Mistake]) {
    self.configuration = configuration
    self.mistakes = mistakes
  }
}
