import GlissConfiguration
import GlissEvents

struct FusumaRules {
  let table: FusumaTable
  let device: DeviceMatch
  var file: ImportedFile

  typealias Made = (rule: Rule, lines: [Int])

  mutating func made() -> [Made] {
    var made: [Made] = []
    // blank or unsupported bindings are reported already
    for (index, binding) in table.bindings.enumerated() where !binding.actions.isEmpty {
      // entries that match first may cover all its applications together
      let cases = table.cases(of: index).filter { one in
        table.applications.isEmpty || !table.applications.allSatisfy(one.exceptions.contains)
      }
      if cases.isEmpty {
        file.lose(
          binding.location.words, "it never acts: another entry always matches first",
          at: binding.place)
      }
      for one in cases {
        guard let rule = rule(binding, one) else { break }
        let hasBack = rule.reactions.steps.contains { !$0.back.isEmpty }
        let back = hasBack ? one.back.map { table.bindings[$0].lines } ?? [] : []
        let numbers = [one.threshold?.line, one.number?.line].compactMap { $0 }
        join((rule, Set(binding.lines + numbers + back).sorted()), to: &made)
      }
    }
    for index in made.indices { joinHold(&made, index) }
    made.removeAll { $0.rule.reactions == Reactions() }
    if let bare = made.first(where: { $0.rule.isBare }) {
      file.noteOnce(
        "keypress",
        "the action beside it acts only while no modifier is held; in fusuma also while those are"
          + " that it does not name",
        at: bare.rule.place)
    }
    return made
  }

  /// Adds a rule, or merges its actions into a rule for the same gesture at other moments.
  private func join(_ next: Made, to made: inout [Made]) {
    let same = made.firstIndex {
      $0.rule.trigger == next.rule.trigger && $0.rule.application == next.rule.application
        && $0.rule.reactions.canTake(next.rule.reactions)
    }
    guard let same else { return made.append(next) }
    made[same].rule.reactions.take(next.rule.reactions)
    made[same].lines = Set(made[same].lines + next.lines).sorted()
  }

  /// Turns a command that leaves keys down at the beginning into a hold, and drops the commands
  /// that release them at its end, whatever modifiers they require.
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

  private mutating func rule(_ binding: FusumaBinding, _ one: FusumaTable.Case) -> Rule? {
    let location = binding.location
    let fewest = location.kind.fingerRange.lowerBound
    guard (one.condition.fingers?.lowerBound ?? 0) >= fewest else {
      file.lose(location.words, "it takes at least \(fewest) fingers here", at: binding.place)
      return nil
    }
    var condition = one.condition
    if let held = location.held {
      do throws(ChainNote) {
        condition.modifiers = try FusumaKeys.held(held)
      } catch {
        file.lose("keypress \(error.word)", error.why, at: binding.place)
        return nil
      }
    }
    if location.moment == .once { bound(&condition, one.threshold) }
    return Rule(
      trigger: .gesture(condition), device: device,
      application: application(one.exceptions), reactions: reactions(of: binding, one),
      place: binding.place)
  }

  private func application(_ exceptions: [String]) -> ApplicationMatch? {
    if table.applications.isEmpty, exceptions.isEmpty { return nil }
    // if the table names its applications, exceptions that are not among them do not matter
    let own = table.applications.filter { !exceptions.contains($0) }
    return own.isEmpty ? ApplicationMatch(not: exceptions) : ApplicationMatch(only: own)
  }

  /// Fusuma's thresholds are factors. For swipes they are speeds: 1 means 25 of libinput's units
  /// (1/1000 inch) in 10 ms, which is 63.5 mm/s. For pinches 1 means a third more or less, for
  /// rotations 15°, for holds 0.7 s. A missing threshold of a pinch or rotation is left to the
  /// recognizer.
  private mutating func bound(_ condition: inout GestureCondition, _ number: FusumaNumber?) {
    let isNeeded = condition.kind == .hold || condition.kind == .swipe
    guard let factor = number?.value ?? (isNeeded ? 1 : nil) else { return }
    switch condition.kind {
    case .hold:
      // without a maximum, a hold is never too short
      _ = condition.takeHoldDuration(Bounds(from: fitted(700 * factor, .time, parts: 1, number)))
    case .swipe: condition.speed = Bounds(from: fitted(63.5 * factor, .speed, parts: 10, number))
    case .pinch:
      let change = 1 + 0.3 * factor
      let isInward = condition.sense == .inward
      let scale = fitted(isInward ? 1 / change : change, .scale, parts: 100, number, from: 1)
      condition.scale = isInward ? Bounds(to: scale) : Bounds(from: scale)
    case .rotate: condition.turn = Bounds(from: fitted(15 * factor, .turn, parts: 10, number))
    case .tap, .drag, .edgeSwipe: break
    }
  }

