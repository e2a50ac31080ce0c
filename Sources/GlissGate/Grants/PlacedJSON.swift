import GlissEvents

/// A JSON value with its place, so that errors can point at it.
struct PlacedJSON {
  let value: JSON
  let place: String

  func mistake(_ message: String, advice: String? = nil) -> GateError {
    GateError(.syntax, place.isEmpty ? "the file" : place, message, advice: advice)
  }

  /// Members by name. Any name not in `known` is an error.
  func members(_ known: [String]) throws(GateError) -> [String: PlacedJSON] {
    guard let members = value.object else { throw mistake("is not an object") }
    var found: [String: PlacedJSON] = [:]
    for member in members {
      let name = member.name.boundedLine(40)
      let placed = PlacedJSON(
        value: member.value, place: place.isEmpty ? name : "\(place).\(name)")
      guard known.contains(member.name) else {
        throw placed.mistake(
          "unknown member", advice: "there are " + known.joined(separator: ", "))
      }
      guard found[member.name] == nil else { throw placed.mistake("is there twice") }
      // null counts as absent
      if !member.value.isNull { found[member.name] = placed }
    }
    return found
  }

  func missing(_ name: String) -> GateError { mistake("has no \(name)") }

  func elements() throws(GateError) -> [PlacedJSON] {
    guard let array = value.array else { throw mistake("is not an array") }
    return array.enumerated().map { PlacedJSON(value: $1, place: "\(place)[\($0)]") }
  }

  func string() throws(GateError) -> String {
    guard let string = value.string else { throw mistake("is not a string") }
    return string
  }

  func bool() throws(GateError) -> Bool {
    guard let bool = value.bool else { throw mistake("is neither true nor false") }
    return bool
  }

  func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws(GateError) -> Number {
    guard let number = value.integer.flatMap({ Number(exactly: $0) }) else {
      throw mistake("is not a whole number from \(Number.min) to \(Number.max)")
    }
    return number
  }

  /// Reads one of these words.
  func word<Meaning>(_ table: [(Meaning, String)]) throws(GateError) -> Meaning {
    let text = try string()
    guard let found = table.first(where: { $0.1 == text }) else {
      throw mistake(
        "nobody knows '\(text.boundedLine(40))'",
        advice: "there are " + table.map(\.1).joined(separator: ", "))
    }
    return found.0
  }

  /// Reads several of these words.
  func set<Meaning: OptionSet>(_ table: [(Meaning, String)]) throws(GateError) -> Meaning
  where Meaning.Element == Meaning {
    var set: Meaning = []
    for element in try elements() { set.insert(try element.word(table)) }
    return set
  }
}
