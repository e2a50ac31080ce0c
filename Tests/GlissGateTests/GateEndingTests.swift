import GlissEvents
import Testing

@testable import GlissGate

/// How grants end, and what they are bound to.
@Suite struct GateEndingTests {
  static let ask = Ask(.program("/opt/a"), .gestures)

  static func gate(_ rig: GateRig, _ change: (inout Grant.Terms) -> Void) throws -> (Gate, Grant) {
    let gate = rig.openSound()
    let grant = try gate.add(Grant.Terms.program("/opt/a").with(change), by: "root", at: rig.now)
    return (gate, grant)
  }

  @Test func aGrantForOnceIsForOneStreamOnly() throws {
    let rig = try GateRig()
    do {
      let (gate, grant) = try Self.gate(rig) { $0.expiry = .once }
      let verdict = gate.verdict(on: Self.ask, at: rig.now)
      #expect(verdict.standing == .granted)
      #expect(verdict.grants == [grant.id])
      try gate.use(verdict.grants, at: rig.now)
      // the stream that holds it continues; no other may begin
      #expect(gate.verdict(on: Self.ask, at: rig.now).standing == .notDetermined)
      let holding = gate.verdict(on: Self.ask, holding: verdict.grants, at: rig.now)
      #expect(holding.standing == .granted)
      #expect(
        try gateError { try gate.use(verdict.grants, at: rig.now) }?.problem == .notFound)
      let other = Ask(.program("/opt/a", uid: 1001), .gestures)
      #expect(
        gate.verdict(on: other, holding: verdict.grants, at: rig.now).standing == .notDetermined)
      gate.ended(verdict.grants)
      #expect(
        gate.verdict(on: Self.ask, holding: verdict.grants, at: rig.now).standing
          == .notDetermined)
    }
    #expect(try rig.openSound().grants() == [])
  }

  @Test func aGrantForOnceIsRevokedWhileItsStreamLives() throws {
    let rig = try GateRig()
    let (gate, grant) = try Self.gate(rig) { $0.expiry = .once }
    try gate.use([grant.id], at: rig.now)
    #expect(try gate.grants() == [grant])
    let before = gate.generation
    #expect(try gate.revoke(.id(grant.id), all: false, by: "root", at: rig.now) == [grant])
    #expect(gate.generation != before)
    #expect(
      gate.verdict(on: Self.ask, holding: [grant.id], at: rig.now).standing == .notDetermined)
  }

  @Test func aGrantEndsAtItsTime() throws {
    let rig = try GateRig()
    let end = WallTime(seconds: rig.now.seconds + 100)
    let (gate, _) = try Self.gate(rig) { $0.expiry = .at(end) }
    #expect(gate.deadline == end)
    gate.advance(to: rig.later(99))
    #expect(gate.verdict(on: Self.ask, at: rig.now).standing == .granted)
    #expect(gate.verdict(on: Self.ask, at: end).standing == .notDetermined)
    let before = gate.generation
    gate.advance(to: rig.later(1))
    #expect(gate.generation != before)
    #expect(gate.deadline == nil)
    #expect(try gate.grants() == [])
    #expect(rig.sink.entries.last?.action == .expire)
    // a clock that is set back does not bring it back
    #expect(gate.verdict(on: Self.ask, at: WallTime(seconds: 0)).standing == .notDetermined)
  }

  @Test func grantsThatExpiredWhileStoppedEndAtTheNextStart() throws {
    let rig = try GateRig()
    do { _ = try Self.gate(rig) { $0.expiry = .at(WallTime(seconds: rig.now.seconds + 100)) } }
    _ = rig.later(200)
    let gate = rig.openSound()
    #expect(try gate.grants() == [])
    #expect(rig.sink.actions == [.grant, .expire])
  }

  @Test func aGrantForASessionEndsWithTheSessionAndTheBoot() throws {
    let rig = try GateRig()
    do {
      let (gate, _) = try Self.gate(rig) { $0.expiry = .session("3") }
      gate.sessionEnded("4", at: rig.now)
      #expect(try gate.grants().count == 1)
    }
    do {
      let gate = rig.openSound()
      #expect(try gate.grants().count == 1)
      gate.sessionsRemain(["3", "5"], at: rig.now)
      #expect(try gate.grants().count == 1)
      gate.sessionsRemain(["5"], at: rig.now)
      #expect(try gate.grants().count == 0)
      #expect(Array(gate.endings.values) == ["expired"])
      _ = try gate.add(
        .program("/opt/a").with { $0.expiry = .session("7") }, by: "root", at: rig.now)
    }
    // names of sessions are reused after a reboot
    rig.machine.boot = "the next run"
    #expect(try rig.openSound().grants() == [])
  }

  @Test func aCopiedStoreGrantsNothingThatIsBoundToTheFirstComputer() throws {
    let rig = try GateRig()
    let free = Ask(.program("/opt/free"), .gestures)
    let refused = Ask(.program("/opt/refused"), .gestures)
    do {
      let (gate, _) = try Self.gate(rig) { _ in }
      _ = try gate.add(
        .program("/opt/free").with { $0.thisDeviceOnly = false }, by: "root", at: rig.now)
      _ = try gate.add(
        .program("/opt/refused").with { $0.isAllowed = false }, by: "root", at: rig.now)
    }
    for id in ["another computer", ""] {
      rig.machine.id = id
      let gate = rig.openSound()
      #expect(gate.verdict(on: Self.ask, at: rig.now).standing == .notDetermined)
      #expect(gate.verdict(on: free, at: rig.now).standing == .granted)
      #expect(gate.verdict(on: refused, at: rig.now).standing == .denied)
      #expect(gate.check().count == 1)
    }
    let gate = { () -> Gate in
      rig.machine.id = "another computer"
      return rig.openSound()
    }()
    // other changes do not bind it here; that must be said
    var change = Gate.Change()
    change.reason = "why not"
    _ = try gate.update(Gate.Query(), change, all: true, by: "root", at: rig.now)
    #expect(gate.verdict(on: Self.ask, at: rig.now).standing == .notDetermined)
    change.thisDeviceOnly = true
    _ = try gate.update(Gate.Query(), change, all: true, by: "root", at: rig.now)
    #expect(gate.verdict(on: Self.ask, at: rig.now).standing == .granted)
    #expect(gate.check() == [])
  }

  @Test func noGrantIsBoundToAnUnknownComputer() throws {
    let rig = try GateRig()
    rig.machine.id = ""
    let gate = rig.openSound()
    let error = try gateError { _ = try gate.add(.program("/opt/a"), by: "root", at: rig.now) }
    #expect(error?.problem == .notGrantable)
  }

  @Test func usesAreWrittenAMinuteLaterAndTogether() throws {
    let rig = try GateRig()
    let (gate, grant) = try Self.gate(rig) { _ in }
    let generation = gate.generation
    let first = rig.now
    try gate.use([grant.id], at: first)
    #expect(gate.deadline == WallTime(seconds: first.seconds + 60))
    try gate.use([grant.id], at: rig.later(30))
    #expect(try gate.grants().first?.lastUsed == first)
    #expect(gate.generation == generation)
    gate.advance(to: rig.later(30))
    #expect(gate.deadline == nil)
    try gate.use([grant.id], at: rig.later(1))
    #expect(try gate.grants().first?.lastUsed == rig.now)
  }

  @Test func usesAreWrittenAtTheEnd() throws {
    let rig = try GateRig()
    do {
      let (gate, grant) = try Self.gate(rig) { _ in }
      try gate.use([grant.id], at: rig.now)
    }
    #expect(try rig.openSound().grants().first?.lastUsed == rig.now)
  }
}
