import CYaml

/// A node of a ``YamlDocument``: its number in libyaml's table.
struct YamlNode: Hashable {
  var number: Int32
}

/// One YAML document in memory, read with libyaml; every node knows its line.
final class YamlDocument {
  private var document = yaml_document_t()
  private let firstLine: Int

  init(_ text: [UInt8], firstLine: Int) throws(RecordingError) {
    self.firstLine = firstLine
    var parser = yaml_parser_t()
    guard yaml_parser_initialize(&parser) == 1 else {
      throw RecordingError("there is no memory for the recording's head")
    }
    defer { yaml_parser_delete(&parser) }
    let isLoaded = text.withUnsafeBufferPointer { buffer in
      yaml_parser_set_input_string(&parser, buffer.baseAddress, buffer.count)
      return yaml_parser_load(&parser, &document) == 1
    }
    guard isLoaded else {
      let problem = parser.problem.map { String(cString: $0) } ?? "this is no YAML"
      let line = Int(clamping: parser.problem_mark.line)
      throw RecordingError(
        line: firstLine &+ line, column: Int(clamping: parser.problem_mark.column) &+ 1, problem)
    }
  }

  deinit { yaml_document_delete(&document) }

  var root: YamlNode? {
    yaml_document_get_root_node(&document) == nil ? nil : YamlNode(number: 1)
  }

  /// The value of `key` in a mapping; `nil` where there is none, or no mapping.
  func value(_ key: String, of node: YamlNode?) -> YamlNode? {
    for (name, value) in pairs(of: node) where text(name) == key { return value }
    return nil
  }

  /// A mapping's keys and values in order; empty for anything else.
  func pairs(of node: YamlNode?) -> [(key: YamlNode, value: YamlNode)] {
    guard let raw = raw(node), raw.pointee.type == YAML_MAPPING_NODE else { return [] }
    let pairs = raw.pointee.data.mapping.pairs
    guard let start = pairs.start, let top = pairs.top else { return [] }
    return (0..<(top - start)).map {
      (YamlNode(number: start[$0].key), YamlNode(number: start[$0].value))
    }
  }

  /// A sequence's items in order; empty for anything else.
  func items(of node: YamlNode?) -> [YamlNode] {
    guard let raw = raw(node), raw.pointee.type == YAML_SEQUENCE_NODE else { return [] }
    let items = raw.pointee.data.sequence.items
    guard let start = items.start, let top = items.top else { return [] }
    return (0..<(top - start)).map { YamlNode(number: start[$0]) }
  }

  /// A scalar's text; `nil` for anything else.
  func text(_ node: YamlNode) -> String? {
    guard let raw = raw(node), raw.pointee.type == YAML_SCALAR_NODE,
      let value = raw.pointee.data.scalar.value
    else { return nil }
    let bytes = UnsafeBufferPointer(start: value, count: raw.pointee.data.scalar.length)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A scalar as an integer within `bounds`, decimal or with `0x`; `nil` for an empty one.
  func integer(_ node: YamlNode, _ what: StaticString, in bounds: ClosedRange<Int64>)
    throws(RecordingError) -> Int64?
  {
    guard let text = text(node) else { throw error(node, "\(what) needs a number here") }
    if text.isEmpty || text == "null" || text == "~" { return nil }
    let isHexadecimal = text.hasPrefix("0x")
    let value = isHexadecimal ? Int64(text.dropFirst(2), radix: 16) : Int64(text)
    guard let value, bounds.contains(value) else {
      throw error(
        node, "\(what) needs a number from \(bounds.lowerBound) to \(bounds.upperBound) here")
    }
    return value
  }

  /// A scalar as an event type, code or property.
  func code(_ node: YamlNode) throws(RecordingError) -> UInt16? {
    try integer(node, "the description", in: 0...0xffff).map { UInt16(truncatingIfNeeded: $0) }
  }

  /// A mistake in the meaning of `node`, at its place.
  func error(_ node: YamlNode, _ problem: String) -> RecordingError {
    guard let mark = raw(node)?.pointee.start_mark else { return RecordingError(problem) }
    return RecordingError(
      line: firstLine &+ Int(clamping: mark.line), column: Int(clamping: mark.column) &+ 1, problem)
  }

  private func raw(_ node: YamlNode?) -> UnsafeMutablePointer<yaml_node_t>? {
    node.flatMap { yaml_document_get_node(&document, $0.number) }
  }
}
