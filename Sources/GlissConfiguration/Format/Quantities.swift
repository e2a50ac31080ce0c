import GlissEvents
import GlissYaml

/// A kind of number: the units it can be written in, and the range that makes sense.
package struct Measure: Sendable {
  var what: String
  /// The units, the usual one first, and each one's factor to the unit of `range`. An empty word
  /// means no unit.
  package var units: [(word: String, factor: Double)]
  /// In the unit whose factor is 1.
  package var range: ClosedRange<Double>
  var examples: [String]

  package static let length = Measure(
    what: "a length", units: [("mm", 1)], range: 0.1...1000,
    examples: ["20 mm", "20..80 mm", "..80 mm"])
  package static let speed = Measure(
    what: "a speed", units: [("mm/s", 1)], range: 1...10_000, examples: ["200 mm/s", "..200 mm/s"])
  package static let turn = Measure(
    what: "an angle", units: [("deg", 1), ("°", 1)], range: 1...3600,
    examples: ["30 deg", "30..90 deg"])
  package static let scale = Measure(
    what: "a factor", units: [("", 1)], range: 0.01...100, examples: ["1.5..", "..0.7", "1.2..2"])
  package static let time = Measure(
    what: "a time", units: [("ms", 1), ("s", 1000), ("min", 60_000)], range: 1...3_600_000,
    examples: ["500 ms", "0.5..2 s"])
  /// The time between repetitions.
  package static let period = Measure(
    what: "a time", units: [("ms", 1), ("s", 1000)], range: 20...60_000,
    examples: ["300 ms", "0.5 s"])
  package static let gain = Measure(
    what: "a factor", units: [("", 1)], range: 0.1...20, examples: ["1", "2.5"])
  static let runningTime = Measure(
    what: "a time", units: [("s", 1000), ("ms", 1), ("min", 60_000), ("h", 3_600_000)],
    range: 1...86_400_000, examples: ["10 s", "5 min"])
  package static let percent = Measure(
    what: "a share", units: [("%", 1)], range: 1...1000, examples: ["10 %"])

  /// Digits, optionally with a decimal point between them. Other notations are not accepted.
  static let number = "[0-9]+(\\.[0-9]+)?"

  var hasUnits: Bool { units.contains { !$0.word.isEmpty } }

  private var unitPattern: String {
    hasUnits ? " *(\(units.map(\.word).joined(separator: "|")))" : ""
  }

  var valuePattern: String { "^\(Self.number)\(unitPattern)$" }

  var boundsPattern: String {
    "^(\(Self.number)(\\.\\.(\(Self.number))?)?|\\.\\.\(Self.number))\(unitPattern)$"
  }

  /// - Parameter pattern: ``valuePattern`` or ``boundsPattern``.
  func schema(_ pattern: String) -> JSON {
    let examples = JSON.array(self.examples.map(JSON.string))
    return hasUnits
      ? ["type": "string", "pattern": .string(pattern), "examples": examples]
      : ["type": ["string", "number"], "pattern": .string(pattern), "examples": examples]
  }

  var words: FormWords {
    FormWords(hasUnits ? "\(what) with its unit" : what, examples: examples)
  }

  /// The bounds written in `text`. A single number is both bounds.
  func bounds(_ text: String) throws(FormProblem) -> (bounds: Bounds, isSingle: Bool) {
    let (numbers, unit) = Self.parts(of: text)
    if numbers.isEmpty { throw notThis(text) }
    let factor = try self.factor(unit, behind: numbers)
    let ends = Dots.split(numbers)
    let low = try value(ends.low, factor, of: text)
    guard let written = ends.high else {
      guard let low else { throw notThis(text) }
      return (Bounds(from: low, to: low), true)
    }
    let high = try value(written, factor, of: text)
    if low == nil, high == nil { throw notThis(text) }
    if let low, let high, low > high {
      let rest = text[numbers.endIndex...]
      throw FormProblem(
        message: "the bounds are in the wrong order: write \(written)..\(ends.low)\(rest)")
    }
    return (Bounds(from: low, to: high), false)
  }

  /// A single number; `nil` for bounds.
  func quantity(_ text: String) throws(FormProblem) -> Double? {
    let (bounds, isSingle) = try bounds(text)
    return isSingle ? bounds.minimum : nil
  }

  private func factor(_ unit: Substring, behind numbers: Substring) throws(FormProblem) -> Double {
    if let unit = units.first(where: { $0.word == unit }) { return unit.factor }
    guard hasUnits else {
      if unit == "%", range == Self.scale.range, let part = Double(numbers),
        (1..<100).contains(part)
      {
        let factors = [1 + part / 100, 1 - part / 100, part / 100].map { $0.trimmed(4) }
        throw FormProblem(
          message: "\(what) has no unit: \(factors[0]) is \(numbers) % wider, \(factors[1])"
            + " narrower, \(factors[2]) is \(numbers) % of the width")
      }
      let ends = Dots.split(numbers)
      let shares = ([ends.low] + (ends.high.map { [$0] } ?? [])).map { end in
        end.isEmpty ? "" : Double(end).map { ($0 / 100).trimmed(4) } ?? "?"
      }
      let share = unit == "%" ? shares.joined(separator: "..") : "?"
      throw FormProblem(
        message: "\(what) has no unit: write \(isValid(share) ? share : String(numbers))")
    }
    let known = String.list(units.map(\.word))
    if unit.isEmpty {
      let words = units.prefix(2).map { "\(numbers) \($0.word)" }
      let valid = words.filter(isValid)
      let written = (valid.isEmpty ? words : valid).joined(separator: " or ")
      throw FormProblem(message: "the unit is missing: write \(written)")
    }
    if known == "mm", ["px", "pixel", "pixels"].contains(unit.lowercased()) {
      throw FormProblem(message: "a touchpad has no pixels: write a length in mm")
    }
    let ours = OtherWords.converted(numbers, unit, to: units.map(\.word)) ?? ""
    throw FormProblem(
      message:
        "“\(unit.prefix(40))” is not a unit of \(what): write \(isValid(ours) ? ours : known)")
  }

  private func isValid(_ text: String) -> Bool { (try? bounds(text)) != nil }

  /// The text's numbers, and its unit.
  static func parts(of text: String) -> (numbers: Substring, unit: Substring) {
    let end = text.lastIndex { $0 == "." || isDigit($0) }.map { text.index(after: $0) }
    let unit = text[(end ?? text.startIndex)...]
    return (text[..<(end ?? text.startIndex)], unit.drop { $0 == " " })
  }

  /// A number in the unit of `range`; `nil` if there are no digits.
  private func value(_ digits: String, _ factor: Double, of text: String) throws(FormProblem)
    -> Double?
  {
    if digits.isEmpty { return nil }
    // `Double` alone accepts other notations too
    let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
    let isDecimal =
      parts.count <= 2 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(Self.isDigit) }
    guard isDecimal, let number = Double(digits) else { throw notThis(text) }
    let value = number * factor
    guard range.contains(value) else {
      throw FormProblem(message: "\(digits) is out of range: \(what) goes \(rangeText)")
    }
    return value
  }

  static func isDigit(_ character: Character) -> Bool {
    character.isASCII && character.isNumber
  }

  var rangeText: String {
    let unit = units[0].word.isEmpty ? "" : " \(units[0].word)"
    let factor = units[0].factor
    let (low, high) = (range.lowerBound / factor, range.upperBound / factor)
    return "from \(low.shortest) to \(high.shortest)\(unit)"
  }

  private func notThis(_ text: String) -> FormProblem {
    let sign = text.first
    let rest = String(text.drop { "<>= ".contains($0) })
    if sign == "<" || sign == ">", let (given, isSingle) = try? bounds(rest), isSingle,
      given.minimum != nil
    {
      let (number, unit) = Self.parts(of: rest)
      let ends = sign == ">" ? "\(number).." : "..\(number)"
      let written = unit.isEmpty ? ends : "\(ends) \(unit)"
      return FormProblem(message: "bounds are written with two dots: write \(written)")
    }
    if let other = Dots.respelled(text) {
      let decimal = "\(other.low).\(other.high)\(other.unit)"
      if other.isComma, isValid(decimal) {
        return FormProblem(message: "a decimal has a point: write \(decimal)")
      }
      let bounds = "\(other.low)..\(other.high)\(other.unit)"
      if isValid(bounds) { return FormProblem(message: Dots.sentence(bounds)) }
    }
    return FormProblem(message: "expected \(words.sentence), not \(text.excerpt)")
  }
}

extension Form where Value == Bounds {
  /// Bounds. A single number is the lower bound.
  static func bounds(_ measure: Measure) -> Form {
    scalar(measure.words, schema: measure.schema(measure.boundsPattern)) {
      text throws(FormProblem) in
      let (bounds, isSingle) = try measure.bounds(text)
      return isSingle ? Bounds(from: bounds.minimum) : bounds
    }
  }
}

extension Form where Value == Double {
  static func quantity(_ measure: Measure) -> Form {
    var words = measure.words
    words.examples = words.examples.filter { Dots.split($0).high == nil }
    return scalar(words, schema: measure.schema(measure.valuePattern)) {
      text throws(FormProblem) in
      try measure.quantity(text)
    }
  }
}
