/// Writes audit entries to the audit file and to a sink. Many repeats become few lines.
final class Audit {
  /// Why the audit cannot be written. Nothing new is granted until an entry is written again.
  private(set) var fault: GateError?
  private let sink: ((AuditEntry) -> Void)?
  private let open: () throws(GateError) -> AuditStore
  private(set) var store: AuditStore?
  private var coalescer = AuditCoalescer()
  /// Entries that could not be written, and will be first: decisions, and who was given what.
  private var waiting: [AuditEntry] = []
  /// Of each shelf, so that those of one never displace those of another. Few enough to be written
  /// while a key waits.
  private static let mostWaiting = 200
  /// How many others could not be written.
  private var missed: Int64 = 0
  /// It was begun after the start, and has no entry that says so yet.
  private var mustNoteBeginning = false

  /// If the file in `folder` cannot be opened, the next decision tries again. The journal gets the
  /// entries too, through `sink`.
  convenience init(in folder: String, sink: ((AuditEntry) -> Void)?) {
    self.init(sink: sink) { () throws(GateError) in
      try AuditStore(StoreFile("audit.db", in: folder))
    }
  }

  init(
    sink: ((AuditEntry) -> Void)? = nil, open: @escaping () throws(GateError) -> AuditStore
  ) {
    self.sink = sink
    self.open = open
    do throws(GateError) { store = try open() } catch { fault = error.with(.audit) }
  }

  /// Whether it has just been begun.
  var wasMade: Bool { store?.wasMade ?? false }

  /// Writes a decision before it takes effect. If this fails, it must not take effect.
  func decide(_ entries: [AuditEntry]) throws(GateError) {
    try write(entries)
    for entry in entries { sink?(entry) }
  }

  /// Records something that has already happened, whether or not it can be written.
  func record(_ entry: AuditEntry) {
    publish(entry.action.isDecision ? [entry] : coalescer.record(entry))
  }

  var deadline: WallTime? { coalescer.deadline }

  func advance(to now: WallTime) { publish(coalescer.advance(to: now)) }

  /// Writes the repeats that are still only counted.
  func finish() { publish(coalescer.finish()) }

  /// Writes what could not be written before, if it can be now.
  func retry(at now: WallTime) {
    if fault != nil { try? write([], at: now) }
  }

  /// Records entries with one write. If that fails, they wait, or are only counted as missed.
  func publish(_ entries: [AuditEntry]) {
    for entry in entries { sink?(entry) }
    do throws(GateError) {
      try write(entries)
    } catch {
      for entry in entries
      where entry.shelf != .others
        && waiting.count(where: { $0.shelf == entry.shelf }) < Self.mostWaiting
      {
        waiting.append(entry)
        missed -= 1
      }
    }
  }

  private func write(_ entries: [AuditEntry], at time: WallTime? = nil) throws(GateError) {
    guard let time = time ?? entries.last?.time else { return }
    do throws(GateError) {
      var notes: [AuditEntry] = []
      // a client's action opens no file
      if store == nil, entries.allSatisfy(\.action.isDecision) {
        store = try open()
        mustNoteBeginning = wasMade
      }
      if mustNoteBeginning { notes.append(Self.begun(at: time)) }
      guard let store else { throw fault ?? Self.absent }
      notes += waiting
      if missed > 0 { notes.append(gap(before: time)) }
      try store.append(notes + entries)
      mustNoteBeginning = false
      waiting = []
      missed = 0
      fault = nil
    } catch {
      missed += Int64(entries.count)
      fault = error.with(.audit)
      throw error.with(.audit)
    }
  }

  static func begun(at time: WallTime) -> AuditEntry {
    AuditEntry(
      time: time, action: .store, uid: 0, client: "glissd",
      detail: "there was no audit: one was begun")
  }

  private func gap(before time: WallTime) -> AuditEntry {
    AuditEntry(
      time: time, action: .store, uid: 0, client: "",
      detail: "entries before this could not be written", count: missed)
  }

  static let absent = GateError(.audit, "the audit", "is not there")
}

extension Gate {
  /// Records what has happened, never with a key's value. Repeats within a minute share a line.
  package func record(
    _ action: AuditAction, uid: UInt32, client: String, detail: String, ofGestures: Bool = false,
    at now: WallTime
  ) {
    var entry = AuditEntry(time: now, action: action, uid: uid, client: client, detail: detail)
    entry.isOfGestures = ofGestures
    audit.record(entry)
  }

  /// The newest entries of the audit, newest last. Optionally only those older than the entry `id`,
  /// of one user, or of one action.
  package func log(
    limit: Int, before id: Int64? = nil, of uid: UInt32? = nil, action: AuditAction? = nil
  ) throws(GateError) -> [AuditEntry] {
    guard let store = audit.store else { throw auditFault ?? Audit.absent }
    do throws(GateError) {
      return try store.newest(limit, before: id, of: uid, action: action)
    } catch {
      throw error.with(.audit)
    }
  }

  func record(_ action: AuditAction, _ grant: Grant, _ detail: String, at now: WallTime) {
    audit.record(entry(action, grant, detail, at: now))
  }

