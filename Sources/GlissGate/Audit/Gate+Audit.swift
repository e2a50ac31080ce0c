extension Gate {
  /// Records what has happened, never with a key's value.
  ///
  /// Repeats within a minute share a line with a count; ``deadline`` and ``advance(to:)`` write it.
  public func record(
    _ action: AuditAction, uid: UInt32, client: String, detail: String, at now: WallTime
  ) {
    audit?.record(
      AuditEntry(time: now, action: action, uid: uid, client: client, detail: detail))
  }

  /// The newest entries of the audit, newest last, optionally of one user or one action.
  public func log(
    limit: Int, of uid: UInt32? = nil, action: AuditAction? = nil
  ) throws(GateError) -> [AuditEntry] {
    guard let audit else { throw fault ?? GateError(.audit, "the gate", "has no audit") }
    return try audit.newest(limit, of: uid, action: action)
  }

  func record(_ action: AuditAction, _ grant: Grant, _ detail: String, at now: WallTime) {
    audit?.record(entry(action, grant, detail, at: now))
  }

  func entry(
    _ action: AuditAction, _ grant: Grant, _ detail: String, at now: WallTime
  ) -> AuditEntry {
    let terms = grant.terms
    let group = terms.group.map { " for \($0.name)" } ?? ""
    return AuditEntry(
      time: now, action: action, uid: terms.uid, client: terms.client.description,
      detail: "grant \(grant.id.rawValue)\(group): \(terms.scope), \(terms.availability.rawValue), "
        + "\(terms.expiry.inWords), \(detail)")
  }
}
