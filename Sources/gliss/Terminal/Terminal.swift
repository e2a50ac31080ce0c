import Glibc

/// What is at the other end of a descriptor, and what it can do.
struct Terminal {
  /// It is one: a person looks at it.
  var isThere = false
  /// Columns and rows; 80 × 24 where the terminal does not say.
  var columns = 80
  var rows = 24
  /// Colours are wanted: a terminal that has them, and no `NO_COLOR`.
  var hasColour = false
  /// The cursor can be moved, so that a picture or a line of progress can be redrawn in place.
  var hasCursor = false

  /// How long a line may be; what is not a terminal takes lines of any length.
  var width: Int { isThere ? columns : .max }

  /// Nothing is possible on what is not a terminal.
  static let plain = Terminal()

  init() {}

  init(_ descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return }
    isThere = true
    let name = Self.environment("TERM") ?? ""
    hasCursor = !name.isEmpty && name != "dumb"
    hasColour = hasCursor && (Self.environment("NO_COLOR") ?? "").isEmpty
    // struct winsize: the imported one is not always seen to be Glibc's (docs/architecture.md, Traps)
    var size: (rows: UInt16, columns: UInt16, UInt16, UInt16) = (0, 0, 0, 0)
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.columns > 0 && size.rows > 0 {
      columns = Int(size.columns)
      rows = Int(size.rows)
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }
}

/// The few ways text is made to stand out.
enum Style: String {
  case bold = "\u{1b}[1m"
  case dim = "\u{1b}[2m"
  case red = "\u{1b}[31m"
  case green = "\u{1b}[32m"
  case yellow = "\u{1b}[33m"
  case blue = "\u{1b}[34m"
  case magenta = "\u{1b}[35m"
  case cyan = "\u{1b}[36m"

  /// `text` in this style where `terminal` has colour, as it is elsewhere.
  func callAsFunction(_ text: String, on terminal: Terminal) -> String {
    terminal.hasColour ? "\(rawValue)\(text)\u{1b}[0m" : text
  }
}

extension String {
  /// Filled with spaces on the right to `width` columns.
  func padded(_ width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  /// Filled with spaces on the left to `width` columns.
  func aligned(_ width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  /// Its beginning, where it has more than `width` columns.
  func cut(to width: Int) -> String {
    let mark = "…"
    let room = width - Charset.current.width(of: mark)
    return count <= width ? self : room < 0 ? "" : prefix(room) + mark
  }

  /// In lines no wider than the terminal, each behind `margin` columns.
  func wrapped(margin: Int, on terminal: Terminal) -> [String] {
    let space = String(repeating: " ", count: margin)
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + word.count < min(terminal.columns, 100) {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(space + word)
      }
    }
    return lines
  }

  /// Names come from files: without the control characters that would drive a terminal, and without those that are
  /// not seen and change how others are, as from right to left.
  var printable: String {
    var shown = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      switch scalar.properties.generalCategory {
      case .format: break
      case .control, .lineSeparator, .paragraphSeparator: shown.append("\u{fffd}")
      case _: shown.append(scalar)
      }
    }
    return String(shown)
  }
}
