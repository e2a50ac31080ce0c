/// A JSON value. Objects keep the order of their members.
public enum JSON: Hashable, Sendable {
  public struct Member: Hashable, Sendable {
    public var name: String
    public var value: JSON

    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  case null
  case bool(Bool)
  /// A number without fraction and exponent that fits.
  case integer(Int64)
  case decimal(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  /// The member called `name`; `nil` if it is missing or null, or if this is not an object.
  public subscript(_ name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    guard let value = members.first(where: { $0.name == name })?.value, value != .null else {
      return nil
    }
    return value
  }
}

/// The value as a particular type; `nil` if it has another type.
extension JSON {
  public var isNull: Bool { self == .null }

  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  public var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  /// Any number, with or without a fraction.
  public var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .decimal(let value): value
    case .null, .bool, .string, .array, .object: nil
    }
  }

  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  public var array: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  public var object: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  /// The elements of an array that contains only strings.
  public var strings: [String]? {
    guard let array else { return nil }
    let strings = array.compactMap(\.string)
    return strings.count == array.count ? strings : nil
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral
{
  public init(stringLiteral value: String) { self = .string(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
  public init(booleanLiteral value: Bool) { self = .bool(value) }
}

/// An object literal keeps its order; a repeated member appears twice.
extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral {
  public init(dictionaryLiteral members: (String, JSON)...) {
    self = .object(members.map { Member($0.0, $0.1) })
  }

  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
}
