import Foundation
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

@Suite struct AuditTests {
  @Test func decisionsAreWrittenWithWhoDecided() throws {
    let rig = try GateRig()
    do {
      let gate = rig.openSound()
      let grant = try gate.add(.program("/opt/a"), by: "alice", at: rig.now)
      _ = try gate.revoke(.id(grant.id), all: false, by: "bob", at: rig.later(5))
    }
    let gate = rig.openSound()
    let log = try gate.log(limit: 10)
    #expect(log.map(\.action) == [.store, .grant, .revoke])
    #expect(log.map(\.withoutID) == rig.sink.entries)
    #expect(log.map(\.client) == ["glissd", "program:/opt/a", "program:/opt/a"])
    #expect(log[1].detail.hasPrefix("grant 1, ") && log[1].detail.contains(", by alice: "))
    #expect(log[2].detail.contains(", by bob: ") && log[2].time == rig.now)
    #expect(try gate.log(limit: 1) == [log[2]])
    #expect(try gate.log(limit: -1) == [])
  }

  /// Somebody who removes the history must not leave it looking new.
  @Test func anAuditThatIsGoneIsBegunAndSaysSo() throws {
    let rig = try GateRig()
    do { _ = try rig.openSound().add(.program("/opt/a"), by: "root", at: rig.now) }
    for name in try FileManager.default.contentsOfDirectory(atPath: rig.folder)
    where name.hasPrefix("audit.db") {
      try FileManager.default.removeItem(atPath: "\(rig.folder)/\(name)")
    }
    let log = try rig.openSound().log(limit: 10)
    #expect(log.map(\.detail) == ["there was no audit: one was begun"])
  }

  @Test func anAuditOfAnotherVersionIsRefused() throws {
    let rig = try GateRig()
    do { _ = rig.openSound() }
    try Database(at: rig.auditPath).execute("PRAGMA user_version=1")
    let gate = rig.open()
    #expect(gate.fault == nil)
    #expect(gate.auditFault?.message == "has version 1, and this program knows 2")
  }

