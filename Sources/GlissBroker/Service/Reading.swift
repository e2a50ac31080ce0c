package import GlissEvents
import GlissGate

/// An invalid parameter of a call.
struct ParameterError: Error, Hashable {
  var parameter: String
  var message: String

  init(_ parameter: String, _ message: String) {
    self.parameter = parameter
    self.message = message
  }
}

/// The parameters of a call, read by name. Every error names its place.
struct Parameters {
  let json: JSON
  /// The prefix of the names, such as `scope.`
  var path = ""

  init(_ json: JSON) { self.json = json }

  func place(_ name: String) -> String { path + name }

  func string(_ name: String) throws(ParameterError) -> String? {
    switch json[name] {
    case nil: return nil
    case .string(let text)?: return text
    case .some: throw ParameterError(place(name), "must be a string")
    }
  }

  func integer(_ name: String) throws(ParameterError) -> Int64? {
    switch json[name] {
    case nil: return nil
    case .integer(let number)?: return number
    case .some: throw ParameterError(place(name), "must be a whole number")
    }
  }

  func bool(_ name: String) throws(ParameterError) -> Bool? {
    switch json[name] {
    case nil: return nil
    case .bool(let value)?: return value
    case .some: throw ParameterError(place(name), "must be true or false")
    }
  }

  func strings(_ name: String) throws(ParameterError) -> [String]? {
    guard let value = json[name] else { return nil }
    guard case .array(let elements) = value else {
      throw ParameterError(place(name), "must be a list of strings")
    }
    var strings: [String] = []
    for (index, element) in elements.enumerated() {
      guard case .string(let text) = element else {
        throw ParameterError("\(place(name))[\(index)]", "must be a string")
      }
      strings.append(text)
    }
    return strings
  }

  func objects(_ name: String) throws(ParameterError) -> [Parameters]? {
    guard let value = json[name] else { return nil }
    guard case .array(let elements) = value else {
      throw ParameterError(place(name), "must be a list of objects")
    }
    var objects: [Parameters] = []
    for (index, element) in elements.enumerated() {
      guard case .object = element else {
        throw ParameterError("\(place(name))[\(index)]", "must be an object")
      }
      var inner = Parameters(element)
      inner.path = "\(place(name))[\(index)]."
      objects.append(inner)
    }
    return objects
  }

  func object(_ name: String) throws(ParameterError) -> Parameters? {
    guard let value = json[name] else { return nil }
    guard case .object = value else { throw ParameterError(place(name), "must be an object") }
    var inner = Parameters(value)
    inner.path = place(name) + "."
    return inner
  }

  func uid(_ name: String) throws(ParameterError) -> UInt32? {
    guard let number = try integer(name) else { return nil }
    guard let uid = UInt32(exactly: number), uid != .max else {
      throw ParameterError(place(name), "is no user's number")
    }
    return uid
  }

  func required<Value>(_ name: String, _ value: Value?) throws(ParameterError) -> Value {
    guard let value else { throw ParameterError(place(name), "is missing") }
    return value
  }

  /// Reads a word of an enumeration.
  func word<Value>(
    _ name: String, among values: [(String, Value)]
  ) throws(ParameterError) -> Value? {
    guard let text = try string(name) else { return nil }
    return try Self.value(text, place(name), among: values)
  }

  /// Reads a set of words.
  func words<Value>(
    _ name: String, among values: [(String, Value)]
  ) throws(ParameterError) -> [Value]? {
    guard let texts = try strings(name) else { return nil }
    var found: [Value] = []
    for (index, text) in texts.enumerated() {
      found.append(try Self.value(text, "\(place(name))[\(index)]", among: values))
    }
    return found
  }

  private static func value<Value>(
    _ text: String, _ place: String, among values: [(String, Value)]
  ) throws(ParameterError) -> Value {
    if let found = values.first(where: { $0.0 == text }) { return found.1 }
    throw ParameterError(place, "must be one of " + values.map(\.0).joined(separator: ", "))
  }
}

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
