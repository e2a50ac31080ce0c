/// What a map's rows or columns can be.
package enum Parameter: String, Hashable, Sendable, CaseIterable {
  case share, angle, length, duration, separation, gap, wait

  package var path: WritableKeyPath<StrokeSetting, Double> {
    switch self {
    case .share: \.share
    case .angle: \.angle
    case .length: \.length
    case .duration: \.duration
    case .separation: \.separation
    case .gap: \.gap
    case .wait: \.wait
    }
  }

  /// What it is counted in; empty for a share.
  package var unit: String {
    switch self {
    case .share: ""
    case .angle: "°"
    case .length, .separation: "mm"
    case .duration, .gap, .wait: "ms"
    }
  }

  /// What makes a stroke that the pad can show.
  package var limits: ClosedRange<Double> {
    switch self {
    case .share: -1...1
    case .angle: 0...360
    case .length: 0.1...80
    case .duration: 1...10_000
    case .separation: 5...80
    case .gap: -5000...5000
    case .wait: 0...10_000
    }
  }

  /// The values that a map shows by default.
  package var usual: ValueRange {
    switch self {
    case .share: ValueRange(self, from: 1, to: -1, step: 0.1)
    case .angle: ValueRange(self, from: 0, to: 90, step: 10)
    case .length: ValueRange(self, from: 2, to: 20, step: 2)
    case .duration: ValueRange(self, from: 100, to: 800, step: 100)
    case .separation: ValueRange(self, from: 10, to: 50, step: 5)
    case .gap: ValueRange(self, from: -400, to: 400, step: 80)
    case .wait: ValueRange(self, from: 0, to: 200, step: 20)
    }
  }
}

/// The values of one parameter, in the order in which a map shows them.
package struct ValueRange: Hashable, Sendable {
  package var parameter: Parameter
  package var values: [Double]

  /// More values are surely a mistake.
  package static let mostValues = 500

  package init(_ parameter: Parameter, _ values: [Double]) {
    self.parameter = parameter
    self.values = values
  }

  /// From `first` to `last`, either way, `step` apart; `last` is one of them if the steps meet it.
  package init(_ parameter: Parameter, from first: Double, to last: Double, step: Double) {
    let count = Int(((last - first).magnitude / step + 1e-9).rounded(.down))
    let signed = last < first ? -step : step
    // 0.1 is no binary number: without rounding a share of 0 would be 1e-16
    self.init(
      parameter, (0...count).map { ((first + Double($0) * signed) * 1e9).rounded() / 1e9 })
  }

  /// Reads `share=1:-1:0.1`, first, last and step, or `share=1,0.5,0`.
  package init(_ text: String) throws(Fault) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw Fault("“\(text)” is not NAME=FIRST:LAST:STEP or NAME=VALUE,VALUE")
    }
    guard let parameter = Parameter(rawValue: String(parts[0])) else {
      let names = Parameter.allCases.map(\.rawValue).joined(separator: ", ")
      throw Fault("“\(parts[0])” is unknown; there are \(names)")
    }
    let isList = !parts[1].contains(":")
    let numbers = try Self.numbers(parts[1], separator: isList ? "," : ":", of: text)
    if isList {
      self.init(parameter, numbers)
    } else {
      self = try Self.steps(numbers, parameter, of: text)
    }
    if values.count > Self.mostValues {
      throw Fault("“\(text)” has more than \(Self.mostValues) values")
    }
    for value in values where !parameter.limits.contains(value) {
      throw Fault("“\(text)”: \(parameter.limitText)")
    }
  }

  private static func numbers(
    _ text: Substring, separator: Character, of whole: String
  ) throws(Fault) -> [Double] {
    var numbers: [Double] = []
    for word in text.split(separator: separator, omittingEmptySubsequences: false) {
      guard let number = Double(word), number.isFinite else {
        throw Fault("“\(whole)”: “\(word)” is not a number")
      }
      numbers.append(number)
    }
    return numbers
  }

  private static func steps(
    _ numbers: [Double], _ parameter: Parameter, of text: String
  ) throws(Fault) -> ValueRange {
    guard numbers.count == 3 else { throw Fault("“\(text)” is not NAME=FIRST:LAST:STEP") }
    let step = numbers[2].magnitude
    guard (numbers[1] - numbers[0]).magnitude / step < Double(mostValues) else {
      throw Fault("“\(text)” has a step of 0 or more than \(mostValues) values")
    }
    return ValueRange(parameter, from: numbers[0], to: numbers[1], step: step)
  }

  package struct Fault: Error, CustomStringConvertible {
    package var description: String
    init(_ description: String) { self.description = description }
  }
}

extension Parameter {
  /// The limits in a sentence: “length must be from 0.1 to 80 mm”.
  package var limitText: String {
    let ends = "\(Label.text(limits.lowerBound)) to \(Label.text(limits.upperBound))"
    return "\(rawValue) must be from \(ends)\(spacedUnit)"
  }
}
