import Glibc

/// The variables that a file in shell syntax sets, as far as they can be known without running a
/// shell.
///
/// Quotes, escapes, comments, continued lines and `export` are supported. A variable is unknown if
/// a shell would compute its value (`$`, backquotes) or the value's quote is never closed.
struct ShellAssignments {
  /// Far more than such a file needs. The rest is not read.
  private static let limit = 1 << 16

  private let bytes: [UInt8]
  private var place = 0

  /// Reads the file at `path`; empty if it cannot be read.
  static func read(_ path: String) -> [String: String] {
    // must not block on a pipe at that path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [:] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count < limit {
      let piece = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    return parse(bytes)
  }

  static func parse(_ bytes: [UInt8]) -> [String: String] {
    var scanner = ShellAssignments(bytes: bytes)
    var variables: [String: String] = [:]
    while let statement = scanner.next() {
      variables[statement.name] = statement.value
    }
    return variables
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private var byte: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// The next assignment. Its value is `nil` if only a shell could compute it.
  private mutating func next() -> (name: String, value: String?)? {
    while byte != nil {
      skip {
        $0 == .space || $0 == .tab || $0 == .lineFeed || $0 == .carriageReturn || $0 == .semicolon
      }
      var name = word()
      if name == "export" {
        skip { $0 == .space || $0 == .tab }
        name = word()
      }
      if !name.isEmpty, byte == .equals {
        place += 1
        return (name, value())
      }
      skip { $0 != .lineFeed }
    }
    return nil
  }

  private mutating func skip(while isSkipped: (UInt8) -> Bool) {
    while let byte, isSkipped(byte) { place += 1 }
  }

  /// A variable's name, or an empty string.
  private mutating func word() -> String {
    let start = place
    skip {
      switch $0 {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"): true
      case _: false
      }
    }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private enum Quote {
    case none, single, double
  }

  /// Parses the value after the `=`.
  private mutating func value() -> String? {
    var text: [UInt8] = []
    var quote = Quote.none
    var isKnown = true
    while let byte {
      switch (quote, byte) {
      case (.none, .space), (.none, .tab), (.none, .lineFeed), (.none, .carriageReturn),
        (.none, .semicolon):
        return isKnown ? String(decoding: text, as: UTF8.self) : nil
      case (.none, .apostrophe): quote = .single
      case (.single, .apostrophe): quote = .none
      case (.none, .quotation): quote = .double
      case (.double, .quotation): quote = .none
      case (.none, .backslash), (.double, .backslash):
        place += 1
        text += escaped(in: quote)
      case (.none, .dollar), (.double, .dollar), (.none, .backquote), (.double, .backquote):
        isKnown = false
      case _: text.append(byte)
      }
      place += 1
    }
    return isKnown && quote == .none ? String(decoding: text, as: UTF8.self) : nil
  }

  /// The result of a backslash before the current byte. An escaped line feed vanishes. In double
  /// quotes the backslash is kept unless it is needed.
  private func escaped(in quote: Quote) -> [UInt8] {
    guard let byte else { return [] }
    if byte == .lineFeed { return [] }
    let isNeeded =
      byte == .dollar || byte == .backquote || byte == .quotation || byte == .backslash
    return quote == .double && !isNeeded ? [.backslash, byte] : [byte]
  }
}

extension UInt8 {
  fileprivate static let tab = UInt8(ascii: "\t")
  fileprivate static let lineFeed = UInt8(ascii: "\n")
  fileprivate static let carriageReturn = UInt8(ascii: "\r")
  fileprivate static let space = UInt8(ascii: " ")
  fileprivate static let quotation = UInt8(ascii: "\"")
  fileprivate static let dollar = UInt8(ascii: "$")
  fileprivate static let apostrophe = UInt8(ascii: "'")
  fileprivate static let semicolon = UInt8(ascii: ";")
  fileprivate static let equals = UInt8(ascii: "=")
  fileprivate static let backslash = UInt8(ascii: "\\")
  fileprivate static let backquote = UInt8(ascii: "`")
}
