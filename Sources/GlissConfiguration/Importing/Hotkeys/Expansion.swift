/// Text with groups in braces, of which each stands for several: `{a,b}`, `{1-9}`, `{_,shift + }`.
///
/// An item `_` is empty, an item of the form `a-e` is every character between, and a backslash takes a brace's or comma's
/// meaning.
struct Expansion {
  /// Whose rules hold.
  enum Dialect {
    /// The first group changes fastest, blanks around items count, and of two backslashes one stays.
    case sxhkd
    /// The last group changes fastest, blanks around items do not count, and backslashes stay.
    case swhkd
  }

  /// The most that one text may stand for: more is a mistake, and no wish.
  static let limit = 4096

  private enum Chunk {
    case text(String)
    case group([String])
  }

  private var chunks: [Chunk] = []
  private let dialect: Dialect
  /// Whether a group was opened and never closed.
  private(set) var isOpen = false

  /// - Parameter isHotkey: a blank stays after a `+` at an item's end.
  init(_ text: String, of dialect: Dialect, isHotkey: Bool = false) {
    self.dialect = dialect
    var plain = ""
    var items: [String]?
    var item = ""
    var escaped = false
    let halves = dialect == .sxhkd
    for character in text {
      if escaped {
        escaped = false
        let isMark = character == "{" || character == "}"
        if items == nil {
          // what chords and shells escape stays escaped
          if !isMark && !(halves && character == "\\") { plain.append("\\") }
          plain.append(character)
        } else {
          let isTaken = isMark || character == "," || (halves && character == "\\")
          if !isTaken { item.append("\\") }
          item.append(character)
        }
        continue
      }
      switch (character, items) {
      case ("\\", _): escaped = true
      case ("{", nil):
        if !plain.isEmpty { chunks.append(.text(plain)) }
        plain = ""
        items = []
      case ("}", let found?):
        let all = item.isEmpty ? found : found + [item]
        chunks.append(.group(all.flatMap { Self.items($0, dialect, isHotkey) }))
        items = nil
        item = ""
      case (",", let found?):
        items = item.isEmpty ? found : found + [item]
        item = ""
      case (_, nil): plain.append(character)
      case (_, _?): item.append(character)
      }
    }
    if escaped { plain.append("\\") }
    if let items {
      isOpen = true
      plain = "{" + (items + [item]).joined(separator: ",")
    }
    if !plain.isEmpty { chunks.append(.text(plain)) }
  }

  /// What an item stands for.
  private static func items(_ raw: String, _ dialect: Dialect, _ isHotkey: Bool) -> [String] {
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

  /// Whether it is one text only, without a group.
  var isPlain: Bool {
    !chunks.contains {
      switch $0 {
      case .text: false
      case .group: true
      }
    }
  }

  /// How many texts it stands for; `limit` and one for more than that.
  var count: Int {
    var count = 1
    for case .group(let items) in chunks { count = min(count * items.count, Self.limit + 1) }
    return count
  }

  /// How large the groups are, in order.
  var sizes: [Int] {
    chunks.compactMap {
      switch $0 {
      case .text: nil
      case .group(let items): items.count
      }
    }
  }

  /// The text with that number, from 0 to `count`.
  func text(_ number: Int) -> String {
    var rest = number
    var parts: [String] = []
    func take(_ chunk: Chunk) {
      switch chunk {
      case .text(let text): parts.append(text)
      case .group(let items):
        guard !items.isEmpty else { return }
        parts.append(items[rest % items.count])
        rest /= items.count
      }
    }
    switch dialect {
    case .sxhkd: chunks.forEach(take)
    case .swhkd:
      chunks.reversed().forEach(take)
      parts.reverse()
    }
    return parts.joined()
  }
}
