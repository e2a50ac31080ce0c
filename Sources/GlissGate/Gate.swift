import Glibc
import GlissEvents

/// Decides which client may see what, from stored grants, pending requests and the audit. Denies by
/// default, and everything if its store cannot be trusted.
package final class Gate {
  package struct Pending: Hashable, Sendable {
    package var number: Int64
    package var ask: Ask
    package var reason: String?
    package var since: WallTime
    /// A client has its number, so it stays when that client goes away.
    package internal(set) var isKept = false
  }

  /// Selects grants. `nil` matches anything.
  package struct Query: Hashable, Sendable {
    package var id: GrantID?
    package var uid: UInt32?
    package var client: Client?
    package var group: AccessGroup?
    package var tier: Tier?

    package init(
      id: GrantID? = nil, uid: UInt32? = nil, client: Client? = nil, group: AccessGroup? = nil,
      tier: Tier? = nil
    ) {
      (self.id, self.uid, self.client, self.group, self.tier) = (id, uid, client, group, tier)
    }
  }

  /// A change to a grant. `nil` leaves a field as it is.
  package struct Change: Hashable, Sendable {
    package var availability: Availability?
    package var expiry: Expiry?
    package var thisDeviceOnly: Bool?
    package var reason: String?
    package init() {}
  }

  /// Changes whenever a verdict could change. Holders of a verdict then ask again.
  package internal(set) var generation: UInt64 = 0 {
    didSet {
      nextExpiry = stored.values.lazy.compactMap(\.terms.expiry.date).min()
      counting = nil
    }
  }

  /// Why grants have ended, until the broker has ended what rested on them.
  package var endings: [GrantID: String] = [:]

  /// Why nothing is granted; `nil` if the store is sound. It stays until the store is reopened.
  /// ``check(at:)`` does that only if the store was never open: nobody knows what others have
  /// written to an open one.
  package internal(set) var fault: GateError?

  /// Why the audit cannot be written. Nothing new is granted then, but existing grants hold.
  package var auditFault: GateError? { audit.fault }

  let here: Machine
  private let folder: String
  private(set) var store: GrantStore?
  let audit: Audit
  /// All grants, except single-use ones in use.
  var stored: [GrantID: Grant] = [:]
  /// The grants that a verdict for a user could rest on, oldest first; `nil` until one is due.
  var counting: [UInt32: [Grant]]?
  private var nextExpiry: WallTime?
  /// Oldest first.
  var allMembers: [GroupMember] = []
  /// Oldest first, in memory only. A client that is gone can ask again.
  package internal(set) var pending: [Pending] = []
  /// The number of the last request, if the store was just made.
  var lastRequest: Int64 = 0
  /// Single-use grants whose stream is still live. They are no longer in the store.
  var usedOnce: [GrantID: Grant] = [:]
  /// Removes grants and memberships that are over but still in the store, because it could not be
  /// written.
  var removals: Set<GrantStore.Change> = []
  /// Grants used since their last use was written.
  var usesToWrite: Set<GrantID> = []
  /// When ``removals`` and ``usesToWrite`` are due to be written.
  var nextWriting: WallTime?

  /// Delay before a grant's last use is saved, and before a failed write is retried, in seconds.
  static let writingDelay: Int64 = 60

  /// Opens the store and the audit in `folder`, or creates them if they never existed. The folder
  /// must exist, and nobody else may write there. Problems are in ``fault`` and ``auditFault``.
  ///
  /// Ends grants that have expired, and grants for sessions from before the last boot.
  package init(
    folder: String, machine: Machine, sink: ((AuditEntry) -> Void)? = nil, at now: WallTime
  ) {
    here = machine
    self.folder = folder
    audit = Audit(in: folder, sink: sink)
    openStore(at: now)
    // the loss of either file leaves a trace
    if audit.wasMade, store?.wasMade != true { audit.record(Audit.begun(at: now)) }
  }

  private func openStore(at now: WallTime) {
    do throws(GateError) {
      let opened = try GrantStore(StoreFile("grants.db", in: folder))
      let grants = try opened.grants()
      allMembers = try opened.members()
      stored = Dictionary(grants.map { ($0.id, $0) }) { $1 }
      store = opened
      fault = nil
      generation &+= 1
    } catch {
      return fail(error, at: now)
    }
    if store?.wasMade == true {
      audit.record(entry("there was no store: one was made that grants nothing", at: now))
    }
    endGrants(at: now, because: "its session is over") { grant in
      guard case .session = grant.terms.expiry else { return false }
      return here.boot.isEmpty || grant.boot != here.boot
    }
    advance(to: now)
  }

  private func entry(_ detail: String, at now: WallTime) -> AuditEntry {
    AuditEntry(time: now, action: .store, uid: geteuid(), client: "glissd", detail: detail)
  }

  deinit {
    writeUses()
    audit.finish()
  }

  /// Writes what waits to be written, before this process ends. The audit and the journal say what
  /// was not removed from the store. Unless its time or its session is over, it comes back at the
  /// next start.
  package func finish(at now: WallTime) {
    audit.retry(at: now)
    writeUses()
    let unsaved = removals.compactMap { removal -> String? in
      switch removal {
      case .delete(let id): "the end of grant \(id.rawValue) was not saved"
      case .leave(let membership):
        "that \(membership.client) left \(membership.group.name) was not saved"
      case .insert, .replace, .join: nil
      }
    }
    audit.publish(unsaved.map { entry($0, at: now) })
  }

  /// Reads the store again, also if it could not be opened before, and tries again to write the
  /// audit. Returns the ``problems``.
  package func check(at now: WallTime = .now) -> [String] {
    if let store {
      if fault == nil {
        do throws(GateError) { try store.checkSound() } catch { fail(error, at: now) }
      }
    } else {
      openStore(at: now)
    }
    audit.retry(at: now)
    return problems
  }

  /// The store's known problems, the audit's, and grants that do not count.
  package var problems: [String] {
    var problems = [fault, auditFault].compactMap { $0?.description }
    let foreign = stored.values.count { !$0.counts(on: here) }
    if foreign > 0 {
      problems.append(
        here.id.isEmpty
          ? "not in force: \(counted(foreign, "grant")) bound to a computer; this one has no known id"
          : "not in force: \(counted(foreign, "grant")) given on another computer; revoke those that are not wanted, and set thisDeviceOnly again on the others"
      )
    }
    let members = removals.count { if case .leave = $0 { true } else { false } }
    let grants = removals.count - members
    let left = [
      grants > 0 ? counted(grants, "grant") : nil,
      members > 0 ? counted(members, "member") + " of a group" : nil,
    ]
    problems += left.compactMap { $0.map { "to be removed from the store: \($0)" } }
    return problems
  }

  /// Grants nothing from now on.
  private func fail(_ error: GateError, at now: WallTime) {
    if fault != error {
      audit.record(entry("nothing is granted: \(error.finding)", at: now))
    }
    fault = error
    generation &+= 1
    pending = []
  }
}

