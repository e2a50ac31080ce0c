/// A text with groups in braces that expands to several texts: `{a,b}`, `{1-9}`, `{_,shift + }`.
///
/// The item `_` is empty, and an item such as `a-e` stands for every character in that range. A
/// backslash removes the special meaning of a brace or comma.
struct Expansion {
  /// The tool whose rules apply.
  enum Dialect {
    /// The first group varies fastest, blanks around items matter, and empty items do not count. A
    /// brace within a group ends it and begins another. Two backslashes become one.
    case sxhkd
    /// The last group varies fastest, and blanks around items do not matter. If a group has a brace
    /// in it, no brace of the text has a meaning. Backslashes stay.
    case swhkd
  }

  /// The most texts that one may expand to. Larger ones are surely mistakes.
  static let limit = 4096

  private let dialect: Dialect
  /// The items of each group, and one for each text between groups.
  private var chunks: [[String]] = []
  private var hasGroups = false
  /// Whether a brace stands behind a text.
  private var isCut = false

  /// - Parameter isHotkey: keeps a blank after a `+` at the end of an item.
  init(_ text: String, of dialect: Dialect, isHotkey: Bool = false) {
    self.dialect = dialect
    let isLiteral = dialect == .swhkd && !Self.isFlat(text)
    let halves = dialect == .sxhkd
    var items: [String] = []
    var item = ""
    var isGroup = false
    var escaped = false
    func end() {
      if isGroup, !halves || !items.isEmpty || !item.isEmpty {
        let found = (items + [item]).filter { !halves || !$0.isEmpty }
        chunks.append((found.isEmpty ? [""] : found).flatMap { Self.texts($0, dialect, isHotkey) })
        hasGroups = true
      } else if !item.isEmpty {
        chunks.append([item])
      }
      (items, item) = ([], "")
    }
    for character in text {
      let isBrace = character == "{" || character == "}"
      if escaped {
        escaped = false
        // other escapes are left for chords and shells
        let isTaken = isBrace || (halves && character == "\\") || (isGroup && character == ",")
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

  /// The texts that an item stands for.
  private static func texts(_ raw: String, _ dialect: Dialect, _ isHotkey: Bool) -> [String] {
    let item =
      switch dialect {
      case .sxhkd: raw
      case .swhkd: isHotkey && raw.trimmed.hasSuffix("+") ? raw.trimmed + " " : raw.trimmed
      }
    if item == "_" { return [""] }
    let scalars = Array(item.unicodeScalars)
    guard scalars.count == 3, scalars[1] == "-", scalars[0] <= scalars[2],
      scalars[2].value < 0x80
    else { return [item] }
    return (scalars[0].value...scalars[2].value).compactMap { Unicode.Scalar($0) }
      .map { String($0) }
  }

  /// Whether it has no groups. A text that sxhkd cuts without finding one stands for nothing.
  var isPlain: Bool { !hasGroups }

  /// How many texts it expands to, or `limit + 1` if there are more than `limit`.
  var count: Int {
    if dialect == .sxhkd, isPlain, isCut { return 0 }
    return chunks.reduce(1) { min($0 * $1.count, Self.limit + 1) }
  }

  /// The text with that number, counted from 0.
  func text(_ number: Int) -> String {
    var rest = number
    func item(_ chunk: [String]) -> String {
      defer { rest /= chunk.count }
      return chunk[rest % chunk.count]
    }
    return switch dialect {
    case .sxhkd: chunks.map(item).joined()
    case .swhkd: chunks.reversed().map(item).reversed().joined()
    }
  }
}
