/// Why bytes were rejected as JSON, and where.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Reason: String, Hashable, Sendable {
    case tooLong = "it is too long"
    case tooDeep = "it is nested too deep"
    case tooMany = "it has too many values"
    case ended = "it ends too early"
    case unexpected = "this cannot stand here"
    case trailing = "something stands behind its end"
    case notUTF8 = "this is not UTF-8"
    case control = "a control character must be escaped"
    case escape = "there is no such escape"
    case surrogate = "half of a surrogate pair is no character"
    case nul = "a string with a NUL is not taken"
    case number = "no finite number is meant"
    case duplicate = "the same name stands twice in one object"
  }

  public var reason: Reason
  /// The offset in bytes.
  public var offset: Int

  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  public var description: String { "byte \(offset): \(reason.rawValue)" }
}
