import GlissConfiguration
import GlissYaml

/// A key with its value, and the lines by which it got to where it applies.
struct FusumaEntry {
  var key: YamlNode
  var value: YamlNode
  var lines: [Int]
  /// It is written elsewhere, where it is reported too, and is taken over from there.
  var isBorrowed = false
}

extension FusumaReading {
  /// The entries below `key`, which is `nil` for the document. Of equal keys the last one counts.
  /// Reports the others, and anything that is not a mapping.
  mutating func entries(
    of node: YamlNode, _ key: YamlNode?, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> [FusumaEntry] {
    let all = try merged(node, [], isBorrowed: false, document)
    if all.isEmpty, let key {
      if document.isMapping(node) || document.isNothing(node) {
        file.note(
          document.text(key) ?? "…", "nothing stands below it, so nothing is done",
          at: place(key, document))
      } else {
        try loseAll(key, node, document, "keys were expected below it", &file)
      }
    }
    var last: [String: Int] = [:]
    for (index, entry) in all.enumerated() {
      if let name = document.text(entry.key) { last[name] = index }
    }
    let entries = all.enumerated().filter { index, entry in
      document.text(entry.key).map { last[$0] == index } ?? true
    }.map(\.element)
    let kept = Set(entries.map(\.lines.first))
    for (index, entry) in all.enumerated() {
      guard let later = document.text(entry.key).flatMap({ last[$0] }), later != index else {
        continue
      }
      if !entry.isBorrowed {
        try loseAll(
          entry.key, entry.value, document,
          "line \(all[later].lines.first ?? 0) has the same key, and the last one counts", &file)
      } else if !kept.contains(entry.lines.first) {
        file.note(
          "<<", "all that it takes over is written here, too", at: place(of: entry, document))
      }
    }
    return entries
  }

  /// The keys and values of a mapping, including those that `<<` merges from other mappings.
  ///
  /// As in Ruby, merged entries take the place of `<<`: they override what is written before it,
  /// and are overridden by what is written after it. In a list of mappings the first takes
  /// precedence.
  private mutating func merged(
    _ node: YamlNode, _ lines: [Int], isBorrowed: Bool, _ document: YamlDocument
  ) throws(Mistake) -> [FusumaEntry] {
    var entries: [FusumaEntry] = []
    for (key, value) in document.pairs(of: node) {
      try spend(key, document)
      let here = lines + [line(key, document)]
      let items = Array(document.items(of: value))
      let mappings = document.isMapping(value) ? [value] : items.reversed()
      guard document.text(key) == "<<", mappings.allSatisfy({ document.isMapping($0) }),
        mappings.contains(where: { !document.keysAndValues(of: $0).isEmpty })
      else {
        entries.append(FusumaEntry(key: key, value: value, lines: here, isBorrowed: isBorrowed))
        continue
      }
      for mapping in mappings {
        // an alias refers to something written before it
        let isAlias = isBefore(mapping, key, document)
        entries += try merged(mapping, here, isBorrowed: isBorrowed || isAlias, document)
      }
    }
    return entries
  }

  private func isBefore(_ a: YamlNode, _ b: YamlNode, _ document: YamlDocument) -> Bool {
    let (first, second) = (document.start(of: a), document.start(of: b))
    return (first.line, first.column) < (second.line, second.column)
  }

  /// Whether the value is a plain text. Otherwise reports the entry as lost.
  mutating func isText(
    _ entry: FusumaEntry, _ document: YamlDocument, _ file: inout ImportedFile
  ) throws(Mistake) -> Bool {
    guard let text = document.text(entry.value) else {
      try lose(entry, document, "one value was expected", &file)
      return false
    }
    // an escape can stand for one, but neither a command nor a name can have it
    guard !text.utf8.contains(0) else {
      try lose(entry, document, "a NUL cannot stand here", &file)
      return false
    }
    return true
  }

  // MARK: Losing

  /// Reports that an entry is lost. If `<<` merged it, only the merge is lost, because the entry
  /// may apply where it is written.
  mutating func lose(
    _ entry: FusumaEntry, _ document: YamlDocument, _ why: String, _ file: inout ImportedFile
  ) throws(Mistake) {
    guard entry.isBorrowed else {
      try loseAll(entry.key, entry.value, document, why, &file)
      return
    }
    let name = document.text(entry.key) ?? "…"
    file.lose(
      "\(name) of line \(line(entry.key, document))", why, at: place(of: entry, document))
  }

  /// Reports that a node is lost, with everything bound below it except `others`.
  mutating func loseAll(
    _ key: YamlNode, _ value: YamlNode, _ document: YamlDocument, _ why: String,
    _ file: inout ImportedFile, but others: Set<YamlNode> = []
  ) throws(Mistake) {
    try spend(key, document)
    if others.contains(key) { return }
    let name = document.text(key) ?? "…"
    let count = try gestures(below: [key, value], document)
    let whole = count == 0 ? name : "\(name) with \(Self.words(count))"
    let text = document.text(value).map { name + ": " + $0 } ?? whole
    file.lose(text, why, at: place(key, document))
    // one line stands for everything below, unless some of it applies elsewhere
    if others.isEmpty { return }
    let isKeyBorrowed = try isBorrowed(key, document)
    let isValueBorrowed = try isBorrowed(value, document)
    guard isKeyBorrowed || isValueBorrowed else { return }
    try loseWithin(key, document, why, &file, but: others)
    try loseWithin(value, document, why, &file, but: others)
  }

  private mutating func loseWithin(
    _ node: YamlNode, _ document: YamlDocument, _ why: String, _ file: inout ImportedFile,
    but others: Set<YamlNode>
  ) throws(Mistake) {
    try spend(node, document)
    for (key, value) in document.pairs(of: node) {
      try loseAll(key, value, document, why, &file, but: others)
    }
    for item in document.items(of: node) {
      try loseWithin(item, document, why, &file, but: others)
    }
  }

  /// Reports that a document is lost because it applies to a context only.
  mutating func loseDocument(
    _ root: YamlNode, _ context: (key: YamlNode, value: YamlNode), _ document: YamlDocument,
    _ file: inout ImportedFile
  ) throws(Mistake) {
    let count = try gestures(below: [root], document)
    let left =
      count == 0
      ? "nothing of it is taken" : "\(Self.words(count)) \(count == 1 ? "is" : "are") left out"
    file.lose(
      "context \(Self.words(context.value, document))".trimmed,
      "the document is for that application or mode of a plugin only, which is not known here; \(left)",
      at: place(context.key, document))
  }

  private static func words(_ count: Int) -> String { "\(count) gesture\(count == 1 ? "" : "s")" }

  /// A value on one line.
  private static func words(_ node: YamlNode, _ document: YamlDocument) -> String {
    if let text = document.text(node) { return text }
    let items = document.items(of: node).map { document.text($0) ?? "…" }
    let pairs = document.pairs(of: node).map { key, value in
      let texts = document.items(of: value).map { document.text($0) ?? "…" }
      let text = document.text(value) ?? (texts.isEmpty ? "…" : texts.joined(separator: ", "))
      return "\(document.text(key) ?? "…"): \(text)"
    }
    return (items + pairs).joined(separator: ", ")
  }

  /// Keys whose entries say what a gesture does.
  private static let deeds: Set<String> = [
    "command", "sendkey", "workspace", "window", "keypress", "begin", "update", "end", "cancelled",
  ]

  /// How many gestures do something, as far as their keys show.
  mutating func gestures(below nodes: [YamlNode], _ document: YamlDocument) throws(Mistake) -> Int {
    var count = 0
    for node in nodes {
      try spend(node, document)
      var isBound = false
      for (key, value) in document.pairs(of: node) {
        if let name = document.text(key), Self.deeds.contains(name) {
          isBound = true
        } else {
          count += try gestures(below: [key, value], document)
        }
      }
      count += try gestures(below: Array(document.items(of: node)), document)
      if isBound { count += 1 }
    }
    return count
  }

  // MARK: Places

  mutating func spend(_ node: YamlNode, _ document: YamlDocument) throws(Mistake) {
    budget -= 1
    if budget < 0 {
      throw Mistake("aliases make more than 20,000 entries of this file", at: place(node, document))
    }
  }

  func line(_ node: YamlNode, _ document: YamlDocument) -> Int {
    firstLine + document.start(of: node).line
  }

  /// The place at which an entry applies.
  func place(of entry: FusumaEntry, _ document: YamlDocument) -> Place {
    entry.isBorrowed
      ? source.place(of: "<<", line: entry.lines.first ?? 1) : place(entry.key, document)
  }

  func place(_ node: YamlNode, _ document: YamlDocument) -> Place {
    let mark = document.start(of: node)
    return Place(
      file: source.name, line: firstLine + mark.line, column: mark.column + 1)
  }
}

extension YamlDocument {
  /// Whether a node is YAML's null in any spelling.
  func isNothing(_ node: YamlNode) -> Bool {
    style(of: node) == .plain && ["", "~", "null", "Null", "NULL"].contains(text(node) ?? "")
  }
}
