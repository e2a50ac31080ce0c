/// A node of a ``YamlDocument``: its index in the table.
package struct YamlNode: Hashable {
  var number: Int32
}

/// A place in the text. Lines and columns are counted from 0, columns in characters.
package struct YamlMark: Hashable {
  // 32 bits suffice for a text of at most a gigabyte, and each node has a mark at both ends
  var lines: Int32
  var columns: Int32

  package var line: Int {
    get { Int(lines) }
    set { lines = Int32(clamping: newValue) }
  }
  package var column: Int {
    get { Int(columns) }
    set { columns = Int32(clamping: newValue) }
  }

  package init(line: Int, column: Int) {
    lines = Int32(clamping: line)
    columns = Int32(clamping: column)
  }
}

/// The text is not valid YAML or exceeds a limit.
package struct YamlError: Error, Hashable {
  /// `nil` if the problem has no place: memory has run out.
  package var mark: YamlMark?
  package var problem: String
  /// The beginning of what contains the problem; `nil` if unknown.
  package var context: YamlMark?
}

/// The limits of a document.
package struct YamlLimits {
  /// How deeply mappings and sequences may be nested.
  package var depth = 64
  /// How many nodes all aliases together may expand to. A few lines can expand to millions.
  package var aliased = 100_000

  package init() {}
}

/// One YAML document in memory, read with libyaml. Every node knows its place.
///
/// An alias is represented by its target. No alias may be inside its own target, so walks
/// terminate.
package struct YamlDocument {
  enum Kind: UInt8 {
    case mapping, sequence, scalar
  }

  /// How a scalar is written.
  package enum Style: UInt8 {
    case plain, singleQuoted, doubleQuoted
    /// Over several lines after `
    /// ` or `>`.
    case block
  }

  struct Entry {
    var kind: Kind
    var style: Style
    /// How deeply mappings and sequences are nested here, including this one.
    var height: UInt16 = 0
    /// For a scalar the offset of its bytes, for others that of their nodes. A mapping's keys and
    /// values alternate.
    var start: Int32
    var count: Int32 = 0
    /// How many nodes it contains, with aliases expanded.
    var size: UInt32 = 1
    var beginning: YamlMark
    var ending: YamlMark
  }

  var entries: [Entry] = []
  var contents: [YamlNode] = []
  var bytes: [UInt8] = []
  /// `nil` if the text has only comments.
  package var root: YamlNode?
  /// Where a second document begins. It is not read.
  package var secondDocument: YamlMark?

  /// Reads the first document in `text`.
  package init(_ text: [UInt8], limits: YamlLimits = YamlLimits()) throws(YamlError) {
    var loader = YamlLoader(limits)
    try loader.load(text)
    self = loader.document
  }

  init() {}

  /// The value of `key` in a mapping; `nil` if it is missing, or `node` is not a mapping.
  package func value(_ key: String, of node: YamlNode?) -> YamlNode? {
    for (name, value) in pairs(of: node) where text(name) == key { return value }
    return nil
  }

  /// A mapping's keys and values in order; empty for anything else.
  package func pairs(of node: YamlNode?) -> [(key: YamlNode, value: YamlNode)] {
    let nodes = keysAndValues(of: node)
    return stride(from: nodes.startIndex, to: nodes.endIndex - 1, by: 2).map {
      (nodes[$0], nodes[$0 + 1])
    }
  }

  /// A mapping's keys and values in order, each key before its value; empty for anything else.
  package func keysAndValues(of node: YamlNode?) -> ArraySlice<YamlNode> {
    nodes(of: node, .mapping)
  }

  /// A mapping's keys and values as Ruby reads them: in place of `<<` stand the entries of the
  /// mapping that it merges, or of several, of which the first counts most. Of equal keys the last
  /// one counts.
  package func merged(_ node: YamlNode) -> [(key: YamlNode, value: YamlNode)] {
    pairs(of: node).flatMap { pair in
      let items = isMapping(pair.value) ? [pair.value] : items(of: pair.value)
      let isMerge = text(pair.key) == "<<" && !items.isEmpty && items.allSatisfy(isMapping)
      return isMerge ? items.reversed().flatMap(merged) : [pair]
    }
  }

  /// A sequence's items in order; empty for anything else.
  package func items(of node: YamlNode?) -> ArraySlice<YamlNode> { nodes(of: node, .sequence) }

  package func isMapping(_ node: YamlNode) -> Bool { entry(node).kind == .mapping }
  package func isSequence(_ node: YamlNode) -> Bool { entry(node).kind == .sequence }

  /// A scalar's text; `nil` for anything else.
  package func text(_ node: YamlNode) -> String? {
    bytes(node).map { String(decoding: $0, as: UTF8.self) }
  }

  /// A scalar's text as bytes; `nil` for anything else.
  package func bytes(_ node: YamlNode) -> ArraySlice<UInt8>? {
    let entry = entry(node)
    guard entry.kind == .scalar else { return nil }
    return bytes[Int(entry.start)..<Int(entry.start + entry.count)]
  }

  /// The index of a scalar's text in `words`; `nil` if it is not among them, or `node` is not a
  /// scalar.
  package func firstIndex(of node: YamlNode, among words: [[UInt8]]) -> Int? {
    let entry = entry(node)
    guard entry.kind == .scalar else { return nil }
    let (start, count) = (Int(entry.start), Int(entry.count))
    return words.firstIndex { word in
      guard word.count == count else { return false }
      for place in 0..<count where word[place] != bytes[start + place] { return false }
      return true
    }
  }

  /// Whether `node` is an empty place, or YAML's null.
  package func isNull(_ node: YamlNode) -> Bool {
    let entry = entry(node)
    guard entry.kind == .scalar, entry.style == .plain else { return false }
    let start = Int(entry.start)
    switch entry.count {
    case 0: return true
    case 1: return bytes[start] == UInt8(ascii: "~")
    case 4: return bytes[start] == UInt8(ascii: "n") && text(node) == "null"
    case _: return false
    }
  }

  /// How a scalar is written; `nil` for anything else.
  package func style(of node: YamlNode) -> Style? {
    let entry = entry(node)
    return entry.kind == .scalar ? entry.style : nil
  }

  /// Where `node` begins.
  package func start(of node: YamlNode) -> YamlMark { entry(node).beginning }

  /// Where `node` ends: the place after its last character.
  package func end(of node: YamlNode) -> YamlMark { entry(node).ending }

  func entry(_ node: YamlNode) -> Entry { entries[Int(node.number)] }

  private func nodes(of node: YamlNode?, _ kind: Kind) -> ArraySlice<YamlNode> {
    guard let node else { return [] }
    let entry = entry(node)
    guard entry.kind == kind else { return [] }
    return contents[Int(entry.start)..<Int(entry.start + entry.count)]
  }
}
