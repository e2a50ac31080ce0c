import Foundation
import GlissEvents
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissGate

/// Values of the gate as JSON, by `Codable`, and as a line.
@Suite struct GateCodingTests {
  private func returned<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: JSONEncoder().encode(value))
  }

  private func scope(
    _ random: inout RandomSource, of tiers: [Tier] = Tier.allCases
  ) -> Scope {
    let devices: Set<String>? =
      random.chance(0.5) ? nil : Set((0...random.integer(0...3)).map { "“Pad” \($0)" })
    switch random.pick(tiers) {
    case .hotkey: return Scope(tier: .hotkey, devices: devices)
    case .post: return Scope(tier: .post, devices: devices)
    case .gesture: return Scope(tier: .gesture, events: .gesture, devices: devices)
    case .raw:
      let events = EventMask(rawValue: UInt32(random.integer(1...63)))
      let keys = KeyClasses(rawValue: UInt8(random.integer(1...15)))
      return Scope(
        tier: .raw, events: events, devices: devices, keys: events.contains(.key) ? keys : [])
    }
  }

  private func grant(_ random: inout RandomSource) -> Grant {
    let client: Client = random.pick([.program("/usr/bin/pad"), .unit("pad.service"), .app("a.b")])
    var terms = Grant.Terms(
      uid: UInt32(random.integer(0...2000)), client: client,
      scope: scope(&random, of: [.gesture, .raw]))
    terms.group = random.chance(0.5) ? try? AccessGroup("org.example.suite") : nil
    terms.isAllowed = random.chance(0.5)
    // a refusal is written as what it is
    terms.availability = terms.isAllowed ? random.pick(Availability.allCases) : .always
    terms.expiry = random.pick([.never, .session("c2"), .at(WallTime(seconds: 1_790_000_000))])
    terms.thisDeviceOnly = random.chance(0.5)
    terms.reason = random.chance(0.5) ? "to zoom" : nil
    return Grant(
      id: GrantID(rawValue: Int64(random.integer(1...1000))), terms: terms,
      created: WallTime(seconds: 1), modified: WallTime(seconds: 2),
      lastUsed: random.chance(0.5) ? WallTime(seconds: 3) : nil, grantedBy: "ada")
  }

  @Test func anyGrantAndVerdictIsReadAsItWasWritten() throws {
    var random = Seed.source("gate coding")
    for _ in 0..<300 {
      let grant = grant(&random)
      #expect(
        try Grant.Terms(Parameters(grant.terms.json)) == grant.terms, "\(grant), \(Seed.advice)")
      let verdict = Verdict(
        random.pick(Standing.allCases),
        entitlements: [Entitlement(scope(&random), random.pick(Availability.allCases))],
        grants: [grant.id], until: random.chance(0.5) ? WallTime(seconds: 7) : nil,
        advice: random.chance(0.5) ? "ask" : nil, mayRequest: random.chance(0.5))
      #expect(try returned(verdict) == verdict, "\(verdict), \(Seed.advice)")
    }
    for tier in Tier.allCases { #expect(try returned([tier]) == [tier]) }
  }

  @Test func theFormIsThatOfTheBroker() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let verdict = Verdict(
      .granted, entitlements: [Entitlement(Scope(tier: .gesture, events: .gesture), .always)])
    let text = """
      {"granted":[{"availability":"always","scope":{"events":["gesture"],"tier":"gesture"}}],\
      "grants":[],"mayRequest":false,"standing":"granted"}
      """
    #expect(String(decoding: try encoder.encode(verdict), as: UTF8.self) == text)
    #expect("\(verdict)" == "granted: gesture, always")
    var random = Seed.source("form")
    var grant = grant(&random)
    grant.lastUsed = WallTime(seconds: 3)
    grant.terms.reason = "to zoom"
    grant.terms.group = try AccessGroup("org.example.suite")
    #expect(
      (grant.json.object ?? []).map(\.name) == [
        "id", "uid", "client", "group", "scope", "allowed", "availability", "expiry",
        "thisDeviceOnly", "created", "modified", "lastUsed", "grantedBy", "reason",
      ])
  }

  @Test func invalidGrantsAreRefused() {
    for text in [
      #"{"uid":0,"client":"program:bin/pad","scope":{"tier":"hotkey"}}"#,
      #"{"uid":0,"client":"app:a","scope":{"tier":"raw"}}"#, #"{"client":"app:a"}"#,
    ] {
      #expect(throws: GateError.self) {
        try Grant.Terms(Parameters(JSON(parsing: Array(text.utf8))))
      }
    }
  }
}
