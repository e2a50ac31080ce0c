import GlissAgent
import GlissConfiguration
import GlissEvents

/// The meaning of gesture rules again, without any index: each rule looks at all there was of a gesture, at every event.
struct ReferenceMatcher {
  let rules: [Rule]
  var mode: String?
  private var history: [GestureEvent] = []
  private var held: Modifiers = []
  private var storyMode: String?
  private var rest = Double.infinity
  private var lastEnd: EventTime?
  private var device: RuleDevice?

  init(_ rules: [Rule], device: RuleDevice?) {
    self.rules = rules
    self.device = device
  }

  mutating func process(_ event: GestureEvent, modifiers: Modifiers) -> [String] {
    var told = history.isEmpty ? [] : holds(until: event.time)
    switch event.phase {
    case .began:
      if !history.isEmpty { told += close { _ in "cancel" } }
      history = [event]
      (held, storyMode) = (modifiers, mode)
      rest = lastEnd.map { (event.time - $0).milliseconds } ?? .infinity
      told += open(isEnd: false)
    case .changed, .ended:
      let isEnd = event.phase == .ended
      if !history.isEmpty {
        history.append(event)
        told += open(isEnd: isEnd)
        let now = self
        if isEnd { told += close { now.holds($0, event, passed: true) ? "end" : "cancel" } }
      }
      if isEnd { lastEnd = event.time }
    case .cancelled: told += close { _ in "cancel" }
    case .recognized: break
    }
    return told
  }

  /// Rules whose time comes between two events.
  private mutating func holds(until time: EventTime) -> [String] {
    guard let first = history.first, let last = history.last, first.kind == .hold else { return [] }
    let dues = Set(conditions.compactMap { $0.1.duration?.minimum }.map { $0.rounded(.up) })
      .sorted()
    var told: [String] = []
    for due in dues {
      let instant = first.time + .milliseconds(due)
      guard instant > last.time, instant <= time else { continue }
      var event = last
      (event.time, event.phase) = (instant, .changed)
      // fingers that send no events for 50 ms lie still
      if (instant - last.time).milliseconds > 50 { event.velocity = .zero }
      history.append(event)
      told += open(isEnd: false, isSilent: true)
    }
    return told
  }

  /// What the last event of the history begins, and what it changes.
  private func open(isEnd: Bool, isSilent: Bool = false) -> [String] {
    conditions.flatMap { rule, condition -> [String] in
      guard let engaged = engagement(condition, rule, isEnd: isEnd) else { return [] }
      let isNew = engaged == history.count - 1
      var told: [String] = isNew ? ["\(rule) begin"] : []
      if !isNew, !isEnd, !isSilent, !rules[rule].reactions.change.isEmpty {
        told.append("\(rule) change")
      }
      return told
    }
  }

  private mutating func close(_ how: (GestureCondition) -> String) -> [String] {
    defer { history = [] }
    return conditions.compactMap { rule, condition in
      let isEnd = history.last?.phase == .ended
      guard engagement(condition, rule, isEnd: isEnd) != nil else { return nil }
      return "\(rule) \(how(condition))"
    }
  }

  private var conditions: [(Int, GestureCondition)] {
    rules.enumerated().compactMap { index, rule in
      guard case .gesture(let condition) = rule.trigger else { return nil }
      return (index, condition)
    }
  }

  /// The first event at which all holds but upper bounds; the last one only counts where they hold too, if it is the end.
  private func engagement(_ condition: GestureCondition, _ rule: Int, isEnd: Bool) -> Int? {
    engagements(isEnd: isEnd)[rule]
  }

  /// The same of all rules. One that does something before the end, in a direction, leaves those of
  /// others out.
  private func engagements(isEnd: Bool) -> [Int: Int] {
    guard let start = history.first else { return [:] }
    var engaged: [Int: Int] = [:]
    var open = conditions.filter { begins($1, rules[$0], start) }
    for (index, event) in history.enumerated() {
      let isLast = isEnd && index == history.count - 1
      let met = open.filter { holds($1, event, passed: isLast) }
      for (rule, _) in met { engaged[rule] = index }
      open.removeAll { engaged[$0.0] != nil }
      let isDecided = met.contains { $1.sense != nil && rules[$0].reactions.change != [] }
      if isDecided, !isLast { open = open.filter { goes($1, event) } }
    }
    return engaged
  }

  private func begins(_ condition: GestureCondition, _ rule: Rule, _ start: GestureEvent) -> Bool {
    if rule.mode != storyMode || condition.kind != start.kind { return false }
    if let match = rule.device { guard let device, match.fits(device) else { return false } }
    if let fingers = condition.fingers, !fingers.contains(start.fingers) { return false }
    if let edge = condition.edge, edge != start.edge { return false }
    if let isAfterTap = condition.isAfterTap, isAfterTap != start.isAfterTap { return false }
    if let bounds = condition.rest, !bounds.contains(rest) { return false }
    guard let modifiers = condition.modifiers else { return true }
    return Self.pairs(modifiers) == Self.pairs(held)
  }

  private static func pairs(_ modifiers: Modifiers) -> [Bool] {
    [
      modifiers.contains(.leftShift) || modifiers.contains(.rightShift),
      modifiers.contains(.leftControl) || modifiers.contains(.rightControl),
      modifiers.contains(.leftSuper) || modifiers.contains(.rightSuper),
      modifiers.contains(.leftAlt), modifiers.contains(.rightAlt),
    ]
  }

  /// - Parameter passed: upper bounds count.
  private func holds(_ condition: GestureCondition, _ event: GestureEvent, passed: Bool) -> Bool {
    func within(_ bounds: Bounds?, _ value: Double, isInward: Bool = false) -> Bool {
      guard var bounds else { return true }
      if !passed { if isInward { bounds.minimum = nil } else { bounds.maximum = nil } }
      return bounds.contains(value)
    }
    let motion = event.translation.millimetres
    let lasted = history.first.map { (event.time - $0.time).milliseconds } ?? 0
    guard within(condition.travel, (motion.x * motion.x + motion.y * motion.y).squareRoot()),
      within(condition.turn, abs(event.rotation) * 180 / .pi), within(condition.duration, lasted),
      within(condition.speed, event.velocity.length),
      within(condition.scale, event.scale, isInward: condition.sense == .inward)
    else { return false }
    return goes(condition, event)
  }

  /// Whether the gesture goes in the direction of the rule.
  private func goes(_ condition: GestureCondition, _ event: GestureEvent) -> Bool {
    let motion = event.translation.millimetres
    switch condition.sense {
    case nil: return true
    case .inward: return event.kind == .pinch && event.scale < 1
    case .outward: return event.kind == .pinch && event.scale > 1
    case .clockwise: return event.kind == .rotate && event.rotation < 0
    case .counterclockwise: return event.kind == .rotate && event.rotation > 0
    case .horizontal, .vertical, .towards:
      guard event.kind == .swipe || event.kind == .drag || event.kind == .edgeSwipe else {
        return false
      }
      let isFine = conditions.contains { index, other in
        guard case .towards(let way)? = other.sense,
          way.name.dropFirst().contains(where: \.isUppercase)
        else {
          return false
        }
        return history.first.map { begins(other, rules[index], $0) } ?? false
      }
      guard let direction = isFine ? Direction.ofEight(motion) : Direction.ofFour(motion) else {
        return false
      }
      if condition.sense == .horizontal { return [.left, .right].contains(direction) }
      if condition.sense == .vertical { return [.up, .down].contains(direction) }
      return condition.sense == .towards(direction)
    }
  }
}
