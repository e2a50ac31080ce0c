import GlissConfiguration

/// A number as our file can express it: rounded, and limited to its range.
struct Fitted {
  let value: Double
  /// Whether it differs from the intended number by more than anyone would notice.
  let isOther: Bool
  private let unit: String

  /// - Parameters:
  ///   - parts: the number of parts of 1 that it is rounded to.
  ///   - base: the value that it is a change from.
  init(_ meant: Double, _ measure: Measure, parts: Double, from base: Double = 0) {
    let rounded = (meant * parts).rounded() / parts
    value = min(max(rounded, measure.range.lowerBound), measure.range.upperBound)
    isOther = abs(value - meant) > 0.1 * abs(meant - base)
    unit = measure.units.first?.word ?? ""
  }

  var words: String { unit.isEmpty ? value.written : "\(value.written) \(unit)" }
}
