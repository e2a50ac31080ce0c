extension Gate {
  /// How `ask` stands now. Asks nobody, writes nothing and reads no file.
  ///
  /// - Parameters:
  ///   - holding: the grants on which the asking stream rests already: one for once is over for all others.
  ///   - usesOnce: whether grants for once count that nothing rests on yet.
  public func verdict(
    on ask: Ask, holding: [GrantID] = [], usesOnce: Bool = true, at now: WallTime
  ) -> Verdict {
    if let fault { return Verdict(.restricted, advice: "nothing is granted: \(fault)") }
    var grants = table.counting(for: ask.identity.uid)
    if !usesOnce { grants.removeAll { $0.terms.isAllowed && $0.terms.expiry == .once } }
    for id in holding {
      if let record = spent[id], record.grant.terms.uid == ask.identity.uid {
        grants.append(record.grant)
      }
    }
    return Judgement.verdict(on: ask, grants: grants, at: now)
  }

  /// A stream or answer that rests on these grants begins: they were used now, and those for once are used up. Say
  /// ``ended(_:)`` when it is over.
  ///
  /// - Throws: where one for once could not be used up, or was meanwhile; then it must not begin.
  public func use(_ grants: [GrantID], at now: WallTime) throws(GateError) {
    if let fault { throw fault }
    let records = grants.compactMap { table[$0] }
    guard records.count == grants.count else {
      throw GateError(.notFound, "grant", "is used up or revoked", advice: "ask again")
    }
    let once = records.filter { $0.grant.terms.expiry == .once }
    if !once.isEmpty {
      _ = try write(once.map { .delete($0.grant.id) })
      for used in once {
        table.remove(used.grant.id)
        spent[used.grant.id] = used
        record(.expire, used.grant, "used up", at: now)
      }
    }
    for record in records where record.grant.terms.expiry != .once { touch(record.grant, at: now) }
  }

  /// A stream that rested on these grants is over.
  public func ended(_ grants: [GrantID]) {
    for id in grants { spent[id] = nil }
  }

  private func touch(_ grant: Grant, at now: WallTime) {
    if let last = grant.lastUsed, last <= now,
      now.seconds - last.seconds < Self.writingDelay
    {
      return
    }
    table.touch(grant.id, at: now)
    touched.insert(grant.id)
    scheduleWriting(at: now)
  }

  /// Lets a request wait; the same one again keeps its number.
  ///
  /// - Throws: ``GateError/Problem/limit`` where the uid has too many that wait, ``GateError/Problem/notGrantable``.
  public func request(_ ask: Ask, reason: String?, at now: WallTime) throws(GateError) -> Int64 {
    if let fault { throw fault }
    let reason = reason?.boundedLine(TermsLimits.reason)
    var terms = try ask.terms(reason: reason)
    // how long it would hold is for whoever answers to say
    terms.expiry = .once
    terms = try terms.checked()
    let number = try requests.add(ask, reason: reason, at: now)
    record(
      .request, uid: terms.uid, client: terms.client.description, detail: "\(terms.scope)", at: now)
    return number
  }

  /// Those that wait, oldest first.
  public var pending: [Pending] { requests.waiting }

  /// The request waits no longer: it was answered, or its client has gone.
  public func withdraw(_ number: Int64) { requests.remove(number) }
}

extension Ask {
  /// What would be granted.
  func terms(reason: String?) throws(GateError) -> Grant.Terms {
    guard let client = identity.client else {
      throw GateError(
        .notGrantable, "client", "is in a sandbox that does not say what it holds",
        advice: "run it without bubblewrap, or as a Flatpak")
    }
    var terms = Grant.Terms(uid: identity.uid, client: client, scope: scope)
    terms.reason = reason
    return terms
  }
}
