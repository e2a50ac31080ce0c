import Glibc

/// What is at the other end of a descriptor, and what it can do.
struct Terminal {
  /// Columns and rows; 80 × 24 where the terminal does not say.
  var columns = 80
  var rows = 24
  /// Colours are wanted: a terminal that has them, and no `NO_COLOR`.
  var hasColour = false
  /// The cursor can be moved, so that a picture or a line of progress can be redrawn in place.
  var hasCursor = false

  /// Nothing is possible on what is not a terminal.
  static let plain = Terminal()

  init() {}

  init(_ descriptor: Int32) {
    guard isatty(descriptor) == 1 else { return }
    let name = Self.environment("TERM") ?? ""
    hasCursor = !name.isEmpty && name != "dumb"
    hasColour = hasCursor && (Self.environment("NO_COLOR") ?? "").isEmpty
    var size = winsize()
    if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 && size.ws_row > 0 {
      columns = Int(size.ws_col)
      rows = Int(size.ws_row)
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
