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

  /// `nil` if one of the words is not in `table`.
  package init?(
    words: some Sequence<some StringProtocol>, of table: [(Self, StaticString)]
  ) where Element == Self {
    self = []
    for word in words {
      guard let bit = table.first(where: { "\($0.1)" == word })?.0 else { return nil }
      formUnion(bit)
    }
  }

  /// Reads an array of words.
  package init(
    _ table: [(Self, StaticString)], from decoder: any Decoder
  ) throws where Element == Self {
    let words = try [String](from: decoder)
    guard let set = Self(words: words, of: table) else {
      throw DecodingError.invalid("there is an unknown word in \(words)", at: decoder)
    }
    self = set
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
  package static let kinds: [(EventMask, StaticString)] = [
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

/// An enumeration whose raw values are its words in the event schema.
public protocol SchemaWord: CaseIterable, Codable, RawRepresentable where RawValue == String {}

extension SchemaWord {
  /// The name in the event schema.
  public var name: String { rawValue }

  /// The case with that name in the event schema; `nil` for an unknown name.
  public init?(name: String) { self.init(rawValue: name) }

  /// Reads the name.
  public init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let found = Self(name: name) else {
      throw DecodingError.invalid("there is no such word: “\(name)”", at: decoder)
    }
    self = found
  }
}

extension GestureKind: SchemaWord {}
extension GesturePhase: SchemaWord {}
extension Direction: SchemaWord {}
extension Edge: SchemaWord {}
extension Touch.Phase: SchemaWord {}
extension KeyEvent.State: SchemaWord {}
extension HotkeyEvent.Phase: SchemaWord {}
extension ScrollEvent.Source: SchemaWord {}
extension DeviceEvent.Change: SchemaWord {}
extension SessionState: Codable {}

// The object of the event itself, with the device's name. In `gliss watch --format jsonl` the name
// replaces the number; what happens to the stream has the same form there.
extension GlobalEvent: Codable {
  /// Reads an event, also a line of `gliss watch --format jsonl`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the member that is missing or invalid.
  public init(from decoder: any Decoder) throws {
    self = try decoder.schema { (json) throws(SchemaError) in try GlobalEvent(json: json) }
  }

  /// Writes the event as an object.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  private init(json: JSON) throws(SchemaError) {
    let members = try SchemaMembers(json)
    switch try members.string("kind") {
    case "session":
      guard let state = SessionState(rawValue: try members.string("state")) else {
        throw SchemaError("state", "there is no such state")
      }
      self = .session(state, at: try members.time())
    case "lost" where !members.has("device"): self = .lost(try members.integer("count"))
    case _:
      let name = json["deviceName"]?.string ?? json["device"]?.string ?? ""
      self = .input(try InputEvent(json: json), device: name)
    }
  }

  private var json: JSON {
    switch self {
    case .input(let event, let device):
      return event.json.with(["deviceName": device.isEmpty ? nil : .string(device)])
    case .session(let state, let time):
      return [
        "time": .decimal((time - .zero).seconds), "kind": "session",
        "state": .string(state.rawValue),
      ]
    case .lost(let count): return ["kind": "lost", "count": .integer(count)]
    }
  }
}

// Goes through JSON, which takes a third of the code that the compiler would generate.
extension Device: Codable {
  /// Reads a device; what is missing, except the name, is empty.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the member that is missing or invalid.
  public init(from decoder: any Decoder) throws {
    self = try decoder.schema { (json) throws(SchemaError) in try Device(SchemaMembers(json)) }
  }

  /// Writes a device: keys by name, axes and properties by the kernel's codes, all in order.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  private var json: JSON {
    [
      "id": .whole(id.rawValue), "name": .string(name),
      "identifier": [
        "bus": .whole(identifier.bus), "vendor": .whole(identifier.vendor),
        "product": .whole(identifier.product), "version": .whole(identifier.version),
      ],
      "axes": .array(axes.sorted { $0.key < $1.key }.map { Self.json($0.key, $0.value) }),
      "keys": .array(keys.sorted().map { .string($0.name) }),
      "relativeAxes": .array(relativeAxes.sorted().map(JSON.whole)),
      "properties": .array(properties.sorted().map { .whole($0.rawValue) }),
    ]
  }

  private static func json(_ axis: AbsoluteAxis, _ range: AxisRange) -> JSON {
    [
      "code": .whole(axis.rawValue), "minimum": .whole(range.minimum),
      "maximum": .whole(range.maximum), "fuzz": .whole(range.fuzz), "flat": .whole(range.flat),
      "resolution": .whole(range.resolution),
    ]
  }

  private init(_ members: SchemaMembers) throws(SchemaError) {
    self.init(name: try members.string("name"))
    if members.has("id") { id = DeviceID(rawValue: try members.integer("id")) }
    if let value = members.object["identifier"] {
      let parts = try SchemaMembers(value)
      identifier = Identifier(
        bus: try parts.integer("bus"), vendor: try parts.integer("vendor"),
        product: try parts.integer("product"), version: try parts.integer("version"))
    }
    for value in try members.elements("axes") {
      let parts = try SchemaMembers(value)
      axes[AbsoluteAxis(rawValue: try parts.integer("code"))] = AxisRange(
        minimum: try parts.integer("minimum"), maximum: try parts.integer("maximum"),
        fuzz: try parts.integer("fuzz"), flat: try parts.integer("flat"),
        resolution: try parts.integer("resolution"))
    }
    for name in try members.words("keys") {
      guard let key = Key(schemaName: name) else {
        throw SchemaError("keys", "there is no such key")
      }
      keys.insert(key)
    }
    relativeAxes = Set(try members.codes("relativeAxes"))
    properties = Set(try members.codes("properties").map { DeviceProperty(rawValue: $0) })
  }
}

extension SchemaMembers {
  /// The elements of an array; none if it is missing.
  fileprivate func elements(_ member: String) throws(SchemaError) -> [JSON] {
    has(member) ? try array(member) : []
  }

  /// Codes of the kernel; none if they are missing.
  fileprivate func codes(_ member: String) throws(SchemaError) -> [UInt16] {
    var codes: [UInt16] = []
    for element in try elements(member) {
      guard let code = element.integer.flatMap({ UInt16(exactly: $0) }) else {
        throw SchemaError(member, "expected codes")
      }
      codes.append(code)
    }
    return codes
  }
}
