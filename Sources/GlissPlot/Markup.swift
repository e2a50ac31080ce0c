package import GlissEvents

/// SVG as text: elements with attributes, numbers and names that are safe in them.
package enum Markup {
  static func element(_ name: String, _ attributes: KeyValuePairs<String, String>) -> String {
    "<\(name)\(text(of: attributes))/>"
  }

  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String>, around content: [String]
  ) -> String {
    (["<\(name)\(text(of: attributes))>"] + content + ["</\(name)>"]).joined(separator: "\n")
  }

  /// An element around text from any source.
  static func element(
    _ name: String, _ attributes: KeyValuePairs<String, String> = [:], saying text: String
  ) -> String {
    "<\(name)\(self.text(of: attributes))>\(escaped(text))</\(name)>"
  }

  /// A line of text from any source.
  static func text(
    _ text: String, _ look: String, x: Double, y: Double, anchor: String = "start"
  ) -> String {
    element(
      "text", ["class": look, "x": number(x), "y": number(y), "text-anchor": anchor], saying: text)
  }

  static func rectangle(
    _ look: String, at place: Vector2, width: Double, height: Double, corner: Double
  ) -> String {
    element(
      "rect",
      [
        "class": look, "x": number(place.x), "y": number(place.y), "width": number(width),
        "height": number(height), "rx": number(corner),
      ])
  }

  static func path(_ look: String, _ data: String) -> String {
    element("path", ["class": look, "d": data])
  }

  private static func text(of attributes: KeyValuePairs<String, String>) -> String {
    attributes.map { " \($0.key)=\"\(escaped($0.value))\"" }.joined()
  }

  /// Escapes text for use between tags or in an attribute.
  package static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.printable.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case _: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// A length or place in pixels.
  static func number(_ value: Double) -> String { value.trimmed(2) }
}

extension String {
  func cut(to width: Int) -> String { count <= width ? self : prefix(max(0, width - 1)) + "…" }
}

/// The colours and dashes of all pictures. No meaning is shown by colour alone: fingers have numbers,
/// curves have names and dashes.
///
/// Distinct in any colour vision (after Okabe and Ito), each with a contrast of 3:1 or more.
package enum Palette {
  /// The number of finger colours; further fingers use them again.
  package static let fingers = 6

  static func finger(_ index: Int) -> String { "f\(index % fingers + 1)" }

  package static func name(of kind: GestureKind) -> String {
    switch kind {
    case .drag: "drag"
    case .pinch: "pinch"
    case .rotate: "rotate"
    case .swipe, .edgeSwipe: "swipe"
    case .tap, .hold: "still"
    }
  }

  package static let light = """
    --page: #ffffff; --text: #1f2328; --dim: #59636e; --line: #d1d9e0; --pad: #f6f8fa; --mark: #b3121d;
    --f1: #0072b2; --f2: #c24e00; --f3: #007a58; --f4: #a8508a; --f5: #454c54; --f6: #8c6d00;
    --drag: #007a58; --pinch: #a8508a; --rotate: #8c6d00; --swipe: #00708c; --still: #2458b3; --rest: #59636e;
    """

  package static let dark = """
    --page: #0f1318; --text: #e6edf3; --dim: #9aa4af; --line: #343c45; --pad: #171c23; --mark: #ff7b88;
    --f1: #56b4e9; --f2: #f0884a; --f3: #3cc49a; --f4: #e29bc6; --f5: #c9d1d9; --f6: #f0e442;
    --drag: #3cc49a; --pinch: #e29bc6; --rotate: #f0e442; --swipe: #5ccbe0; --still: #8ab4f8; --rest: #9aa4af;
    """

  /// Rules for classes with the colours' names, because only browsers support variables in SVG.
  private static func rules(_ theme: String) -> String {
    theme.split { $0 == ";" || $0 == "\n" }.compactMap { pair -> String? in
      let parts = pair.split(separator: ":")
      guard parts.count == 2 else { return nil }
      return ".\(parts[0].drop { " -".contains($0) }) { color:\(parts[1]) }"
    }.joined(separator: "\n")
  }

  static var sheet: String {
    """
    text { font: 13px system-ui, "DejaVu Sans", sans-serif; fill: currentColor }
    .small { font-size: 11px } .big { font-size: 16px; font-weight: 600 }
    .fill { fill: currentColor } .hollow { stroke: currentColor; fill: none; stroke-width: 1.5 }
    .pad { fill: currentColor; stroke: #8c959f; stroke-width: 1 }
    .stroke { stroke: currentColor; fill: none }
    .thick { stroke-width: 3; stroke-linejoin: round }
    .curve { stroke-width: 2 } .thin { stroke-width: 1 } .dashed { stroke-dasharray: 2 4 }
    .d-drag { } .d-pinch { stroke-dasharray: 8 3 } .d-rotate { stroke-dasharray: 3 3 }
    .d-still { stroke-dasharray: 10 3 2 3 } .d-rest { stroke-dasharray: 1 3 }
    \(rules(light))
    @media (prefers-color-scheme: dark) {
    \(rules(dark))
    }
    """
  }
}

/// Places values on an axis, with round numbers as ticks.
struct Scale {
  let values: ClosedRange<Double>
  /// The places of the first and last value, in pixels; on upward axes the first is larger.
  let places: (from: Double, to: Double)

  init(_ values: ClosedRange<Double>, from: Double, to: Double) {
    let isEmpty = values.upperBound <= values.lowerBound
    self.values = isEmpty ? values.lowerBound...values.lowerBound + 1 : values
    places = (from, to)
  }

  func callAsFunction(_ value: Double) -> Double {
    let share = (value - values.lowerBound) / (values.upperBound - values.lowerBound)
    return places.from + share * (places.to - places.from)
  }

  /// Round values, at most `count` of them, and their decimals.
  func ticks(atMost count: Int) -> (values: [Double], decimals: Int) {
    let least = (values.upperBound - values.lowerBound) / Double(max(1, count))
    var (unit, decimals) = (1.0, 0)
    while unit > least, decimals < 6 { (unit, decimals) = (unit / 10, decimals + 1) }
    while unit * 10 <= least { unit *= 10 }
    let step = [1, 2, 5, 10, 20, 50, 100].map { $0 * unit }.first { $0 >= least } ?? unit
    let first = (values.lowerBound / step).rounded(.up) * step
    return (Array(stride(from: first, through: values.upperBound + step / 1e6, by: step)), decimals)
  }
}
