// Small values in the form they have in the event schema.

extension EventTime: Codable {
  /// Reads seconds.
  public init(from decoder: any Decoder) throws {
    self = .zero + .seconds(try Double(from: decoder))
  }

  /// Writes seconds; the microsecond is kept for 70 years.
  public func encode(to encoder: any Encoder) throws {
    try (self - .zero).seconds.encode(to: encoder)
  }
}

extension EventInterval: Codable {
  /// Reads seconds.
  public init(from decoder: any Decoder) throws { self = .seconds(try Double(from: decoder)) }

  /// Writes seconds; the microsecond is kept for 70 years.
  public func encode(to encoder: any Encoder) throws { try seconds.encode(to: encoder) }
}

extension Vector2: Codable {
  /// Reads an array of two numbers.
  public init(from decoder: any Decoder) throws {
    var container = try decoder.unkeyedContainer()
    self.init(x: try container.decode(Double.self), y: try container.decode(Double.self))
    guard container.isAtEnd else { throw DecodingError.invalid("it has two numbers", at: decoder) }
  }

  /// Writes an array of two numbers.
  public func encode(to encoder: any Encoder) throws { try [x, y].encode(to: encoder) }
}

extension DeviceID: Codable {}
extension HotkeyID: Codable {}

extension Key: Codable, CodingKeyRepresentable {
  /// Reads the kernel's name, or `KEY_` and the code.
  public init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let key = Key(schemaName: name) else {
      throw DecodingError.invalid("there is no such key: “\(name)”", at: decoder)
    }
    self = key
  }

  /// Writes the ``name``.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  /// The ``name``: dictionaries by key are objects.
  public var codingKey: any CodingKey { JSON.Name(stringValue: name) }

  /// The key with that name; `nil` for an unknown name.
  public init?(codingKey: some CodingKey) { self.init(schemaName: codingKey.stringValue) }
}

extension OptionSet where Self: Sendable {
  /// The names of its members, in the order of `table`.
  package func words(of table: [(Self, StaticString)]) -> [String] where Element == Self {
    table.filter { contains($0.0) }.map { "\($0.1)" }
  }

  /// Reads an array of words.
  package init(
    _ table: [(Self, StaticString)], from decoder: any Decoder
  ) throws where Element == Self {
    self = []
    for word in try [String](from: decoder) {
      guard let bit = table.first(where: { "\($0.1)" == word })?.0 else {
        throw DecodingError.invalid("there is no such word: “\(word)”", at: decoder)
      }
      formUnion(bit)
    }
  }
}

extension Modifiers: Codable {
  /// Each modifier by its side; the two Alt keys have names of their own.
  private static let sidedWords = sides + [(.leftAlt, "alt"), (.rightAlt, "altgr")]

  /// Reads an array of words such as `left-shift`, `alt` and `altgr`.
  public init(from decoder: any Decoder) throws {
    self = try Modifiers(Self.sidedWords, from: decoder)
  }

  /// Writes an array of words such as `left-shift`, `alt` and `altgr`.
  public func encode(to encoder: any Encoder) throws {
    try words(of: Self.sidedWords).encode(to: encoder)
  }
}

extension EventMask: Codable {
  /// The kinds of event, as `kind` names them in the event schema.
  static let kinds: [(EventMask, StaticString)] = [
    (.gesture, "gesture"), (.touch, "touch"), (.key, "key"), (.pointer, "pointer"),
    (.scroll, "scroll"), (.device, "device"), (.hotkey, "hotkey"), (.lost, "lost"),
  ]

  /// Reads an array of the kinds of event.
  public init(from decoder: any Decoder) throws {
    self = try EventMask(Self.kinds, from: decoder)
  }

  /// Writes an array of the kinds of event.
  public func encode(to encoder: any Encoder) throws {
    try words(of: Self.kinds).encode(to: encoder)
  }
}

extension KeyClasses: Codable {
  /// Reads an array of the names of classes.
  public init(from decoder: any Decoder) throws {
    self = try KeyClasses(Self.words, from: decoder)
  }

  /// Writes an array of the names of classes.
  public func encode(to encoder: any Encoder) throws {
    try words(of: Self.words).encode(to: encoder)
  }
}
