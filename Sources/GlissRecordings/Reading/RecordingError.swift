/// An error in a recording, and where it is.
public struct RecordingError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid file: the recording, or the description of its device; `nil` if it has no path.
  public var file: String?
  /// Counts from 1; `nil` if the error is not in a particular line.
  public var line: Int?
  /// Counts bytes from 1; `nil` for the whole line.
  public var column: Int?
  /// What is wrong, in words.
  public var problem: String
  /// What to do about it, if anything.
  public var advice: String?

  /// A problem, and where in which file it is.
  public init(
    file: String? = nil, line: Int? = nil, column: Int? = nil, _ problem: String,
    advice: String? = nil
  ) {
    self.file = file
    self.line = line
    self.column = column
    self.problem = problem
    self.advice = advice
  }

  /// `FILE:LINE: what is wrong`, without the parts that are unknown.
  public var description: String {
    file.map(message(for:)) ?? (line.map { "\($0): \(text)" } ?? text)
  }

  /// `FILE:LINE: what is wrong`; `path` stands in if the error names no file.
  public func message(for path: String) -> String {
    "\(file ?? path):" + (line.map { "\($0): " } ?? " ") + text
  }

  /// A description begins after events, which an evemu or evtest recording has only once.
  static func anotherRecording(at line: Int) -> RecordingError {
    RecordingError(
      line: line, "another recording begins here", advice: "keep each recording in its own file")
  }

  static func severalToALine(at line: Int) -> RecordingError {
    RecordingError(
      line: line, "the events are not one to a line", advice: "write them as libinput record does")
  }

  private var text: String { advice.map { "\(problem) (\($0))" } ?? problem }

  /// The same error, of the file at `path` if it does not name one.
  func named(_ path: String?) -> RecordingError {
    var named = self
    named.file = file ?? path
    return named
  }
}

/// Something odd in a recording that did not stop it.
public struct RecordingWarning: Hashable, Sendable, CustomStringConvertible {
  /// Counts from 1; `nil` if the warning is not about a particular line.
  public var line: Int?
  /// What is unusual there.
  public var problem: String

  /// A warning about a line.
  public init(line: Int? = nil, _ problem: String) {
    self.line = line
    self.problem = problem
  }

  /// `LINE: what is odd`.
  public var description: String { line.map { "\($0): \(problem)" } ?? problem }
}

/// The first few warnings in full and a count of the rest: a broken recording of any length
/// produces only a few.
package struct RecordingWarnings: Hashable, Sendable {
  package static let capacity = 16

  /// The first warnings, in the file's order.
  package private(set) var kept: [RecordingWarning] = []
  /// How many more there were.
  package private(set) var omitted = 0

  package init() {}

  package var isEmpty: Bool { kept.isEmpty }

  mutating func add(line: Int? = nil, _ problem: @autoclosure () -> String) {
    if kept.count < Self.capacity {
      kept.append(RecordingWarning(line: line, problem()))
    } else {
      omitted &+= 1
    }
  }

  mutating func add(_ others: RecordingWarnings) {
    for warning in others.kept where !kept.contains(warning) {
      add(line: warning.line, warning.problem)
    }
    omitted &+= others.omitted
  }
}
