/// An enumeration whose cases have names in the event schema. It is `Codable` by these names.
public protocol SchemaWord: CaseIterable, Codable {
  /// The name in the event schema.
  var name: String { get }
}

extension SchemaWord {
  /// The case with that name in the event schema; `nil` for an unknown name.
  public init?(name: String) {
    guard let found = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

// More specific than what the standard library has for raw values, which would write numbers.
extension SchemaWord where Self: RawRepresentable, RawValue == UInt8 {
  /// Reads the name.
  public init(from decoder: any Decoder) throws {
    let name = try String(from: decoder)
    guard let found = Self(name: name) else {
      throw DecodingError.invalid("there is no such word: “\(name)”", at: decoder)
    }
    self = found
  }

  /// Writes the name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }
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
