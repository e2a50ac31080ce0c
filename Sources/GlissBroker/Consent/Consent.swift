package import GlissGate

/// What somebody who was asked has answered.
package enum ConsentAnswer: Hashable, Sendable {
  case agreed
  case refused
  /// There is no polkit, no agent that could show the question, or a policy that lets nobody be asked in this user's name.
  case nobodyToAsk
}

/// Asks an administrator, by polkit, in the name of a client.
package protocol ConsentAuthority: AnyObject {
  /// Asks for `action` of the policy; `details` are what the agent may show. Returns at once. `answer` is called from the
  /// loop, once, unless the question is withdrawn.
  ///
  /// - Parameter isAlive: whether the process in whose name is asked still is the one that the question is about: somebody
  ///   who has agreed has agreed to that process.
  /// - Returns: the question's number.
  func ask(
    _ action: String, details: [(String, String)], for identity: ClientIdentity,
    isAlive: @escaping () -> Bool, answer: @escaping (ConsentAnswer) -> Void
  ) -> UInt64

  /// Nobody waits for that answer any more.
  func withdraw(_ question: UInt64)
}
