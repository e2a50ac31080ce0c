import GlissEvents
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
