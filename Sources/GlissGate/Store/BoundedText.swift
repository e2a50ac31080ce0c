extension StringProtocol {
  /// One line of at most so many bytes: what others have written, for a log or a prompt. Control characters, and those
  /// that turn the direction of writing or show nothing, become spaces.
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
  /// Neither a control, nor a separator of lines, nor a format character.
  var isPlain: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    case _: true
    }
  }
}
