import GlissEvents

/// Numbers as a map shows them.
enum Label {
  /// With as many decimals as it has, three at most.
  static func text(_ value: Double) -> String { text(value, places: places(of: [value])) }

  static func text(_ value: Double, places: Int, isSigned: Bool = false) -> String {
    var text = TextBuffer(capacity: 16)
    if isSigned && value >= 0 { text.append("+") }
    text.append(value, places: places)
    return String(decoding: text.bytes, as: UTF8.self)
  }

  /// One label a value, all alike: `+1.00`, `+0.18`, `-0.30`.
  static func texts(_ range: ValueRange) -> [String] {
    let places = places(of: range.values)
    let isSigned = range.values.contains { $0 < 0 }
    return range.values.map { text($0, places: places, isSigned: isSigned) }
  }

  private static func places(of values: [Double]) -> Int {
    var factor = 1.0
    for places in 0..<3 {
      if values.allSatisfy({ ($0 * factor - ($0 * factor).rounded()).magnitude < 1e-6 }) {
        return places
      }
      factor *= 10
    }
    return 3
  }
}

extension Parameter {
  /// “share”, “length in mm”.
  var title: String { unit.isEmpty || unit == "°" ? rawValue : "\(rawValue) in \(unit)" }

  /// The unit behind a number.
  var spacedUnit: String { unit.isEmpty || unit == "°" ? unit : " \(unit)" }
}

extension StrokeSetting {
  /// The stroke in a sentence, without the `varied` parameters.
  package func text(without varied: [Parameter]) -> String {
    var parts = ["\(fingers) fingers"]
    for parameter in Parameter.allCases where !varied.contains(parameter) {
      parts.append(text(of: parameter))
    }
    if rate != 125 { parts.append("\(Label.text(rate)) Hz") }
    if tremor > 0 { parts.append("tremor \(Label.text(tremor)) mm") }
    if isMirrored { parts.append("mirrored") }
    if turn != 0 { parts.append("turned by \(Label.text(turn))°") }
    return parts.joined(separator: ", ")
  }

  /// “length 10 mm”.
  package func text(of parameter: Parameter) -> String {
    let value = Label.text(self[keyPath: parameter.path])
    return "\(parameter.rawValue) \(value)\(parameter.spacedUnit)"
  }
}
