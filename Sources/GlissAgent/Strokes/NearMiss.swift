import GlissConfiguration
import GlissEvents

/// A rule that a stroke nearly triggered, and what was missing.
struct NearMiss {
  /// One condition of a rule.
  enum Condition: Int, CaseIterable {
    case gesture, fingers, direction, edge, count, afterTap, travel, scale, turn, speed, duration
    case rest, modifiers, mode, device
  }

  var rule: Int
  var missing: [Condition]
  /// How far the measures were from what was asked. A condition that is not numeric counts 1.
  fileprivate var distance: Double

  /// How many near misses are reported.
  static let limit = 3
}

extension PastStroke {
  /// The closest rules that the stroke did not bring to their end. Rules for another kind of
  /// gesture count only if nothing else was missing.
  var nearMisses: [NearMiss] {
    let done = Set(outcomes.filter { !$0.wasCancelled }.map(\.rule))
    var best: [NearMiss] = []
    for (rule, demand) in table.demands.enumerated() {
      guard let demand, table.streams[rule] == stream, !done.contains(rule) else { continue }
      let unmet = unmet(of: demand)
      let count = unmet.rawValue.nonzeroBitCount + (isOther(demand.kind) ? 1 : 0)
      guard count > 0, demand.kind == start.kind || (count == 1 && mayBe(demand.kind)) else {
        continue
      }
      if best.count == NearMiss.limit, count > best[NearMiss.limit - 1].missing.count { continue }
      let miss = miss(of: demand, rule, unmet)
      let place = best.firstIndex { miss.isCloser(than: $0) } ?? best.count
      guard place < NearMiss.limit else { continue }
      best.insert(miss, at: place)
      if best.count > NearMiss.limit { best.removeLast() }
    }
    return best
  }

  /// Whether a user who intended the other kind may have made this stroke.
  private func mayBe(_ other: GestureKind) -> Bool {
    let isStill = start.kind == .tap || start.kind == .hold
    if isStill == (other == .tap || other == .hold) { return true }
    if isStill || start.kind == .pinch || start.kind == .rotate { return false }
    return end.translationInMillimetres.length < Self.stillest
  }

  /// Strokes shorter than this, in mm, may have been intended to stay in place.
  private static let stillest = 5.0

  /// The stroke was not a gesture of that kind, or was withdrawn.
  private func isOther(_ kind: GestureKind) -> Bool {
    kind != start.kind || end.phase == .cancelled
  }

  private func unmet(of demand: Demand) -> Unmet {
    var unmet = demand.unmetAtStart(start, modifiers: modifiers, rest: rest)
    unmet.formUnion(demand.unmet(measures(for: demand)))
    // conditions that only the rule's own kind can meet are left out, as far as they are known
    if demand.kind != start.kind { unmet.subtract(demand.ownOfItsKind) }
    if table.number(ofMode: mode) != demand.mode { unmet.insert(.mode) }
    if let match = demand.match, !matches.contains(match) { unmet.insert(.device) }
    return unmet
  }

  private func miss(of demand: Demand, _ rule: Int, _ unmet: Unmet) -> NearMiss {
    var missing = NearMiss.Condition.allCases.filter { !unmet.isDisjoint(with: $0.unmet) }
    if isOther(demand.kind) { missing.insert(.gesture, at: 0) }
    let distance = missing.reduce(0) { $0 + self.distance(of: demand, $1) }
    return NearMiss(rule: rule, missing: missing, distance: distance)
  }

  /// The stroke's measures as a rule of that kind would see them.
  func measures(for demand: Demand) -> Measures {
    var event = end
    if demand.kind != event.kind {
      event.kind = demand.kind
      (event.direction, event.direction8) = (nil, nil)
    }
    return Measures(event, usesEight: usesEight, began: start.time)
  }

  /// The distance as a share of what was asked.
  private func distance(of demand: Demand, _ condition: NearMiss.Condition) -> Double {
    let now = measures(for: demand)
    let (value, bounds): (Double, Bounds?) =
      switch condition {
      case .travel: (now.travel, demand.travel)
      case .scale: (now.event.scale, demand.scale)
      case .turn: (now.turn, demand.turn)
      case .speed: (now.speed, demand.speed)
      case .duration: (now.duration, demand.duration)
      case .rest: (rest, demand.rest)
      case .gesture, .fingers, .direction, .edge, .count, .afterTap, .modifiers, .mode, .device:
        (0, nil)
      }
    guard let bounds, let asked = bounds.missed(by: value), asked > 0 else { return 1 }
    return min(1, abs(value - asked) / asked)
  }
}

extension NearMiss {
  fileprivate func isCloser(than other: NearMiss) -> Bool {
    (missing.count, distance, rule) < (other.missing.count, other.distance, other.rule)
  }
}

extension NearMiss.Condition {
  fileprivate var unmet: Unmet {
    switch self {
    case .gesture: []
    case .fingers: .fingers
    case .direction: .heading
    case .edge: .edge
    case .count: .count
    case .afterTap: .afterTap
    case .travel: [.tooShort, .tooFar]
    case .scale: [.tooLittleScaled, .tooMuchScaled]
    case .turn: [.tooLittleTurned, .tooMuchTurned]
    case .speed: [.tooSlow, .tooFast]
    case .duration: [.tooBrief, .tooLong]
    case .rest: .rest
    case .modifiers: .modifiers
    case .mode: .mode
    case .device: .device
    }
  }
}

extension Demand {
  /// Conditions that gestures of other kinds cannot meet.
  fileprivate var ownOfItsKind: Unmet {
    switch kind {
    case .edgeSwipe: .edge
    case .tap: .count
    case .drag: .afterTap
    case .pinch, .rotate, .swipe, .hold: []
    }
  }
}

extension Bounds {
  /// The bound that `value` is beyond.
  func missed(by value: Double) -> Double? {
    if let minimum, !(value >= minimum) { return minimum }
    if let maximum, !(value <= maximum) { return maximum }
    return nil
  }
}

/// Says in words what was missing: what was measured, and what the rule asks for for.
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
        : "taken for \(stroke.start.kind.withArticle), rule asks for \(demand.kind.withArticle)"
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
    "\(measured), rule asks for \(asked)"
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
