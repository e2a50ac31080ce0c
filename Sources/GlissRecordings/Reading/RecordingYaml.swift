import GlissYaml

/// A part of a recording that is YAML. Its errors are reported as errors of the recording.
struct RecordingYaml {
  let tree: YamlDocument
  private let firstLine: Int

  /// - Parameter firstLine: the line of the recording where `text` begins.
  init(_ text: [UInt8], firstLine: Int) throws(RecordingError) {
    self.firstLine = firstLine
    do {
      tree = try YamlDocument(text)
    } catch {
      guard let mark = Self.place(of: error, in: text) else { throw RecordingError(error.problem) }
      throw RecordingError(
        line: firstLine &+ mark.line, column: mark.column &+ 1, error.problem)
    }
  }

  /// YAML notices a key without its colon, or an unclosed list, only in a later line. The useful
  /// position is where it begins.
  private static func place(of error: YamlError, in text: [UInt8]) -> YamlMark? {
    guard let mark = error.mark, let context = error.context else { return error.mark }
    switch error.problem {
    case "could not find expected ':'": return context
    case "did not find expected ',' or ']'", "did not find expected ',' or '}'":
      let lines = text.split(separator: 0x0a, omittingEmptySubsequences: false)
      // In YAML a carriage return alone also ends a line, so it may count too many lines.
      guard context.line < lines.count else { return mark }
      // The only list that `libinput record` writes over several lines.
      let isLong = lines[context.line].drop { $0 == 0x20 }.starts(with: "hid:".utf8)
      return isLong ? mark : context
    case _: return mark
    }
  }

  /// The value of `key` in a mapping; `nil` if it is missing.
  func value(_ key: String, of node: YamlNode?) throws(RecordingError) -> YamlNode? {
    var found: YamlNode?
    for (name, value) in tree.pairs(of: node) where tree.text(name) == key {
      if found != nil { throw error(name, "\(key): stands here twice") }
      found = value
    }
    return found
  }

  /// The keys and values of the mapping `key`; empty if it is missing.
  func pairs(_ key: String, of node: YamlNode?)
    throws(RecordingError) -> [(key: YamlNode, value: YamlNode)]
  {
    guard let value = try value(key, of: node) else { return [] }
    guard tree.isMapping(value) else { throw error(value, "\(key): needs keys with values") }
    return tree.pairs(of: value)
  }

  /// The items of the list `key`; empty if it is missing.
  func items(_ key: String, of node: YamlNode?) throws(RecordingError) -> ArraySlice<YamlNode> {
    guard let value = try value(key, of: node) else { return [] }
    return try items(value, "\(key):")
  }

  /// The items of a list.
  func items(_ node: YamlNode, _ what: String) throws(RecordingError) -> ArraySlice<YamlNode> {
    guard tree.isSequence(node) else { throw error(node, "\(what) needs a list") }
    return tree.items(of: node)
  }

  /// A scalar as an integer within `bounds`, decimal or with `0x`; `nil` for an empty one.
  func integer(_ node: YamlNode, _ what: StaticString, in bounds: ClosedRange<Int64>)
    throws(RecordingError) -> Int64?
  {
    guard let text = tree.text(node) else { throw error(node, "\(what) needs a number here") }
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

  /// An error about the value of `node`, at its position.
  func error(_ node: YamlNode, _ problem: String) -> RecordingError {
    let (mark, end) = (tree.start(of: node), tree.end(of: node))
    // A value that continues on the next line does so by mistake.
    if tree.style(of: node) == .plain, end.line > mark.line {
      return RecordingError(line: firstLine &+ mark.line &+ 1, problem)
    }
    return RecordingError(
      line: firstLine &+ mark.line, column: mark.column &+ 1, problem)
  }
}