  func entry(
    _ action: AuditAction, _ grant: Grant, _ detail: String, at now: WallTime
  ) -> AuditEntry {
    let terms = grant.terms
    let group = terms.group.map { " for \($0.name)" } ?? ""
    let decision = terms.isAllowed ? "grant" : "refusal"
    // a client chooses the names of devices, and may choose long ones: the rest has room first
    let (scope, devices) = terms.scope.texts
    return AuditEntry(
      time: now, action: action, uid: terms.uid, client: terms.client.description,
      detail: "\(decision) \(grant.id.rawValue), \(terms.holdsWhile.rawValue), "
        + "\(terms.expiry.inWords), \(detail): \(scope)\(group)\(devices)")
  }
}

package enum AuditAction: String, Hashable, Sendable, CaseIterable {
  case request, grant, change, deny, revoke, expire
  /// A client was added to an access group, or removed from one.
  case join, leave
  case connect, refuse, post, secureInput, lock, pause, sessionChange
  /// The broker has started, or stops.
  case broker
  /// Something about the files themselves: created, entries missing.
  case store

  /// A person's decision, or the end of one. Each is written at once. If that fails, only those
  /// take effect that show less, or that end what is over. Entries about clients' actions cannot
  /// push them out.
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
    case .request, .refuse, .post, .secureInput, .lock, .pause, .sessionChange, .broker: .others
    }
  }
}

