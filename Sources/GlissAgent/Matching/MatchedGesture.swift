import GlissConfiguration
import GlissEvents

/// What came of a rule that a gesture has engaged.
package struct RuleOutcome: Hashable, Sendable {
  package let rule: Int
  /// How often each moment came; forward and back, how many steps. A tap, which is over at once,
  /// has only an end.
  package private(set) var counts: [Activation.Moment: Int] = [:]
  /// Whether ``counts`` has a beginning. Every event asks, and a moment is slow to look up.
  private(set) var hasBegun = false
  /// One of these moments had actions.
  package private(set) var hasActed = false

  init(rule: Int) {
    self.rule = rule
    counts.reserveCapacity(4)
  }

  mutating func note(_ activation: Activation, acts: Bool) {
    if case .begin = activation.moment { hasBegun = true }
    counts[activation.moment, default: 0] += activation.count
    if acts { hasActed = true }
  }
}

extension RuleTable {
  /// Whether `gesture` meets the conditions settled at its beginning.
  ///
  /// - Parameter goesOn: the rule's earlier gesture may go on. How long the fingers were away does
  ///   not matter then, nor does a mode that the rule enters itself.
  fileprivate func isMetAtStart(
    _ rule: Int, _ condition: GestureCondition, by gesture: MeasuredGesture, goesOn: Bool
  ) -> Bool {
    var unmet = unmetAtStart(rule, condition, by: gesture, ignoringDevice: !goesOn)
    if !goesOn || unmet.isEmpty { return unmet.isEmpty }
    unmet.remove(Unmet(.rest))
    let actions = configuration.rules[rule].reactions.actions
    if actions.contains(where: { $0.verb == .mode(gesture.mode) }) { unmet.remove(Unmet(.mode)) }
    return unmet.isEmpty
  }

  /// Whether the rule has a direction and acts before the gesture has ended.
  fileprivate func decides(_ rule: Int) -> Bool {
    let reactions = configuration.rules[rule].reactions
    return conditions[rule]?.sense != nil
      && !(reactions.hold.isEmpty && reactions.begin.isEmpty && reactions.change.isEmpty
        && reactions.steps.isEmpty)
  }
}

