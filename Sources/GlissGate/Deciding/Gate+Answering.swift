extension Gate {
  /// Grants or denies a pending request. This replaces an earlier decision about the same client
  /// and scope.
  ///
  /// A refusal is kept, so that nobody is asked about the client again. A refusal for once is not
  /// kept, and `nil` is returned. An interpreter gets raw input once; a `change` that asks for
  /// longer is refused.
  public func answer(
    _ number: Int64, allow: Bool, change: Change = Change(), by decider: String, at now: WallTime
  ) throws(GateError) -> Grant? {
    if let fault { throw fault }
    guard let request = requests[number] else {
      throw GateError(
        .notFound, "request \(number)", "waits no longer",
        advice: "see those that do with: gliss grants list")
    }
    var terms = try request.ask.terms(reason: request.reason)
    terms.isAllowed = allow
    terms.expiry = allow && terms.isForInterpreterOnly ? .once : .never
    terms.apply(change)
    if !allow, terms.expiry == .once {
      record(
        .deny, uid: terms.uid, client: terms.client.description,
        detail: "\(terms.scope), once, by \(decider)", at: now)
      requests.remove(number)
      return nil
    }
    let grant: Grant
    if let id = table.id(of: GrantKey(terms)) {
      grant = try replace(id, terms, by: decider, at: now)
    } else {
      grant = try add(terms, by: decider, at: now)
    }
    requests.remove(number)
    return grant
  }
}
