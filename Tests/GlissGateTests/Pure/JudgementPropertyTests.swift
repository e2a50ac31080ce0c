import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Properties of verdicts for any grants and any ask. The reference looks at one kind of event on one device at a time,
/// without sets.
@Suite struct JudgementPropertyTests {
  /// One kind of event, or class of keys, on one device.
  private struct Atom: Hashable {
    /// What the tier shows: `gesture`, `raw touch`, `raw key media`, `post`.
    var what: String
    var device: String
  }

  private static let now = WallTime(seconds: 1_000_000)
  /// Also a device that no scope names.
  private static let devices = RandomSource.deviceNames + ["Other"]

  /// Everything in a scope; gestures with coordinates are gestures too.
  private static func atoms(_ scope: Scope) -> Set<Atom> {
    var words: [String] = []
    switch scope.tier {
    case .hotkey: break
    case .gesture: words = ["gesture"]
    case .post: words = ["post"]
    case .raw:
      for event in scope.events.words where event != "key" { words.append("raw " + event) }
      if scope.events.contains(.gesture) { words.append("gesture") }
      if scope.events.contains(.key) { words += scope.keys.names.map { "raw key " + $0 } }
    }
    let devices = devices.filter { scope.devices?.contains($0) ?? true }
    return Set(words.flatMap { word in devices.map { Atom(what: word, device: $0) } })
  }

  private struct Asked {
    let identity: ClientIdentity
    let scope: Scope
    let groups: [AccessGroup]

    func verdict(_ grants: [Grant]) -> Verdict {
      Judgement.verdict(
        on: Ask(identity, scope), in: groups, grants: grants, at: JudgementPropertyTests.now)
    }
  }

  private static func concerns(_ grant: Grant, _ ask: Asked) -> Bool {
    guard grant.terms.uid == ask.identity.uid else { return false }
    if case .at(let end) = grant.terms.expiry, end.seconds <= now.seconds { return false }
    if grant.terms.client == ask.identity.client { return true }
    guard let group = grant.terms.group else { return false }
    return ask.groups.contains { ($0.name + ".").hasPrefix(group.name + ".") }
  }

  /// How much of each atom is granted.
  private static func reference(_ ask: Asked, _ grants: [Grant]) -> [Atom: Availability] {
    var given: [Atom: Availability] = [:]
    let isInterpreter = ask.identity.program?.contains("python") ?? false
    let asked = atoms(ask.scope)
    for grant in grants where grant.terms.isAllowed && concerns(grant, ask) {
      for atom in atoms(grant.terms.scope).intersection(asked) {
        // nothing raw lasts
        if isInterpreter, grant.terms.expiry != .once, atom.what != "gesture" { continue }
        given[atom] = max(given[atom] ?? .whenUnlocked, grant.terms.availability)
      }
    }
    for grant in grants where !grant.terms.isAllowed && concerns(grant, ask) {
      for atom in atoms(grant.terms.scope) {
        let isRawGesture = grant.terms.scope.tier == .raw && atom.what == "gesture"
        if !isRawGesture { given[atom] = nil }
        if atom.what == "gesture", !isRawGesture {
          given[Atom(what: "raw gesture", device: atom.device)] = nil
        }
      }
    }
    return given
  }

  private static func given(_ verdict: Verdict) -> [Atom: Availability] {
    var given: [Atom: Availability] = [:]
    for entitlement in verdict.entitlements {
      for atom in atoms(entitlement.scope) {
        given[atom] = max(given[atom] ?? .whenUnlocked, entitlement.availability)
      }
    }
    return given
  }

  private static func draw(_ random: inout RandomSource) throws -> (Asked, [Grant]) {
    let program = random.pick(["/opt/foo", "/opt/foo", "/usr/bin/python3.11"])
    let groups = random.subset(of: ["org.foo", "org.foo.bar", "org.foobar.baz"])
    let ask = Asked(
      identity: .program(program), scope: random.scope([.gesture, .raw, .raw, .post]),
      groups: try groups.map { try AccessGroup($0) })
    let grants = (0..<random.integer(0...6)).map { random.grant(Int64($0 + 1), by: now) }
    return (ask, grants)
  }

