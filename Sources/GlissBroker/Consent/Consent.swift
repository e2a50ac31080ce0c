package import GlissGate

/// The answer to a question for consent.
package enum ConsentAnswer: Hashable, Sendable {
  case agreed
  case refused
  /// There is no polkit, no agent that could show the question, or a policy under which nobody is
  /// asked for this user.
  case nobodyToAsk
}

/// Asks an administrator, through polkit, on behalf of a client.
package protocol ConsentAuthority: AnyObject {
  /// Asks for the policy's `action`. The agent may show `details`. Returns at once. `answer` is
  /// called once from the loop, unless the question is withdrawn.
  ///
  /// - Parameter isAlive: whether the client's process is still the one that the question is about.
  ///   Consent applies to that process only.
  /// - Returns: the question's number.
  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    isAlive: @escaping () -> Bool, answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64

  /// Withdraws a question whose answer is no longer needed.
  func withdraw(_ question: UInt64)
}
