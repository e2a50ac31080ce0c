import GlissEvents

/// Rules of what a config.yml binds.
struct FusumaRules {
  private let reading: FusumaReading
  private let source: ImportedText

  struct Made {
    var rule: Rule
    var lines: [Int]
    var proposal: String?
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
      // what is blank or cannot be done is told of already
      if binding.actions.isEmpty { continue }
      if found.isEmpty { lose(binding, cases.rival(of: index), &file) }
      for one in found {
        guard let rule = rule(binding, one, &file) else { break }
        append(
          Made(
            rule: rule, lines: Set(binding.lines + one.lines).sorted(), proposal: binding.proposal),
          to: &made)
      }
    }
    tellOfUnused(used, &file)
    return made
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

  /// Says of numbers that no rule has.
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
      file.note("threshold", "no rule has a command that it would hold for", at: number.place)
    case .interval:
      file.note(
        "interval", "a rule acts once in a gesture, but for update:, and so needs no pause",
        at: number.place)
    }
  }

  /// Puts what one gesture does at several moments into one rule.
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
    if location.moment == .once { bound(&condition, one) }
    return Rule(
      trigger: .gesture(condition), reactions: reactions(of: binding, one), place: binding.place)
  }

  private static func kind(_ kind: FusumaLocation.Kind) -> GestureKind {
    switch kind {
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

  /// Fusuma's thresholds are factors. That of a swipe is a speed: 1 is 25 of libinput's dots in 10 ms, 1000 to the inch,
  /// and so 63.5 mm/s. 1 of a pinch is a third more or less, of a rotation 15°, of a hold 0.7 s. One that is not set is
  /// left to the recognizer, but for a hold's.
  private func bound(_ condition: inout GestureCondition, _ one: FusumaCases.Case) {
    let factor = one.threshold ?? 1
    if condition.kind == .hold {
      condition.duration = Bounds(from: max(1, (700 * factor).rounded()))
    }
    guard one.threshold != nil else { return }
    switch condition.kind {
    case .swipe: condition.speed = Bounds(from: (635 * factor).rounded() / 10, within: 1...10_000)
    case .pinch where condition.sense == .inward:
      condition.scale = Bounds(to: max(0.01, (100 / (1 + 0.3 * factor)).rounded() / 100))
    case .pinch:
      condition.scale = Bounds(from: (100 + 30 * factor).rounded() / 100, within: 1...100)
    case .rotate: condition.turn = Bounds(from: (150 * factor).rounded() / 10, within: 1...360)
    case .hold, .tap, .drag, .edgeSwipe: break
    }
  }

  private func reactions(of binding: FusumaBinding, _ one: FusumaCases.Case) -> Reactions {
    switch binding.location.moment {
    case .once, .begin: return Reactions(begin: binding.actions)
    case .end: return Reactions(end: binding.actions)
    case .cancelled: return Reactions(cancel: binding.actions)
    case .update:
      guard let interval = interval(of: binding.location.kind, one.interval ?? 1) else {
        return Reactions(begin: binding.actions)
      }
      // without a direction it goes on either way
      let back = one.direction == nil ? binding.actions : []
      return Reactions(
        steps: [
          Step(interval: interval, forward: binding.actions, back: back, place: binding.place)
        ])
    }
  }

  /// Fusuma repeats by time, each 0.1 s; we by the way: 10 mm, a tenth or 15° for each time.
  private func interval(of kind: FusumaLocation.Kind, _ factor: Double) -> Step.Interval? {
    let tenth = (min(max(factor, 0.1), 100) * 100).rounded() / 10
    switch kind {
    case .swipe: return .millimetres(tenth)
    case .pinch: return .percent(tenth)
    case .rotate: return .degrees((tenth * 15).rounded() / 10)
    case .hold: return nil
    }
  }
}

extension Bounds {
  fileprivate init(from minimum: Double, within range: ClosedRange<Double>) {
    self.init(from: min(max(minimum, range.lowerBound), range.upperBound))
  }
}

extension Reactions {
  /// Whether nothing of `other` is said here already.
  fileprivate func canTake(_ other: Reactions) -> Bool {
    (begin.isEmpty || other.begin.isEmpty) && (end.isEmpty || other.end.isEmpty)
      && (cancel.isEmpty || other.cancel.isEmpty) && (steps.isEmpty || other.steps.isEmpty)
  }

  fileprivate mutating func take(_ other: Reactions) {
    begin += other.begin
    end += other.end
    cancel += other.cancel
    steps += other.steps
  }
}
