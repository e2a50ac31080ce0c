/// Writes down what happens: few lines for many repeats, in its file and wherever a sink leads.
final class Audit {
  /// Why it cannot be written; nothing new is granted then. Ends with the next entry that can be.
  private(set) var fault: GateError?
  weak var sink: (any AuditSink)?
  private let open: () throws(GateError) -> AuditStore
  private var store: AuditStore?
  private var coalescer = AuditCoalescer()
  /// Entries that could not be written.
  private var missed: Int64 = 0

  /// - Parameter open: how to come by its file; tried again for the next decision where it fails.
  init(open: @escaping () throws(GateError) -> AuditStore) {
    self.open = open
    do throws(GateError) { store = try open() } catch { fault = error }
  }

  /// Writes a decision, before it takes effect.
  ///
  /// - Throws: ``GateError/Problem/audit``, and then it must not.
  func decide(_ entries: [AuditEntry]) throws(GateError) {
    for entry in entries { sink?.didRecord(entry) }
    try write(entries, reopening: true)
  }

  /// Writes something that has happened, whether or not it can be written.
  func record(_ entry: AuditEntry) {
    if entry.action.isDecision {
      try? decide([entry])
    } else {
      publish(coalescer.record(entry))
    }
  }

  /// When there are repeats to be written.
  var deadline: WallTime? { coalescer.deadline }

  func advance(to now: WallTime) { publish(coalescer.advance(to: now)) }

  /// Writes what is still counted.
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
