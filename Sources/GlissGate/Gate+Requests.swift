extension Gate {
  /// How `ask` stands now. Asks nobody, writes nothing and reads no file.
  ///
  /// - Parameters:
  ///   - holding: the grants that the asking stream already rests on. A single-use grant among them
  ///     is used up for all others.
  ///   - usesOnce: whether single-use grants that nothing rests on yet count.
  package func verdict(
    on ask: Ask, holding: [GrantID] = [], usesOnce: Bool = true, at now: WallTime
  ) -> Verdict {
    if let fault { return Verdict(.restricted, advice: "nothing is granted: \(fault)") }
    if counting == nil {
      counting = Dictionary(grouping: allGrants.filter { $0.counts(on: here) }, by: \.terms.uid)
    }
    var grants = counting?[ask.identity.uid] ?? []
    if !usesOnce { grants.removeAll { $0.terms.isAllowed && $0.terms.expiry == .once } }
    for id in holding {
      if let grant = usedOnce[id], grant.terms.uid == ask.identity.uid { grants.append(grant) }
    }
    if !holding.isEmpty { grants.sort { $0.id < $1.id } }
    let groups = ask.identity.client.map { self.groups(of: $0, uid: ask.identity.uid) } ?? []
    return Judgement.verdict(on: ask, in: groups, grants: grants, at: now)
  }

  /// Marks these grants as used when a stream or answer that rests on them begins, and uses up
  /// single-use grants. Call ``ended(_:)`` when it is over. If this throws, it must not begin.
  package func use(_ grants: [GrantID], at now: WallTime) throws(GateError) {
    if let fault { throw fault }
    let found = grants.compactMap { stored[$0] }
    guard found.count == grants.count else {
      throw GateError(.notFound, "grant", "is used up or revoked", advice: "ask again")
    }
    let once = found.filter { $0.terms.expiry == .once }
    if !once.isEmpty {
      _ = try write(once.map { .delete($0.id) })
      for used in once {
        stored[used.id] = nil
        counting?[used.terms.uid]?.removeAll { $0.id == used.id }
        usedOnce[used.id] = used
        record(.expire, used, "used up", at: now)
      }
    }
    for grant in found where grant.terms.expiry != .once { touch(grant, at: now) }
  }

  package func ended(_ grants: [GrantID]) {
    for id in grants { usedOnce[id] = nil }
  }

  private func touch(_ grant: Grant, at now: WallTime) {
    if let last = grant.lastUsed, last <= now,
      now.seconds - last.seconds < Self.writingDelay
    {
      return
    }
    stored[grant.id]?.lastUsed = now
    usesToWrite.insert(grant.id)
    scheduleWriting(at: now)
  }

  /// Adds a pending request, or finds the same one.
  ///
  /// - Throws: ``GateError/Problem/limit`` if the uid has too many pending requests,
  ///   ``GateError/Problem/notGrantable``.
  package func request(_ ask: Ask, reason: String?, at now: WallTime) throws(GateError) -> Int64 {
    if let fault { throw fault }
    let reason = reason?.boundedLine(TermsLimits.reason)
    var terms = try ask.terms(reason: reason)
    // the person who answers decides how long it holds
    terms.expiry = .once
    terms = try terms.checked()
    let number = try add(ask, reason: reason, at: now)
    record(
      .request, uid: terms.uid, client: terms.client.description, detail: "\(terms.scope)", at: now)
    return number
  }

  /// The limit of requests of one uid. The broker limits those of all uids together.
  package static let requestsPerUser = 8

  /// Whether the same request is pending already. Repeating it needs no room.
  package func isPending(_ ask: Ask) -> Bool { index(of: ask) != nil }

  private func index(of ask: Ask) -> Int? {
    pending.firstIndex {
      let known = $0.ask.identity
      return known.uid == ask.identity.uid && known.client == ask.identity.client
        && $0.ask.scope == ask.scope
    }
  }

  /// A repeated request keeps its number, and belongs to the process that made it last. So does
  /// the reason, if that process gives one.
  private func add(_ ask: Ask, reason: String?, at now: WallTime) throws(GateError) -> Int64 {
    if let index = index(of: ask) {
      pending[index].ask.identity = ask.identity
      if let reason { pending[index].reason = reason }
      return pending[index].number
    }
    let ofUser = pending.count { $0.ask.identity.uid == ask.identity.uid }
    guard ofUser < Self.requestsPerUser else {
      throw GateError(
        .limit, "request", "too many are waiting for an answer",
        advice: "answer them: gliss grants list")
    }
    let number = newNumber()
    pending.append(Pending(number: number, ask: ask, reason: reason, since: now))
    return number
  }

  /// A number that a person can type. A command printed before a restart must not grant another
  /// program's request. So only a new store counts from 1. Otherwise nobody can predict the number,
  /// and no program can reach an old one by asking often.
  private func newNumber() -> Int64 {
    if store?.wasMade == true {
      lastRequest += 1
      return lastRequest
    }
    while true {
      let number = Int64.random(in: 100_000...999_999)
      if !pending.contains(where: { $0.number == number }) { return number }
    }
  }

  /// Removes a request that was answered.
  package func withdraw(_ number: Int64) { pending.removeAll { $0.number == number } }

  /// Removes the requests of which no part is undecided any more.
  func withdrawDecided(at now: WallTime) {
    pending.removeAll { !verdict(on: $0.ask, at: now).mayRequest }
  }

  /// Notes that a client gets the number. A person may answer it later.
  package func keep(_ number: Int64) {
    for index in pending.indices where pending[index].number == number {
      pending[index].isKept = true
    }
  }

  /// Removes a request whose client is gone, unless it is kept.
  package func abandon(_ number: Int64) {
    pending.removeAll { $0.number == number && !$0.isKept }
  }
}

