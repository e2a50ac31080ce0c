import GlissEvents

/// A text with groups in braces that expands to several texts: `{a,b}`, `{1-9}`, `{_,shift + }`.
///
/// The item `_` is empty, and an item such as `a-e` stands for every character in that range. A
/// backslash removes the special meaning of a brace or comma.
///
/// In sxhkd the first group varies fastest, blanks around items matter, and empty items are
/// ignored. A brace within a group ends it and begins another. Two backslashes become one. In swhkd
/// the last group varies fastest, and blanks around items are ignored. If a group contains a brace,
/// no brace in the text has a special meaning. Backslashes stay.
struct Expansion {
  /// The most texts that one may expand to. More are surely a mistake.
  private static let limit = 4096
  static let problem = "its braces stand for nothing, or for more than \(limit) texts"

  /// Empty if the braces stand for nothing, or for more than ``limit`` texts.
  let texts: [String]
  let hasGroups: Bool

  /// - Parameter isHotkey: keeps a blank after a `+` at the end of an item.
  init(_ text: String, of tool: ImportedTool, isHotkey: Bool = false) {
    let isSxhkd = tool == .sxhkd
    let isLiteral = !isSxhkd && !Self.isFlat(text)
    // the items of each group, and one for each text between groups
    var chunks: [[String]] = []
    var hasGroups = false
    // whether a brace follows a text
    var isCut = false
    var items: [String] = []
    var item = ""
    var isGroup = false
    var escaped = false
    for character in text {
      let isBrace = character == "{" || character == "}"
      if escaped {
        escaped = false
        // other escapes are left for chords and shells
        let isTaken = isBrace || (isSxhkd && character == "\\") || (isGroup && character == ",")
        item += isTaken ? "\(character)" : "\\\(character)"
      } else if character == "\\" {
        escaped = true
      } else if isBrace, !isLiteral {
        isCut = isCut || !item.isEmpty
        end()
        isGroup = character == "{"
      } else if isGroup, character == "," {
        items.append(item)
        item = ""
      } else {
        item.append(character)
      }
    }
    if escaped { item.append("\\") }
    end()
    self.hasGroups = hasGroups
    let count = chunks.reduce(1) { min($0 * $1.count, Self.limit + 1) }
    guard count <= Self.limit, !isSxhkd || hasGroups || !isCut else {
      texts = []
      return
    }
    texts = chunks.reduce([""]) { texts, chunk in
      isSxhkd
        ? chunk.flatMap { item in texts.map { $0 + item } }
        : texts.flatMap { text in chunk.map { text + $0 } }
    }

    func end() {
      if isGroup, !isSxhkd || !items.isEmpty || !item.isEmpty {
        let found = (items + [item]).filter { !isSxhkd || !$0.isEmpty }
        let plain = isSxhkd ? found : found.map { Self.plain($0, isHotkey) }
        chunks.append((plain.isEmpty ? [""] : plain).flatMap(Self.range))
        hasGroups = true
      } else if !item.isEmpty {
        chunks.append([item])
      }
      (items, item) = ([], "")
    }
  }

  /// Whether each group is closed before the next begins.
  private static func isFlat(_ text: String) -> Bool {
    var isGroup = false
    var escaped = false
    for character in text {
      if !escaped, character == (isGroup ? "{" : "}") { return false }
      if !escaped, character == "{" || character == "}" { isGroup.toggle() }
      escaped = !escaped && character == "\\"
    }
    return !isGroup
  }

  private static func plain(_ item: String, _ isHotkey: Bool) -> String {
    isHotkey && item.trimmed.hasSuffix("+") ? item.trimmed + " " : item.trimmed
  }

  /// The texts that an item stands for.
  private static func range(_ item: String) -> [String] {
    if item == "_" { return [""] }
    let scalars = Array(item.unicodeScalars)
    guard scalars.count == 3, scalars[1] == "-", scalars[0] <= scalars[2], scalars[2].isASCII
    else { return [item] }
    return (scalars[0].value...scalars[2].value).compactMap { Unicode.Scalar($0).map(String.init) }
  }
}
