package import GlissGate

/// What somebody who was asked has answered.
package enum ConsentAnswer: Hashable, Sendable {
  case agreed
  case refused
  /// There is no polkit, or no agent that could show the question.
  case nobodyToAsk
}

/// Asks an administrator, by polkit, in the name of a client.
package protocol ConsentAuthority: AnyObject {
  /// Asks for `action` of the policy; `details` are what the agent may show. Returns at once. `answer` is called from the
  /// loop, once, unless the question is withdrawn.
  ///
  /// - Returns: the question's number.
  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64

  /// Nobody waits for that answer any more.
  func withdraw(_ question: UInt64)
}
