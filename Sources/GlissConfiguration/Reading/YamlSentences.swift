import GlissYaml

/// Turns libyaml's messages into words for people who rarely write YAML.
enum YamlSentences {
  /// - Parameters:
  ///   - line: the text of the line.
  ///   - column: the column in that line, in characters from 0.
  static func sentence(_ problem: String, in line: String, at column: Int) -> String {
    let text = line.unicodeScalars
    let before = text.prefix(column)
    switch problem {
    case "found character that cannot start any token":
      guard let sign = text.dropFirst(column).first, sign != "\t" else { return tab }
      return "text cannot begin with \(sign): put it in quotes"
    case "mapping values are not allowed in this context": return colonSentence(before)
    case _:
      let known = table.first { problem == $0.problem }
      return known?.sentence ?? "this is no YAML: \(problem)"
    }
  }

  /// A key in the wrong place. `before` is what the line has before the colon.
  private static func colonSentence(_ before: Substring.UnicodeScalarView) -> String {
    let colon = before.lastIndex(of: ":")
    if let colon, !before[before.index(after: colon)...].starts(with: " ".unicodeScalars) {
      return "a colon is followed by a blank: write one behind the colon before this"
    }
    guard colon == nil else {
      return "a colon makes no key here: text with a colon and a blank needs quotes"
    }
    return "no key can stand here: keys of one mapping begin in the same column, and the line"
      + " before needs a colon and a blank behind its key"
  }

  private static let tab = "a tab cannot indent: use spaces"

  private static let table: [(problem: String, sentence: String)] = [
    ("found a tab character that violates indentation", tab),
    ("found a tab character where an indentation space is expected", tab),
    (
      "block sequence entries are not allowed in this context",
      "a list's dash cannot stand here: it begins a line of its own"
    ),
    (
      "could not find expected ':'",
      "a colon is missing: a key is followed by : and a blank"
    ),
    (
      "did not find expected key",
      "a key was expected in this column: those of one mapping begin in the same one"
    ),
    (
      "did not find expected '-' indicator",
      "a list goes on with - in the same column; what belongs to an item is indented further"
    ),
    ("did not find expected ',' or ']'", "a list in brackets goes on with , or ends with ]"),
    (
      "did not find expected ',' or '}'",
      "a mapping in braces goes on with , or ends with }; text with a colon and a blank needs quotes"
    ),
    (
      "did not find expected node content",
      "a value was expected here; text that begins with a sign such as % or * needs quotes"
    ),
    (
      "did not find expected <document start>",
      "something stands behind the end of what came before; only one mapping makes the file"
    ),
    ("found unexpected end of stream", "a quote is opened and never closed"),
    ("found unexpected document indicator", "a quote is opened and never closed"),
    ("found unknown escape character", "there is no such escape: a backslash is written \\\\ here"),
    (
      "found undefined alias",
      "nothing has this name: an alias stands for what &NAME marks before it"
    ),
    (
      "found an alias within what it stands for", "an alias cannot stand for what it is a part of"
    ),
    ("control characters are not allowed", "a control character cannot stand in the file"),
    ("invalid leading UTF-8 octet", notUTF8), ("invalid trailing UTF-8 octet", notUTF8),
    ("incomplete UTF-8 octet sequence", notUTF8), ("invalid length of a UTF-8 sequence", notUTF8),
    ("invalid Unicode character", notUTF8),
  ]

  private static let notUTF8 = "this is not UTF-8: save the file in that encoding"
}
