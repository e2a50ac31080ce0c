import GlissYaml

/// What libyaml says, in words for people who write YAML seldom.
enum YamlSentences {
  static func sentence(_ problem: String) -> String {
    table.first { problem == $0.problem }?.sentence ?? "this is no YAML: \(problem)"
  }

  private static let table: [(problem: String, sentence: String)] = [
    (
      "found character that cannot start any token",
      "a tab cannot indent, and text cannot begin with @ or a backquote: use spaces, or quotes"
    ),
    (
      "found a tab character that violates indentation", "a tab cannot indent: use spaces"
    ),
    (
      "found a tab character where an indentation space is expected",
      "a tab cannot indent: use spaces"
    ),
    (
      "mapping values are not allowed in this context",
      "a colon makes no key here: text with a colon and a blank needs quotes, and keys of one"
        + " mapping begin in the same column"
    ),
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
    ("did not find expected ',' or '}'", "a mapping in braces goes on with , or ends with }"),
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
