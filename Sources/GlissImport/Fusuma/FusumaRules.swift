import GlissConfiguration
import GlissEvents

/// Makes rules from the bindings of a config.yml.
struct FusumaRules {
  private let table: FusumaTable
  private let device: DeviceMatch

  struct Made {
    var rule: Rule
    var lines: [Int]
  }

  init(_ table: FusumaTable, _ device: DeviceMatch) {
    self.table = table
    self.device = device
  }

  func made(_ file: inout ImportedFile) -> [Made] {
    var made: [Made] = []
    // blank or unsupported bindings are reported already
    for (index, binding) in table.bindings.enumerated() where !binding.actions.isEmpty {
      let cases = table.cases(of: index)
      if cases.isEmpty {
        file.lose(
          binding.location.words, "another entry acts in every case that it could be for",
          at: binding.place)
      }
      for one in cases {
        guard let rule = rule(binding, one, &file) else { break }
        let back = rule.reactions.steps.contains { !$0.back.isEmpty } ? back(one)?.lines ?? [] : []
        let numbers = [one.threshold?.line, one.number?.line].compactMap { $0 }
        join(Made(rule: rule, lines: Set(binding.lines + numbers + back).sorted()), to: &made)
      }
    }
    for index in made.indices { joinHold(&made, index) }
    return made.filter { $0.rule.reactions != Reactions() }
  }

  /// Adds a rule, or to one for the same gesture what it does at other moments.
  private func join(_ next: Made, to made: inout [Made]) {
    let same = made.firstIndex {
      $0.rule.trigger == next.rule.trigger && $0.rule.application == next.rule.application
        && $0.rule.reactions.canTake(next.rule.reactions)
    }
    guard let same else { return made.append(next) }
    made[same].rule.reactions.take(next.rule.reactions)
    made[same].lines = Set(made[same].lines + next.lines).sorted()
  }

  /// Holds what a command of the beginning leaves down, and leaves out those that release it,
  /// whatever modifiers they ask for.
  private func joinHold(_ made: inout [Made], _ index: Int) {
    let begin = made[index].rule.reactions.begin
    guard let first = begin.firstIndex(where: { $0.line.flatMap(PressingCommand.hold) != nil }),
      let hold = begin[first].line.flatMap(PressingCommand.hold)
    else { return }
    let ends = made.indices.filter {
      made[$0].rule.isOfSameGesture(as: made[index].rule)
        && made[$0].rule.reactions.end.contains(where: \.isRelease)
    }
    guard !ends.isEmpty else { return }
    made[index].rule.reactions.hold = [hold.held]
    made[index].rule.reactions.begin.replaceSubrange(
      first...first,
      with: hold.pressed.isEmpty ? [] : [Action(.keys(hold.pressed), place: begin[first].place)])
    for end in ends {
      made[end].rule.reactions.end.removeAll(where: \.isRelease)
      made[end].rule.reactions.cancel.removeAll(where: \.isRelease)
    }
  }

  // MARK: One rule

  private func rule(
    _ binding: FusumaBinding, _ one: FusumaTable.Case, _ file: inout ImportedFile
  ) -> Rule? {
    let location = binding.location
    let kind = location.kind.gesture
    let fewest = kind.fingerRange.lowerBound
    guard let fingers = one.fingers, fingers.lowerBound >= fewest else {
      file.lose(location.words, "it takes at least \(fewest) fingers here", at: binding.place)
      return nil
    }
    var condition = GestureCondition(kind: kind, fingers: fingers)
    condition.sense = location.kind.directions.first { $0.key == one.direction }?.value
    if let held = location.held {
      do throws(ChainNote) {
        condition.modifiers = try FusumaKeys.held(held)
      } catch {
        file.lose("keypress \(error.word)", error.why, at: binding.place)
        return nil
      }
    } else if one.hasRivals {
      condition.modifiers = []
    }
    if location.moment == .once { bound(&condition, one.threshold, &file) }
    return Rule(
      trigger: .gesture(condition), device: device,
      application: application(one.exceptions), reactions: reactions(of: binding, one, &file),
      place: binding.place)
  }

  private func application(_ exceptions: [String]) -> ApplicationMatch? {
    if table.applications.isEmpty, exceptions.isEmpty { return nil }
    // those that others are for do not matter
    let own = table.applications.filter { !exceptions.contains($0) }
    return own.isEmpty ? ApplicationMatch(not: exceptions) : ApplicationMatch(only: own)
  }

  /// Fusuma's thresholds are factors. For swipes they are speeds: 1 means 25 of libinput's units
  /// (1/1000 inch) in 10 ms, which is 63.5 mm/s. For pinches 1 means a third more or less, for
  /// rotations 15°, for holds 0.7 s. Those of pinches and rotations that are not set are left to the
  /// recognizer.
  private func bound(
    _ condition: inout GestureCondition, _ number: FusumaNumber?, _ file: inout ImportedFile
  ) {
    let isNeeded = condition.kind == .hold || condition.kind == .swipe
    guard let factor = number?.value ?? (isNeeded ? 1 : nil) else { return }
    switch condition.kind {
    case .hold:
      condition.duration = Bounds(from: fitted(700 * factor, .time, parts: 1, number, &file))
    case .swipe:
      condition.speed = Bounds(from: fitted(63.5 * factor, .speed, parts: 10, number, &file))
    case .pinch:
      let change = 1 + 0.3 * factor
      let isInward = condition.sense == .inward
      let scale = fitted(
        isInward ? 1 / change : change, .scale, parts: 100, number, from: 1, &file)
      condition.scale = isInward ? Bounds(to: scale) : Bounds(from: scale)
    case .rotate:
      condition.turn = Bounds(from: fitted(15 * factor, .turn, parts: 10, number, &file))
    case .tap, .drag, .edgeSwipe: break
    }
  }

