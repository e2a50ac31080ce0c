extension String {
  /// Without control characters, which would control a terminal, and without invisible ones that
  /// change how others appear, such as right-to-left marks. Names come from files.
  package var printable: String {
    String(UnicodeScalarView(unicodeScalars.lazy.compactMap(\.printable)))
  }
}

extension Unicode.Scalar {
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
