import Foundation
import GlissEvents
import Testing

@testable import GlissGate

/// Adding, changing and revoking grants.
@Suite struct GateDecidingTests {
  @Test func theSameClientGroupAndScopeIsGrantedOnceOnly() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let terms = Grant.Terms.program("/opt/a")
    let first = try gate.add(terms, by: "root", at: rig.now)
    let error = try gateError { _ = try gate.add(terms, by: "root", at: rig.now) }
    #expect(error?.problem == .duplicate(first.id))
    let refusal = try gateError {
      _ = try gate.add(terms.with { $0.isAllowed = false }, by: "root", at: rig.now)
    }
    #expect(refusal?.problem == .duplicate(first.id))
    let others = [
      terms.with { $0.uid = 1001 },
      terms.with { $0.client = .unit("a.service") },
      terms.with { $0.scope = Scope(tier: .raw, events: .touch) },
      terms.with { $0.scope.devices = ["a pad"] },
    ]
    for other in others { _ = try gate.add(other, by: "root", at: rig.now) }
    #expect(try gate.grants().map(\.terms) == [terms] + others)
    #expect(gate.check() == [])
  }

  @Test func numbersAreNeverReused() throws {
    let rig = try GateRig()
    var id: GrantID
    do {
      let gate = rig.openSound()
      id = try gate.add(.program("/opt/a"), by: "root", at: rig.now).id
      _ = try gate.revoke(.id(id), all: false, by: "root", at: rig.now)
    }
    let gate = rig.openSound()
    #expect(try gate.add(.program("/opt/a"), by: "root", at: rig.now).id > id)
  }

  /// A store may have grants for names that no new grant may have.
  @Test func aGrantForAnOddNameCanBeChanged() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let client = Client.app("foo")
    let terms = Grant.Terms(uid: 1000, client: client, scope: .gestures)
    let id = try gate.add(terms, by: "root", at: rig.now).id
    var change = Gate.Change()
    change.availability = .always
    #expect(try gate.update(.id(id), change, by: "alice", at: rig.now) == 1)
    let member = Membership(uid: 1000, client: client, group: try AccessGroup("org.example"))
    #expect(try gateError { try gate.checkAdding(member) }?.problem == .syntax)
  }

  @Test func updateChangesAllThatMatchAndNothingElse() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    for uid in [1000, 1000, 1001].enumerated() {
      _ = try gate.add(
        .program("/opt/\(uid.offset)", uid: UInt32(uid.element)), by: "root", at: rig.now)
    }
    var query = Gate.Query()
    query.uid = 1000
    var change = Gate.Change()
    change.availability = .always
    change.reason = "a\u{1b}[31m\u{202e}b"
    let before = gate.generation
    #expect(
      try gateError { _ = try gate.update(query, change, by: "alice", at: rig.now) }?.problem
        == .ambiguous(2))
    #expect(try gate.update(query, change, all: true, by: "alice", at: rig.later(5)) == 2)
    #expect(gate.generation != before)
    let grants = try gate.grants()
    #expect(grants.map(\.terms.availability) == [.always, .always, .whenUnlocked])
    #expect(grants.map(\.terms.reason) == ["a [31m b", "a [31m b", nil])
    #expect(grants[0].modified == rig.now && grants[2].modified < rig.now)
    query.uid = 5
    #expect(
      try gateError { _ = try gate.update(query, change, by: "", at: rig.now) }?.problem
        == .notFound)
    #expect(
      try gateError { _ = try gate.update(Gate.Query(), Gate.Change(), by: "", at: rig.now) }?
        .problem == .syntax)
    #expect(rig.sink.entries.last?.action == .change)
  }

  @Test func theAuditRecordsTheResultOfAChange() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    var terms = Grant.Terms(
      uid: 1000, client: .program("/opt/a"),
      scope: Scope(tier: .raw, events: .key, keys: [.media, .modifiers]))
    terms.expiry = .never
    let grant = try gate.add(terms, by: "root", at: rig.now)
    var change = Gate.Change()
    change.expiry = .at(WallTime(seconds: 1_795_391_780))
    _ = try gate.update(.id(grant.id), change, by: "alice", at: rig.now)
    let scope = "raw: key; keys: modifiers, media"
    let date = "until 2026-11-22T23:56:20Z"
    #expect(
      try gate.log(limit: 2).map(\.detail) == [
        "grant 1, whenUnlocked, permanently, by root: \(scope)",
        "grant 1, whenUnlocked, \(date), by alice; lasts: permanently → \(date): \(scope)",
      ])
  }

  @Test func theAuditRecordsWhatAChangeReplaced() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let grant = try gate.add(
      .program("/opt/a").with { $0.reason = "old" }, by: "root", at: rig.now)
    var change = Gate.Change()
    change.availability = .always
    change.thisDeviceOnly = false
    change.reason = "new"
    _ = try gate.update(.id(grant.id), change, by: "bob", at: rig.now)
    let detail = try #require(try gate.log(limit: 1).first?.detail)
    let changes =
      "by bob; while: whenUnlocked → always; this device only: yes → no; reason: “old” → “new”"
    #expect(detail.contains(", \(changes): "), "\(detail)")
    // an answer in place of an earlier decision
    let number = try gate.request(
      Ask(.program("/opt/a"), .allKeys), reason: nil, at: rig.now)
    let allowed = try gate.answer(number, allow: true, by: "bob", at: rig.now)
    #expect(try gate.log(limit: 1).first?.detail.contains("permanently, by bob: ") == true)
    change = Gate.Change()
    change.reason = String(repeating: "é", count: 400)
    _ = try gate.update(.id(try #require(allowed?.id)), change, by: "bob", at: rig.now)
    #expect(try gate.log(limit: 1).first?.detail.contains("reason: none → “éé") == true)
  }

  /// Whatever has room beside that is there, too.
  @Test func longNamesLeaveRoomForWhoDecidedAndWhatChanged() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let devices = Set(["a", "b"].map { String(repeating: $0, count: 256) })
    let scope = Scope(tier: .raw, events: .touch, devices: devices)
    let decider = "uid 1000 (login user 1001), as an administrator"
    func expectLast(_ words: String, _ name: String = String(repeating: "a", count: 256)) throws {
      let detail = try #require(try gate.log(limit: 1).first?.detail)
      #expect(detail.contains(words) && detail.contains(name), "\(detail)")
    }
    var terms = Grant.Terms.program("/opt/a", scope)
    let group = "org." + String(repeating: "g", count: 250)
    terms.group = try AccessGroup(group)
    let grant = try gate.add(terms, by: decider, at: rig.now)
    try expectLast(", permanently, by \(decider): ", " for \(group)")
    var change = Gate.Change()
    change.availability = .always
    _ = try gate.update(.id(grant.id), change, by: decider, at: rig.now)
    try expectLast(", by \(decider); while: whenUnlocked → always: ", " for \(group)")
    terms.group = nil
    _ = try gate.add(terms, by: decider, at: rig.now)
    try expectLast(", permanently, by \(decider): ")
    let number = try gate.request(Ask(.program("/opt/b"), scope), reason: nil, at: rig.now)
    var once = Gate.Change()
    once.expiry = .once
    _ = try gate.answer(number, allow: false, change: once, by: decider, at: rig.now)
    try expectLast("once, by \(decider): ")
  }

  @Test func severalAreRevokedOnlyIfAllIsSet() throws {
    let rig = try GateRig()
    do {
      let gate = rig.openSound()
      for number in 0..<3 {
        _ = try gate.add(.program("/opt/\(number)"), by: "root", at: rig.now)
      }
      var query = Gate.Query()
      query.tier = .gesture
      let error = try gateError { _ = try gate.revoke(query, all: false, by: "root", at: rig.now) }
      #expect(error?.problem == .ambiguous(3))
      #expect(try gate.grants().count == 3)
      #expect(try gate.revoke(query, all: true, by: "root", at: rig.now).count == 3)
      let none = try gateError { _ = try gate.revoke(query, all: true, by: "root", at: rig.now) }
      #expect(none?.problem == .notFound)
      #expect(
        gate.verdict(on: Ask(.program("/opt/1"), .gestures), at: rig.now).standing
          == .notDetermined)
    }
    #expect(try rig.openSound().grants() == [])
  }

  static let refused: [(String, @Sendable (inout Grant.Terms) -> Void)] = [
    ("client", { $0.client = .program("/opt/\u{7}") }),
    ("client", { $0.client = .program("/" + String(repeating: "a", count: 5000)) }),
    ("client", { $0.client = .program("relative") }),
    ("client", { $0.client = .program("/opt/../a") }),
    ("client", { $0.client = .unit("session-3.scope") }),
    ("expiry", { $0.expiry = .at(WallTime(seconds: -1)) }),
    ("expiry", { $0.expiry = .session("") }),
    ("expiry", { $0.expiry = .session("a\nb") }),
    ("scope.events", { $0.scope = Scope(tier: .raw) }),
    ("scope.events", { $0.scope = Scope(tier: .gesture, events: .key) }),
    ("scope.keys", { $0.scope = Scope(tier: .raw, events: .touch, keys: .media) }),
    ("scope.keys", { $0.scope = Scope(tier: .raw, events: .key) }),
    ("scope.devices", { $0.scope.devices = [] }),
    ("scope.devices", { $0.scope.devices = ["a\nb"] }),
    ("scope.devices", { $0.scope.devices = Set((0..<65).map { "\($0)" }) }),
    (
      "expiry",
      {
        $0.isAllowed = false
        $0.expiry = .once
      }
    ),
  ]

  @Test(arguments: refused.indices)
  func termsThatReadBackDifferentlyAreRefused(_ index: Int) throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let (place, change) = Self.refused[index]
    let terms = Grant.Terms.program("/opt/a", Scope(tier: .raw, events: .touch)).with(change)
    let error = try gateError { _ = try gate.add(terms, by: "root", at: rig.now) }
    #expect(error?.place == place)
    #expect(error?.problem == .syntax)
    #expect(try gate.grants() == [])
  }

  @Test(arguments: ["/bin/sh", "/usr/bin/bash", "/usr/bin/python3", "/usr/bin/gliss"])
  func anInterpreterIsGivenRawInputForOnceOnly(_ path: String) throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let terms = Grant.Terms.program(path, .allKeys)
    for expiry in [Expiry.never, .session("3"), .at(rig.later(60))] {
      let error = try gateError {
        _ = try gate.add(terms.with { $0.expiry = expiry }, by: "root", at: rig.now)
      }
      #expect(error?.problem == .notGrantable)
      #expect(error?.advice != nil)
    }
    // a refusal may last, and gestures may
    let refusal = try gate.add(terms.with { $0.isAllowed = false }, by: "root", at: rig.now)
    _ = try gate.revoke(.id(refusal.id), all: false, by: "root", at: rig.now)
    _ = try gate.add(.program(path), by: "root", at: rig.now)
    let once = try gate.add(terms.with { $0.expiry = .once }, by: "root", at: rig.now)
    var change = Gate.Change()
    change.expiry = .never
    #expect(
      try gateError { _ = try gate.update(.id(once.id), change, by: "root", at: rig.now) }?.problem
        == .notGrantable)
  }

  @Test func aTimeThatIsOverIsRefused() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let grant = try gate.add(.program("/opt/a"), by: "root", at: rig.now)
    let number = try gate.request(
      Ask(.program("/opt/b"), .gestures), reason: nil, at: rig.now)
    for seconds in [0, 5, rig.now.seconds] {
      var change = Gate.Change()
      change.expiry = .at(WallTime(seconds: seconds))
      let terms = Grant.Terms.program("/opt/c").with { $0.apply(change) }
      let errors = [
        try gateError { try gate.checkAdding(terms, at: rig.now) },
        try gateError { _ = try gate.add(terms, by: "root", at: rig.now) },
        try gateError { try gate.checkUpdating(.id(grant.id), change, at: rig.now) },
        try gateError { _ = try gate.update(.id(grant.id), change, by: "root", at: rig.now) },
        try gateError {
          _ = try gate.answer(number, allow: true, change: change, by: "root", at: rig.now)
        },
      ]
      for error in errors {
        #expect(error?.problem == .syntax && error?.place == "expiry")
        #expect(error?.advice == "seconds since 1970 are expected")
      }
    }
    #expect(try gate.grants() == [grant])
    #expect(gate.pending.map(\.number) == [number])
  }

  @Test func aChangeOfNothingNamesWhatCouldBeChanged() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    _ = try gate.add(.program("/opt/a"), by: "root", at: rig.now)
    let error = try gateError {
      try gate.checkUpdating(Gate.Query(), Gate.Change(), at: rig.now)
    }
    #expect(error?.place == "availability")
  }

  @Test func aVerdictReadsTheGrantsOfItsUserOldestFirst() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let ask = Ask(.program("/opt/a"), .gestures)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .notDetermined)
    var ids: [GrantID] = []
    for path in ["/opt/a", "/opt/b", "/opt/c"] {
      ids.append(try gate.add(.program(path), by: "root", at: rig.now).id)
      _ = try gate.add(.program(path, uid: 1001), by: "root", at: rig.now)
    }
    #expect(gate.verdict(on: ask, at: rig.now).grants == [ids[0]])
    #expect(gate.counting?[1000]?.map(\.id) == ids)
    _ = try gate.revoke(.id(ids[0]), all: false, by: "root", at: rig.now)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .notDetermined)
    #expect(gate.counting?[1000]?.map(\.id) == Array(ids[1...]))
  }

  // MARK: Requests

  @Test func aRepeatedRequestHasTheReasonGivenLast() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    for (pid, reason) in [(7, "first"), (8, "second"), (9, nil)] as [(Int32, String?)] {
      let ask = Ask(.program("/opt/a", pid: pid), .gestures)
      #expect(try gate.request(ask, reason: reason, at: rig.now) == 1)
    }
    #expect(gate.pending.map(\.reason) == ["second"])
    #expect(gate.pending.map(\.ask.identity.pid) == [9])
  }

  @Test func aRequestIsAbandonedUnlessSomebodyHasItsNumber() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let numbers = try ["/opt/a", "/opt/b"].map {
      try gate.request(Ask(.program($0), .gestures), reason: nil, at: rig.now)
    }
    gate.keep(numbers[1])
    for number in numbers { gate.abandon(number) }
    #expect(gate.pending.map(\.number) == [numbers[1]])
    gate.withdraw(numbers[1])
    #expect(gate.pending.isEmpty)
  }

  /// A command with an old number must not grant another program's request, however often programs
  /// ask.
  @Test func noNumberIsGivenAgainAfterARestart() throws {
    let rig = try GateRig()
    var runs: [[Int64]] = []
    for run in 0..<3 {
      // a lost audit changes nothing
      if run == 2 { try FileManager.default.removeItem(atPath: rig.auditPath) }
      let gate = rig.openSound()
      var given: [Int64] = []
      for program in 0..<8 {
        let ask = Ask(.program("/opt/\(run)/\(program)"), .gestures)
        // it hangs up and asks again, which the audit counts in one entry
        for _ in 0..<20 {
          let number = try gate.request(ask, reason: nil, at: rig.now)
          given.append(number)
          gate.abandon(number)
        }
      }
      runs.append(given)
    }
    #expect(runs[0] == Array(1...160))
    for given in runs.dropFirst() {
      #expect(given.allSatisfy { (100_000...999_999).contains($0) }, "\(given)")
    }
    // a single number may come again by chance, but none follows from another
    for given in runs.dropFirst() {
      #expect(zip(given, given.dropFirst()).count { $1 == $0 + 1 } < 3, "\(given)")
      #expect((given.max() ?? 0) - (given.min() ?? 0) > 100_000, "\(given)")
    }
    #expect(runs[1] != runs[2])
  }

  @Test func aRequestKeepsItsNumberAndEachUserHasEight() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    func ask(_ number: Int, uid: UInt32 = 1000, pid: Int32 = 7) -> Ask {
      Ask(.program("/opt/\(number)", uid: uid, pid: pid), .gestures)
    }
    for number in 0..<8 {
      #expect(try gate.request(ask(number), reason: "r", at: rig.now) == Int64(number + 1))
    }
    #expect(try gate.request(ask(3, pid: 8), reason: "r", at: rig.now) == 4)
    #expect(gate.pending[3].ask.identity.pid == 8)
    #expect(gate.isPending(ask(3, pid: 9)))
    #expect(!gate.isPending(ask(9)) && !gate.isPending(ask(3, uid: 1001)))
    let error = try gateError { _ = try gate.request(ask(9), reason: nil, at: rig.now) }
    #expect(error?.problem == .limit)
    #expect(try gate.request(ask(9, uid: 1001), reason: nil, at: rig.now) == 9)
    gate.withdraw(1)
    #expect(try gate.request(ask(9), reason: nil, at: rig.now) == 10)
    #expect(gate.pending.map(\.number) == [2, 3, 4, 5, 6, 7, 8, 9, 10])
  }

  @Test func anUnnamedClientCanRequestNothing() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    for identity in [
      ClientIdentity(uid: 1000, pid: 7, startTime: 1, confinement: .anonymous, program: "/opt/a"),
      ClientIdentity(uid: 1000, pid: 7, startTime: 1, confinement: .none, program: nil),
    ] {
      let error = try gateError {
        _ = try gate.request(Ask(identity, .gestures), reason: nil, at: rig.now)
      }
      #expect(error?.problem == .notGrantable)
      #expect(error?.advice != nil)
    }
  }

  @Test func anAnswerGrantsOrRefusesPermanently() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let ask = Ask(.program("/opt/a"), .gestures)
    let number = try gate.request(ask, reason: "to scroll\n", at: rig.now)
    var change = Gate.Change()
    change.availability = .afterFirstUnlock
    let grant = try #require(
      try gate.answer(number, allow: true, change: change, by: "alice", at: rig.now))
    #expect(grant.grantedBy == "alice")
    #expect(grant.terms.reason == "to scroll ")
    #expect(grant.terms.availability == .afterFirstUnlock)
    #expect(gate.pending.isEmpty)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .granted)
    #expect(
      try gateError { _ = try gate.answer(number, allow: true, by: "alice", at: rig.now) }?.problem
        == .notFound)
    // a later answer to the same replaces it
    let again = try gate.request(ask, reason: nil, at: rig.now)
    let refusal = try #require(try gate.answer(again, allow: false, by: "bob", at: rig.now))
    #expect(refusal.id == grant.id && !refusal.terms.isAllowed && refusal.grantedBy == "bob")
    #expect(gate.verdict(on: ask, at: rig.now).standing == .denied)
    #expect(rig.sink.actions == [.request, .grant, .deny])
  }

  /// An administrator may decide by hand while a request waits.
  @Test func aDecisionAboutTheSameAnswersWaitingRequests() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let ask = Ask(.program("/opt/a"), .gestures)
    _ = try gate.request(ask, reason: nil, at: rig.now)
    let other = try gate.request(Ask(.program("/opt/b"), .gestures), reason: nil, at: rig.now)
    _ = try gate.add(ask.terms(reason: nil), by: "root", at: rig.now)
    #expect(gate.pending.map(\.number) == [other])
    var terms = try Ask(.program("/opt/b"), .gestures).terms(reason: nil)
    terms.isAllowed = false
    _ = try gate.add(terms, by: "root", at: rig.now)
    #expect(gate.pending.isEmpty)
  }

  @Test func joiningAGroupThatHasTheGrantAnswersWaitingRequests() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    _ = try gate.request(Ask(.program("/opt/a"), .gestures), reason: nil, at: rig.now)
    var terms = Grant.Terms.program("/opt/suite")
    terms.group = try AccessGroup("org.example.suite")
    _ = try gate.add(terms, by: "root", at: rig.now)
    #expect(gate.pending.count == 1)
    let membership = try Membership.program("/opt/a", in: "org.example.suite")
    try gate.add(membership, by: "root", at: rig.now)
    #expect(gate.pending.isEmpty)
  }

  @Test func aSingleRefusalIsNotKept() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let ask = Ask(.program("/opt/a"), .gestures)
    let number = try gate.request(ask, reason: nil, at: rig.now)
    var change = Gate.Change()
    change.expiry = .once
    #expect(try gate.answer(number, allow: false, change: change, by: "bob", at: rig.now) == nil)
    #expect(gate.pending.isEmpty)
    #expect(gate.verdict(on: ask, at: rig.now).standing == .notDetermined)
    #expect(rig.sink.entries.last?.action == .deny)
  }

  @Test func anInterpretersRequestIsGrantedForOnce() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let number = try gate.request(
      Ask(.program("/usr/bin/gliss"), .allKeys), reason: nil, at: rig.now)
    let grant = try gate.answer(number, allow: true, by: "alice", at: rig.now)
    #expect(grant?.terms.expiry == .once)
  }
}
