import Foundation
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Access groups: an administrator decides who is in which, and members have their group's grants.
@Suite struct GateGroupsTests {
  private static func terms(_ group: String, allowed: Bool = true) throws -> Grant.Terms {
    try Grant.Terms.program("/opt/a").with {
      $0.group = try AccessGroup(group)
      $0.isAllowed = allowed
    }
  }

  private static func standing(_ gate: Gate, _ path: String, _ rig: GateRig) -> Standing {
    gate.verdict(on: Ask(.program(path), .gestures), at: rig.now).standing
  }

  @Test func aMemberHasItsGroupsGrantsWhileItIsAMember() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    _ = try gate.add(Self.terms("org.example"), by: "root", at: rig.now)
    #expect(Self.standing(gate, "/opt/a", rig) == .granted)
    #expect(Self.standing(gate, "/opt/b", rig) == .notDetermined)
    let member = try Membership.program("/opt/b", in: "org.example.suite")
    let before = gate.generation
    try gate.add(member, by: "alice", at: rig.now)
    #expect(gate.generation != before)
    #expect(Self.standing(gate, "/opt/b", rig) == .granted)
    #expect(Self.standing(gate, "/opt/c", rig) == .notDetermined)
    // it is not a member for another user
    #expect(gate.groups(of: .program("/opt/b"), uid: 1001).isEmpty)
    let joined = gate.generation
    try gate.remove(member, by: "bob", at: rig.later(5))
    #expect(gate.generation != joined)
    #expect(Self.standing(gate, "/opt/b", rig) == .notDetermined)
    #expect(rig.sink.actions == [.grant, .join, .leave])
    let log = try gate.log(limit: 2)
    #expect(log.map(\.client) == ["program:/opt/b", "program:/opt/b"])
    #expect(
      log.map(\.detail) == ["group org.example.suite, by alice", "group org.example.suite, by bob"])
  }

  @Test func aGroupsRefusalAppliesToItsMembers() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    _ = try gate.add(.program("/opt/b"), by: "root", at: rig.now)
    _ = try gate.add(Self.terms("org.example", allowed: false), by: "root", at: rig.now)
    #expect(Self.standing(gate, "/opt/b", rig) == .granted)
    try gate.add(.program("/opt/b", in: "org.example"), by: "root", at: rig.now)
    #expect(Self.standing(gate, "/opt/b", rig) == .denied)
  }

  @Test func membershipsAreStored() throws {
    let rig = try GateRig()
    let memberships: [Membership] = [
      try .program("/opt/b", in: "org.example"),
      Membership(uid: .max, client: .app("org.x.App"), group: try AccessGroup("a.b-c_d.E9")),
      Membership(uid: 0, client: .unit("a.service"), group: try AccessGroup("org.example")),
      try .program("/opt/b", in: "org.other"),
    ]
    do {
      let gate = rig.openSound()
      for membership in memberships { try gate.add(membership, by: "alice", at: rig.now) }
      try gate.remove(memberships[2], by: "bob", at: rig.now)
    }
    let gate = rig.openSound()
    let found = try gate.members()
    #expect(found.map(\.membership) == [memberships[0], memberships[1], memberships[3]])
    #expect(found.allSatisfy { $0.since == rig.now && $0.addedBy == "alice" })
    #expect(
      gate.groups(of: .program("/opt/b"), uid: 1000).map(\.name) == ["org.example", "org.other"])
    var query = Gate.Query()
    query.group = try AccessGroup("org.example")
    #expect(try gate.members(query).map(\.membership) == [memberships[0]])
    query = Gate.Query()
    query.uid = .max
    #expect(try gate.members(query).map(\.membership) == [memberships[1]])
    query = Gate.Query()
    query.client = .program("/opt/b")
    #expect(try gate.members(query).count == 2)
    #expect(gate.check() == [])
  }

  @Test func aClientCannotJoinTwiceOrLeaveAGroupItIsNotIn() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    let member = try Membership.program("/opt/b", in: "org.example")
    let absent = try gateError { try gate.remove(member, by: "", at: rig.now) }
    #expect(absent?.problem == .notFound && absent?.place == "client")
    #expect(absent?.advice?.contains("gliss grants group list") == true)
    try gate.add(member, by: "", at: rig.now)
    let twice = try gateError { try gate.add(member, by: "", at: rig.now) }
    #expect(twice?.problem == .alreadyMember)
    // leaving and joining again cancel out
    try gate.remove(member, by: "", at: rig.now)
    try gate.add(member, by: "", at: rig.now)
    #expect(try gate.members().count == 1)
    let odd = Membership(uid: 1, client: .program("relative"), group: member.group)
    #expect(try gateError { try gate.add(odd, by: "", at: rig.now) }?.problem == .syntax)
  }

  @Test func aClientIsInAtMostSixteenGroups() throws {
    let rig = try GateRig()
    let gate = rig.openSound()
    for number in 0..<16 {
      try gate.add(.program("/opt/b", in: "org.g\(number)"), by: "", at: rig.now)
    }
    let error = try gateError {
      try gate.add(.program("/opt/b", in: "org.more"), by: "", at: rig.now)
    }
    #expect(error?.problem == .limit)
    try gate.add(.program("/opt/c", in: "org.more"), by: "", at: rig.now)
  }

  @Test func withoutAnAuditNobodyJoins() throws {
    let rig = try GateRig()
    mkdir(rig.auditPath, 0o700)
    let gate = rig.open()
    let member = try Membership.program("/opt/b", in: "org.example")
    let before = gate.generation
    #expect(try gateError { try gate.add(member, by: "", at: rig.now) }?.problem == .audit)
    #expect(try gate.members() == [] && gate.generation == before)
  }

  @Test(arguments: [true, false])
  func aRefusedGroupIsLeftOnlyIfThatIsWritten(_ isAllowed: Bool) throws {
    let rig = try GateRig()
    let member = try Membership.program("/opt/b", in: "org.example.suite")
    do {
      let gate = rig.openSound()
      _ = try gate.add(Self.terms("org.example", allowed: isAllowed), by: "root", at: rig.now)
      try gate.add(member, by: "alice", at: rig.now)
    }
    try FileManager.default.removeItem(atPath: rig.auditPath)
    mkdir(rig.auditPath, 0o700)
    let gate = rig.open()
    let problem = try gateError { try gate.remove(member, by: "bob", at: rig.now) }?.problem
    #expect(problem == (isAllowed ? nil : .audit))
    #expect(Self.standing(gate, "/opt/b", rig) == (isAllowed ? .notDetermined : .denied))
  }

  @Test func leavingAGroupHoldsEvenIfItCannotBeWritten() throws {
    let rig = try GateRig()
    let member = try Membership.program("/opt/b", in: "org.example")
    do {
      let gate = rig.openSound()
      _ = try gate.add(Self.terms("org.example"), by: "root", at: rig.now)
      try gate.add(member, by: "alice", at: rig.now)
      chmod(rig.grantsPath, 0o666)
      let error = try gateError { try gate.remove(member, by: "bob", at: rig.now) }
      #expect(error?.message.contains("comes back if glissd restarts") == true)
      #expect(Self.standing(gate, "/opt/b", rig) == .restricted)
      #expect(rig.sink.actions.last == .leave)
      #expect(rig.sink.entries.last?.detail == "leave was not saved: group org.example, by bob")
      #expect(
        gate.check().contains { $0.contains("to be removed from the store: 1 member of a group") })
    }
    chmod(rig.grantsPath, 0o600)
    #expect(try rig.openSound().members().count == 1)
  }

  /// After any sequence of joins and leaves, a gate has in memory what its file has.
  @Test func memoryAndFileAgree() throws {
    var source = Seed.source("groups")
    let rig = try GateRig()
    var gate = rig.openSound()
    var expected: Set<Membership> = []
    for _ in 0..<300 {
      let membership = Membership(
        uid: source.pick([1000, 1001]),
        client: source.pick([.program("/opt/a"), .unit("a.service"), .app("org.x")]),
        group: try AccessGroup(source.pick(["org.a", "org.a.b", "org.b"])))
      if source.chance(0.5) {
        let isNew = (try? gate.add(membership, by: "", at: rig.now)) != nil
        #expect(isNew == expected.insert(membership).inserted, "\(Seed.advice)")
      } else {
        let wasThere = (try? gate.remove(membership, by: "", at: rig.now)) != nil
        #expect(wasThere == (expected.remove(membership) != nil), "\(Seed.advice)")
      }
      if source.chance(0.05) {
        gate = Gate(folder: "/nonexistent", machine: .unknown, at: rig.now)
        gate = rig.openSound()
      }
      #expect(Set(try gate.members().map(\.membership)) == expected, "\(Seed.advice)")
      for uid: UInt32 in [1000, 1001] {
        let groups = gate.groups(of: .program("/opt/a"), uid: uid)
        #expect(
          Set(groups)
            == Set(
              expected.filter { $0.client == .program("/opt/a") && $0.uid == uid }.map(\.group)),
          "\(Seed.advice)")
      }
    }
  }
}