  /// More is shown without it, so it must not read like the end of a grant.
  @Test func aRefusalIsCalledOne() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let refused = Grant.Terms.program("/opt/a").with { $0.isAllowed = false }
    let id = try gate.add(refused, by: "root", at: rig.now).id
    _ = try gate.revoke(.id(id), all: false, by: "root", at: rig.now)
    #expect(rig.sink.entries.suffix(2).allSatisfy { $0.detail.hasPrefix("refusal 1, ") })
  }

  @Test func repeatsShareALine() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    for _ in 0..<1000 {
      gate.record(.refuse, uid: 1000, client: "program:/opt/a", detail: "keys", at: rig.now)
    }
    #expect(try gate.log(limit: 10).map(\.count) == [1, 1])
    #expect(gate.deadline == WallTime(seconds: rig.now.seconds + 60))
    gate.advance(to: rig.later(60))
    #expect(try gate.log(limit: 10).map(\.count) == [1, 1, 999])
    #expect(gate.deadline == nil)
  }

  @Test func pendingCountsAreWrittenAtTheEnd() throws {
    let rig = try GateRig()
    do {
      let gate = rig.openSound()
      for _ in 0..<3 { gate.record(.connect, uid: 1, client: "a", detail: "", at: rig.now) }
    }
    #expect(try rig.openSound().log(limit: 10).map(\.count) == [1, 1, 2])
  }

  /// Through the whole gate: the file has every decision and every client that was given events, whatever comes between.
  @Test(arguments: 0..<3)
  func noFloodHidesDecisionsOrWhoWasGivenEvents(_ index: Int) throws {
    var source = Seed.source("audit storm", index)
    let rig = try GateRig()
    let gate = rig.openSound()
    var decided: [String] = []
    var given: Set<String> = []
    for step in 0..<2000 {
      let client = "/opt/\(source.integer(0...60))"
      let uid = UInt32(source.integer(1000...1020))
      switch source.integer(0...60) {
      case 0:
        let scope = Scope(tier: .raw, events: .touch, devices: ["\(step)"])
        _ = try gate.add(.program(client, scope, uid: uid), by: "root", at: rig.now)
        decided.append("\(uid) program:\(client)")
      case 1:
        gate.record(.connect, uid: uid, client: client, detail: "\(step)", at: rig.now)
        given.insert("\(uid) \(client)")
      case _:
        let action = source.pick([AuditAction.refuse, .request, .post, .lock])
        gate.record(action, uid: uid, client: client, detail: "\(step)", at: rig.now)
      }
      if source.chance(0.01) { _ = rig.later(Int64(source.integer(0...90))) }
      gate.advance(to: rig.now)
    }
    let log = try gate.log(limit: .max)
    #expect(
      log.filter { $0.action == .grant }.map { "\($0.uid) \($0.client)" } == decided,
      "\(Seed.advice)")
    #expect(
      Set(log.filter { $0.action == .connect }.map { "\($0.uid) \($0.client)" }) == given,
      "\(Seed.advice)")
    #expect(log.map(\.withoutID) == rig.sink.entries, "\(Seed.advice)")
    #expect(log.contains { $0.detail.hasPrefix("too many") })
  }

  @Test func textIsOneLineOfLimitedLength() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    gate.record(
      .connect, uid: 1, client: "a\u{1b}[2J\nb\u{202e}\u{0}",
      detail: String(repeating: "é", count: 9999),
      at: rig.now)
    let entry = try #require(try gate.log(limit: 1).first)
    #expect(entry.client == "a [2J b  ")
    #expect(entry.detail.utf8.count <= 504 && entry.detail.hasSuffix("é…"))
  }

  @Test func theOldestEntriesAreRemovedAndOthersDoNotPushOutDecisions() throws {
    let rig = try GateRig()
    let store = try AuditStore(StoreFile("audit.db", in: rig.folder), capacity: 10)
    func entry(_ action: AuditAction, _ number: Int) -> AuditEntry {
      AuditEntry(time: rig.now, action: action, uid: 1, client: "", detail: "\(number)")
    }
    for number in 0..<12 { try store.append([entry(.grant, number)]) }
    for number in 0..<12 { try store.append([entry(.connect, number)]) }
    for number in 0..<500 { try store.append([entry(.refuse, number)]) }
    let log = try store.newest(100)
    for action in [AuditAction.grant, .connect] {
      #expect(log.filter { $0.action == action }.map(\.detail) == (2..<12).map { "\($0)" })
    }
    #expect(log.filter { $0.action == .refuse }.map(\.detail) == (490..<500).map { "\($0)" })
    // nor do they hide entries from a search
    #expect(try store.newest(3, action: .connect).map(\.detail) == ["9", "10", "11"])
    #expect(try store.newest(3, of: 2, action: .connect) == [])
    // and entries about given events push out no decision
    for number in 0..<500 { try store.append([entry(.connect, number)]) }
    #expect(try store.newest(100).count { $0.action == .grant } == 10)
  }

  @Test func olderEntriesAreReadInPages() throws {
    let rig = try GateRig()
    let store = try AuditStore(StoreFile("audit.db", in: rig.folder))
    for number: UInt32 in 0..<7 {
      try store.append([
        AuditEntry(
          time: rig.now, action: .refuse, uid: number % 2, client: "", detail: "\(number)")
      ])
    }
    let newest = try store.newest(2)
    #expect(newest.map(\.detail) == ["5", "6"])
    let older = try store.newest(3, before: newest.first?.id)
    #expect(older.map(\.detail) == ["2", "3", "4"])
    let oldest = try store.newest(3, before: older.first?.id)
    #expect(oldest.map(\.detail) == ["0", "1"])
    #expect(try store.newest(3, before: older.first?.id, of: 1).map(\.detail) == ["1"])
    #expect(try store.newest(3, before: oldest.first?.id) == [])
  }

  /// The package grants gestures to every user.
  @Test func entriesAboutGesturesDoNotPushOutThoseAboutKeys() throws {
    let rig = try GateRig()
    let store = try AuditStore(StoreFile("audit.db", in: rig.folder), capacity: 10)
    var entry = AuditEntry(time: rig.now, action: .connect, uid: 1, client: "", detail: "keys")
    try store.append([entry])
    (entry.uid, entry.detail, entry.isOfGestures) = (2, "gestures", true)
    for _ in 0..<50 { try store.append([entry]) }
    #expect(try store.newest(100, of: 1, action: .connect).map(\.detail) == ["keys"])
    #expect(try store.newest(100, of: 2, action: .connect).count == 10)
  }

  @Test(arguments: [
    "UPDATE audit SET detail = 'x'", "UPDATE audit SET count = count + 1",
    "DELETE FROM audit WHERE id = 1", "DELETE FROM audit",
    "DELETE FROM audit WHERE action = 'grant'",
  ])
  func theFileRefusesToChangeOrRemoveEntries(_ sql: String) throws {
    let rig = try GateRig()
    do {
      let gate = rig.openSound()
      _ = try gate.add(.program("/opt/a"), by: "alice", at: rig.now)
      gate.record(.connect, uid: 1, client: "a", detail: "", at: rig.now)
    }
    let before = try rig.openSound().log(limit: 10)
    let database = try Database(at: rig.auditPath)
    let error = try gateError { try database.execute(sql) }
    #expect(error.map { "\($0)".contains("an entry of the audit") } == true)
    withExtendedLifetime(database) {}
    #expect(before.count == 3)
  }

  @Test func withoutAnAuditNothingNewIsGrantedAndTheRestContinues() throws {
    let rig = try GateRig()
    let ask = Ask(.program("/opt/a"), .gestures)
    let other = Ask(.program("/opt/b"), .gestures)
    do { _ = try rig.openSound().add(.program("/opt/a"), by: "alice", at: rig.now) }
    try FileManager.default.removeItem(atPath: rig.auditPath)
    mkdir(rig.auditPath, 0o700)
    do {
      let gate = rig.open()
      #expect(gate.fault == nil)
      #expect(gate.auditFault?.problem == .audit)
      #expect(gate.check().count == 1)
      #expect(gate.verdict(on: ask, at: rig.now).standing == .granted)
      try gate.use(gate.verdict(on: ask, at: rig.now).grants, at: rig.now)
      let number = try gate.request(other, reason: nil, at: rig.now)
      for decide in [
        { _ = try gate.add(.program("/opt/b"), by: "alice", at: rig.now) },
        { _ = try gate.answer(number, allow: true, by: "alice", at: rig.now) },
        {
          var change = Gate.Change()
          change.availability = .always
          _ = try gate.update(Gate.Query(), change, by: "alice", at: rig.now)
        },
      ] {
        #expect(try gateError { try decide() }?.problem == .audit)
      }
      #expect(gate.verdict(on: other, at: rig.now).standing == .notDetermined)
      #expect(try gate.grants().map(\.terms.availability) == [.whenUnlocked])
      #expect(gate.pending.count == 1)
      // revoking needs no audit
      #expect(try gate.revoke(Gate.Query(), all: false, by: "alice", at: rig.now).count == 1)
    }
    rmdir(rig.auditPath)
    #expect(try rig.openSound().grants() == [])
  }

  /// More is shown without a refusal.
  @Test func aRefusalIsRevokedOnlyIfThatIsWritten() throws {
    let rig = try GateRig()
    let ask = Ask(.program("/opt/a"), .gestures)
    var refusal = Grant.Terms.program("/opt/a")
    refusal.isAllowed = false
    do {
      let gate = rig.openSound()
      _ = try gate.add(refusal, by: "alice", at: rig.now)
      _ = try gate.add(.program("/opt/b"), by: "alice", at: rig.now)
    }
    try FileManager.default.removeItem(atPath: rig.auditPath)
    mkdir(rig.auditPath, 0o700)
    let gate = rig.open()
    rig.sink.entries = []
    let revoke = { _ = try gate.revoke(Gate.Query(), all: true, by: "bob", at: rig.now) }
    let error = try gateError(revoke)
    #expect(error?.problem == .audit && error?.message.contains("only the refusals stay") == true)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .denied)
    #expect(try gate.grants().map(\.terms.isAllowed) == [false], "the grant is revoked")
    #expect(rig.sink.actions == [.revoke], "what is reported has taken effect")
    rmdir(rig.auditPath)
    try revoke()
    #expect(gate.verdict(on: ask, at: rig.now).standing == .notDetermined)
    #expect(rig.sink.actions == [.revoke, .revoke])
  }

  @Test(arguments: [true, false])
  func withoutAuditAndStoreBothAreNamed(_ hasGrant: Bool) throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    var refusal = Grant.Terms.program("/opt/a")
    refusal.isAllowed = false
    _ = try gate.add(refusal, by: "alice", at: rig.now)
    if hasGrant { _ = try gate.add(.program("/opt/b"), by: "alice", at: rig.now) }
    for path in [rig.auditPath, rig.grantsPath] { chmod(path, 0o666) }
    let error = try gateError {
      _ = try gate.revoke(Gate.Query(), all: true, by: "bob", at: rig.now)
    }
    #expect(error?.problem == .audit)
    for part in ["only the refusals stay", "comes back if glissd restarts"] {
      #expect(error?.message.contains(part) == hasGrant, "\(error?.message ?? "")")
    }
  }

  @Test func aRepairedAuditReportsMissingEntries() throws {
    let rig = try GateRig()
    mkdir(rig.auditPath, 0o700)
    let gate = rig.open()
    gate.record(.connect, uid: 1, client: "a", detail: "", at: rig.now)
    gate.record(.request, uid: 1, client: "b", detail: "", at: rig.now)
    #expect(throws: GateError.self) {
      try gate.add(.program("/opt/a"), by: "alice", at: rig.now)
    }
    rmdir(rig.auditPath)
    _ = try gate.add(.program("/opt/a"), by: "alice", at: rig.now)
    #expect(gate.auditFault == nil)
    let log = try gate.log(limit: 10)
    // the store was made and somebody connected, which is important; a line of others is counted
    #expect(log.map(\.action) == [.store, .store, .connect, .store, .grant])
    #expect(log[0].detail == "there was no audit: one was begun")
    #expect(log[2].client == "a")
    // a request, and a grant that was not made
    #expect(log.map(\.count) == [1, 1, 1, 2, 1])
  }

  @Test func aRevocationHoldsEvenIfItCannotBeWritten() throws {
    let rig = try GateRig()
    let ask = Ask(.program("/opt/a"), .gestures)
    let gate = rig.openSound()
    let grant = try gate.add(.program("/opt/a"), by: "alice", at: rig.now)
    chmod(rig.grantsPath, 0o666)
    let error = try gateError {
      _ = try gate.revoke(.id(grant.id), all: false, by: "bob", at: rig.now)
    }
    #expect(error?.message.contains("comes back if glissd restarts") == true)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .restricted)
    #expect(rig.sink.actions.last == .revoke)
    #expect(rig.sink.entries.last?.detail.hasPrefix("revoke was not saved: grant 1, ") == true)
    // it comes back at the next start, which is the last that is said of it
    gate.finish(at: rig.now)
    #expect(rig.sink.entries.last?.detail == "the end of grant 1 was not saved")
    chmod(rig.grantsPath, 0o600)
  }

  @Test func whatWasSavedInTheEndIsNotCalledLost() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let grant = try gate.add(.program("/opt/a"), by: "alice", at: rig.now)
    _ = try gate.revoke(.id(grant.id), all: false, by: "bob", at: rig.now)
    gate.finish(at: rig.now)
    #expect(rig.sink.entries.last?.action == .revoke)
  }

  @Test func anAuditThatOthersCanWriteIsNotSaidToGrantAnything() throws {
    let rig = try GateRig()
    do { _ = rig.openSound() }
    chmod(rig.auditPath, 0o666)
    let fault = try #require(rig.open().auditFault)
    #expect(fault.message.contains("changed what it says") && !"\(fault)".contains("grant"))
    // a folder has both files, and one thing is said of it
    chmod(rig.auditPath, 0o600)
    chmod(rig.folder, 0o770)
    let gate = rig.open()
    #expect(gate.fault != nil && gate.fault?.description == gate.auditFault?.description)
  }

  /// Clients can cause many entries while nothing can be written.
  @Test func whoWasGivenInputDisplacesNoDecisionThatWaits() throws {
    let rig = try GateRig()
    do { _ = try rig.openSound().add(.program("/opt/a"), by: "root", at: rig.now) }
    try FileManager.default.removeItem(atPath: rig.auditPath)
    mkdir(rig.auditPath, 0o700)
    let gate = rig.open()
    for number in 0..<300 {
      gate.record(.connect, uid: 1000, client: "/opt/\(number)", detail: "", at: rig.now)
    }
    _ = try gate.revoke(Gate.Query(), all: true, by: "bob", at: rig.now)
    rmdir(rig.auditPath)
    #expect(gate.check(at: rig.now) == [])
    let log = try gate.log(limit: .max)
    #expect(log.count { $0.action == .revoke } == 1)
    #expect(log.count { $0.action == .connect } == 200)
  }

  /// Each attempt to write takes time while input waits.
  @Test func severalDecisionsAreWrittenTogether() throws {
    let rig = try GateRig()
    var attempts = 0
    let audit = Audit { () throws(GateError) in
      attempts += 1
      throw Audit.absent
    }
    let entry = AuditEntry(time: rig.now, action: .revoke, uid: 1, client: "", detail: "")
    audit.publish(Array(repeating: entry, count: 50))
    // the first was the attempt to open it
    #expect(attempts == 2)
  }

  /// What could not be written is tried again by a check, and not only by the next decision.
  @Test func aCheckLearnsThatTheAuditIsRepaired() throws {
    let rig = try GateRig()
    mkdir(rig.auditPath, 0o700)
    let gate = rig.open()
    #expect(gate.check(at: rig.now).count == 1)
    rmdir(rig.auditPath)
    #expect(gate.check(at: rig.now) == [])
    #expect(gate.auditFault == nil)
  }
}
