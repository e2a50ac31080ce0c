extension StringProtocol {
  /// One line of at most `limit` bytes, for showing other programs' text in a log or a prompt.
  /// Control characters, and those that are invisible or change the text direction, become spaces.
  func boundedLine(_ limit: Int) -> String {
    var line = ""
    var size = 0
    for scalar in unicodeScalars {
      let shown = scalar.isPlain ? scalar : " "
      size += UTF8.width(shown)
      if size > limit { return line + "…" }
      line.unicodeScalars.append(shown)
    }
    return line
  }
}

extension Unicode.Scalar {
  /// Not a control, line separator or format character.
  var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case _: true
    }
  }
}
