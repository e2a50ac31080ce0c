/// `1 device`, `2 devices`.
package func counted(_ count: some BinaryInteger, _ noun: String) -> String {
  "\(count) \(noun)\(count == 1 ? "" : "s")"
}

extension String {
  /// The text in lines of at most `width` characters, broken between words.
  package func lines(of width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.count + word.count < width {
        lines[lines.count - 1] += " " + word
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// A path's parts before and after the last slash. The folder of a bare name is the current one.
  package var folderAndName: (folder: String, name: String) {
    guard let slash = utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", self) }
    let name = String(self[utf8.index(after: slash)...])
    return (slash == startIndex ? "/" : String(self[..<slash]), name)
  }

  /// Whether at most 30 combining marks follow each other, as in Unicode's stream-safe text (UAX
  /// #15). To compare or hash strings, Swift sorts such marks, in a time that grows with the square
  /// of their number: seconds for 64 kB.
  package var isStreamSafe: Bool {
    if utf8.allSatisfy({ $0 < 0x80 }) { return true }
    var count = 0
    for scalar in unicodeScalars {
      count = scalar.isSortedMark ? count + 1 : 0
      if count > 30 { return false }
    }
    return true
  }

  /// Without control characters, which would control a terminal, and without invisible ones that
  /// change how others appear, such as right-to-left marks. Names come from files.
  package var printable: String {
    String(UnicodeScalarView(unicodeScalars.lazy.compactMap(\.printable)))
  }

  /// Quoted as a single word of a shell, which takes it literally. Plain words stay as they are.
  package var quotedForShell: String {
    if !isEmpty, utf8.allSatisfy({ $0.isLetterDigit(or: "/._-:+%=@,") }) { return self }
    // by scalars: a quote with a combining mark is another character, and still a quote to a shell
    var quoted = "'".unicodeScalars
    for scalar in unicodeScalars {
      if scalar == "'" { quoted += "'\\''".unicodeScalars } else { quoted.append(scalar) }
    }
    quoted.append("'")
    return String(quoted)
  }
}

extension StringProtocol {
  /// Without leading and trailing blanks.
  package var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}

extension Unicode.Scalar {
  /// Not a control, line separator or format character.
  package var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case _: true
    }
  }

  /// What is printed in its place; `nil` for nothing.
  package var printable: Unicode.Scalar? {
    switch properties.generalCategory {
    case .format: nil
    case .control, .lineSeparator, .paragraphSeparator: "\u{fffd}"
    // XML forbids some of these, which are no characters
    case .unassigned where value & 0xfffe == 0xfffe: "\u{fffd}"
    case _: self
    }
  }
}

extension UInt8 {
  /// Whether it is an ASCII letter.
  package var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }

  /// Whether it is an ASCII letter, an ASCII digit, or a byte of `signs`.
  package func isLetterDigit(or signs: String = "") -> Bool {
    isLetter || (0x30...0x39).contains(self) || signs.utf8.contains(self)
  }
}

extension Unicode.Scalar {
  /// Whether it, or what it decomposes into, is sorted among its neighbours.
  fileprivate var isSortedMark: Bool {
    switch value {
    case 0..<0x300: false
    // of class 0, but decomposed into marks of other classes
    case 0x0f73, 0x0f75, 0x0f81: true
    case _: properties.canonicalCombiningClass != .notReordered
    }
  }
}
