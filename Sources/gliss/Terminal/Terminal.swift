import Glibc
import Gliss

struct Terminal {
  /// Whether it is a terminal, which a person reads.
  var isThere = false
  /// The size; 80 × 24 if the terminal does not report it.
  var columns = 80
  var rows = 24
  /// Whether to use colours: the terminal has them, and `NO_COLOR` is not set.
  var hasColour = false
  /// Whether the cursor can be moved, to redraw a picture or progress line in place.
  var hasCursor = false

  /// The maximum line length; unlimited if it is not a terminal.
  var width: Int { isThere ? columns : .max }

  static let plain = Terminal()

  static var standard: Terminal { Terminal(Output.standard.descriptor) }

  /// Standard output's as it was at first, for what is printed once.
  static let output = standard

  init() {}

  init(_ descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return }
    isThere = true
    let name = environmentVariable("TERM") ?? ""
    hasCursor = !name.isEmpty && name != "dumb"
    hasColour = hasCursor && (environmentVariable("NO_COLOR") ?? "").isEmpty
    // in place of struct winsize, which Swift may attribute to a module that cannot be imported
    // (docs/architecture.md, Traps)
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.columns > 0 && size.rows > 0 {
      columns = Int(size.columns)
      rows = Int(size.rows)
    }
  }
}

enum Style: String {
  case bold = "\u{1b}[1m"
  case dim = "\u{1b}[2m"
  case red = "\u{1b}[31m"
  case green = "\u{1b}[32m"
  case yellow = "\u{1b}[33m"
  case blue = "\u{1b}[34m"
  case magenta = "\u{1b}[35m"
  case cyan = "\u{1b}[36m"

  /// `text` in this style if `terminal` has colour, otherwise unchanged.
  func callAsFunction(_ text: String, on terminal: Terminal = .output) -> String {
    terminal.hasColour ? "\(rawValue)\(text)\u{1b}[0m" : text
  }
}

extension String {
  /// Padded with spaces on the right to `width` columns.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Padded with spaces on the left to `width` columns.
  func aligned(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  func cut(to width: Int) -> String {
    let mark = "…"
    let room = width - Charset.current.width(of: mark)
    return count <= width ? self : room < 0 ? "" : prefix(room) + mark
  }

  /// Cut in its middle: what a name begins and ends with tells most.
  func cutInside(to width: Int) -> String {
    let mark = Charset.current.text("…")
    let room = max(0, width - mark.count)
    return count <= width ? self : "\(prefix(room - room / 2))\(mark)\(suffix(room / 2))"
  }

  /// Wrapped to the terminal's width, with each line indented by `margin` columns.
  func wrapped(margin: Int, on terminal: Terminal = .output) -> [String] {
    let space = String(repeating: " ", count: margin)
    return lines(of: min(terminal.columns, 100) - margin).map { space + $0 }
  }
}

/// The characters the reader can be shown: UTF-8, or only ASCII, according to the locale.
///
/// All text passes through this on output (``ByteOutput/write(text:)``). Documents do not: JSON,
/// YAML and recordings are always UTF-8.
enum Charset {
  case utf8
  case ascii

  /// According to the environment at the start of the process.
  static let current = Charset(environmentVariable)

  /// Uses the first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set, as in locale(7). A locale
  /// without a character set, such as `C`, counts as ASCII.
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

  func width(of text: String) -> Int { self.text(text).count }

  /// Substitutes have the width of the original, unless they would then be unclear.
  private static let substitutes: [Character: String] = [
    "×": "x", "µ": "u", "·": "-", "–": "-", "—": "-", "“": "\"", "”": "\"", "‘": "'", "’": "'",
    "─": "-", "│": "|", "╭": "+", "╮": "+", "╰": "+", "╯": "+", "●": "O", "○": "o",
    "°": " deg", "…": "...", "→": "->", "←": "<-", "≤": "<=", "≥": ">=", "⏎": "Enter",
  ]
}

/// A table whose columns are as wide as their contents.
struct TextTable {
  struct Column {
    let title: String
    let cells: [String]
    let isNumber: Bool
    /// Whether the cells are names that may be long. On a terminal on which not all fits, they are
    /// cut to a third of its width. Otherwise a very long one does not widen the other rows.
    let isName: Bool
    let style: Style?
    let longest: Int
    let width: Int

    private static let longestName = 80

    init(
      _ title: String, _ cells: [String], isNumber: Bool = false, isName: Bool = false,
      _ style: Style? = nil
    ) {
      self.title = title
      self.cells = cells
      self.isNumber = isNumber
      self.isName = isName
      self.style = style
      longest = cells.map(\.count).max() ?? 0
      width = max(title.count, isName ? min(longest, Self.longestName) : longest)
    }

    func fitting(_ terminal: Terminal) -> Column {
      guard isName else { return self }
      let room = max(title.count, terminal.width / 3)
      return Column(title, cells.map { $0.cutInside(to: room) }, isName: true, style)
    }

    func padded(_ text: String) -> String { isNumber ? text.aligned(width) : text.padded(width) }
  }

  /// The last column is cut on a terminal if a row does not fit. In a pipe it is complete.
  private let columns: [Column]
  private let last: Column
  private let terminal: Terminal

  init(_ columns: [Column], last: Column, on terminal: Terminal = .output) {
    let width = columns.reduce(last.longest) { $0 + max($1.width, $1.longest) + 2 }
    self.columns = width > terminal.width ? columns.map { $0.fitting(terminal) } : columns
    self.last = last
    self.terminal = terminal
  }

  var heading: String {
    Style.dim(columns.map { $0.padded($0.title) + "  " }.joined() + last.title, on: terminal)
  }

  func row(_ index: Int, _ emphasis: Style? = nil) -> String {
    var room = terminal.width
    let cells = columns.map { column in
      let text = column.padded(column.cells[index])
      room -= text.count + 2
      return (column.style?(text, on: terminal) ?? text) + "  "
    }
    let text = room > 3 ? last.cells[index].cut(to: room) : last.cells[index]
    return cells.joined() + (emphasis?(text, on: terminal) ?? text)
  }

  /// The heading and all rows; empty if there are no rows.
  var lines: [String] { last.cells.isEmpty ? [] : [heading] + last.cells.indices.map { row($0) } }
}
