import Glibc

/// Who may see what: grants in their store, requests that wait, and the audit. Denies by default, and denies everything
/// where its store cannot be trusted.
public final class Gate {
  /// A request that waits for somebody's answer.
  public struct Pending: Hashable, Sendable {
    public var number: Int64
    public var ask: Ask
    public var reason: String?
    public var since: WallTime
  }

  /// Which grants are meant: what is `nil` does not matter.
  public struct Query: Hashable, Sendable {
    public var id: GrantID?
    public var uid: UInt32?
    public var client: Client?
    public var group: AccessGroup?
    public var tier: Tier?
    public init() {}
  }

  /// What is changed of a grant: what is `nil` stays.
  public struct Change: Hashable, Sendable {
    public var availability: Availability?
    public var expiry: Expiry?
    public var thisDeviceOnly: Bool?
    public var reason: String?
    public init() {}
  }

  /// Changes with every change of what a verdict rests on: whoever holds one asks again then.
  public internal(set) var generation: UInt64 = 0

  /// Why nothing is granted; `nil` where the store is sound. It stays until the store is opened anew.
  public internal(set) var fault: GateError?

  /// Why nothing new is granted, though what was granted holds: the audit cannot be written.
  public var auditFault: GateError? { audit?.fault }

  let here: Machine
  let store: GrantStore?
  let audit: Audit?
  var table: GrantTable
  var memberTable = MemberTable()
  var requests = PendingRequests()
  /// Grants for once whose stream lives; the store has them no more.
  var spent: [GrantID: GrantRecord] = [:]
  /// Over, and yet to be taken from the store, which could not be written.
  var doomed: Set<GrantID> = []
  /// The same of memberships.
  var leaving: Set<Membership> = []
  /// Used since that was last written.
  var touched: Set<GrantID> = []
  /// When ``doomed``, ``leaving`` and ``touched`` are to be written.
  var nextWriting: WallTime?

  /// So long a use waits to be written, and a write that failed to be tried again: in seconds.
  static let writingDelay: Int64 = 60

  /// A gate without a store: it grants nothing.
  public init() {
    here = .unknown
    store = nil
    audit = nil
    table = GrantTable(on: .unknown)
    fault = GateError(
      .store, "the gate", "has no store", advice: "start glissd with a folder for one")
  }

  /// Opens the store and the audit in `folder`, which is there and in which nobody else may write; makes them where they
  /// never were. What is wrong is in ``fault`` and ``auditFault``.
  ///
  /// Grants for sessions of an earlier run of the computer are over, and those that have expired.
  public convenience init(
    folder: String, machine: Machine, sink: (any AuditSink)? = nil, at now: WallTime
  ) {
    self.init(folder: folder, machine: machine, sink: sink, schema: .grants, at: now)
  }

  init(
    folder: String, machine: Machine, sink: (any AuditSink)?, schema: StoreSchema, at now: WallTime
  ) {
    here = machine
    let audit = Audit { () throws(GateError) in
      try AuditStore(StoreFile("audit.db", in: folder))
    }
    audit.sink = sink
    self.audit = audit
    do throws(GateError) {
      let opened = try GrantStore(StoreFile("grants.db", in: folder), schema: schema)
      table = GrantTable(try opened.records(), on: machine)
      memberTable = MemberTable(try opened.members())
      store = opened
    } catch {
      fault = error
      store = nil
      table = GrantTable(on: machine)
      memberTable = MemberTable()
    }
    recordOpening(at: now)
    endGrants(at: now, because: "its session is over") { record in
      guard case .session = record.grant.terms.expiry else { return false }
      return here.boot.isEmpty || record.boot != here.boot
    }
    advance(to: now)
  }

  /// Grants that are gone with their file leave a trace.
  private func recordOpening(at now: WallTime) {
    let detail: String
    switch store?.opening {
    case nil, .asItWas: return
    case .made: detail = "there was no store: one was made that grants nothing"
    case .migrated(let version): detail = "migrated from version \(version); a backup is beside it"
    }
    record(.store, uid: geteuid(), client: "glissd", detail: detail, at: now)
  }

  deinit {
    writeUses()
    audit?.finish()
  }

  /// What is wrong with the store and the audit, and what does not count; empty where all is well. Reads the store again.
  public func check() -> [String] {
    if fault == nil, let store {
      do throws(GateError) { try store.checkSound() } catch { fail(error) }
    }
    var problems = [fault, auditFault].compactMap { $0?.description }
    let foreign = table.all.count { !$0.counts(on: here) }
    if foreign > 0 {
      problems.append(
        here.id.isEmpty
          ? "\(foreign) grants are bound to a computer, and which one this is is not known"
          : "\(foreign) grants were given on another computer and do not count here; revoke them, or update them with thisDeviceOnly to bind them to this one"
      )
    }
    if !doomed.isEmpty {
      problems.append("\(doomed.count) grants are over and could not be removed from the store yet")
    }
    if !leaving.isEmpty {
      problems.append(
        "\(leaving.count) clients are out of a group and could not be removed from the store yet")
    }
    return problems
  }

  /// From now on nothing is granted.
  func fail(_ error: GateError) {
    fault = error
    generation &+= 1
    requests.removeAll()
  }
}
