/// What is wrong with a store, a scope, a grant or a question, with its place and advice.
public struct GateError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Problem: Hashable, Sendable {
    /// The store cannot be trusted or read: nothing is granted.
    case store
    /// The audit cannot be written: nothing new is granted.
    case audit
    /// The same uid, client, group and scope is there already.
    case duplicate(GrantID)
    /// The client is in the group already.
    case alreadyMember
    /// Nothing matches, or there is no such grant, member or request.
    case notFound
    /// So many match, and one was meant.
    case ambiguous(Int)
    /// Words that are no scope, group, client or import.
    case syntax
    /// Too many requests are pending, or there are too many grants or members.
    case limit
    /// It may not be granted: a lasting raw grant for an interpreter, or something for an anonymous sandbox.
    case notGrantable
  }

  public var problem: Problem
  /// The file, with its line where there is one, or the words.
  public var place: String
  public var message: String
  public var advice: String?

  public init(_ problem: Problem, _ place: String, _ message: String, advice: String? = nil) {
    self.problem = problem
    self.place = place
    self.message = message
    self.advice = advice
  }

  /// What is wrong and where, for who shows the advice elsewhere.
  public var finding: String { "\(place): \(message)" }

  public var description: String { finding + (advice.map { "; \($0)" } ?? "") }
}
