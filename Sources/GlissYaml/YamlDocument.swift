/// A node of a ``YamlDocument``: its place in the table.
package struct YamlNode: Hashable {
  var number: Int32
}

/// Where in the text something stands; lines and columns count from 0, columns in characters.
package struct YamlMark: Hashable {
  // a text has at most a gigabyte, and there is a mark at both ends of each node
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

/// What is no YAML, or more of it than is taken, and where.
package struct YamlError: Error, Hashable {
  /// `nil` where it has no place: there was no memory.
  package var mark: YamlMark?
  package var problem: String
  /// Where what the problem is in begins; `nil` where that is not known.
  package var context: YamlMark?
}

/// What a document may be at most.
package struct YamlLimits {
  /// How many mappings and sequences lie within each other.
  package var depth = 64
  /// How many nodes the aliases stand for together: a few lines can stand for millions.
  package var aliased = 100_000

  package init() {}
}

/// One YAML document in memory, read with libyaml; every node knows its place.
///
/// An alias is the node that it stands for, and none stands for itself: a walk comes to an end.
package struct YamlDocument {
  enum Kind: UInt8 {
    case mapping, sequence, scalar
  }

  /// How a scalar is written.
  package enum Style: UInt8 {
    case plain, singleQuoted, doubleQuoted
    /// Over several lines behind `|` or `>`.
    case block
  }

  struct Entry {
    var kind: Kind
    var style: Style
    /// How many mappings and sequences lie within each other here, this one counted.
    var height: UInt16 = 0
    /// Of a scalar its bytes, of the others their nodes; a mapping's keys and values take turns.
    var start: Int32
    var count: Int32 = 0
    /// How many nodes it is, aliases counted as what they stand for.
    var size: UInt32 = 1
    var beginning: YamlMark
    var ending: YamlMark
  }

  var entries: [Entry] = []
  var contents: [YamlNode] = []
  var bytes: [UInt8] = []
  /// `nil` where the text has nothing but comments.
  package var root: YamlNode?
  /// Where a second document begins, which is not looked at.
  package var secondDocument: YamlMark?

  /// The first document in `text`.
  package init(_ text: [UInt8], limits: YamlLimits = YamlLimits()) throws(YamlError) {
    var loader = YamlLoader(limits)
    try loader.load(text)
    self = loader.document
  }

  init() {}

  /// The value of `key` in a mapping; `nil` where there is none, or no mapping.
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

  /// Which of `words` a scalar is; `nil` for another one, and for what is no scalar.
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

  /// Where `node` ends: the place behind its last character.
  package func end(of node: YamlNode) -> YamlMark { entry(node).ending }

  func entry(_ node: YamlNode) -> Entry { entries[Int(node.number)] }

  private func nodes(of node: YamlNode?, _ kind: Kind) -> ArraySlice<YamlNode> {
    guard let node else { return [] }
    let entry = entry(node)
    guard entry.kind == kind else { return [] }
    return contents[Int(entry.start)..<Int(entry.start + entry.count)]
  }
}
