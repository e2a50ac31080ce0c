import GlissConfiguration
import GlissEvents
import GlissFocus
import GlissHotkeys

extension MatchedGesture {
  private typealias Miss = (rule: Int, condition: GestureCondition, unmet: Unmet, distance: Double)

  /// The rules that the stroke came closest to without completing them. A rule for another kind of
  /// gesture is listed only if nothing else was wrong. If the stroke had an effect, only rules for
  /// the same motion are listed.
  var nearMisses: [StrokeReport.Missed] {
    let done = Set(outcomes.filter { $0.counts[.cancel] == nil }.map(\.rule))
    let misses = table.conditions.indices.compactMap { rule -> Miss? in
      guard let condition = table.conditions[rule], table.streams[rule] == gesture.stream,
        !done.contains(rule)
      else { return nil }
      let unmet = unmet(rule, condition)
      let isPossible =
        condition.kind == start.kind || (unmet.count == 1 && mayBe(condition.kind))
      guard !unmet.isEmpty, isPossible, !hasActed || unmet.isDisjoint(with: .motion) else {
        return nil
      }
      return (rule, condition, unmet, distance(of: unmet, condition))
    }
    let nearest = misses.sorted {
      ($0.unmet.count, $0.distance, $0.rule) < ($1.unmet.count, $1.distance, $1.rule)
    }
    return nearest.prefix(StrokeReport.mostMissed).map { miss in
      let rule = rules[miss.rule]
      return StrokeReport.Missed(
        rule: StrokeReport.RuleName(rule),
        reasons: miss.unmet.conditions.map { text($0, miss.condition, of: rule) })
    }
  }

  /// Whether a user who intended the other kind may have made this stroke.
  private func mayBe(_ other: GestureKind) -> Bool {
    if other == .edgeSwipe, !isAtEdge { return false }
    let isStill = start.kind == .tap || start.kind == .hold
    if isStill == (other == .tap || other == .hold) { return true }
    if isStill || start.kind == .pinch || start.kind == .rotate { return false }
    return end.translation.millimetres.length < Self.stillest
  }

  /// Whether it began in the outer tenth of the device.
  private var isAtEdge: Bool {
    guard start.hasCentroid else { return true }
    let place = start.centroid
    return min(place.x, place.y, 1 - place.x, 1 - place.y) < 0.1
  }

  /// Strokes shorter than this, in mm, may have been intended to stay in place.
  private static let stillest = 5.0

  private func unmet(_ rule: Int, _ condition: GestureCondition) -> Unmet {
    var unmet = table.unmetAtStart(rule, condition, by: gesture)
    unmet.formUnion(condition.unmetNow(by: gesture, isOver: true))
    if end.phase == .cancelled { unmet.insert(Unmet(.gesture)) }
    return unmet
  }

  /// How far the measures were from what was asked, each as a share of that. A condition that is
  /// not numeric counts 1, and another kind of gesture 2.
  private func distance(of unmet: Unmet, _ condition: GestureCondition) -> Double {
    unmet.conditions.reduce(0) { sum, missing in
      guard let (bounds, value) = condition.measure(missing, of: gesture),
        let asked = bounds.missed(by: value), asked > 0
      else { return sum + (missing == .gesture && condition.kind != start.kind ? 2 : 1) }
      return sum + min(1, abs(value - asked) / asked)
    }
  }
}

extension MatchedGesture {
  /// Says in words what was missing for `rule`: what was measured, and what the rule asks for.
  private func text(
    _ missing: Unmet.Condition, _ condition: GestureCondition, of rule: Rule
  ) -> String {
    switch missing {
    case .gesture:
      return condition.kind == start.kind
        ? "the \(start.kind.spoken) was cancelled"
        : "taken for \(start.kind.withArticle), rule asks for \(condition.kind.withArticle)"
    case .fingers: return asks(GestureWords.fingers(start.fingers), condition.fingersText)
    case .direction:
      return asks(
        "went \(gesture.sense(as: condition.kind)?.word ?? "nowhere")",
        condition.sense?.word ?? "anywhere")
    case .edge:
      return asks(
        start.edge.map(GestureWords.from) ?? "from no edge",
        condition.edge?.name ?? "any")
    case .count:
      return asks("\(start.count) in a row", condition.count.map { "\($0)" } ?? "any")
    case .afterTap:
      return asks(
        (start.isAfterTap ? "" : "not ") + GestureWords.afterTap,
        (condition.isAfterTap ?? false ? "" : "not ") + GestureWords.afterTap)
    case .travel: return bounds(missing, condition, "travel", "mm", places: 1)
    case .scale: return bounds(missing, condition, "scale", "", places: 2)
    case .turn: return bounds(missing, condition, "turn", "°", places: 0)
    case .speed: return bounds(missing, condition, "speed", "mm/s", places: 0)
    case .duration: return bounds(missing, condition, "lasted", "ms", places: 0)
    case .rest:
      if gesture.rest == .infinity {
        return asks(
          "no gesture before",
          "one at most \((condition.rest?.maximum ?? 0).trimmed(0)) ms before")
      }
      return bounds(missing, condition, "rest", "ms", places: 0)
    case .modifiers:
      return asks(
        "held: \(gesture.modifiers.spoken)", condition.modifiers?.eitherSide.spoken ?? "any")
    case .mode: return asks("mode \(gesture.mode ?? "none")", rule.mode ?? "none")
    case .application: return gesture.focus.unmet(rule.application ?? ApplicationMatch())
    case .device: return asks("device “\(device)”", rule.device?.spoken ?? "any")
    }
  }

