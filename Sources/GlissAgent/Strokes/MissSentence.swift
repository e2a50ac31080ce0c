import GlissConfiguration
import GlissEvents

/// Says in words what was missing: what was measured, and what the rule asks for.
struct MissSentence {
  let stroke: PastStroke
  let demand: Demand
  let rule: Rule

  func text(_ condition: NearMiss.Condition) -> String {
    let now = stroke.measures(for: demand)
    switch condition {
    case .gesture:
      return demand.kind == stroke.start.kind
        ? "the \(stroke.start.kind.spoken) was cancelled"
        : "taken for \(stroke.start.kind.withArticle), rule asks \(demand.kind.withArticle)"
    case .fingers: return asks(Self.fingers(stroke.start.fingers), demand.fingersText)
    case .direction:
      return asks("went \(now.heading?.spoken ?? "nowhere")", demand.heading?.spoken ?? "anywhere")
    case .edge:
      return asks(
        stroke.start.edge.map { "from the \($0.name) edge" } ?? "from no edge",
        demand.edge?.name ?? "any")
    case .count:
      return asks("tap \(stroke.start.count) in a row", demand.count.map { "\($0)" } ?? "any")
    case .afterTap:
      return asks(
        stroke.start.isAfterTap ? "after a tap" : "not after a tap",
        demand.isAfterTap ?? false ? "after a tap" : "not after a tap")
    case .travel: return bounds("travel", now.travel, demand.travel, "mm", places: 1)
    case .scale: return bounds("scale", now.event.scale, demand.scale, "", places: 2)
    case .turn: return bounds("turn", now.turn, demand.turn, "°", places: 0)
    case .speed: return bounds("speed", now.speed, demand.speed, "mm/s", places: 0)
    case .duration: return bounds("lasted", now.duration, demand.duration, "ms", places: 0)
    case .rest:
      if stroke.rest == .infinity {
        return asks(
          "no gesture before", "one at most \(Self.number(demand.rest?.maximum ?? 0, 0)) ms before")
      }
      return bounds("rest", stroke.rest, demand.rest, "ms", places: 0)
    case .modifiers:
      return asks("held: \(stroke.modifiers.spoken)", demand.modifiers?.spoken ?? "any")
    case .mode: return asks("mode \(stroke.mode ?? "none")", rule.mode ?? "none")
    case .device: return asks("device “\(stroke.device)”", rule.device?.spoken ?? "any")
    }
  }

  private func asks(_ measured: String, _ asked: String) -> String {
    "\(measured), rule asks \(asked)"
  }

  private func bounds(
    _ what: String, _ value: Double, _ bounds: Bounds?, _ unit: String, places: Int
  ) -> String {
    let space = unit.isEmpty || unit == "°" ? "" : " "
    let asked = bounds?.missed(by: value) ?? 0
    let sign = value < asked ? "≥" : "≤"
    // 19.98 of 20 must not read as 20 of 20
    var shown = Self.number(value, places)
    if shown == Self.number(asked, places) { shown = Self.number(value, places + 3) }
    return asks(
      "\(what) \(shown)\(space)\(unit)", "\(sign) \(Self.number(asked, 3))\(space)\(unit)")
  }

  static func fingers(_ count: Int) -> String { count == 1 ? "1 finger" : "\(count) fingers" }

  /// With at most `places` decimals, and no trailing zeros.
  static func number(_ value: Double, _ places: Int) -> String {
    var text = TextBuffer(capacity: 24)
    text.append(value, places: places)
    if places > 0 {
      while text.bytes.last == UInt8(ascii: "0") { text.bytes.removeLast() }
      if text.bytes.last == UInt8(ascii: ".") { text.bytes.removeLast() }
    }
    return String(decoding: text.bytes, as: UTF8.self)
  }
}

extension Demand {
  fileprivate var fingersText: String {
    let most = mostFingers == .max ? "more" : "\(mostFingers)"
    return fewestFingers == mostFingers ? most : "\(fewestFingers) to \(most)"
  }
}

extension GestureKind {
  /// The kind's name in a sentence.
  var spoken: String {
    switch self {
    case .drag: "drag"
    case .pinch: "pinch"
    case .rotate: "rotation"
    case .swipe: "swipe"
    case .tap: "tap"
    case .hold: "hold"
    case .edgeSwipe: "edge swipe"
    }
  }

  var withArticle: String {
    switch self {
    case .drag, .pinch, .rotate, .swipe, .tap, .hold: "a \(spoken)"
    case .edgeSwipe: "an \(spoken)"
    }
  }
}

extension Heading {
  /// The word in the configuration.
  var spoken: String {
    switch self {
    case .right: "right"
    case .downRight: "downRight"
    case .down: "down"
    case .downLeft: "downLeft"
    case .left: "left"
    case .upLeft: "upLeft"
    case .up: "up"
    case .upRight: "upRight"
    case .inward: "in"
    case .outward: "out"
    case .clockwise: "clockwise"
    case .counterclockwise: "counterclockwise"
    }
  }
}

extension Modifiers {
  var spoken: String {
    let names = names
    return names.isEmpty ? "none" : names.joined(separator: "+")
  }
}

extension DeviceMatch {
  /// The conditions on the device, in a few words.
  var spoken: String {
    var parts: [String] = []
    if let kind { parts.append("a \(kind.rawValue)") }
    if let name { parts.append("“\(name)”") }
    if let ids = vendorAndProduct {
      parts.append(Self.hex(ids.vendor) + ":" + Self.hex(ids.product))
    }
    return parts.isEmpty ? "any" : parts.joined(separator: " ")
  }

  private static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }
}
