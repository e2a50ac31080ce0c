import GlissEvents
import GlissGestures
import GlissHotkeys
import GlissYaml

/// A blank that is missing behind a key or a dash, or that another sign stands for.
struct BlankSlip {
  var mark: YamlMark
  /// The dash or colon that needs a blank behind it; `nil` if the slip is in the indentation.
  var sign: String?

  var advice: String {
    sign.map { "put a blank after the \($0)" } ?? "a line is indented by spaces only"
  }
}

extension SourceText {
  /// The slip at the beginning of a line: behind its indentation, its dash or its first key.
  func slip(in number: Int) -> BlankSlip? {
    let text = line(number).unicodeScalars
    func slipped(at place: String.Index, _ sign: String?) -> BlankSlip {
      let column = text.distance(from: text.startIndex, to: place)
      return BlankSlip(mark: YamlMark(line: number, column: column), sign: sign)
    }
    var rest = text.drop { $0 == " " }
    if Self.isNoBreakSpace(rest.first) {
      return slipped(at: rest.startIndex, nil)
    }
    let isItem = rest.first == "-"
    if isItem {
      rest = rest.dropFirst()
      if rest.first == "{" || Self.isNoBreakSpace(rest.first) || Self.value(in: rest) != nil {
        return slipped(at: rest.startIndex, "dash")
      }
      rest = rest.drop { $0 == " " }
    }
    guard let value = Self.value(in: rest), let next = rest[value...].first,
      next != " ", next != "\t", !Self.isHotkey(rest, isItem: isItem)
    else { return nil }
    return slipped(at: value, "colon")
  }

  /// Whether a text may be a hotkey, such as `release:f1`. As the item of a list it may have a
  /// group in braces, or be wrong in another way.
  private static func isHotkey(_ text: Substring.UnicodeScalarView, isItem: Bool) -> Bool {
    if isItem, ["release:", "repeat:"].contains(where: { text.starts(with: $0.unicodeScalars) }) {
      return true
    }
    let parts = String(text).split(separator: " #", maxSplits: 1)
    return (try? Hotkey(parts.first.map { String($0).trimmed } ?? "")) != nil
  }

  /// The slip in the line that libyaml refuses.
  func slip(_ problem: String, at mark: YamlMark) -> BlankSlip? {
    guard Self.mayFollowSlip(problem), let slip = self.slip(in: mark.line) else {
      return slipInBraces(problem, at: mark)
    }
    // libyaml's mark is at or before a slip that caused its problem, and after one within quotes
    return problem == Self.unexpectedColon || mark.column <= slip.mark.column ? slip : nil
  }

  /// What the line before may lack a blank behind. That line may as well be part of a text.
  func slipAbove(_ problem: String, at mark: YamlMark) -> String? {
    Self.mayFollowSlip(problem) ? slip(in: mark.line - 1)?.sign : nil
  }

  /// Whether libyaml misses a part of a mapping or list. Its other problems have other causes.
  private static func mayFollowSlip(_ problem: String) -> Bool {
    problem == unexpectedColon || problem.contains("not find expected")
  }

  private static let unexpectedColon = "mapping values are not allowed in this context"

  /// The slip in `do:{mode: none}` within braces or brackets, which libyaml refuses at the colon.
  private func slipInBraces(_ problem: String, at mark: YamlMark) -> BlankSlip? {
    guard problem.hasPrefix("found unexpected ':'") else { return nil }
    let text = line(mark.line).unicodeScalars
    guard text.dropFirst(mark.column).first == ":" else { return nil }
    let before = text.prefix(mark.column)
    let other = before.lastIndex { !Self.isOfKey($0) }
    let start = other.map { before.index(after: $0) } ?? before.startIndex
    guard Self.keys.contains(String(before[start...])) else { return nil }
    return BlankSlip(mark: YamlMark(line: mark.line, column: mark.column + 1), sign: "colon")
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

  /// The name of a space that YAML does not take for a blank; `nil` for other signs.
  static func noBreakSpace(_ sign: Unicode.Scalar) -> String? {
    switch sign {
    case "\u{a0}": "a no-break space (U+00A0)"
    case "\u{2007}": "a figure space (U+2007)"
    case "\u{202f}": "a narrow no-break space (U+202F)"
    case _: nil
    }
  }
}
