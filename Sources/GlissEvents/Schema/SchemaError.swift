/// Why an object is not a valid event of the schema.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The invalid or missing member.
  public var member: String
  public var problem: String

  public init(_ member: String, _ problem: String) {
    self.member = member
    self.problem = problem
  }

  public var description: String { "\(member): \(problem)" }
}
