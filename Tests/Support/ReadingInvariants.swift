package import GlissConfiguration

/// What holds for whatever is read, for tests and the fuzzer.
package enum ReadingInvariants {
  /// What does not hold; `nil` where all does.
  package static func fault(in reading: ConfigurationReading, of bytes: [UInt8]) -> String? {
    let errors = reading.mistakes.count { $0.severity == .error }
    if (reading.configuration == nil) != (errors > 0) { return "\(errors) errors, and rules" }
    for (index, mistake) in reading.mistakes.enumerated() {
      let (place, source) = (mistake.place, mistake.source ?? "")
      if place.line < 1 || place.column < 1 || mistake.length < 1 || mistake.message.isEmpty {
        return "\(mistake) has no place"
      }
      if place.line > bytes.count + 1 { return "\(place) lies behind the file's end" }
      // what is missing at a line's end lies one behind it
      if place.column > source.unicodeScalars.count + 1 {
        return "\(place) lies outside of “\(source)”"
      }
      if index > 0, reading.mistakes[index - 1].place > place { return "\(place) is out of order" }
      let lines = mistake.lines
      if lines.isEmpty || lines.contains(where: { $0.unicodeScalars.contains("\n") }) {
        return "\(place) is shown as \(lines)"
      }
    }
    return nil
  }
}
