/// Why an object is no event of the schema.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The member that is wrong or missing.
  public var member: String
  public var problem: String

  public init(_ member: String, _ problem: String) {
    self.member = member
    self.problem = problem
  }

  public var description: String { "\(member): \(problem)" }
}
