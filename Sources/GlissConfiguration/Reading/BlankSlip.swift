import GlissEvents
import GlissGestures
import GlissHotkeys
import GlissYaml

/// A blank that is missing behind a key or a dash, or that another sign stands for.
struct BlankSlip {
  var mark: YamlMark
  var advice: String
}

extension SourceText {
  /// The slip at the beginning of a line: behind its indentation, its dash or its first key.
  func slip(in number: Int) -> BlankSlip? {
    let text = line(number).unicodeScalars
    func slipped(at place: String.Index, _ advice: String) -> BlankSlip {
      let column = text.distance(from: text.startIndex, to: place)
      return BlankSlip(mark: YamlMark(line: number, column: column), advice: advice)
    }
    var rest = text.drop { $0 == " " }
    if Self.isNoBreakSpace(rest.first) {
      return slipped(at: rest.startIndex, "a line is indented by spaces only")
    }
    let isItem = rest.first == "-"
    if isItem {
      rest = rest.dropFirst()
      if rest.first == "{" || Self.isNoBreakSpace(rest.first) || Self.value(in: rest) != nil {
        return slipped(at: rest.startIndex, "put a blank after the dash")
      }
      rest = rest.drop { $0 == " " }
    }
    guard let value = Self.value(in: rest), let next = rest[value...].first,
      next != " ", next != "\t", !Self.isHotkey(rest, isItem: isItem)
    else { return nil }
    return slipped(at: value, Self.behindColon)
  }

  private static let behindColon = "put a blank after the colon"

  /// Whether a text may be a hotkey, such as `release:f1`. As the item of a list it may have a
  /// group in braces, or be wrong in another way.
  private static func isHotkey(_ text: Substring.UnicodeScalarView, isItem: Bool) -> Bool {
    if isItem, ["release:", "repeat:"].contains(where: { text.starts(with: $0.unicodeScalars) }) {
      return true
    }
    let parts = String(text).split(separator: " #", maxSplits: 1)
    return (try? Hotkey(parts.first.map { String($0).trimmed } ?? "")) != nil
  }

  /// The first slip of the lines that end with this one and all have one; this line may have none.
  func firstSlip(upTo number: Int) -> BlankSlip? {
    guard slip(in: number) != nil || number > 0 && slip(in: number - 1) != nil else { return nil }
    let texts = linesOfBlocks(upTo: number)
    func found(in line: Int) -> BlankSlip? { texts.contains(line) ? nil : slip(in: line) }
    var (first, line) = (found(in: number), number)
    while line > 0, let earlier = found(in: line - 1) { (first, line) = (earlier, line - 1) }
    return first
  }

  /// The lines that are the text of a block, such as that of `shell: |`: it may have anything.
  private func linesOfBlocks(upTo number: Int) -> Set<Int> {
    var lines: Set<Int> = []
    // what the text of the open block is indented by more than
    var margin: Int?
    for index in 0...max(0, number) {
      let text = line(index)
      let indentation = text.unicodeScalars.prefix { $0 == " " }.count
      if let open = margin, indentation > open || text.allSatisfy({ $0 == " " }) {
        lines.insert(index)
      } else {
        margin = Self.margin(ofBlockIn: text)
      }
    }
    return lines
  }

  /// The column of what has a block, if one begins at the end of the line: of a key, or of a dash.
  private static func margin(ofBlockIn line: String) -> Int? {
    var words = line.split(separator: " ")
    if let comment = words.firstIndex(where: { $0.first == "#" }) {
      words.removeSubrange(comment...)
    }
    guard words.count > 1, let sign = words.last?.first, sign == "|" || sign == ">",
      words[words.count - 1].dropFirst().allSatisfy({ "+-123456789".contains($0) })
    else { return nil }
    let dashes = words.prefix { $0 == "-" }.count
    // a dash right before the block has it itself
    let owner = words[dashes == words.count - 1 ? dashes - 1 : dashes]
    return line.unicodeScalars.distance(from: line.startIndex, to: owner.startIndex)
  }

  /// The slip in `do:{mode: none}` within braces or brackets, which libyaml refuses at the colon.
  func slipInBraces(_ problem: String, at mark: YamlMark) -> BlankSlip? {
    guard problem.hasPrefix("found unexpected ':'") else { return nil }
    let text = line(mark.line).unicodeScalars
    guard text.dropFirst(mark.column).first == ":" else { return nil }
    let before = text.prefix(mark.column)
    let other = before.lastIndex { !Self.isOfKey($0) }
    let start = other.map { before.index(after: $0) } ?? before.startIndex
    guard Self.keys.contains(String(before[start...])) else { return nil }
    return BlankSlip(
      mark: YamlMark(line: mark.line, column: mark.column + 1), advice: Self.behindColon)
  }

  /// Where the value of the key begins with which `text` begins; `nil` without a key of ours.
  private static func value(in text: Substring.UnicodeScalarView) -> String.Index? {
    let word = text.prefix(while: isOfKey)
    guard word.endIndex < text.endIndex, text[word.endIndex] == ":", keys.contains(String(word))
    else { return nil }
    return text.index(after: word.endIndex)
  }

  private static func isOfKey(_ sign: Unicode.Scalar) -> Bool {
    sign.isASCII && sign.properties.isAlphabetic || sign == "."
  }

  private static let keys = Set(
    [
      FileTable.table.names, LimitsTable.table.names, ProfileTable.table.names,
      DeviceTable.table.names, ApplicationTable.table.names, GestureTable.table.names,
      HotkeyRuleTable.table.names, ActionTable.table.names, StepTable.table.names,
      GestureConfiguration.settings.map(\.name),
    ].joined())

  private static func isNoBreakSpace(_ sign: Unicode.Scalar?) -> Bool {
    sign.flatMap(noBreakSpace) != nil
  }

  /// What a space is called that looks like a blank and is none for YAML; `nil` for other signs.
  static func noBreakSpace(_ sign: Unicode.Scalar) -> String? {
    switch sign {
    case "\u{a0}": "a no-break space (U+00A0)"
    case "\u{2007}": "a figure space (U+2007)"
    case "\u{202f}": "a narrow no-break space (U+202F)"
    case _: nil
    }
  }
}
