/// A node of a ``YamlDocument``: its index in the table.
package struct YamlNode: Hashable {
  var number: Int
}

/// A place in the text. Lines and columns are counted from 0, columns in characters.
package struct YamlMark: Hashable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
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

/// One YAML document in memory, read with libyaml. Every node knows its place.
///
/// An alias is represented by its target. No alias may be inside its own target, so walks
/// terminate.
package struct YamlDocument {
  package enum Style {
    case plain, singleQuoted, doubleQuoted
    /// Over several lines after `|` or `>`.
    case block
  }

  enum Content {
    case scalar(String, Style)
    case sequence([YamlNode])
    case mapping([(key: YamlNode, value: YamlNode)])
  }

  struct Entry {
    var content: Content
    /// How deeply mappings and sequences are nested here, including this one.
    var height = 0
    /// How many nodes it contains, with aliases expanded.
    var size = 1
    var start: YamlMark
    var end: YamlMark
  }

  var entries: [Entry] = []
  /// `nil` if the text has only comments.
  package var root: YamlNode?
  /// Where a second document begins. It is not read.
  package var secondDocument: YamlMark?

  /// Reads the first document in `text`.
  ///
  /// - Parameter most: how many nodes all aliases together may expand to. A few lines can expand to
  ///   millions.
  package init(_ text: [UInt8], aliased most: Int = 100_000) throws(YamlError) {
    var loader = YamlLoader(aliased: most)
    try loader.load(text)
    self = loader.document
  }

  init() {}

  /// The value of `key` in a mapping; `nil` if it is missing, or `node` is not a mapping.
  package func value(_ key: String, of node: YamlNode?) -> YamlNode? {
    pairs(of: node).first { text($0.key) == key }?.value
  }

  /// A mapping's keys and values in order; empty for anything else.
  package func pairs(of node: YamlNode?) -> [(key: YamlNode, value: YamlNode)] {
    guard let node, case .mapping(let pairs) = entries[node.number].content else { return [] }
    return pairs
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
  package func items(of node: YamlNode?) -> [YamlNode] {
    guard let node, case .sequence(let nodes) = entries[node.number].content else { return [] }
    return nodes
  }

  package func isMapping(_ node: YamlNode) -> Bool {
    if case .mapping = entries[node.number].content { true } else { false }
  }

  package func isSequence(_ node: YamlNode) -> Bool {
    if case .sequence = entries[node.number].content { true } else { false }
  }

  /// A scalar's text; `nil` for anything else.
  package func text(_ node: YamlNode) -> String? { scalar(node)?.text }

  /// How a scalar is written; `nil` for anything else.
  package func style(of node: YamlNode) -> Style? { scalar(node)?.style }

  /// Whether `node` is an empty place, or YAML's null.
  package func isNull(_ node: YamlNode) -> Bool {
    guard let (text, style) = scalar(node), style == .plain else { return false }
    return text.isEmpty || text == "~" || text == "null"
  }

  private func scalar(_ node: YamlNode) -> (text: String, style: Style)? {
    guard case .scalar(let text, let style) = entries[node.number].content else { return nil }
    return (text, style)
  }

  package func start(of node: YamlNode) -> YamlMark { entries[node.number].start }

  /// Where `node` ends: the place after its last character.
  package func end(of node: YamlNode) -> YamlMark { entries[node.number].end }
}
