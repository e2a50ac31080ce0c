import GlissYaml

/// A part of a recording that is YAML, and its mistakes as those of the recording.
struct RecordingYaml {
  let tree: YamlDocument
  private let firstLine: Int

  /// - Parameter firstLine: the line of the recording on which `text` begins.
  init(_ text: [UInt8], firstLine: Int) throws(RecordingError) {
    self.firstLine = firstLine
    do {
      tree = try YamlDocument(text)
    } catch {
      guard let mark = error.mark else { throw RecordingError(error.problem) }
      throw RecordingError(
        line: firstLine &+ mark.line, column: mark.column &+ 1, error.problem)
    }
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

  /// A mistake in the meaning of `node`, at its place.
  func error(_ node: YamlNode, _ problem: String) -> RecordingError {
    let mark = tree.start(of: node)
    return RecordingError(
      line: firstLine &+ mark.line, column: mark.column &+ 1, problem)
  }
}
