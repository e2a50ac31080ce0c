import Gliss

/// A JSON object being written. Keys keep their order, and `nil` values are left out.
struct JSONObject {
  private var text = TextBuffer(capacity: 256)
  private var isEmpty = true

  var bytes: [UInt8] { (isEmpty ? Array("{".utf8) : text.bytes) + [UInt8(ascii: "}")] }

  mutating func add(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    name(key)
    text.append(json: value)
  }

  mutating func add(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    name(key)
    text.append(value ? "true" : "false")
  }

  mutating func add(_ key: StaticString, _ value: Int?) {
    guard let value else { return }
    name(key)
    text.append(Int64(value))
  }

  /// Width and height, in mm.
  mutating func add(_ key: StaticString, _ value: Vector2?) {
    guard let value else { return }
    name(key)
    text.append("[")
    text.append(value.x, places: 1)
    text.append(",")
    text.append(value.y, places: 1)
    text.append("]")
  }

  mutating func add(_ key: StaticString, _ values: [String]) {
    name(key)
    text.append("[")
    for (index, value) in values.enumerated() {
      if index > 0 { text.append(",") }
      text.append(json: value)
    }
    text.append("]")
  }

  mutating func add(_ key: StaticString, _ objects: [JSONObject], oneALine: Bool = false) {
    name(key)
    text.bytes += Self.array(of: objects, oneALine: oneALine)
  }

  /// An array, with one line per object for programs that read lines.
  static func array(of objects: [JSONObject], oneALine: Bool) -> [UInt8] {
    var text = TextBuffer()
    text.append("[")
    for (index, object) in objects.enumerated() {
      if index > 0 { text.append(",") }
      if oneALine { text.append("\n  ") }
      text.bytes += object.bytes
    }
    text.append(oneALine && !objects.isEmpty ? "\n]" : "]")
    return text.bytes
  }

  private mutating func name(_ key: StaticString) {
    text.append(isEmpty ? "{\"" : ",\"")
    isEmpty = false
    text.append(key)
    text.append("\":")
  }
}

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
