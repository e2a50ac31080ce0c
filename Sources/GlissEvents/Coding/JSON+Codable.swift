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
    case .string(let value): try value.encode(to: encoder)
    }
  }
}

extension DecodingError {
  /// The value at the decoder's place is invalid, or its member if one is named.
  package static func invalid(
    _ problem: String, member: String? = nil, at decoder: any Decoder
  ) -> DecodingError {
    let place = decoder.codingPath + (member.map { [JSON.Name(stringValue: $0)] } ?? [])
    return .dataCorrupted(Context(codingPath: place, debugDescription: problem))
  }
}
