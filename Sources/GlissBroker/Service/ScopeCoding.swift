package import GlissEvents
import GlissGate

/// The protocol's words for the gate's values, in both directions.
enum Words {
  static let tiers = Tier.allCases.map { ($0.name, $0) }
  static let availabilities = Availability.allCases.map { ($0.rawValue, $0) }
}

extension Parameters {
  /// The scope called `name`.
  func scope(_ name: String) throws(ParameterError) -> Scope {
    let value = try required(name, json[name])
    do {
      var scope = try Scope(json: value, at: place(name))
      // gestures are the only events in that tier
      if scope.tier == .gesture, scope.events.isEmpty { scope.events = .gesture }
      return try scope.validated()
    } catch {
      throw ParameterError(error.place, error.message)
    }
  }

  func group(_ name: String) throws(ParameterError) -> AccessGroup? {
    guard let text = try string(name) else { return nil }
    do { return try AccessGroup(text) } catch { throw ParameterError(place(name), error.message) }
  }

  func client(_ name: String) throws(ParameterError) -> Client? {
    guard let text = try string(name) else { return nil }
    do { return try Client(text) } catch { throw ParameterError(place(name), error.message) }
  }

  func expiry(_ name: String) throws(ParameterError) -> Expiry? {
    guard let text = try string(name) else { return nil }
    do { return try Expiry(text) } catch { throw ParameterError(place(name), error.message) }
  }

  func availability(_ name: String) throws(ParameterError) -> Availability? {
    try word(name, among: Words.availabilities)
  }
}

extension JSON {
  /// An object of the members that have a value.
  package static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map(JSON.string)) }

  init(_ entitlement: Entitlement) {
    self = .members([
      "scope": entitlement.scope.json,
      "availability": .string(entitlement.availability.rawValue),
    ])
  }

  init(_ verdict: Verdict) {
    self = .members([
      "standing": .string(verdict.standing.rawValue),
      "granted": .array(verdict.entitlements.map { JSON($0) }),
      "until": verdict.until.map { .integer($0.seconds) },
      "advice": verdict.advice.map(JSON.string),
      "mayRequest": verdict.mayRequest ? .bool(true) : nil,
    ])
  }

  init(_ pending: Gate.Pending) {
    self = .members([
      "number": .integer(pending.number),
      "uid": .integer(Int64(pending.ask.identity.uid)),
      "pid": .integer(Int64(pending.ask.identity.pid)),
      "client": .string(pending.ask.identity.client?.description ?? "unknown"),
      "scope": pending.ask.scope.json,
      "reason": pending.reason.map(JSON.string),
      "since": .integer(pending.since.seconds),
    ])
  }
}
