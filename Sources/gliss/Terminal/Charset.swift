import Glibc

/// The characters that whoever reads can be shown: those of UTF-8, or of ASCII only, as the locale says.
///
/// All text passes it on its way out (``ByteOutput/write(text:)``). Documents do not: JSON, YAML and recordings are UTF-8 by
/// definition.
enum Charset {
  case utf8
  case ascii

  /// By the environment that the process was started in.
  static let current = Charset { name in getenv(name).map { String(cString: $0) } }

  /// The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides, as in locale(7). A name without a character set, as `C`
  /// is, has none that could be relied on.
  ///
  /// - Parameter variable: the value of a variable of the environment.
  init(_ variable: (String) -> String?) {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    let set = name.lowercased().split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
    // behind it there may be a variant: de_DE.UTF-8@euro
    let plain = set.prefix { $0 != "@" }.filter { $0 != "-" }
    self = plain == "utf8" ? .utf8 : .ascii
  }

  /// `text` in these characters. Those of ours have others in their place; for what files and devices hold stands a question
  /// mark.
  func text(_ text: String) -> String {
    switch self {
    case .utf8: text
    case .ascii where text.utf8.allSatisfy { $0 < 0x80 }: text
    case .ascii: text.reduce(into: "") { $0 += $1.isASCII ? "\($1)" : Self.substitutes[$1] ?? "?" }
    }
  }

  /// How many columns `text` takes once it is written.
  func width(of text: String) -> Int { self.text(text).count }

  /// Each as wide as what it stands for, but where that would not be understood.
  private static let substitutes: [Character: String] = [
    "×": "x", "µ": "u", "·": "-", "–": "-", "—": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'",
    "─": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "●": "O", "○": "o",
    "°": " deg", "…": "...", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "⏎": "Enter",
  ]
}