/// A line of the audit. It never contains a key's value.
package struct AuditEntry: Hashable, Sendable {
  /// Later entries have larger ids. `nil` unless it was read from the store.
  package var id: Int64?
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

/// Turns many events into few lines. The first occurrence becomes an entry at once. Repeats within
/// a minute become one more entry, with their count, so a crash can lose only a count.
///
/// A program cannot flood the audit by doing something different each time. Lines per minute are
/// limited for each program, programs for each user, and lines for everyone together; whatever
/// exceeds a limit shares a line. An entry about what a client got always names its client, and
/// only its details are limited. Only clients with a grant can appear there.
struct AuditCoalescer {
  struct Limits {
    /// How long repeats are gathered, in seconds.
    var window: Int64 = 60
    /// Different lines of one program in that time, and as many that say what it was given.
    var linesPerProgram = 8
    /// Different programs of one uid.
    var programsPerUser = 8
    /// Different lines of all users, except those that say what somebody was given.
    var lines = 1024
  }

  private let limits: Limits
  /// By uid, the lines that were written and when, with the number and the last time of the repeats
  /// since.
  private var windows: [UInt32: [AuditEntry: (start: WallTime, repeats: AuditEntry)]] = [:]
  /// How many there are, except those that say what somebody was given.
  private var count = 0

  init(_ limits: Limits = Limits()) { self.limits = limits }

  var deadline: WallTime? {
    let repeated = windows.values.lazy.flatMap(\.values).filter { $0.repeats.count > 0 }
    return repeated.map { end($0.start) }.min()
  }

  mutating func record(_ entry: AuditEntry) -> [AuditEntry] {
    let due = advance(to: entry.time)
    let entry = admitted(entry)
    let line = entry.line
    if windows[entry.uid]?[line] != nil {
      windows[entry.uid]?[line]?.repeats.count += entry.count
      windows[entry.uid]?[line]?.repeats.time = entry.time
      return due
    }
    windows[entry.uid, default: [:]][line] = (start: entry.time, repeats: line)
    if line.shelf != .given { count += 1 }
    return due + [entry]
  }

  /// Also closes windows that start in the future, because the clock was set back.
  mutating func advance(to now: WallTime) -> [AuditEntry] {
    var entries: [AuditEntry] = []
    for (uid, lines) in windows {
      for (line, window) in lines where now < window.start || now >= end(window.start) {
        windows[uid]?[line] = nil
        if line.shelf != .given { count -= 1 }
        if window.repeats.count > 0 { entries.append(window.repeats) }
      }
      if windows[uid]?.isEmpty == true { windows[uid] = nil }
    }
    return entries.sorted { ($0.time, $0.detail) < ($1.time, $1.detail) }
  }

  mutating func finish() -> [AuditEntry] { advance(to: WallTime(seconds: .max)) }

  /// The entry itself, or a collective one if its program, its user or all users have too many.
  private func admitted(_ entry: AuditEntry) -> AuditEntry {
    let lines = windows[entry.uid] ?? [:]
    if lines[entry.line] != nil { return entry }
    let isGiven = entry.shelf == .given
    if !isGiven, count >= limits.lines {
      return entry.gathered("too many users at once", uid: .max, client: "")
    }
    let alike = lines.keys.filter { ($0.shelf == .given) == isGiven }
    let ofProgram = alike.count { $0.client == entry.client }
    if !isGiven, ofProgram == 0, Set(alike.map(\.client)).count >= limits.programsPerUser {
      return entry.gathered("too many programs to list", client: "")
    }
    return ofProgram < limits.linesPerProgram ? entry : entry.gathered("too many to list")
  }

  private func end(_ start: WallTime) -> WallTime {
    WallTime(seconds: start.seconds.addingReportingOverflow(limits.window).partialValue)
  }
}

extension AuditEntry {
  /// The same without its time.
  fileprivate var line: AuditEntry {
    var line = self
    (line.time, line.count) = (WallTime(seconds: 0), 0)
    return line
  }

  /// One entry that stands for many.
  fileprivate func gathered(
    _ detail: String, uid: UInt32? = nil, client: String? = nil
  ) -> AuditEntry {
    var entry = self
    entry.detail = detail
    entry.uid = uid ?? self.uid
    entry.client = client ?? self.client
    return entry
  }
}

/// The audit in its file, which refuses SQL that would change an entry or remove it early. It is
/// separate from the grants, so existing grants stay valid if it is damaged or full.
final class AuditStore {
  /// Of each shelf: other entries must not push out decisions or who was given what.
  static let capacity: Int64 = 5000

  private let store: OpenStore
  private let capacity: Int64
  var wasMade: Bool { store.wasMade }

  init(_ file: StoreFile, capacity: Int64 = AuditStore.capacity) throws(GateError) {
    self.capacity = capacity
    store = try StoreSchema.audit(capacity: capacity).open(file)
  }

  /// Writes all entries, or none. A decision is on disk when this returns. Other entries survive a
  /// crash of this process but not of the machine; this spares the disk if a client connects often.
  func append(_ entries: [AuditEntry]) throws(GateError) {
    guard !entries.isEmpty else { return }
    let isDurable = entries.contains { $0.action.isDecision }
    try store.transaction(isDurable: isDurable) { () throws(GateError) in
      for entry in entries { try insert(entry) }
    }
  }

  private func insert(_ entry: AuditEntry) throws(GateError) {
    let shelf = SQLValue.integer(entry.shelf.rawValue)
    try store.database.run(
      """
      INSERT INTO audit (time, action, uid, client, detail, count, shelf, number)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7,
        1 + coalesce((SELECT max(number) FROM audit WHERE shelf = ?7), 0)
      """,
      [
        .integer(entry.time.seconds), .text(entry.action.rawValue), .integer(Int64(entry.uid)),
        .text(entry.client), .text(entry.detail), .integer(entry.count), shelf,
      ])
    try store.database.run(
      """
      DELETE FROM audit WHERE shelf = ?1
        AND number <= (SELECT max(number) FROM audit WHERE shelf = ?1) - \(capacity)
      """, [shelf])
  }

  func newest(
    _ limit: Int, before id: Int64? = nil, of uid: UInt32? = nil, action: AuditAction? = nil
  ) throws(GateError) -> [AuditEntry] {
    let entries = try store.database.rows(
      """
      SELECT time, action, uid, client, detail, count, id FROM audit
      WHERE \(uid == nil ? "?2 < 0" : "uid = ?2") AND (?3 = '' OR action = ?3)
        AND id < ?4
      ORDER BY id DESC LIMIT ?1
      """,
      [
        .integer(Int64(max(0, limit))), .integer(uid.map { Int64($0) } ?? -1),
        .text(action?.rawValue ?? ""), .integer(id ?? .max),
      ]
    ) { (row) throws(GateError) -> AuditEntry? in
      guard let action = AuditAction(rawValue: try row.text(1)) else { return nil }
      var entry = AuditEntry(
        time: WallTime(seconds: row.integer(0)), action: action,
        uid: UInt32(truncatingIfNeeded: row.integer(2)), client: try row.text(3),
        detail: try row.text(4), count: row.integer(5))
      entry.id = row.integer(6)
      return entry
    }
    return entries.compactMap(\.self).reversed()
  }
}

extension StoreSchema {
  static func audit(capacity: Int64) -> StoreSchema {
    StoreSchema(
      applicationID: 0x476c_6132, version: 2,
      statements: """
        CREATE TABLE audit (
          id INTEGER PRIMARY KEY AUTOINCREMENT,
          time INTEGER NOT NULL,
          action TEXT NOT NULL,
          uid INTEGER NOT NULL,
          client TEXT NOT NULL,
          detail TEXT NOT NULL,
          count INTEGER NOT NULL,
          shelf INTEGER NOT NULL CHECK (shelf IN (0, 1, 2)),
          number INTEGER NOT NULL,
          UNIQUE (shelf, number)
        ) STRICT;
        CREATE INDEX audit_of_user ON audit (uid, id);
        CREATE TRIGGER audit_stays BEFORE UPDATE ON audit
        BEGIN SELECT RAISE(ABORT, 'an entry of the audit cannot be changed'); END;
        CREATE TRIGGER audit_is_kept BEFORE DELETE ON audit
        WHEN old.number > (SELECT max(number) FROM audit WHERE shelf = old.shelf) - \(capacity)
        BEGIN SELECT RAISE(ABORT, 'an entry of the audit is removed by its age only'); END;
        """, isCheckedWhole: false, whenReplaced: "put it back, or restart glissd")
  }
}
