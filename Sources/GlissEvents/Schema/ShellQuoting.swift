extension String {
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

extension UInt8 {
  /// Whether it is an ASCII letter.
  package var isLetter: Bool { (0x61...0x7a).contains(self | 0x20) }

  /// Whether it is an ASCII letter, an ASCII digit, or a byte of `signs`.
  package func isLetterDigit(or signs: String = "") -> Bool {
    isLetter || (0x30...0x39).contains(self) || signs.utf8.contains(self)
  }
}
