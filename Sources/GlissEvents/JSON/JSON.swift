/// A JSON value. Objects keep the order of their members.
package enum JSON: Hashable, Sendable {
  package struct Member: Hashable, Sendable {
    package var name: String
    package var value: JSON

    package init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  case decimal(Double)
  /// A time, written in seconds with six decimals.
  case microseconds(Int64)
  case string(String)
  case array([JSON])
  case object([Member])

  /// The member called `name`; `nil` if it is missing or null, or if this is not an object.
  package subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    guard let value = members.first(where: { $0.name == name })?.value, value != .null else {
      return nil
    }
    return value
  }

  /// An object of the members that have a value.
  package static func members(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object([]).with(members)
  }

  /// This object, followed by the members that have a value.
  package func with(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object((object ?? []) + members.compactMap { name, value in value.map { Member(name, $0) } })
  }

  package static func whole(_ value: some BinaryInteger) -> JSON { .integer(Int64(value)) }

  /// The time as the lines of ``JSONLineEncoder`` have it.
  package static func seconds(_ interval: EventInterval) -> JSON {
    .microseconds(interval.microseconds)
  }

  package static func pair(_ value: Vector2) -> JSON { [.decimal(value.x), .decimal(value.y)] }

  package static func strings(_ texts: some Sequence<String>) -> JSON {
    .array(texts.map(JSON.string))
  }

  /// Adds a member to an object if it has a value.
  package mutating func add(_ name: String, _ value: JSON?) {
    guard case .object(var members) = self, let value else { return }
    members.append(Member(name, value))
    self = .object(members)
  }

  // MARK: The value as a particular type; `nil` if it has another type

  package var isNull: Bool { self == .null }

  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// A whole number, however it is written: some languages write 3.0 for 3.
  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    // a larger one may have been rounded
    case .decimal(let value): abs(value) <= 0x1p53 ? Int64(exactly: value) : nil
    case .null, .bool, .microseconds, .string, .array, .object: nil
    }
  }

  /// Any number, with or without a fraction.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .decimal(let value): value
    case .microseconds(let value): Double(value) / 1_000_000
    case .null, .bool, .string, .array, .object: nil
    }
  }

  package var string: String? { if case .string(let value) = self { value } else { nil } }

  package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }

  package var object: [Member]? { if case .object(let value) = self { value } else { nil } }

  /// The elements of an array that contains only strings.
  package var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// An object literal keeps its order; a repeated member appears twice.
extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  package init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }

  package init(arrayLiteral elements: JSON...) { self = .array(elements) }
}

extension JSON {
  /// Appends the value's text: no space, no line feed, members in order. A number that is not
  /// finite becomes null.
  ///
  /// A finite number is written with the fewest digits that distinguish it from all others.
  package func write(into text: inout TextBuffer) {
    switch self {
    case .null: text.append("null")
    case .bool(let value): text.append(value ? "true" as StaticString : "false")
    case .integer(let value): text.append(value)
    case .decimal(let value): text.append(text: value.isFinite ? value.description : "null")
    case .microseconds(let value): text.append(seconds: value)
    case .string(let value): text.append(json: value)
    case .array(let elements):
      Self.write(elements, "[", "]", into: &text) { $0.write(into: &$1) }
    case .object(let members):
      Self.write(members, "{", "}", into: &text) {
        $1.append(json: $0.name)
        $1.append(":")
        $0.value.write(into: &$1)
      }
    }
  }

  private static func write<Element>(
    _ elements: [Element], _ open: StaticString, _ close: StaticString,
    into text: inout TextBuffer, _ write: (Element, inout TextBuffer) -> Void
  ) {
    text.append(open)
    for (index, element) in elements.enumerated() {
      if index > 0 { text.append(",") }
      write(element, &text)
    }
    text.append(close)
  }

  /// The value's text.
  package var encoded: [UInt8] {
    var text = TextBuffer(capacity: 256)
    write(into: &text)
    return text.bytes
  }
}

extension JSON: CustomStringConvertible {
  /// The value's text.
  package var description: String { String(decoding: encoded, as: UTF8.self) }
}

/// Why bytes were rejected as JSON, and where.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: String, Hashable, Sendable {
    case tooLong = "it is too long"
    case tooDeep = "it is nested too deep"
    case tooMany = "it has too many values"
    case ended = "it ends too early"
    case unexpected = "this is not allowed here"
    case trailing = "there is extra text after the end"
    case notUTF8 = "this is not UTF-8"
    case control = "a control character must be escaped"
    case escape = "there is no such escape"
    case surrogate = "half of a surrogate pair is not a character"
    case nul = "a string must not contain NUL"
    case marks = "more than 30 combining marks follow each other"
    case number = "it is not a finite number"
    case duplicate = "a name appears twice in one object"
  }

  package var reason: Reason
  /// The offset in bytes.
  package var offset: Int
  /// How many are allowed, if it has more.
  package var maximum: Int?

  package init(_ reason: Reason, at offset: Int, maximum: Int? = nil) {
    self.reason = reason
    self.offset = offset
    self.maximum = maximum
  }

  package var description: String {
    "byte \(offset): \(reason.rawValue)" + (maximum.map { " (at most \($0))" } ?? "")
  }
}

/// A value of any shape, so that types with a JSON form are `Codable` in the same form.
extension JSON: Codable {
  /// The name of a member, as a coding key.
  struct Name: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  /// Reads any value. The members of an object come in the decoder's order.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: Name.self) {
      self = .object(
        try container.allKeys.map {
          Member($0.stringValue, try container.decode(JSON.self, forKey: $0))
        })
    } else if var container = try? decoder.unkeyedContainer() {
      var elements: [JSON] = []
      while !container.isAtEnd { elements.append(try container.decode(JSON.self)) }
      self = .array(elements)
    } else {
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
      } else if let value = try? container.decode(Bool.self) {
        self = .bool(value)
      } else if let value = try? container.decode(Int64.self) {
        self = .integer(value)
      } else if let value = try? container.decode(Double.self) {
        self = .decimal(value)
      } else {
        self = .string(try container.decode(String.self))
      }
    }
  }

  /// Writes the value.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: Name.self)
      for member in members {
        try container.encode(member.value, forKey: Name(stringValue: member.name))
      }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    case .null:
      var container = encoder.singleValueContainer()
      try container.encodeNil()
    case .bool(let value): try value.encode(to: encoder)
    case .integer(let value): try value.encode(to: encoder)
    case .decimal(let value): try value.encode(to: encoder)
    case .microseconds(let value): try (Double(value) / 1_000_000).encode(to: encoder)
    case .string(let value): try value.encode(to: encoder)
    }
  }
}

extension DecodingError {
  /// The error that the value at the decoder's place is invalid, or its member if one is named.
  package static func invalid(
    _ problem: String, member: String? = nil, at decoder: any Decoder
  ) -> DecodingError {
    let place = decoder.codingPath + (member.map { [JSON.Name(stringValue: $0)] } ?? [])
    return .dataCorrupted(Context(codingPath: place, debugDescription: problem))
  }
}