  private func bounds(
    _ missing: Unmet.Condition, _ condition: GestureCondition, _ what: String, _ unit: String,
    places: Int
  ) -> String {
    guard let (bounds, value) = condition.measure(missing, of: gesture),
      let asked = bounds.missed(by: value)
    else { return what }
    let space = unit.isEmpty || unit == "°" ? "" : " "
    let sign = value < asked ? "≥" : "≤"
    // 19.98 of 20 must not read as 20 of 20
    var shown = value.trimmed(places)
    if shown == asked.trimmed(places) { shown = value.trimmed(places + 3) }
    return asks(
      "\(what) \(shown)\(space)\(unit)", "\(sign) \(asked.trimmed(3))\(space)\(unit)")
  }
}

/// What was measured or found, beside what a rule asks for.
func asks(_ measured: String, _ asked: String) -> String {
  "\(measured), rule asks for \(asked)"
}

extension RuleFocus {
  func unmet(_ match: ApplicationMatch) -> String {
    let (place, nothing) =
      switch match.window {
      case .focused: ("application", "no application has the focus")
      case .underPointer: ("pointer over application", "no application is under the pointer")
      }
    let found = names[match.window].map { "\(place) \($0.first ?? "without a name")" }
    let missing =
      known.contains(match.window) ? nothing : "it is not known \(match.window.question)"
    return asks(found ?? missing, match.spoken)
  }
}

extension GestureCondition {
  fileprivate var fingersText: String {
    guard let fingers else { return "any" }
    let (fewest, most) = (fingers.lowerBound, fingers.upperBound)
    return fewest == most ? "\(most)" : "\(fewest) to \(most)"
  }
}

extension ApplicationMatch {
  /// The conditions on the application, in a few words.
  var spoken: String {
    var parts: [String] = []
    if !only.isEmpty { parts.append(only.joined(separator: " or ")) }
    if !not.isEmpty { parts.append("not " + not.joined(separator: " or ")) }
    if !titles.isEmpty { parts.append("the title " + titles.joined(separator: " or ")) }
    return parts.isEmpty ? "any" : parts.joined(separator: ", ")
  }
}

extension DeviceMatch {
  /// The conditions on the device, in a few words.
  var spoken: String {
    var parts: [String] = []
    if let kind { parts.append("a \(kind.rawValue)") }
    if let name { parts.append("“\(name)”") }
    if let ids = vendorAndProduct { parts.append(ids.written) }
    return parts.isEmpty ? "any" : parts.joined(separator: " ")
  }
}

/// Finds presses that trigger no rule. For dry runs only: it has to see every key.
struct IdlePresses {
  var found: [PressReport] = []
  private let configuration: Configuration
  private var recorder = HotkeyRecorder()
  /// The last press, or all of the sequence under way, until it is known whether it was a hotkey.
  private var last: PressReport?
  private var lastHotkey: EventTime?
  /// The sequence under way: the rules that it may complete, its presses so far, and its timeout.
  private var sequence: (rules: [Int], count: Int, due: EventTime)?

  init(_ configuration: Configuration) { self.configuration = configuration }

  /// The kinds of events that ``process(_:of:in:_:until:)`` needs.
  var kinds: EventMask {
    configuration.rules.contains(where: \.isHotkey) ? [.key, .pointer, .scroll] : []
  }

