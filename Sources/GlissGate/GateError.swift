import GlissEvents

/// What is wrong with a store, a scope, a grant or a question, with its place and advice.
package struct GateError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    /// The store cannot be trusted or read. Nothing is granted.
    case store
    /// The audit cannot be written. Nothing new is granted.
    case audit
    /// A grant with the same uid, client, group and scope already exists.
    case duplicate(GrantID)
    /// The client is already in the group.
    case alreadyMember
    /// Nothing matches, or there is no such grant, member or request.
    case notFound
    /// This many match, but one was expected.
    case ambiguous(Int)
    /// An invalid scope, group, client or import.
    case syntax
    /// Too many pending requests, grants or members.
    case limit
    /// It may not be granted: a lasting raw grant to an interpreter, or anything to an anonymous
    /// sandbox.
    case notGrantable
  }

  package var problem: Problem
  /// The file, with its line if there is one, or the words.
  package var place: String
  package var message: String
  package var advice: String?

  package init(_ problem: Problem, _ place: String, _ message: String, advice: String? = nil) {
    self.problem = problem
    self.place = place
    self.message = message
    self.advice = advice
  }

  /// The problem and its place, for callers that show the advice elsewhere.
  package var finding: String { "\(place): \(message)" }

  package var description: String { finding + (advice.map { "; \($0)" } ?? "") }
}

extension StringProtocol {
  /// One line of at most `limit` bytes, for showing other programs' text in a log or a prompt.
  /// Control characters, and those that are invisible or change the text direction, become spaces.
  func boundedLine(_ limit: Int) -> String {
    var line = ""
    var size = 0
    for scalar in unicodeScalars {
      let shown = scalar.isPlain ? scalar : " "
      size += UTF8.width(shown)
      if size > limit { return line + "…" }
      line.unicodeScalars.append(shown)
    }
    return line
  }
}
