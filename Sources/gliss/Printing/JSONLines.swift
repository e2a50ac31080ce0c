import Gliss

/// JSON for programs that read it whole and for people who search it by line: each list element is
/// on its own line.
enum JSONLines {
  static func bytes(of value: JSON) -> [UInt8] {
    var text = TextBuffer(capacity: 1024)
    switch value {
    case .object(let members):
      text.append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { text.append(",") }
        text.append(json: member.name)
        text.append(":")
        append(member.value, to: &text)
      }
      text.append("}")
    case .null, .bool, .integer, .decimal, .string, .array: append(value, to: &text)
    }
    text.append("\n")
    return text.bytes
  }

  private static func append(_ value: JSON, to text: inout TextBuffer) {
    guard case .array(let elements) = value, elements.contains(where: { $0.object != nil }) else {
      value.write(into: &text)
      return
    }
    text.append("[")
    for (index, element) in elements.enumerated() {
      text.append(index > 0 ? ",\n  " : "\n  " as StaticString)
      element.write(into: &text)
    }
    text.append("\n]")
  }
}

extension JSON {
  /// An object with the members that have a value.
  static func some(_ members: KeyValuePairs<String, JSON?>) -> JSON {
    .object(members.compactMap { name, value in value.map { Member(name, $0) } })
  }
}