/// A gesture on a device, and the rules it engages.
package struct MatchedGesture: Sendable {
  private struct Engaged {
    var outcome: RuleOutcome
    var counters: [StepCounter]
    var rule: Int { outcome.rule }
    /// The number that its activations carry: an earlier gesture's if the rule goes on.
    var serial: UInt64
  }

  /// Fingers that have sent no event for this long lie still.
  private static let stillness = EventInterval.milliseconds(50)

  /// A year, in ms. Longer holds will not happen.
  private static let longestHold = 3.2e10

  /// The rules in force when it began.
  let table: RuleTable
  /// The number that its activations carry.
  let serial: UInt64
  private(set) var gesture: MeasuredGesture
  private(set) var isRunning = true
  package var outcomes: [RuleOutcome] { engaged.map { $0.outcome } }
  /// The rules that match its beginning and keep it from the desktop.
  private var takers: [Int] = []
  /// The rules that match its beginning and are not engaged.
  private var candidates: [Int] = []
  /// In file order.
  private var engaged: [Engaged] = []
  /// When its last event came. Deadlines do not count.
  private var lastEvent: EventTime

  // MARK: Events

  /// A gesture has begun. A tap is over by the time it is reported, so rules that match it have
  /// only an end.
  ///
  /// - Parameters:
  ///   - serial: a number that no other gesture has.
  ///   - waiting: rules of an earlier gesture that may go on.
  init(
    _ gesture: MeasuredGesture, serial: UInt64, in table: RuleTable, goingOn waiting: [Int] = [],
    _ due: inout [Activation]
  ) {
    self.table = table
    self.serial = serial
    self.gesture = gesture
    self.gesture.usesEight = table.usesEight(gesture)
    lastEvent = gesture.start.time
    for rule in table.conditions.indices where table.streams[rule] == gesture.stream {
      guard let condition = table.conditions[rule],
        table.isMetAtStart(rule, condition, by: gesture, goesOn: waiting.contains(rule))
      else { continue }
      candidates.append(rule)
      if condition.consumes { takers.append(rule) }
    }
    follow(gesture.start, &due)
    isRunning = gesture.start.phase != .recognized
  }

  /// Whether a rule keeps it from the desktop; `nil` while its direction is not known.
  var isTaken: Bool? {
    guard isRunning else { return false }
    var isOpen = false
    for rule in takers {
      guard let condition = table.conditions[rule] else { continue }
      if condition.sense == nil { return true }
      guard let sense = gesture.sense(as: condition.kind) else {
        isOpen = true
        continue
      }
      if condition.isMet(by: sense) { return true }
    }
    return isOpen ? nil : false
  }

  mutating func change(_ event: GestureEvent, _ due: inout [Activation]) {
    if isRunning { follow(event, &due) }
  }

  /// The gesture has ended normally. Rules that still match end, others are cancelled.
  mutating func end(_ event: GestureEvent, _ due: inout [Activation]) {
    guard isRunning else { return }
    follow(event, &due)
    for index in engaged.indices {
      let isMet = isMet(engaged[index].rule, isOver: true)
      activate(index, isMet ? .end : .cancel, event, &due)
    }
    isRunning = false
  }

  /// The gesture was withdrawn, or no more events will come for it. Cancels the rules it engaged.
  ///
  /// - Parameter event: the event that reports it. Without one the last event is used.
  mutating func cancel(_ event: GestureEvent?, at time: EventTime, _ due: inout [Activation]) {
    guard isRunning else { return }
    var end = event ?? gesture.now
    end.time = time
    end.phase = .cancelled
    gesture.now = end
    for index in engaged.indices { activate(index, .cancel, end, &due) }
    isRunning = false
  }

  /// Whether it may still go on with the rule of an earlier gesture: it may engage it, or its
  /// fingers only rest so far.
  func mayGoOn(with rule: LingeringRule) -> Bool {
    isRunning && (mayEngage(rule.end.rule) || rule.rests(in: gesture.start))
  }

  /// Whether it may still engage a rule that matches its beginning, if it keeps its direction.
  private func mayEngage(_ rule: Int) -> Bool {
    guard candidates.contains(rule), let condition = table.conditions[rule] else { return false }
    guard condition.sense != nil, let sense = gesture.sense(as: condition.kind) else { return true }
    return condition.isMet(by: sense)
  }

  /// A rule of an earlier gesture has ended. It may begin anew only if it meets all conditions.
  mutating func endWait(of rule: Int) {
    guard let condition = table.conditions[rule],
      !table.isMetAtStart(rule, condition, by: gesture, goesOn: false)
    else { return }
    candidates.removeAll { $0 == rule }
    takers.removeAll { $0 == rule }
  }

  /// A rule that it has engaged goes on as part of an earlier gesture.
  mutating func resume(_ rule: Int, as serial: UInt64) {
    for index in engaged.indices where engaged[index].rule == rule {
      engaged[index].serial = serial
    }
  }

  // MARK: Time

  /// When a rule will be engaged or an action repeated if the gesture just continues. Only holds
  /// progress by themselves.
  var deadline: EventTime? {
    guard isRunning else { return nil }
    var earliest: EventTime?
    for rule in engaged {
      for counter in rule.counters { earliest = EventTime.earlier(earliest, counter.due) }
    }
    guard gesture.start.kind == .hold else { return earliest }
    for rule in candidates {
      guard let minimum = table.conditions[rule]?.duration?.minimum else { continue }
      // round up to whole milliseconds: a time rounded down would come too early
      let due = minimum.rounded(.up)
      guard due < Self.longestHold else { continue }
      let time = gesture.start.time + .milliseconds(due)
      // if that time has passed, other conditions are unmet
      if time > gesture.now.time { earliest = EventTime.earlier(earliest, time) }
    }
    return earliest
  }

  /// A deadline has come, without an event.
  mutating func advance(to time: EventTime, _ due: inout [Activation]) {
    guard isRunning else { return }
    var event = gesture.now
    // fingers that lie still send no events
    if time - lastEvent > Self.stillness { event.velocity = .zero }
    event.time = time
    event.phase = .changed
    follow(event, isDeadline: true, &due)
  }

  // MARK: Rules

  private mutating func follow(
    _ event: GestureEvent, isDeadline: Bool = false, _ due: inout [Activation]
  ) {
    let way = event.translation.millimetres - gesture.now.translation.millimetres
    gesture.now = event
    if !isDeadline { lastEvent = event.time }
    engageCandidates(isOver: event.phase == .ended)
    let change = event.phase == .changed && !isDeadline ? way : nil
    for index in engaged.indices { report(index, event, change, &due) }
  }

  private func isMet(_ rule: Int, isOver: Bool) -> Bool {
    table.conditions[rule]?.unmetNow(by: gesture, isOver: isOver).isEmpty ?? false
  }

  /// Engages rules whose conditions are met. A rule that the gesture's end would cancel is not
  /// begun.
  private mutating func engageCandidates(isOver: Bool) {
    let met = candidates.filter { isMet($0, isOver: isOver) }
    guard !met.isEmpty else { return }
    candidates.removeAll { met.contains($0) }
    // once a rule has begun in one direction, rules for other directions no longer begin
    if !isOver, met.contains(where: { table.decides($0) }) {
      candidates.removeAll { [table, gesture] rule in
        guard let condition = table.conditions[rule] else { return true }
        return !condition.isMet(by: gesture.sense(as: condition.kind))
      }
    }
    for rule in met {
      guard let condition = table.conditions[rule] else { continue }
      let counters = table.configuration.rules[rule].reactions.steps.map {
        StepCounter($0.interval, of: condition, from: gesture)
      }
      engaged.append(Engaged(outcome: RuleOutcome(rule: rule), counters: counters, serial: serial))
    }
    engaged.sort { $0.rule < $1.rule }
  }

  /// - Parameter change: how far the gesture has moved, in mm, if it reports a change.
  private mutating func report(
    _ index: Int, _ event: GestureEvent, _ change: Vector2?, _ due: inout [Activation]
  ) {
    let rule = engaged[index].rule
    if !engaged[index].outcome.hasBegun {
      activate(index, event.phase == .recognized ? .end : .begin, event, &due)
    } else if let change, !table.configuration.rules[rule].reactions.change.isEmpty {
      activate(index, .change, way: change, event, &due)
    }
    for step in engaged[index].counters.indices {
      let steps = engaged[index].counters[step].steps(to: gesture)
      if steps == 0 { continue }
      activate(index, steps > 0 ? .forward : .back, step: step, count: abs(steps), event, &due)
    }
  }

  private mutating func activate(
    _ index: Int, _ moment: Activation.Moment, step: Int = 0, count: Int = 1, way: Vector2 = .zero,
    _ event: GestureEvent, _ due: inout [Activation]
  ) {
    let activation = Activation(
      time: event.time, rule: engaged[index].rule, moment: moment, step: step, count: count,
      way: way, cause: .gesture(event), serial: engaged[index].serial)
    let acts = !table.configuration.actions(of: activation).isEmpty
    engaged[index].outcome.note(activation, acts: acts)
    due.append(activation)
  }
}