  @Test(arguments: 0..<20)
  func onlyWhatIsAskedForAndGrantedIsGiven(_ index: Int) throws {
    var random = Seed.source("verdicts", index)
    for _ in 0..<300 {
      let (ask, grants) = try Self.draw(&random)
      let verdict = ask.verdict(grants)
      let given = Self.given(verdict)
      let reference = Self.reference(ask, grants)
      for (atom, availability) in given {
        let most = reference[atom]
        #expect(
          most != nil && availability <= (most ?? .whenUnlocked),
          "\(atom) by \(grants) for \(ask) \(Seed.advice)")
      }
      // and no less, except if all devices are asked for and some are refused
      let isSayable =
        ask.scope.devices != nil
        || !grants.contains { !$0.terms.isAllowed && $0.terms.scope.devices != nil }
      if isSayable {
        #expect(
          Set(given.keys) == Set(reference.keys), "\(grants) for \(ask) \(Seed.advice)")
      }
      try Self.checkSense(verdict, ask)
    }
  }

  /// A verdict's fields agree with each other.
  private static func checkSense(_ verdict: Verdict, _ ask: Asked) throws {
    #expect((verdict.standing == .granted) == !verdict.entitlements.isEmpty)
    #expect(verdict.entitlements.isEmpty == verdict.grants.isEmpty)
    #expect(verdict.isCovered(by: verdict))
    for entitlement in verdict.entitlements { _ = try entitlement.scope.validated() }
    if verdict.mayRequest || verdict.standing == .denied { #expect(verdict.advice != nil) }
    if !atoms(ask.scope).isEmpty {
      let isWhole = atoms(ask.scope).isSubset(of: given(verdict).keys)
      #expect(verdict.isNarrower(than: ask.scope) == !isWhole, "\(ask) \(Seed.advice)")
      #expect(isWhole == (verdict.advice == nil), "\(ask) \(Seed.advice)")
    }
  }

  @Test(arguments: 0..<10)
  func moreRefusalsNeverWidenAndMoreGrantsNeverNarrow(_ index: Int) throws {
    var random = Seed.source("one more", index)
    for _ in 0..<300 {
      let (ask, grants) = try Self.draw(&random)
      var extra = random.grant(100, by: Self.now)
      let before = ask.verdict(grants)
      let after = ask.verdict(grants + [extra])
      let (less, more) = extra.terms.isAllowed ? (before, after) : (after, before)
      let (few, many) = (Self.given(less), Self.given(more))
      #expect(
        Set(few.keys).isSubset(of: many.keys), "\(extra) with \(grants) for \(ask) \(Seed.advice)")
      // what holds at more times may be replaced only by a grant that lasts, where the other is for once
      if !grants.contains(where: { $0.terms.expiry == .once }), extra.terms.expiry != .once {
        #expect(less.isCovered(by: more), "\(extra) with \(grants) for \(ask) \(Seed.advice)")
      }
      extra.terms.uid = 1002
      let foreign = ask.verdict(grants + [extra])
      #expect(foreign == before, "another user's grant counts \(Seed.advice)")
    }
  }

  @Test(arguments: 0..<5)
  func theOrderOfGrantsDoesNotMatter(_ index: Int) throws {
    var random = Seed.source("order", index)
    for _ in 0..<200 {
      let (ask, grants) = try Self.draw(&random)
      let one = ask.verdict(grants)
      let other = ask.verdict(grants.shuffled(using: &random))
      #expect(Self.given(one) == Self.given(other), "\(Seed.advice)")
      #expect(one.standing == other.standing && one.grants == other.grants, "\(Seed.advice)")
    }
  }
}
