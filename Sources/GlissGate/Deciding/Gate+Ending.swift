extension Gate {
  /// When ``advance(to:)`` has something to do.
  public var deadline: WallTime? {
    if fault != nil { return audit?.deadline }
    return [table.nextExpiry, nextWriting, audit?.deadline].compactMap(\.self).min()
  }

  /// Ends the grants that have expired by `now`, and writes pending changes that are due.
  public func advance(to now: WallTime) {
    if let date = table.nextExpiry, date <= now {
      endGrants(at: now, because: "its time is over") { record in
        record.grant.terms.expiry.date.map { $0 <= now } ?? false
      }
    }
    if let due = nextWriting, due <= now || due.seconds - now.seconds > Self.writingDelay {
      writeUses()
      nextWriting = nil
      if hasRemovals || !touched.isEmpty { scheduleWriting(at: now) }
    }
    audit?.advance(to: now)
  }

  /// Ends the grants for that session.
  public func sessionEnded(_ name: String, at now: WallTime) {
    endGrants(at: now, because: "its session is over") { $0.grant.terms.expiry == .session(name) }
  }

  /// Ends the grants for all other sessions. A broker calls this when it starts, because sessions
  /// may have ended before.
  public func sessionsRemain(_ names: Set<String>, at now: WallTime) {
    endGrants(at: now, because: "its session is over") { record in
      guard case .session(let name) = record.grant.terms.expiry else { return false }
      return !names.contains(name)
    }
  }

  func endGrants(
    at now: WallTime, because reason: String, where isOver: (GrantRecord) -> Bool
  ) {
    let over = table.all.filter(isOver)
    guard !over.isEmpty else { return }
    for ended in over {
      table.remove(ended.grant.id)
      doomed.insert(ended.grant.id)
      record(.expire, ended.grant, reason, at: now)
    }
    generation &+= 1
    do throws(GateError) { _ = try write([]) } catch { scheduleWriting(at: now) }
  }

  func scheduleWriting(at now: WallTime) {
    if nextWriting == nil {
      let (seconds, overflow) = now.seconds.addingReportingOverflow(Self.writingDelay)
      nextWriting = WallTime(seconds: overflow ? .max : seconds)
    }
  }

  /// Whether earlier removals could not be written to the store.
  private var hasRemovals: Bool { !doomed.isEmpty || !leaving.isEmpty }

  /// Writes when grants were last used, and removes those that are over.
  func writeUses() {
    let used = touched.compactMap { table[$0] }
    guard !used.isEmpty || hasRemovals else { return }
    if (try? write(used.map { .replace($0) }, isUrgent: hasRemovals)) != nil { touched = [] }
  }

  /// Makes all changes, or none, together with pending removals.
  ///
  /// - Parameter announcing: makes the audit entries from the ids of the new grants. If they cannot
  ///   be written, nothing is changed.
  func write(
    _ changes: [GrantStore.Change], isUrgent: Bool = true,
    announcing entries: ([GrantID]) -> [AuditEntry] = { _ in [] }
  ) throws(GateError) -> [GrantID] {
    if let fault { throw fault }
    guard let store else { throw GateError(.store, "the gate", "has no store") }
    do throws(GateError) { try store.checkPlace() } catch {
      fail(error)
      throw error
    }
    let removals =
      doomed.map { GrantStore.Change.delete($0) } + leaving.map { GrantStore.Change.leave($0) }
    let ids = try store.write(removals + changes, isUrgent: isUrgent) { ids throws(GateError) in
      try audit?.decide(entries(ids))
    }
    doomed = []
    leaving = []
    return ids
  }
}
