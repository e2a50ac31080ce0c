import GlissConfiguration
import GlissEvents

/// Makes rules from the bindings of a config.yml.
struct FusumaRules {
  let reading: FusumaReading
  private let source: ImportedText

  struct Made {
    var rule: Rule
    var moment: FusumaLocation.Moment
    var lines: [Int]
    var proposal: String?
    var isFed: Bool
  }

  init(_ reading: FusumaReading, _ source: ImportedText) {
    self.reading = reading
    self.source = source
  }

  func rules(_ file: inout ImportedFile) -> [Made] {
    var made: [Made] = []
    var used: Set<FusumaNumber> = []
    let cases = FusumaCases(reading)
    for (index, binding) in reading.bindings.enumerated() {
      let found = cases.cases(of: index, &used)
      // blank or unsupported bindings are reported already
      if binding.actions.isEmpty { continue }
      if found.isEmpty { lose(binding, cases.rival(of: index), &file) }
      for one in found {
        guard let rule = rule(binding, one, &file) else { break }
        made.append(
          Made(
            rule: rule, moment: binding.location.moment,
            lines: Set(binding.lines + one.lines + backLines(one)).sorted(),
            proposal: binding.proposal, isFed: binding.isFed))
      }
    }
    tellOfUpdates(made, &file)
    tellOfUnused(used, &file)
    return joined(made)
  }

  /// Joins rules for the same gesture, each with what it does at different moments.
  private func joined(_ all: [Made]) -> [Made] {
    let drags = all.filter(\.isFed)
    var made: [Made] = []
    for var next in all {
      // a button pressed before a drag and released after it would click if the drag is missing
      switch next.moment {
      case .begin, .end, .cancelled:
        let drag = drags.first { $0.rule.isOfSameGesture(as: next.rule) }
        next.proposal = drag?.proposal ?? next.proposal
      case .once, .update: break
      }
      append(next, to: &made)
    }
    return made
  }

  /// Notes once how updates differ here.
  private func tellOfUpdates(_ made: [Made], _ file: inout ImportedFile) {
    guard let first = made.first(where: { !$0.rule.reactions.steps.isEmpty }) else { return }
    let isEitherWay = made.contains {
      $0.rule.reactions.steps.contains { !$0.back.isEmpty && $0.back != $0.forward }
    }
    file.note(
      "update",
      "fusuma goes by time, here it acts at the beginning and then by the way; every: says how often"
        + (isEitherWay
          ? ". Going back does what the other direction has; farther than the beginning the rules of both act"
          : ""),
      at: first.rule.place)
  }

  private func lose(
    _ binding: FusumaBinding, _ rival: FusumaBinding?, _ file: inout ImportedFile
  ) {
    let why =
      if let rival {
        rival.executor == binding.executor
          ? "line \(rival.lines.last ?? 0) binds the same, and the last one counts"
          : "fusuma does one thing for a gesture, here the \(rival.executor.rawValue) of line \(rival.lines.last ?? 0)"
      } else {
        "every gesture that it could be for has an entry of its own"
      }
    file.lose(
      binding.location.words, why,
      at: source.place(of: "", line: binding.lines.last ?? binding.place.line))
  }

  /// Reports numbers that no rule uses.
  private func tellOfUnused(_ used: Set<FusumaNumber>, _ file: inout ImportedFile) {
    for number in reading.numbers.values.joined() where !used.contains(number) {
      tell(number, &file)
    }
    for number in reading.defaults.values.joined() where !used.contains(number) {
      tell(number, &file)
    }
  }

  private func tell(_ number: FusumaNumber, _ file: inout ImportedFile) {
    switch number.name {
    case .threshold:
      file.note("threshold", "there is no rule that it would hold for", at: number.place)
    case .interval:
      file.note(
        "interval", "a rule acts once in a gesture, but for update:, and so needs no pause",
        at: number.place)
    }
  }

  /// Adds what a gesture does at another moment to its rule, if there is one.
  private func append(_ next: Made, to made: inout [Made]) {
    let same = made.firstIndex {
      $0.rule.trigger == next.rule.trigger && $0.proposal == next.proposal
        && $0.rule.reactions.canTake(next.rule.reactions)
    }
    guard let same else {
      made.append(next)
      return
    }
    made[same].rule.reactions.take(next.rule.reactions)
    made[same].lines = Set(made[same].lines + next.lines).sorted()
  }

