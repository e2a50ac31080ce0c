import GlissEvents
import Testing

@testable import GlissGate

@Suite struct GateTests {
  @Test func aGateWithoutAStoreGrantsNothing() {
    let gate = Gate(folder: "/nonexistent", machine: .unknown, at: WallTime(seconds: 0))
    let verdict = gate.verdict(
      on: Ask(.program("/usr/bin/foo"), .gestures), at: WallTime(seconds: 0))
    #expect(verdict.standing == .restricted)
    #expect(verdict.entitlements.isEmpty)
  }

  @Test func aNewStoreGrantsNothingAndKeepsWhatIsAdded() throws {
    let rig = try GateRig()
    let ask = Ask(.program("/usr/bin/foo"), .gestures)
    var gate: Gate? = rig.openSound()
    #expect(gate?.verdict(on: ask, at: rig.now).standing == .notDetermined)
    let terms = Grant.Terms.program("/usr/bin/foo").with {
      $0.availability = .always
      $0.reason = "to scroll"
      $0.scope = Scope(tier: .raw, events: [.key, .touch], devices: ["b", "a pad"], keys: .media)
      $0.expiry = .at(WallTime(seconds: 2_000_000))
    }
    let added = try #require(try gate?.add(terms, by: "root", at: rig.now))
    let generation = try #require(gate?.generation)
    #expect(generation > 0)
    gate = nil
    let again = rig.openSound()
    #expect(try again.grants() == [added])
    #expect(added.terms == terms)
    #expect(again.check() == [])
  }
}
