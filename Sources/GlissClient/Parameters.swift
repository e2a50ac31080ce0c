package import GlissEvents
package import GlissGate

/// An invalid parameter of a call.
package struct ParameterError: Error, Hashable {
  package var parameter: String
  package var message: String

  package init(_ parameter: String, _ message: String) {
    self.parameter = parameter
    self.message = message
  }
}

/// The parameters of a call, read by name. Every error names its place.
package struct Parameters {
  package let json: JSON
  /// The prefix of the names, such as `scope.`
  private let path: String

  package init(_ json: JSON, _ path: String = "") {
    self.json = json
    self.path = path
  }

  package func place(_ name: String) -> String { path + name }

  /// The parameter called `name` as `get` reads it; `nil` if it is missing.
  private func read<Value>(
    _ name: String, _ kind: StaticString, _ get: (JSON) -> Value?
  ) throws(ParameterError) -> Value? {
    guard let value = json[name] else { return nil }
    guard let result = get(value) else { throw ParameterError(place(name), "must be \(kind)") }
    return result
  }

  package func string(_ name: String) throws(ParameterError) -> String? {
    try read(name, "a string", \.string)
  }

  package func integer(_ name: String) throws(ParameterError) -> Int64? {
    try read(name, "a whole number", \.integer)
  }

  package func decimal(_ name: String) throws(ParameterError) -> Double? {
    switch json[name] {
    case nil: return nil
    case .integer(let number)?: return Double(number)
    case .decimal(let number)?: return number
    case .some: throw ParameterError(place(name), "must be a number")
    }
  }

  package func bool(_ name: String) throws(ParameterError) -> Bool? {
    try read(name, "true or false", \.bool)
  }

  package func object(_ name: String) throws(ParameterError) -> Parameters? {
    try read(name, "an object") { $0.object == nil ? nil : Parameters($0, place(name) + ".") }
  }

  package func strings(_ name: String) throws(ParameterError) -> [String]? {
    try elements(name, "a list of strings", "a string") { value, _ in value.string }
  }

  package func integers(_ name: String) throws(ParameterError) -> [Int64]? {
    try elements(name, "a list of whole numbers", "a whole number") { value, _ in value.integer }
  }

  package func objects(_ name: String) throws(ParameterError) -> [Parameters]? {
    try elements(name, "a list of objects", "an object") { value, place in
      value.object == nil ? nil : Parameters(value, place + ".")
    }
  }

  private func elements<Value>(
    _ name: String, _ list: StaticString, _ kind: StaticString, _ get: (JSON, String) -> Value?
  ) throws(ParameterError) -> [Value]? {
    guard let elements = try read(name, list, \.array) else { return nil }
    var values: [Value] = []
    for (index, element) in elements.enumerated() {
      let place = "\(place(name))[\(index)]"
      guard let value = get(element, place) else {
        throw ParameterError(place, "must be \(kind)")
      }
      values.append(value)
    }
    return values
  }

  package func uid(_ name: String) throws(ParameterError) -> UInt32? {
    guard let number = try integer(name) else { return nil }
    guard let uid = UInt32(exactly: number), uid != .max else {
      throw ParameterError(place(name), "is not a user's number")
    }
    return uid
  }

  package func required<Value>(_ name: String, _ value: Value?) throws(ParameterError) -> Value {
    guard let value else { throw ParameterError(place(name), "is missing") }
    return value
  }

  /// Reads a word of an enumeration.
  package func word<Value>(
    _ name: String, among values: [(String, Value)]
  ) throws(ParameterError) -> Value? {
    guard let text = try string(name) else { return nil }
    if let found = values.first(where: { $0.0 == text }) { return found.1 }
    throw ParameterError(place(name), "must be one of " + values.map(\.0).joined(separator: ", "))
  }
}

/// The protocol's words for the gate's values, in both directions.
package enum Words {
  package static let tiers = Tier.allCases.map { ($0.name, $0) }
  package static let availabilities = Availability.allCases.map { ($0.rawValue, $0) }
}

extension Parameters {
  /// The scope called `name`.
  package func scope(_ name: String) throws(ParameterError) -> Scope {
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

  package func group(_ name: String) throws(ParameterError) -> AccessGroup? {
    try parsed(name) { (text) throws(GateError) in try AccessGroup(text) }
  }

  package func client(_ name: String) throws(ParameterError) -> Client? {
    try parsed(name) { (text) throws(GateError) in try Client(text) }
  }

  package func expiry(_ name: String) throws(ParameterError) -> Expiry? {
    try parsed(name) { (text) throws(GateError) in try Expiry(text) }
  }

  private func parsed<Value>(
    _ name: String, _ parse: (String) throws(GateError) -> Value
  ) throws(ParameterError) -> Value? {
    guard let text = try string(name) else { return nil }
    do { return try parse(text) } catch { throw ParameterError(place(name), error.message) }
  }

  package func availability(_ name: String) throws(ParameterError) -> Availability? {
    try word(name, among: Words.availabilities)
  }
}
