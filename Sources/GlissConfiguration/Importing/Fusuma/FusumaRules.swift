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
    for (index, binding) in reading.bindings.enumerated() {
      if let later = reading.bindings[(index + 1)...].first(where: { Self.isSame($0, binding) }) {
        file.lose(
          Self.words(binding), "line \(later.place.line) binds the same, and the last one counts",
          at: source.place(of: "", line: binding.lines.last ?? binding.place.line))
        continue
      }
      let fingers = fingers(of: binding)
      if fingers.isEmpty {
        file.lose(
          Self.words(binding), "every number of fingers has an entry of its own",
          at: source.place(of: "", line: binding.lines.last ?? binding.place.line))
      }
      for fingers in fingers {
        guard let rule = rule(binding, fingers, &file) else { break }
        let extra = [binding.threshold?.line, binding.interval?.line].compactMap { $0 }
        append(
          Made(
            rule: rule, lines: Set(binding.lines + extra).sorted(), proposal: binding.proposal),
          to: &made)
      }
    }
    return made
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

  private static func isSame(_ a: FusumaBinding, _ b: FusumaBinding) -> Bool {
    a.kind == b.kind && a.fingers == b.fingers && a.direction == b.direction
      && a.moment == b.moment && a.held == b.held && a.lines.first != b.lines.first
  }

  private static func words(_ binding: FusumaBinding) -> String {
    [binding.kind.rawValue, binding.fingers.map { "\($0)" }, binding.direction]
      .compactMap { $0 }.joined(separator: " ")
  }

  /// Where no number is given, all that have no entry of their own.
  private func fingers(of binding: FusumaBinding) -> [ClosedRange<Int>] {
    if let fingers = binding.fingers { return [fingers...fingers] }
    let possible: ClosedRange<Int> =
      switch binding.kind {
      case .swipe: 3...5
      case .pinch, .rotate: 2...5
      case .hold: 1...5
      }
    let named = Set(
      reading.bindings.filter { $0.kind == binding.kind && $0.direction == binding.direction }
        .compactMap(\.fingers))
    var ranges: [ClosedRange<Int>] = []
    for number in possible where !named.contains(number) {
      if let last = ranges.last, last.upperBound == number - 1 {
        ranges[ranges.count - 1] = last.lowerBound...number
      } else {
        ranges.append(number...number)
      }
    }
    return ranges
  }

  // MARK: One rule

  private func rule(
    _ binding: FusumaBinding, _ fingers: ClosedRange<Int>, _ file: inout ImportedFile
  ) -> Rule? {
    if binding.kind == .swipe, fingers.lowerBound < 3 {
      file.lose(
        Self.words(binding),
        "a swipe has at least three fingers; two that move together are a drag",
        at: binding.actions.first?.place ?? binding.place)
      return nil
    }
    if fingers.lowerBound < Self.kind(binding.kind).fingerRange.lowerBound {
      file.lose(
        Self.words(binding), "it takes at least two fingers",
        at: binding.actions.first?.place ?? binding.place)
      return nil
    }
    var condition = GestureCondition(kind: Self.kind(binding.kind), fingers: fingers)
    condition.sense = binding.direction.flatMap { Self.senses[$0] }
    if let held = binding.held {
      do throws(ChainNote) {
        condition.modifiers = try FusumaKeys.held(held)
      } catch {
        file.lose(
          "keypress \(error.word)", error.why, at: binding.actions.first?.place ?? binding.place)
        return nil
      }
    } else if reading.bindings.contains(where: { $0.held != nil && isNeighbour($0, binding) }) {
      condition.modifiers = []
    }
    if binding.moment == .once { bound(&condition, binding) }
    return Rule(
      trigger: .gesture(condition), reactions: reactions(of: binding), place: binding.place)
  }

  private func isNeighbour(_ a: FusumaBinding, _ b: FusumaBinding) -> Bool {
    a.kind == b.kind && a.fingers == b.fingers && a.direction == b.direction
      && a.moment == b.moment
  }

  private static func kind(_ kind: FusumaBinding.Kind) -> GestureKind {
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
  private func bound(_ condition: inout GestureCondition, _ binding: FusumaBinding) {
    let set = binding.threshold?.value ?? reading.thresholds[binding.kind]?.value
    let factor = set ?? 1
    if binding.kind == .hold { condition.duration = Bounds(from: max(1, (700 * factor).rounded())) }
    guard set != nil else { return }
    switch binding.kind {
    case .swipe: condition.speed = Bounds(from: (635 * factor).rounded() / 10, within: 1...10_000)
    case .pinch where condition.sense == .inward:
      condition.scale = Bounds(to: max(0.01, (100 / (1 + 0.3 * factor)).rounded() / 100))
    case .pinch:
      condition.scale = Bounds(from: (100 + 30 * factor).rounded() / 100, within: 1...100)
    case .rotate: condition.turn = Bounds(from: (150 * factor).rounded() / 10, within: 1...360)
    case .hold: break
    }
  }

  private func reactions(of binding: FusumaBinding) -> Reactions {
    switch binding.moment {
    case .once, .begin: return Reactions(begin: binding.actions)
    case .end: return Reactions(end: binding.actions)
    case .cancelled: return Reactions(cancel: binding.actions)
    case .update:
      guard let interval = interval(of: binding) else { return Reactions(begin: binding.actions) }
      return Reactions(
        steps: [Step(interval: interval, forward: binding.actions, back: [], place: binding.place)])
    }
  }

  /// Fusuma repeats by time, each 0.1 s; we by the way: 10 mm, a tenth or 15° for each time.
  private func interval(of binding: FusumaBinding) -> Step.Interval? {
    let factor = binding.interval?.value ?? reading.intervals[binding.kind]?.value ?? 1
    let tenth = (min(max(factor, 0.1), 100) * 100).rounded() / 10
    switch binding.kind {
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
