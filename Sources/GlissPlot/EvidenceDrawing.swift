import GlissEvents
import GlissGestures

/// What each meaning leaves unexplained, over time, and the lead that the cheapest one needs.
struct EvidenceDrawing {
  private typealias Curve = (name: String, look: String, cost: KeyPath<Costs, Double>)

  private let stroke: PlottedStroke
  private let time: Scale
  private let cost: Scale
  private let top: Double
  /// The id of the curves' clip path, which must be unique in the file.
  private let clipID: String
  private static let height = 170.0

  init(_ stroke: PlottedStroke, over time: Scale, from top: Double, id: String) {
    clipID = "clip\(id)"
    self.stroke = stroke
    self.time = time
    self.top = top
    cost = Scale(0...Self.most(stroke.evidence), from: top + Self.height, to: top)
  }

  /// In pixels.
  static func height(of stroke: PlottedStroke) -> Double { stroke.evidence.isEmpty ? 24 : height }

  /// The highest cost to show. What matters is the lead, which lies between the two cheapest.
  private static func most(_ evidence: [Evidence]) -> Double {
    max(0.5, evidence.map { $0.least + max($0.needed, min($0.lead, 4 * $0.needed)) }.max() ?? 0)
      * 1.15
  }

  var elements: [String] {
    guard !stroke.evidence.isEmpty else {
      return [
        Markup.text(
          "nothing was weighed: fewer than two fingers took part", "dim small",
          x: time.places.from, y: top + 16)
      ]
    }
    let curves = curves.filter { curve in
      stroke.evidence.contains { $0.costs[keyPath: curve.cost].isFinite }
    }
    return [axis, clip, band] + curves.map { line($0) } + [needed] + labels(of: curves)
  }

  private var swipes: Bool { stroke.mostWeighed > 2 }

  private var curves: [Curve] {
    let drag = swipes ? "swipe" : "drag"
    var curves: [Curve] = [
      (drag, "\(drag) d-drag", \.drag), ("pinch", "pinch d-pinch", \.pinch),
      ("rotate", "rotate d-rotate", \.rotate), ("still", "still d-still", \.still),
      ("rest", "rest d-rest", \.rest),
    ]
    if stroke.evidence.contains(where: { $0.costs.lateDrag < $0.costs.drag }) {
      curves.append(("late-\(drag)", "\(drag) d-rest", \.lateDrag))
    }
    // with two fingers, late-rotate and rotate are the same
    if swipes { curves.append(("late-rotate", "rotate d-rest", \.lateRotate)) }
    return curves
  }

  private func x(_ evidence: Evidence) -> Double {
    time((evidence.time - stroke.start).milliseconds)
  }

  // MARK: Lines

  private var clip: String {
    Markup.element(
      "clipPath", ["id": clipID],
      around: [
        Markup.element(
          "rect",
          [
            "x": Markup.number(time.places.from), "y": Markup.number(top - 1),
            "width": Markup.number(time.places.to - time.places.from),
            "height": Markup.number(Self.height + 2),
          ])
      ])
  }

  private var axis: String {
    let ticks = cost.ticks(atMost: 5)
    return ticks.values.map { value in
      let start = "M\(Markup.number(time.places.from)) \(Markup.number(cost(value)))"
      return Markup.path("line stroke thin", start + "H\(Markup.number(time.places.to))")
        + Markup.text(
          value.fixed(ticks.decimals), "dim small", x: time.places.from - 6, y: cost(value) + 4,
          anchor: "end")
    }.joined(separator: "\n")
  }

  /// The evidence in pieces without gaps. A finger that lands or lifts begins a new piece.
  private var pieces: [[Evidence]] {
    var pieces: [[Evidence]] = []
    for evidence in stroke.evidence {
      if let last = pieces.last?.last, last.fingers == evidence.fingers,
        evidence.time - last.time < .milliseconds(100)
      {
        pieces[pieces.count - 1].append(evidence)
      } else {
        pieces.append([evidence])
      }
    }
    return pieces
  }

  /// The lead that the cheapest meaning needs, as an area above its cost.
  private var band: String {
    pieces.map { piece in
      let above = piece.map { point(x($0), $0.least + $0.needed) }
      let below = piece.reversed().map { point(x($0), $0.least) }
      return Markup.element(
        "path",
        [
          "class": "mark fill", "fill-opacity": "0.1", "clip-path": "url(#\(clipID))",
          "d": "M" + (above + below).joined(separator: "L") + "z",
        ])
    }.joined(separator: "\n")
  }

  private var needed: String {
    pieces.map { piece in
      let points = piece.map { point(x($0), $0.least + $0.needed) }
      return line("mark", "M" + points.joined(separator: "L"))
    }.joined(separator: "\n")
  }

  private func line(_ curve: Curve) -> String {
    let data = pieces.compactMap { piece in
      let places = piece.filter { $0.costs[keyPath: curve.cost].isFinite }
      if places.isEmpty { return nil }
      return "M"
        + places.map { point(x($0), $0.costs[keyPath: curve.cost]) }.joined(separator: "L")
    }.joined()
    return line(curve.look, data)
  }

  private func line(_ look: String, _ data: String) -> String {
    Markup.element(
      "path", ["class": "\(look) stroke curve", "clip-path": "url(#\(clipID))", "d": data])
  }

  private func point(_ x: Double, _ value: Double) -> String {
    "\(Markup.number(x)) \(Markup.number(cost(min(value, 10 * cost.values.upperBound))))"
  }

  // MARK: Labels

  /// The curves' names at their ends, pushed apart.
  private func labels(of curves: [Curve]) -> [String] {
    guard let last = stroke.evidence.last else { return [] }
    var labels = curves.map { curve in
      let cost = last.costs[keyPath: curve.cost]
      return (text: curve.name, look: curve.look, value: cost.isFinite ? cost : .infinity)
    }
    labels.append(("lead needed", "mark", last.least + last.needed))
    labels.sort { ($0.value, $0.text) < ($1.value, $1.text) }
    let x = min(x(last) + 8, time.places.to + 8)
    var lowest = top + Self.height + 16
    return labels.filter { $0.value.isFinite }.map { label in
      let isAbove = label.value > cost.values.upperBound
      let y = min(lowest - 13, cost(min(label.value, cost.values.upperBound)) + 4)
      lowest = y
      return Markup.text(
        label.text + (isAbove ? " ↑" : ""), "small \(label.look.split(separator: " ")[0])", x: x,
        y: y)
    }
  }
}
