import Foundation
import GlissEvents
import Testing

@testable import GlissGate

/// A folder for one test, and a gate in it.
final class GateRig {
  let folder: String
  var machine = Machine(id: "this computer", boot: "this run")
  var now = WallTime(seconds: 1_000_000)
  let sink = RecordingSink()

  init() throws {
    // in memory if possible: a killed process loses nothing there either, and hundreds of stores need not wait for a disk
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm/" : NSTemporaryDirectory()
    folder = parent + "gliss-gate-" + UUID().uuidString
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  var grantsPath: String { folder + "/grants.db" }
  var auditPath: String { folder + "/audit.db" }

  func open() -> Gate { Gate(folder: folder, machine: machine, sink: sink.record, at: now) }

  /// A gate that is known to be sound.
  func openSound(sourceLocation: SourceLocation = #_sourceLocation) -> Gate {
    let gate = open()
    #expect(gate.fault == nil, sourceLocation: sourceLocation)
    #expect(gate.auditFault == nil, sourceLocation: sourceLocation)
    return gate
  }

  func later(_ seconds: Int64) -> WallTime {
    now = WallTime(seconds: now.seconds + seconds)
    return now
  }
}

final class RecordingSink {
  var entries: [AuditEntry] = []
  /// Without entries about the files themselves.
  var actions: [AuditAction] { entries.map(\.action).filter { $0 != .store } }
  /// Called with each entry.
  var didRecord: ((AuditEntry) -> Void)?
  func record(_ entry: AuditEntry) {
    entries.append(entry)
    didRecord?(entry)
  }
}

extension AuditEntry {
  /// As it was before it was stored.
  var withoutID: AuditEntry {
    var entry = self
    entry.id = nil
    return entry
  }
}

extension ClientIdentity {
  static func program(_ path: String, uid: UInt32 = 1000, pid: Int32 = 7) -> ClientIdentity {
    ClientIdentity(uid: uid, pid: pid, startTime: 1, confinement: .none, program: path)
  }
}

extension Scope {
  static let gestures = Scope(tier: .gesture, events: .gesture)
  static let allKeys = Scope(tier: .raw, events: .key, keys: .all)
}

extension Grant.Terms {
  static func program(
    _ path: String, _ scope: Scope = .gestures, uid: UInt32 = 1000
  ) -> Grant.Terms {
    Grant.Terms(uid: uid, client: .program(path), scope: scope)
  }

  func with(_ change: (inout Grant.Terms) throws -> Void) rethrows -> Grant.Terms {
    var terms = self
    try change(&terms)
    return terms
  }
}

extension Membership {
  static func program(
    _ path: String, in group: String, uid: UInt32 = 1000
  ) throws -> Membership {
    Membership(uid: uid, client: .program(path), group: try AccessGroup(group))
  }
}

extension Gate.Query {
  static func id(_ id: GrantID) -> Gate.Query {
    var query = Gate.Query()
    query.id = id
    return query
  }
}

/// The ``GateError`` that `body` throws; `nil` if it throws nothing.
func gateError(_ body: () throws -> Void) throws -> GateError? {
  do {
    try body()
    return nil
  } catch let error as GateError {
    return error
  }
}