  // MARK: One rule

  private func rule(
    _ binding: FusumaBinding, _ one: FusumaCases.Case, _ file: inout ImportedFile
  ) -> Rule? {
    let location = binding.location
    if location.kind == .swipe, one.fingers.lowerBound < 3 {
      file.lose(
        location.words, "a swipe has at least three fingers; two that move together are a drag",
        at: binding.actionPlace)
      return nil
    }
    if one.fingers.lowerBound < Self.kind(location.kind).fingerRange.lowerBound {
      file.lose(location.words, "it takes at least two fingers", at: binding.actionPlace)
      return nil
    }
    var condition = GestureCondition(kind: Self.kind(location.kind), fingers: one.fingers)
    condition.sense = one.direction.flatMap { Self.senses[$0] }
    if let held = location.held {
      do throws(ChainNote) {
        condition.modifiers = try FusumaKeys.held(held)
      } catch {
        file.lose("keypress \(error.word)", error.why, at: binding.actionPlace)
        return nil
      }
    } else if one.hasRivals {
      condition.modifiers = []
    }
    if location.moment == .once { bound(&condition, one, &file) }
    return Rule(
      trigger: .gesture(condition), device: reading.device,
      reactions: reactions(of: binding, one, &file), place: binding.place)
  }

  private static func kind(_ kind: FusumaLocation.Kind) -> GestureKind {
    switch kind {
    case .tap: .tap
    case .swipe: .swipe
    case .pinch: .pinch
    case .rotate: .rotate
    case .hold: .hold
    }
  }

  private static let senses: [String: GestureCondition.Sense] = [
    "left": .towards(.left), "right": .towards(.right), "up": .towards(.up),
    "down": .towards(.down), "in": .inward, "out": .outward, "clockwise": .clockwise,
    "counterclockwise": .counterclockwise,
  ]

  /// Fusuma's thresholds are factors. For swipes they are speeds: 1 means 25 of libinput's units
  /// (1/1000 inch) in 10 ms, which is 63.5 mm/s. For pinches 1 means a third more or less, for
  /// rotations 15°, for holds 0.7 s. Thresholds that are not set are left to the recognizer, except
  /// for holds.
  private func bound(
    _ condition: inout GestureCondition, _ one: FusumaCases.Case, _ file: inout ImportedFile
  ) {
    let factor = one.threshold?.value ?? 1
    if condition.kind == .hold {
      let time = Fitted(700 * factor, .time, parts: 1)
      tell(of: time, one.threshold, "duration", &file)
      condition.duration = Bounds(from: time.value)
    }
    guard one.threshold != nil else { return }
    switch condition.kind {
    case .swipe:
      let speed = Fitted(63.5 * factor, .speed, parts: 10)
      tell(of: speed, one.threshold, "speed", &file)
      condition.speed = Bounds(from: speed.value)
    case .pinch:
      let change = 1 + 0.3 * factor
      let isInward = condition.sense == .inward
      let scale = Fitted(isInward ? 1 / change : change, .scale, parts: 100, from: 1)
      tell(of: scale, one.threshold, "scale", &file)
      condition.scale = isInward ? Bounds(to: scale.value) : Bounds(from: scale.value)
    case .rotate:
      let turn = Fitted(15 * factor, .turn, parts: 10)
      tell(of: turn, one.threshold, "turn", &file)
      condition.turn = Bounds(from: turn.value)
    case .hold, .tap, .drag, .edgeSwipe: break
    }
  }

  private func tell(
    of fitted: Fitted, _ number: FusumaNumber?, _ key: String, _ file: inout ImportedFile
  ) {
    guard fitted.isOther, let number else { return }
    file.note(
      "\(number.name.rawValue) \(number.value.written)",
      "taken for \(fitted.words), the nearest that \(key): can have", at: number.place)
  }

  private func reactions(
    of binding: FusumaBinding, _ one: FusumaCases.Case, _ file: inout ImportedFile
  ) -> Reactions {
    switch binding.location.moment {
    // a tap is over by the time it is reported
    case .once where binding.location.kind == .tap: Reactions(end: binding.actions)
    case .once, .begin: Reactions(begin: binding.actions)
    case .end: Reactions(end: binding.actions)
    case .cancelled: Reactions(cancel: binding.actions)
    case .update: updates(of: binding, one, &file)
    }
  }
}

