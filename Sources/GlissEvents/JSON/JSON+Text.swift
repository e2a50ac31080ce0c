extension JSON {
  /// Appends the value's text: no space, no line feed, members in order. A number that is not
  /// finite becomes null.
  ///
  /// A finite number is written with the fewest digits that distinguish it from all others.
  public func write(into text: inout TextBuffer) {
    switch self {
    case .null: text.append("null")
    case .bool(let value): text.append(value ? "true" as StaticString : "false")
    case .integer(let value): text.append(value)
    case .decimal(let value): text.append(value.isFinite ? value.description : "null")
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
  public var encoded: [UInt8] {
    var text = TextBuffer(capacity: 256)
    write(into: &text)
    return text.bytes
  }
}

extension JSON: CustomStringConvertible {
  /// The value's text.
  public var description: String { String(decoding: encoded, as: UTF8.self) }
}