  /// A number as our file can express it: rounded to `parts` of 1, and limited to its range. Notes
  /// a difference that would be felt; `base` is the value that the number is a change from.
  private func fitted(
    _ meant: Double, _ measure: Measure, parts: Double, _ number: FusumaNumber?,
    from base: Double = 0, within range: ClosedRange<Double>? = nil, _ file: inout ImportedFile
  ) -> Double {
    let range = range ?? measure.range
    let taken = min(max((meant * parts).rounded() / parts, range.lowerBound), range.upperBound)
    if let number, number.value > 0, abs(taken - meant) > 0.1 * abs(meant - base) {
      let unit = measure.units.first?.word ?? ""
      file.note(
        "\(number.name) \(number.value.written)",
        "taken for \(taken.written)\(unit.isEmpty ? "" : " " + unit), the nearest that acts here",
        at: number.place)
    }
    return taken
  }

  private func reactions(
    of binding: FusumaBinding, _ one: FusumaTable.Case, _ file: inout ImportedFile
  ) -> Reactions {
    switch binding.location.moment {
    // a tap is over by the time it is reported
    case .once where binding.location.kind == .tap: Reactions(end: binding.actions)
    // fusuma does it again while the fingers go as fast
    case .once where binding.location.kind == .swipe:
      Reactions(
        begin: binding.actions,
        steps: [
          Step(
            interval: .milliseconds(
              fitted(300 * (one.number?.value ?? 1), .period, parts: 1, one.number, &file)),
            forward: binding.actions, back: [], place: binding.place)
        ])
    case .once, .begin: Reactions(begin: binding.actions)
    case .end: Reactions(end: binding.actions)
    case .cancelled: Reactions(cancel: binding.actions)
    case .update: updates(of: binding, one, &file)
    }
  }

  // MARK: Updates

  /// Up to this interval fusuma acts whenever libinput reports motion.
  private static let everyMotion = 0.1

  /// `update:`, which fusuma repeats by time: at once, and then every 0.1 s times `interval`.
  ///
  /// Here it is repeated by distance, namely what fingers typically cover in 0.1 s: 10 mm, a tenth
  /// or 15°.
  private func updates(
    of binding: FusumaBinding, _ one: FusumaTable.Case, _ file: inout ImportedFile
  ) -> Reactions {
    if binding.isMotion {
      let factor = fitted(one.number?.value ?? 1, .gain, parts: 100, one.number, &file)
      return Reactions(change: [Action(.move(factor), place: binding.place)])
    }
    let interval = one.number?.value ?? 1
    // with a direction, moving back must not count, which requires steps
    if one.direction == nil, interval <= Self.everyMotion {
      return Reactions(change: binding.actions)
    }
    // libinput reports motion about every 10 ms, in which a quick stroke covers 2 mm; an ordinary
    // stroke is over after 40 mm
    func every(_ way: Double, _ measure: Measure) -> Double {
      fitted(
        way * interval, measure, parts: 10, one.number, within: 0.2 * way...4 * way, &file)
    }
    let step: Step.Interval
    switch binding.location.kind {
    case .swipe: step = .millimetres(every(10, .length))
    case .pinch: step = .percent(every(10, .percent))
    case .rotate: step = .degrees(every(15, .turn))
    case .hold, .tap: return Reactions(begin: binding.actions)
    }
    file.noteOnce(
      "update",
      "fusuma repeats it by time; here it acts at the beginning, and then by distance, which every: sets",
      at: binding.place)
    // without a direction, both ways count as forward
    let back = one.direction == nil ? binding.actions : back(one)?.actions ?? []
    return Reactions(
      begin: binding.actions,
      steps: [Step(interval: step, forward: binding.actions, back: back, place: binding.place)])
  }

  /// The binding that acts while the fingers move back.
  private func back(_ one: FusumaTable.Case) -> FusumaBinding? {
    one.back.map { table.bindings[$0] }.flatMap { $0.isMotion ? nil : $0 }
  }
}

extension Action {
  /// The line that it gives to a shell.
  fileprivate var line: String? {
    guard case .run(let command) = verb, case .shell(let line) = command.program else { return nil }
    return line
  }

  /// Whether it only releases keys and buttons.
  fileprivate var isRelease: Bool { line.map(PressingCommand.isRelease) ?? false }
}

extension Rule {
  /// Whether both are for the same fingers and direction, whatever else they ask for.
  fileprivate func isOfSameGesture(as other: Rule) -> Bool {
    guard case .gesture(let mine) = trigger, case .gesture(let its) = other.trigger else {
      return false
    }
    return (mine.kind, mine.fingers) == (its.kind, its.fingers) && mine.sense == its.sense
  }
}

extension Reactions {
  /// Whether actions are repeated during the gesture.
  private var isUpdate: Bool { !steps.isEmpty || !change.isEmpty }

  /// Whether `other` can be added without overlap. An update also acts at the beginning, after the
  /// actions of `begin`.
  fileprivate func canTake(_ other: Reactions) -> Bool {
    let isOneUpdate = isUpdate != other.isUpdate
    return (begin.isEmpty || other.begin.isEmpty || isOneUpdate)
      && (end.isEmpty || other.end.isEmpty) && (cancel.isEmpty || other.cancel.isEmpty)
      && !(isUpdate && other.isUpdate)
  }

  fileprivate mutating func take(_ other: Reactions) {
    begin = isUpdate ? other.begin + begin : begin + other.begin
    change += other.change
    end += other.end
    cancel += other.cancel
    steps += other.steps
  }
}
