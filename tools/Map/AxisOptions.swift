import ArgumentParser
import Mapping

/// Which parameters make rows and columns, and their values.
struct AxisOptions: ParsableArguments {
  @Option(help: "The parameter that makes rows.")
  var rows = Parameter.share

  @Option(help: "The parameter that makes columns.")
  var columns = Parameter.angle

  @Option(
    help: "Values of rows or columns: NAME=FIRST:LAST:STEP or NAME=VALUE,VALUE; once for each.",
    transform: ValueRange.init(reading:))
  var values: [ValueRange] = []

  @Option(help: "In how many steps the rows go from their first to their last usual value.")
  var steps: Int?

  @Flag(help: "Angles from 0 to 180 degrees instead of 90.")
  var full = false

  var chosen: [Parameter] { [rows, columns] }

  var rowRange: ValueRange {
    get throws {
      if let given = given(rows) { return given }
      let usual = usual(rows)
      guard let steps, let first = usual.values.first, let last = usual.values.last else {
        return usual
      }
      return ValueRange(rows, from: first, to: last, step: (last - first).magnitude / Double(steps))
    }
  }

  var columnRange: ValueRange {
    get throws { given(columns) ?? usual(columns) }
  }

  private func given(_ parameter: Parameter) -> ValueRange? {
    values.last { $0.parameter == parameter }
  }

  private func usual(_ parameter: Parameter) -> ValueRange {
    parameter == .angle && full ? ValueRange(.angle, from: 0, to: 180, step: 10) : parameter.usual
  }

  /// Whether a map can be made of `setting` with these.
  func check(_ setting: StrokeSetting) throws {
    if rows == columns { throw ValidationError("rows and columns are both \(rows.rawValue)") }
    for range in values where !chosen.contains(range.parameter) {
      let name = range.parameter.rawValue
      throw ValidationError(
        "--values \(name): rows are \(rows.rawValue), columns \(columns.rawValue); choose with --rows \(name) or --columns \(name)"
      )
    }
    if Set(values.map(\.parameter)).count < values.count {
      throw ValidationError("--values gives the same parameter twice")
    }
    if let steps, !(1..<ValueRange.mostValues).contains(steps) {
      throw ValidationError("--steps must be from 1 to \(ValueRange.mostValues - 1)")
    }
    if steps != nil, given(rows) != nil {
      throw ValidationError("--values \(rows.rawValue)= says the steps already: leave out --steps")
    }
    if full, !chosen.contains(.angle) || given(.angle) != nil {
      throw ValidationError(
        "--full needs --rows angle or --columns angle, and no --values angle=...")
    }
    let strokes = DecisionMap.settings(setting, try rowRange, try columnRange).joined()
    if let outside = strokes.first(where: { !$0.fits }) {
      let what = chosen.map { outside.text(of: $0) }.joined(separator: ", ")
      throw ValidationError(
        "\(what): the stroke comes too near to the edge of the pad, which is 100 × 60 mm")
    }
  }
}

extension ValueRange {
  fileprivate init(reading text: String) throws {
    do {
      try self.init(text)
    } catch {
      throw ValidationError(error.description)
    }
  }
}
