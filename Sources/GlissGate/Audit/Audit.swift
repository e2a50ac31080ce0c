/// Writes audit entries to the audit file and to a sink. Many repeats become few lines.
final class Audit {
  /// Why the audit cannot be written. Nothing new is granted until an entry is written again.
  private(set) var fault: GateError?
  weak var sink: (any AuditSink)?
  private let open: () throws(GateError) -> AuditStore
  private var store: AuditStore?
  private var coalescer = AuditCoalescer()
  /// Entries that could not be written.
  private var missed: Int64 = 0

  /// - Parameter open: opens the audit file. If it fails, the next decision tries again.
  init(open: @escaping () throws(GateError) -> AuditStore) {
    self.open = open
    do throws(GateError) { store = try open() } catch { fault = error }
  }

  /// Writes a decision before it takes effect.
  ///
  /// - Throws: ``GateError/Problem/audit``. The decision must then not take effect.
  func decide(_ entries: [AuditEntry]) throws(GateError) {
    for entry in entries { sink?.didRecord(entry) }
    try write(entries, reopening: true)
  }

  /// Records something that has already happened, whether or not it can be written.
  func record(_ entry: AuditEntry) {
    if entry.action.isDecision {
      try? decide([entry])
    } else {
      publish(coalescer.record(entry))
    }
  }

  /// When the counted repeats are due to be written.
  var deadline: WallTime? { coalescer.deadline }

  func advance(to now: WallTime) { publish(coalescer.advance(to: now)) }

  /// Writes the repeats that are still only counted.
  func finish() { publish(coalescer.finish()) }

  func newest(
    _ limit: Int, of uid: UInt32? = nil, action: AuditAction? = nil
  ) throws(GateError) -> [AuditEntry] {
    if let store { return try store.newest(limit, of: uid, action: action) }
    throw fault ?? Self.absent
  }

  private func publish(_ entries: [AuditEntry]) {
    for entry in entries { sink?.didRecord(entry) }
    try? write(entries, reopening: false)
  }

  private func write(_ entries: [AuditEntry], reopening: Bool) throws(GateError) {
    guard let last = entries.last else { return }
    do throws(GateError) {
      if store == nil, reopening { store = try open() }
      guard let store else { throw fault ?? Self.absent }
      try store.append(missed > 0 ? [gap(before: last.time)] + entries : entries)
      missed = 0
      fault = nil
    } catch {
      missed += Int64(entries.count)
      fault = error
      throw error
    }
  }

  private func gap(before time: WallTime) -> AuditEntry {
    AuditEntry(
      time: time, action: .store, uid: 0, client: "",
      detail: "entries before this could not be written", count: missed)
  }

  private static let absent = GateError(.audit, "the audit", "is not there")
}

extension Gate {
  /// Records what has happened, never with a key's value.
  ///
  /// Repeats within a minute share a line with a count; ``deadline`` and ``advance(to:)`` write it.
  package func record(
    _ action: AuditAction, uid: UInt32, client: String, detail: String, ofGestures: Bool = false,
    at now: WallTime
  ) {
    var entry = AuditEntry(time: now, action: action, uid: uid, client: client, detail: detail)
    entry.isOfGestures = ofGestures
    audit.record(entry)
  }

  /// The newest entries of the audit, newest last, optionally of one user or one action.
  package func log(
    limit: Int, of uid: UInt32? = nil, action: AuditAction? = nil
  ) throws(GateError) -> [AuditEntry] {
    try audit.newest(limit, of: uid, action: action)
  }

  func record(_ action: AuditAction, _ grant: Grant, _ detail: String, at now: WallTime) {
    audit.record(entry(action, grant, detail, at: now))
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

/// What happened, as the audit names it.
package enum AuditAction: String, Hashable, Sendable, CaseIterable {
  case request, grant, change, deny, revoke, expire
  /// A client was added to an access group, or removed from one.
  case join, leave
  case connect, refuse, post, secureInput, lock, pause, sessionChange
  /// Something about the files themselves: created, migrated, entries missing.
  case store

  /// A person's decision, or the end of one. Each is written at once as its own entry; if that
  /// fails, the decision does not take effect. Entries about clients' actions cannot push it out of
  /// the audit.
  package var isDecision: Bool { shelf == .decisions }

  /// Each shelf is trimmed by itself, so entries of one never displace those of another.
  enum Shelf: Int64 {
    case others = 0
    case decisions = 1
    /// A client and what it was given: raw events, or keys that are kept from the desktop.
    case given = 2
  }

  var shelf: Shelf {
    switch self {
    case .grant, .change, .deny, .revoke, .expire, .join, .leave, .store: .decisions
    case .connect: .given
    case .request, .refuse, .post, .secureInput, .lock, .pause, .sessionChange: .others
    }
  }
}

/// A line of the audit. It never contains a key's value.
package struct AuditEntry: Hashable, Sendable {
  /// The time of the last occurrence.
  package var time: WallTime
  package var action: AuditAction
  package var uid: UInt32
  /// The client it concerns: as a grant names it, or its label.
  package var client: String
  package var detail: String
  /// How often it happened. After the first occurrence, repeats within a minute share a line.
  package var count: Int64
  /// It is about gestures alone. The package grants them to `gliss` for every user, so any user can
  /// cause many such entries; they must not push out those about keys.
  var isOfGestures = false

  var shelf: AuditAction.Shelf { isOfGestures ? .others : action.shelf }

  /// Makes each text a single line of bounded length.
  package init(
    time: WallTime, action: AuditAction, uid: UInt32, client: String, detail: String,
    count: Int64 = 1
  ) {
    self.time = time
    self.action = action
    self.uid = uid
    self.client = client.boundedLine(Self.clientLimit)
    self.detail = detail.boundedLine(Self.detailLimit)
    self.count = count
  }

  /// In bytes. A path may have 4096, but people have to read these labels.
  private static let clientLimit = 300
  private static let detailLimit = 500
}

/// Another destination for entries besides the store, such as the journal. Called inline.
package protocol AuditSink: AnyObject {
  func didRecord(_ entry: AuditEntry)
}
