import Glibc

/// The characters the reader can be shown: UTF-8, or only ASCII, according to the locale.
///
/// All text passes through this on output (``ByteOutput/write(text:)``). Documents do not: JSON,
/// YAML and recordings are always UTF-8.
enum Charset {
  case utf8
  case ascii

  /// According to the environment at the start of the process.
  static let current = Charset { name in getenv(name).map { String(cString: $0) } }

  /// Uses the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set, as in locale(7). A locale
  /// without a character set, such as `C`, counts as ASCII.
  ///
  /// - Parameter variable: Returns the value of an environment variable.
  init(_ variable: (String) -> String?) {
    let name = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty } ?? ""
    let set = name.lowercased().split(separator: ".", maxSplits: 1).dropFirst().first ?? ""
    // a variant may follow: de_DE.UTF-8@euro
    let plain = set.prefix { $0 != "@" }.filter { $0 != "-" }
    self = plain == "utf8" ? .utf8 : .ascii
  }

  /// Converts `text` to these characters. Gliss's own symbols have substitutes; other characters,
  /// from files and devices, become question marks.
  func text(_ text: String) -> String {
    switch self {
    case .utf8: text
    case .ascii where text.utf8.allSatisfy { $0 < 0x80 }: text
    case .ascii: text.reduce(into: "") { $0 += $1.isASCII ? "\($1)" : Self.substitutes[$1] ?? "?" }
    }
  }

  /// How many columns `text` takes when written.
  func width(of text: String) -> Int { self.text(text).count }

  /// Substitutes have the width of the original, unless they would then be unclear.
  private static let substitutes: [Character: String] = [
    "×": "x", "µ": "u", "·": "-", "–": "-", "—": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'",
    "─": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "●": "O", "○": "o",
    "°": " deg", "…": "...", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "⏎": "Enter",
  ]
}
