/// Text with groups in braces, of which each stands for several: `{a,b}`, `{1-9}`, `{_,shift + }`.
///
/// As in sxhkd the first group changes fastest, an item `_` is empty, an item of the form `a-e` is every character
/// between, and a backslash takes a brace's or comma's meaning.
struct Expansion {
  /// The most that one text may stand for: more is a mistake, and no wish.
  static let limit = 4096

  private enum Chunk {
    case text(String)
    case group([String])
  }

  private var chunks: [Chunk] = []
  /// Whether a group was opened and never closed.
  private(set) var isOpen = false

  /// - Parameter trimsItems: blanks around items do not count, but for one after a `+`.
  init(_ text: String, trimsItems: Bool = false) {
    var plain = ""
    var items: [String]?
    var item = ""
    var escaped = false
    for character in text {
      if escaped {
        escaped = false
        let isMark = character == "{" || character == "}"
        if items == nil {
          // what chords and shells escape stays escaped
          if !isMark && character != "\\" { plain.append("\\") }
          plain.append(character)
        } else {
          if !isMark && character != "," && character != "\\" { item.append("\\") }
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
        chunks.append(.group(Self.items(all, trimmed: trimsItems)))
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

  private static func items(_ items: [String], trimmed: Bool) -> [String] {
    items.flatMap { raw -> [String] in
      let item = trimmed ? Self.trimmed(raw) : raw
      if item == "_" { return [""] }
      let scalars = Array(item.unicodeScalars)
      guard scalars.count == 3, scalars[1] == "-", scalars[0] <= scalars[2],
        scalars[2].value < 0x80
      else { return [item] }
      return (scalars[0].value...scalars[2].value).compactMap { Unicode.Scalar($0) }
        .map { String($0) }
    }
  }

  private static func trimmed(_ item: String) -> String {
    let bare = item.trimmed
    return bare.hasSuffix("+") ? bare + " " : bare
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
    var result = ""
    for chunk in chunks {
      switch chunk {
      case .text(let text): result += text
      case .group(let items):
        guard !items.isEmpty else { continue }
        result += items[rest % items.count]
        rest /= items.count
      }
    }
    return result
  }
}