  /// Processes an event of `device` that came while the rules were in this mode and focus.
  ///
  /// - Parameter due: when the sequence that is under way after it times out, if one is.
  mutating func process(
    _ event: InputEvent, of device: RuleDevice?, in mode: String?, _ focus: RuleFocus,
    until due: EventTime?
  ) {
    guard let press = self.press(event) else { return }
    if let sequence, sequence.due <= event.time { settle() }
    guard let completed = follow(press, at: event.time, in: mode, until: due) else { return }
    let missed = configuration.rules.indices.compactMap { index -> StrokeReport.Missed? in
      let rule = configuration.rules[index]
      let chords = chords(of: index)
      guard let chord = chords.last, press.isKey(of: chord),
        // typing a letter is not meant as a chord
        chord.sharesModifiers(with: press.chord) || press.chord.typesNothing
      else { return nil }
      var reasons: [String] = []
      if !chord.sharesModifiers(with: press.chord) {
        reasons.append(asks("pressed \(press.chord)", "\(chord)"))
      }
      if chords.count > 1, !completed.contains(index) {
        let first = chords.dropLast().map(\.description).joined(separator: ";")
        reasons.append("the rule asks for \(first) right before")
      }
      if rule.mode != mode { reasons.append(asks("mode \(mode ?? "none")", rule.mode ?? "none")) }
      if let match = rule.application, !focus.isMet[index] {
        reasons.append(focus.unmet(match))
      }
      if !rule.isFor(device) {
        reasons.append(asks("device “\(device?.name ?? "")”", rule.device?.spoken ?? "any"))
      }
      return reasons.isEmpty
        ? nil : StrokeReport.Missed(rule: StrokeReport.RuleName(rule), reasons: reasons)
    }
    if missed.isEmpty || event.time == lastHotkey { return }
    last = PressReport(
      time: event.time, hotkey: "\(press.chord)",
      missed: Array(missed.prefix(StrokeReport.mostMissed)))
  }

  /// A hotkey was pressed that these rules act on: the press of that time is not idle, and a
  /// sequence of theirs is complete.
  mutating func note(_ hotkey: HotkeyEvent, of rules: [Int]) {
    guard hotkey.phase == .pressed, !rules.isEmpty else { return }
    lastHotkey = hotkey.time
    if last?.time == hotkey.time { last = nil }
    if let sequence, sequence.rules.contains(where: rules.contains) {
      (last, self.sequence) = (nil, nil)
    }
  }

  /// Nothing more comes that belongs to the last press or the sequence under way.
  mutating func settle() {
    if let last { found.append(last) }
    (last, sequence) = (nil, nil)
  }

  // MARK: Chords

  /// A chord that was pressed, and the keysyms of its key.
  private struct Press {
    var chord: Chord
    var keysyms: [UInt32]

    func isKey(of asked: Chord) -> Bool {
      keysyms.contains { asked.isCompleted(by: chord.trigger, keysym: $0) }
    }
  }

  private mutating func press(_ event: InputEvent) -> Press? {
    var keysyms: [UInt32] = [0]
    var pressed: Hotkey?
    switch event {
    case .key(let key):
      pressed = recorder.process(key)
      keysyms = [key.keysym, key.base.keysym, key.base.letter]
    case .button(let button): pressed = recorder.process(button)
    case .scroll(let scroll): pressed = recorder.process(scroll)
    case .gesture, .touch, .motion, .device, .hotkey, .lost: return nil
    }
    return pressed?.chords.last.map { Press(chord: $0, keysyms: keysyms) }
  }

  private func chords(of rule: Int) -> [Chord] {
    guard case .hotkey(let condition) = configuration.rules[rule].trigger else { return [] }
    return condition.hotkey.chords
  }

  /// Whether the press is this chord of the rule, the first one being 0.
  private func isChord(_ number: Int, of rule: Int, _ press: Press) -> Bool {
    let chords = chords(of: rule)
    return number < chords.count && press.isKey(of: chords[number])
      && chords[number].sharesModifiers(with: press.chord)
  }

  /// Follows the sequence under way to this press, if it belongs to it.
  ///
  /// - Returns: the rules whose sequences it completes; `nil` if more chords must follow it.
  private mutating func follow(
    _ press: Press, at time: EventTime, in mode: String?, until due: EventTime?
  ) -> [Int]? {
    let count = sequence?.count ?? 0
    var rules = (sequence?.rules ?? []).filter { isChord(count, of: $0, press) }
    let completed = rules.filter { chords(of: $0).count == count + 1 }
    if !completed.isEmpty {
      (last, sequence) = (nil, nil)
      return completed
    }
    guard let due else {
      settle()
      return []
    }
    // a part of a notch
    if due == sequence?.due { return nil }
    if rules.isEmpty {
      settle()
      rules = configuration.rules.indices.filter {
        configuration.rules[$0].mode == mode && isChord(0, of: $0, press)
      }
    }
    let before = last.map { "\($0.hotkey) ; " } ?? ""
    let missed = rules.prefix(StrokeReport.mostMissed).map { index in
      let sequence = chords(of: index).map(\.description).joined(separator: " ; ")
      return StrokeReport.Missed(
        rule: StrokeReport.RuleName(configuration.rules[index]),
        reasons: ["the sequence \(sequence) was not completed"])
    }
    last =
      missed.isEmpty
      ? nil : PressReport(time: time, hotkey: "\(before)\(press.chord)", missed: missed)
    sequence = (rules, (sequence?.count ?? 0) + 1, due)
    return nil
  }
}