  /// A number as our file can express it: rounded to 1/`parts`, and limited to its range. Notes a
  /// noticeable difference; `base` is the value that means no change.
  private mutating func fitted(
    _ meant: Double, _ measure: Measure, parts: Double, _ number: FusumaNumber?,
    from base: Double = 0, within range: ClosedRange<Double>? = nil
  ) -> Double {
    let taken = (range ?? measure.range).nearest(to: (meant * parts).rounded() / parts)
    if let number, number.value > 0, abs(taken - meant) > 0.1 * abs(meant - base) {
      let unit = measure.units.first?.word ?? ""
      file.note(
        "\(number.name) \(number.value.written)",
        "taken for \(taken.written)\(unit.isEmpty ? "" : " " + unit), the nearest that acts here",
        at: number.place)
    }
    return taken
  }

  private mutating func reactions(of binding: FusumaBinding, _ one: FusumaTable.Case) -> Reactions {
    let actions = binding.actions
    switch (binding.location.moment, binding.location.kind) {
    // a tap is over by the time it is reported
    case (.once, .tap), (.end, _): return Reactions(end: actions)
    // fusuma repeats it while the fingers are fast enough
    case (.once, .swipe):
      let period = fitted(300 * (one.number?.value ?? 1), .period, parts: 1, one.number)
      let step = Step(
        interval: Step.Interval(period, .milliseconds), forward: actions, back: [],
        place: binding.place)
      return Reactions(begin: actions, steps: [step])
    case (.once, _), (.begin, _): return Reactions(begin: actions)
    case (.cancelled, _): return Reactions(cancel: actions)
    case (.update, _): return updates(of: binding, one)
    }
  }

  // MARK: Updates

  /// Up to this interval fusuma acts whenever libinput reports motion.
  private static let everyMotion = 0.1

  /// `update:`, which fusuma repeats by time: at once, and then every 0.1 s times `interval`.
  ///
  /// Here it is repeated by distance, namely what fingers typically cover in 0.1 s: 10 mm, a tenth
  /// or 15°.
  private mutating func updates(of binding: FusumaBinding, _ one: FusumaTable.Case) -> Reactions {
    let factor = one.number?.value ?? 1
    if binding.isMotion {
      let gain = fitted(factor, .gain, parts: 100, one.number)
      return Reactions(change: [Action(.move(gain), place: binding.place)])
    }
    // with a direction, moving back must not count, which requires steps
    if one.condition.sense == nil, factor <= Self.everyMotion {
      return Reactions(change: binding.actions)
    }
    let (way, measure, unit): (Double, Measure, Step.Interval.Unit) =
      switch binding.location.kind {
      case .pinch: (10, .percent, .percent)
      case .rotate: (15, .turn, .degrees)
      case .swipe, .hold, .tap, .drag, .edgeSwipe: (10, .length, .millimetres)
      }
    // libinput reports motion about every 10 ms, in which a quick stroke covers 2 mm; an ordinary
    // stroke is over after 40 mm
    let length = fitted(way * factor, measure, parts: 10, one.number, within: 0.2 * way...4 * way)
    file.noteOnce(
      "update",
      "fusuma repeats it by time; here it acts at the beginning, and then by distance, which every: sets",
      at: binding.place)
    // without a direction, both ways count as forward
    let back = one.back.map { table.bindings[$0].actions } ?? []
    let step = Step(
      interval: Step.Interval(length, unit), forward: binding.actions,
      back: one.condition.sense == nil ? binding.actions : back, place: binding.place)
    return Reactions(begin: binding.actions, steps: [step])
  }
}

extension Action {
  /// The command line that it passes to a shell.
  fileprivate var line: String? {
    guard case .run(let command) = verb, case .shell(let line) = command.program else { return nil }
    return line
  }

  fileprivate var isRelease: Bool { line.map(PressingCommand.isRelease) ?? false }
}

extension Rule {
  fileprivate var isBare: Bool { gesture?.modifiers?.isEmpty ?? false }

  /// Whether both are for the same fingers and direction, whatever else they require.
  fileprivate func isOfSameGesture(as other: Rule) -> Bool {
    guard let mine = gesture, let its = other.gesture else { return false }
    return (mine.kind, mine.fingers) == (its.kind, its.fingers) && mine.sense == its.sense
  }
}

extension Reactions {
  private var isUpdate: Bool { !steps.isEmpty || !change.isEmpty }

  /// Whether `other` can be added without overlap. An update also acts at the beginning, after the
  /// actions of `begin`.
  fileprivate func canTake(_ other: Reactions) -> Bool {
    (begin.isEmpty || other.begin.isEmpty || isUpdate != other.isUpdate)
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
