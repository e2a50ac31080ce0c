/// A number as the file of ours can say it: rounded, and within its bounds.
struct Fitted {
  let value: Double
  /// Whether it is another number than was meant, by more than anybody means to tell apart.
  let isOther: Bool
  private let unit: String

  /// - Parameters:
  ///   - parts: how many parts of 1 it is rounded to.
  ///   - base: what it is a change from.
  init(_ meant: Double, _ measure: Measure, parts: Double, from base: Double = 0) {
    let rounded = (meant * parts).rounded() / parts
    value = min(max(rounded, measure.range.lowerBound), measure.range.upperBound)
    isOther = abs(value - meant) > 0.1 * abs(meant - base)
    unit = measure.units.first?.word ?? ""
  }

  var words: String { unit.isEmpty ? value.written : "\(value.written) \(unit)" }
}