/// Imports `update:`, which fusuma repeats by time: at once, and then every 0.1 s times `interval`.
///
/// Here it is repeated by distance, namely what fingers typically cover in 0.1 s: 10 mm, a tenth or
/// 15°.
extension FusumaRules {
  /// The range of step lengths, in multiples of that distance. libinput reports motion about every
  /// 10 ms, in which a quick stroke covers 2 mm. An ordinary stroke is over after 40 mm, so longer
  /// steps would never be reached.
  private static let intervals = 0.2...4.0

  /// Up to this interval fusuma acts whenever libinput reports motion.
  private static let everyMotion = 0.1

  func updates(
    of binding: FusumaBinding, _ one: FusumaCases.Case, _ file: inout ImportedFile
  ) -> Reactions {
    let interval = one.interval?.value ?? 1
    // with a direction, moving back must not count, which requires steps
    if binding.isFed || (one.direction == nil && interval <= Self.everyMotion) {
      return Reactions(change: binding.actions)
    }
    guard let every = every(of: binding.location.kind, one.interval, &file) else {
      return Reactions(begin: binding.actions)
    }
    // without a direction, both ways count as forward
    let back = one.direction == nil ? binding.actions : back(one)?.actions ?? []
    return Reactions(
      begin: binding.actions,
      steps: [Step(interval: every, forward: binding.actions, back: back, place: binding.place)])
  }

  /// The binding that acts while the fingers move back.
  private func back(_ one: FusumaCases.Case) -> FusumaBinding? {
    guard let back = one.back.map({ reading.bindings[$0] }), !back.isFed, back.proposal == nil
    else { return nil }
    return back
  }

  /// The lines of that binding, if the rule uses it.
  func backLines(_ one: FusumaCases.Case) -> [Int] {
    one.direction == nil ? [] : back(one)?.lines ?? []
  }

  private func every(
    of kind: FusumaLocation.Kind, _ number: FusumaNumber?, _ file: inout ImportedFile
  ) -> Step.Interval? {
    let times = number?.value ?? 1
    let range = Self.intervals
    let taken = min(max(times, range.lowerBound), range.upperBound)
    func fitted(_ one: Double, _ measure: Measure) -> Double {
      let way = Fitted(one * taken, measure, parts: 10)
      if taken != times, let number {
        file.note(
          "interval \(times.written)",
          taken > times
            ? "taken for \(way.words), which is about as often as libinput reports motion"
            : "taken for \(way.words), as far as an ordinary stroke goes", at: number.place)
      }
      return way.value
    }
    return switch kind {
    case .swipe: .millimetres(fitted(10, .length))
    case .pinch: .percent(fitted(10, .percent))
    case .rotate: .degrees(fitted(15, .turn))
    case .hold, .tap: nil
    }
  }
}

extension Rule {
  /// Whether one gesture can trigger both rules.
  func isOfSameGesture(as other: Rule) -> Bool {
    guard case .gesture(var mine) = trigger, case .gesture(let its) = other.trigger,
      let low = mine.fingers, let high = its.fingers, low.overlaps(high)
    else { return false }
    mine.fingers = its.fingers
    if mine.sense == nil || its.sense == nil { mine.sense = its.sense }
    return mine == its
  }
}

extension Reactions {
  /// Whether actions are repeated during the gesture.
  private var isUpdate: Bool { !steps.isEmpty || !change.isEmpty }

  /// Whether `other` can be added without overlap. An update also acts at the beginning, after the
  /// actions of `begin`.
  func canTake(_ other: Reactions) -> Bool {
    let isOneUpdate = isUpdate != other.isUpdate
    return (begin.isEmpty || other.begin.isEmpty || isOneUpdate)
      && (end.isEmpty || other.end.isEmpty) && (cancel.isEmpty || other.cancel.isEmpty)
      && !(isUpdate && other.isUpdate)
  }

  mutating func take(_ other: Reactions) {
    begin = isUpdate ? other.begin + begin : begin + other.begin
    change += other.change
    end += other.end
    cancel += other.cancel
    steps += other.steps
  }
}