extension Gate {
  package var deadline: WallTime? {
    if fault != nil { return audit.deadline }
    return [nextExpiry, nextWriting, audit.deadline].compactMap(\.self).min()
  }

  /// Ends the grants that have expired by `now`, and writes pending changes that are due.
  package func advance(to now: WallTime) {
    if let date = nextExpiry, date <= now {
      endGrants(at: now, because: "its time is over") { !$0.holds(at: now) }
    }
    if let due = nextWriting, due <= now || due.seconds - now.seconds > Self.writingDelay {
      writeUses()
      nextWriting = nil
      if !removals.isEmpty || !usesToWrite.isEmpty { scheduleWriting(at: now) }
    }
    audit.advance(to: now)
  }

  package func sessionEnded(_ name: String, at now: WallTime) {
    endGrants(at: now, because: "its session is over") { $0.terms.expiry == .session(name) }
  }

  /// Ends the grants for all other sessions, which may have ended before the broker started.
  package func sessionsRemain(_ names: Set<String>, at now: WallTime) {
    endGrants(at: now, because: "its session is over") { grant in
      guard case .session(let name) = grant.terms.expiry else { return false }
      return !names.contains(name)
    }
  }

  func endGrants(
    at now: WallTime, because reason: String, where isOver: (Grant) -> Bool
  ) {
    let over = allGrants.filter(isOver)
    guard !over.isEmpty else { return }
    for ended in over {
      stored[ended.id] = nil
      endings[ended.id] = "expired"
      removals.insert(.delete(ended.id))
    }
    audit.publish(over.map { entry(.expire, $0, reason, at: now) })
    generation &+= 1
    do throws(GateError) { _ = try write([]) } catch { scheduleWriting(at: now) }
  }

  func scheduleWriting(at now: WallTime) {
    if nextWriting == nil {
      let (seconds, overflow) = now.seconds.addingReportingOverflow(Self.writingDelay)
      nextWriting = WallTime(seconds: overflow ? .max : seconds)
    }
  }

  /// Writes when grants were last used, and removes those that are over.
  func writeUses() {
    let used = usesToWrite.compactMap { stored[$0] }
    guard !used.isEmpty || !removals.isEmpty else { return }
    if (try? write(used.map { .replace($0) }, isUrgent: !removals.isEmpty)) != nil {
      usesToWrite = []
    }
  }

  /// Makes all changes, or none, together with pending removals; none if the audit entries, made
  /// from the ids of new grants, cannot be written.
  func write(
    _ changes: [GrantStore.Change], isUrgent: Bool = true,
    announcing entries: ([GrantID]) -> [AuditEntry] = { _ in [] }
  ) throws(GateError) -> [GrantID] {
    if let fault { throw fault }
    guard let store else { throw GateError(.store, "the gate", "has no store") }
    do throws(GateError) { try store.checkPlace() } catch {
      fail(error, at: .now)
      throw error
    }
    var announced: [AuditEntry] = []
    let ids: [GrantID]
    do throws(GateError) {
      ids = try store.write(removals + changes, isUrgent: isUrgent) { new throws(GateError) in
        let made = entries(new)
        try audit.decide(made)
        announced = made
      }
    } catch {
      audit.publish(announced.map(\.unsaved))
      throw error
    }
    removals = []
    return ids
  }
}

extension AuditEntry {
  /// The audit is written before the store is saved. If saving fails, the audit must say so.
  var unsaved: AuditEntry {
    AuditEntry(
      time: time, action: .store, uid: uid, client: client,
      detail: "\(action.rawValue) was not saved: \(detail)")
  }
}

/// What is wrong with a store, a scope, a grant or a question, with its place and advice.
package struct GateError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Problem: Hashable, Sendable {
    /// The store cannot be trusted or read. Nothing is granted.
    case store
    /// The audit cannot be written. Nothing new is granted.
    case audit
    /// A grant with the same uid, client, group and scope already exists.
    case duplicate(GrantID)
    case alreadyMember
    /// Nothing matches, or there is no such grant, member or request.
    case notFound
    /// This many match, but one was expected.
    case ambiguous(Int)
    /// An invalid scope, group, client or import.
    case syntax
    /// An invalid parameter of a call, or member of a file or an answer.
    case parameter
    /// Too many pending requests, grants or members.
    case limit
    /// A lasting raw grant to an interpreter, or anything to an anonymous sandbox.
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

  func with(_ problem: Problem? = nil, at place: String? = nil) -> GateError {
    GateError(problem ?? self.problem, place ?? self.place, message, advice: advice)
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