extension Ask {
  func terms(reason: String?) throws(GateError) -> Grant.Terms {
    guard let client = identity.client else {
      throw GateError(
        .notGrantable, "client", "is in a sandbox that does not name its app",
        advice: "run it without bubblewrap, or as a Flatpak")
    }
    var terms = Grant.Terms(uid: identity.uid, client: client, scope: scope)
    terms.reason = reason
    return terms
  }
}

extension Gate {
  /// Grants or denies a pending request, in place of an earlier decision about the same client and
  /// scope.
  ///
  /// A refusal is kept, so that nobody is asked again. A one-time refusal is not: then `nil` is
  /// returned.
  /// An interpreter gets raw input once; a `change` that asks for longer is refused.
  package func answer(
    _ number: Int64, allow: Bool, change: Change = Change(), by decider: String, at now: WallTime
  ) throws(GateError) -> Grant? {
    if let fault { throw fault }
    guard let request = pending.first(where: { $0.number == number }) else {
      throw GateError(
        .notFound, "request \(number)", "is no longer pending",
        advice: "to see those that wait: gliss grants list")
    }
    var terms = try request.ask.terms(reason: request.reason)
    terms.isAllowed = allow
    terms.expiry = allow && terms.isForInterpreterOnly ? .once : .never
    terms.apply(change)
    if !allow, terms.expiry == .once {
      record(
        .deny, uid: terms.uid, client: terms.client.description,
        detail: "once, by \(decider): \(terms.scope)", at: now)
      withdraw(number)
      return nil
    }
    let grant: Grant
    if let id = storedGrant(like: terms)?.id {
      grant = try replace(id, terms, by: decider, at: now)
    } else {
      grant = try add(terms, by: decider, at: now)
    }
    withdraw(number)
    return grant
  }
}

extension Gate.Query {
  /// Whether the request matches. A request has no group and no grant's id, so a query with either
  /// matches none.
  package func matches(_ request: Gate.Pending) -> Bool {
    let identity = request.ask.identity
    return id == nil && group == nil && (uid == nil || uid == identity.uid)
      && (client == nil || client == identity.client)
      && (tier == nil || tier == request.ask.scope.tier)
  }
}
