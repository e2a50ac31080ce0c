/// A text with groups in braces that expands to several texts: `{a,b}`, `{1-9}`, `{_,shift + }`.
///
/// The item `_` is empty, and an item such as `a-e` stands for every character in that range. A
/// backslash removes the special meaning of a brace or comma.
struct Expansion {
  /// The tool whose rules apply.
  enum Dialect {
    /// The first group varies fastest, blanks around items matter, and two backslashes become one.
    case sxhkd
    /// The last group varies fastest, blanks around items do not matter, and backslashes stay.
    case swhkd
  }

  /// The most texts that one may expand to. Larger ones are surely mistakes.
  static let limit = 4096

  private enum Chunk {
    case text(String)
    case group([String])
  }

  private var chunks: [Chunk] = []
  private let dialect: Dialect
  /// Whether a group was opened and never closed.
  private(set) var isOpen = false

  /// - Parameter isHotkey: keeps a blank after a `+` at the end of an item.
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
          // other escapes are left for chords and shells
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

  /// The texts that an item stands for.
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

  /// Whether it is a single text, without groups.
  var isPlain: Bool {
    !chunks.contains {
      switch $0 {
      case .text: false
      case .group: true
      }
    }
  }

  /// How many texts it expands to, or `limit + 1` if there are more than `limit`.
  var count: Int {
    var count = 1
    for case .group(let items) in chunks { count = min(count * items.count, Self.limit + 1) }
    return count
  }

  /// The sizes of the groups, in order.
  var sizes: [Int] {
    chunks.compactMap {
      switch $0 {
      case .text: nil
      case .group(let items): items.count
      }
    }
  }

  /// The text with that number, counted from 0.
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
