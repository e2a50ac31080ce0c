/// The members of one object of the schema, read by type.
struct SchemaMembers {
  let object: JSON

  /// - Throws: if it is not an object.
  init(_ object: JSON) throws(SchemaError) {
    guard object.object != nil else { throw SchemaError("event", "expected an object") }
    self.object = object
  }

  func has(_ member: String) -> Bool { object[member] != nil }

  private func value(_ member: String) throws(SchemaError) -> JSON {
    guard let value = object[member] else { throw SchemaError(member, "it is missing") }
    return value
  }

  func string(_ member: String) throws(SchemaError) -> String {
    guard let string = try value(member).string else {
      throw SchemaError(member, "expected a string")
    }
    return string
  }

  func integer<Number: FixedWidthInteger>(_ member: String) throws(SchemaError) -> Number {
    guard let integer = try value(member).integer, let number = Number(exactly: integer) else {
      throw SchemaError(member, "expected a whole number in its range")
    }
    return number
  }

  /// A number of fingers.
  func count(_ member: String) throws(SchemaError) -> Int { Int(try integer(member) as UInt8) }

  /// A number of this process, or 0 for the name that stands in its place in other processes.
  func numberOrName(_ member: String) throws(SchemaError) -> UInt32 {
    try value(member).string == nil ? try integer(member) : 0
  }

  func array(_ member: String) throws(SchemaError) -> [JSON] {
    guard let array = try value(member).array else {
      throw SchemaError(member, "expected an array")
    }
    return array
  }

  func number(_ member: String) throws(SchemaError) -> Double {
    guard let number = try value(member).number, number.isFinite else {
      throw SchemaError(member, "expected a number")
    }
    return number
  }

  func float(_ member: String) throws(SchemaError) -> Float {
    let number = Float(try number(member))
    guard number.isFinite else { throw SchemaError(member, "expected a smaller number") }
    return number
  }

  /// `absent` if the member is missing.
  func bool(_ member: String, absent: Bool) throws(SchemaError) -> Bool {
    guard let value = object[member] else { return absent }
    guard let bool = value.bool else { throw SchemaError(member, "expected true or false") }
    return bool
  }

  /// The time, given in seconds.
  func time(_ member: String = "time") throws(SchemaError) -> EventTime {
    EventTime(microseconds: Int64(saturating: (try number(member) * 1_000_000).rounded()))
  }

  func pair(_ member: String) throws(SchemaError) -> Vector2 {
    guard let array = try value(member).array, array.count == 2, let x = array[0].number,
      let y = array[1].number, x.isFinite, y.isFinite
    else { throw SchemaError(member, "expected two numbers") }
    return Vector2(x: x, y: y)
  }

  /// Zero if the member is missing.
  func pairOrZero(_ member: String) throws(SchemaError) -> Vector2 {
    has(member) ? try pair(member) : .zero
  }

  func words(_ member: String) throws(SchemaError) -> [String] {
    guard let value = object[member] else { return [] }
    guard let strings = value.strings else {
      throw SchemaError(member, "expected an array of strings")
    }
    return strings
  }

  /// Empty if the member is missing.
  func set<Words: OptionSet & Sendable>(
    _ member: String, of table: [(Words, StaticString)]
  ) throws(SchemaError) -> Words where Words.Element == Words {
    guard let set = Words(words: try words(member), of: table) else {
      throw SchemaError(member, "there is no such word")
    }
    return set
  }

  func word<Word: SchemaWord>(_ member: String) throws(SchemaError) -> Word {
    guard let word = Word(name: try string(member)) else {
      throw SchemaError(member, "there is no such word")
    }
    return word
  }

  /// `nil` if the member is missing.
  func wordIfAny<Word: SchemaWord>(_ member: String) throws(SchemaError) -> Word? {
    has(member) ? try word(member) : nil
  }

  /// A key's name, or `KEY_` and its code if it has none.
  func key(_ member: String) throws(SchemaError) -> Key {
    guard let key = Key(schemaName: try string(member)) else {
      throw SchemaError(member, "there is no such key")
    }
    return key
  }

  /// Left and right separately if the sides are given; otherwise the left one represents both.
  func modifiers() throws(SchemaError) -> Modifiers {
    let sides = try set("sides", of: Modifiers.sides)
    let given = try set("modifiers", of: Modifiers.words)
    var modifiers: Modifiers = []
    for (either, _) in Modifiers.words where given.contains(either) {
      let named = sides.intersection(either)
      // The left one is the lower bit.
      let left = Modifiers(rawValue: either.rawValue & (~either.rawValue &+ 1))
      modifiers.formUnion(named.isEmpty ? left : named)
    }
    return modifiers
  }
}
