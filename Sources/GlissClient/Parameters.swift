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
  package var path = ""

  package init(_ json: JSON) { self.json = json }

  package func place(_ name: String) -> String { path + name }

  package func string(_ name: String) throws(ParameterError) -> String? {
    switch json[name] {
    case nil: return nil
    case .string(let text)?: return text
    case .some: throw ParameterError(place(name), "must be a string")
    }
  }

  package func integer(_ name: String) throws(ParameterError) -> Int64? {
    switch json[name] {
    case nil: return nil
    case .integer(let number)?: return number
    case .some: throw ParameterError(place(name), "must be a whole number")
    }
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
    switch json[name] {
    case nil: return nil
    case .bool(let value)?: return value
    case .some: throw ParameterError(place(name), "must be true or false")
    }
  }

  package func strings(_ name: String) throws(ParameterError) -> [String]? {
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

  package func objects(_ name: String) throws(ParameterError) -> [Parameters]? {
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

  package func object(_ name: String) throws(ParameterError) -> Parameters? {
    guard let value = json[name] else { return nil }
    guard case .object = value else { throw ParameterError(place(name), "must be an object") }
    var inner = Parameters(value)
    inner.path = place(name) + "."
    return inner
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
    return try Self.value(text, place(name), among: values)
  }

  /// Reads a set of words.
  package func words<Value>(
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
    guard let text = try string(name) else { return nil }
    do { return try AccessGroup(text) } catch { throw ParameterError(place(name), error.message) }
  }

  package func client(_ name: String) throws(ParameterError) -> Client? {
    guard let text = try string(name) else { return nil }
    do { return try Client(text) } catch { throw ParameterError(place(name), error.message) }
  }

  package func expiry(_ name: String) throws(ParameterError) -> Expiry? {
    guard let text = try string(name) else { return nil }
    do { return try Expiry(text) } catch { throw ParameterError(place(name), error.message) }
  }

  package func availability(_ name: String) throws(ParameterError) -> Availability? {
    try word(name, among: Words.availabilities)
  }
}
