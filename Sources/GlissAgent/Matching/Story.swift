import GlissConfiguration
import GlissEvents

/// What came of a rule that a gesture has engaged.
public struct RuleOutcome: Hashable, Sendable {
  /// The rule's index in the configuration.
  public let rule: Int
  /// How many changes had actions, and how many steps were made forward and back.
  public private(set) var changes = 0
  public private(set) var forward = 0
  public private(set) var back = 0
  /// It has begun. Always `false` for taps, which are over at once.
  public private(set) var hasBegun = false
  /// It ended or was cancelled. Neither is set while the gesture is under way.
  public private(set) var hasEnded = false
  public private(set) var wasCancelled = false

  init(rule: Int) { self.rule = rule }

  mutating func note(_ moment: Activation.Moment) {
    switch moment {
    case .begin: hasBegun = true
    case .release: break
    case .change: changes += 1
    case .end: hasEnded = true
    case .cancel: wasCancelled = true
    case .forward(_, let count): forward += count
    case .back(_, let count): back += count
    }
  }

  /// For a tap, which has only an end.
  mutating func closeAtOnce() { (hasBegun, hasEnded) = (false, true) }
}

/// One gesture on one device, from beginning to end, and the rules it engages.
struct Story: Sendable {
  /// Why the rules are examined.
  private enum Occasion {
    case start, change, end
    /// Only time has passed.
    case deadline
  }

  /// A rule that the gesture has engaged.
  private struct Engaged {
    var outcome: RuleOutcome
    /// The range of its step counters in `counters`.
    var counters: Range<Int>
    var rule: Int { outcome.rule }
    /// Not reported yet.
    var isNew = true
  }

  typealias Emit = (Activation) -> Void

  /// A year, in ms. Longer holds will not happen.
  private static let longestHold = 3.2e10

  /// The number that its activations carry.
  private(set) var number: UInt64 = 0
  /// It has begun and not ended.
  private(set) var isRunning = false
  /// How it began. This and the following stay known until the next gesture begins.
  private(set) var start: GestureEvent?
  private(set) var last: GestureEvent?
  /// The modifiers held when it began, with the left one standing for either of a pair.
  private(set) var modifiers: Modifiers = []
  /// The time since the device's previous gesture, in ms.
  private(set) var rest = 0.0
  private(set) var usesEight = false
  /// What came of the engaged rules, in file order.
  var outcomes: [RuleOutcome] { engaged.map { $0.outcome } }
  /// The cells with rules that match its beginning.
  private var cells: [Int] = []
  /// How many rules of each list in those cells have been examined.
  private var cursors: [Int] = []
  /// Rules that were examined, but had other conditions unmet.
  private var waiting: [Int] = []
  /// In file order.
  private var engaged: [Engaged] = []
  private var counters: [StepCounter] = []

  // MARK: Events

  /// A gesture has begun.
  ///
  /// - Parameters:
  ///   - number: a number that no other gesture has.
  ///   - group: the group of rules for it; `nil` if there are none.
  mutating func begin(
    _ start: GestureEvent, number: UInt64, group: Int?, modifiers: Modifiers,
    fitting matches: [Int],
    rest: Double, in table: RuleTable, emit: Emit
  ) {
    clear()
    isRunning = true
    self.number = number
    self.start = start
    self.modifiers = modifiers
    self.rest = rest
    guard let group else {
      last = start
      return
    }
    usesEight = table.groups[group].usesEight
    table.forEachCell(of: group, start: start, modifiers: modifiers, fitting: matches) {
      cells.append($0)
      for _ in 0..<RuleTable.listsPerCell { cursors.append(0) }
    }
    follow(start, .start, in: table, emit: emit)
  }

  /// The gesture goes on.
  mutating func change(_ event: GestureEvent, in table: RuleTable, emit: Emit) {
    guard isRunning else { return }
    follow(event, .change, in: table, emit: emit)
  }

  /// The gesture has ended normally. Rules that still match end, others are cancelled.
  mutating func end(_ event: GestureEvent, in table: RuleTable, emit: Emit) {
    guard isRunning else { return }
    let now = follow(event, .end, in: table, emit: emit)
    for index in engaged.indices {
      guard let demand = table.demands[engaged[index].rule] else { continue }
      finish(index, demand.unmet(now).isEmpty ? .end : .cancel, event, emit)
    }
    isRunning = false
  }

  /// The gesture was withdrawn, or no more events will come for it. Cancels the rules it engaged.
  ///
  /// - Parameter event: the event that reports it. Without one the last event is used.
  mutating func cancel(_ event: GestureEvent?, at time: EventTime, emit: Emit) {
    guard isRunning, var end = event ?? last else { return }
    end.time = time
    end.phase = .cancelled
    last = end
    for index in engaged.indices { finish(index, .cancel, end, emit) }
    isRunning = false
  }

  /// The gesture was over when it began, as taps are. The rules it engaged have ended.
  mutating func close() {
    for index in engaged.indices { engaged[index].outcome.closeAtOnce() }
    isRunning = false
  }

  private mutating func finish(
    _ index: Int, _ moment: Activation.Moment, _ event: GestureEvent, _ emit: Emit
  ) {
    let rule = engaged[index].rule
    engaged[index].outcome.note(moment)
    emit(
      Activation(
        time: event.time, rule: rule, moment: moment, cause: .gesture(event), story: number))
  }

  private mutating func clear() {
    last = nil
    usesEight = false
    cells.removeAll(keepingCapacity: true)
    cursors.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    engaged.removeAll(keepingCapacity: true)
    counters.removeAll(keepingCapacity: true)
  }

  // MARK: Time

  /// When a rule will be engaged if the gesture just continues. Only holds progress by themselves.
  func deadline(in table: RuleTable) -> EventTime? {
    guard isRunning, let start, start.kind == .hold else { return nil }
    var earliest: EventTime?
    for (index, cell) in cells.enumerated() {
      let list = table.list(cell, nil)
      let next = list.lowerBound + cursors[index * RuleTable.listsPerCell]
      guard next < list.upperBound else { continue }
      // round up to whole milliseconds: a time rounded down would come too early and recur forever
      let due = table.entries[next].threshold.rounded(.up)
      if due < Self.longestHold {
        earliest = EventTime.earlier(earliest, start.time + .milliseconds(due))
      }
    }
    return earliest
  }

  /// A deadline has come, without an event.
  mutating func advance(to time: EventTime, in table: RuleTable, emit: Emit) {
    guard isRunning, var event = last else { return }
    event.time = time
    event.phase = .changed
    follow(event, .deadline, in: table, emit: emit)
  }

  // MARK: Rules

  @discardableResult
  private mutating func follow(
    _ event: GestureEvent, _ occasion: Occasion, in table: RuleTable, emit: Emit
  ) -> Measures {
    let isEnd = occasion == .end
    last = event
    let began = start?.time ?? event.time
    let now = Measures(event, usesEight: usesEight, began: began)
    var hasNew = !waiting.isEmpty && engageWaiting(now, isEnd, in: table)
    for index in cells.indices {
      if look(at: index, nil, now, isEnd, in: table) { hasNew = true }
      if let heading = now.heading, look(at: index, heading, now, isEnd, in: table) {
        hasNew = true
      }
    }
    if hasNew { putInOrder() }
    for index in engaged.indices {
      tell(index, now, isChange: occasion == .change, in: table, emit: emit)
    }
    return now
  }

  /// Examines the rules of a list whose threshold is reached. Returns whether one was engaged.
  private mutating func look(
    at cell: Int, _ heading: Heading?, _ now: Measures, _ isEnd: Bool, in table: RuleTable
  ) -> Bool {
    let list = table.list(cells[cell], heading)
    if list.isEmpty { return false }
    let cursor = cell * RuleTable.listsPerCell + RuleTable.slot(heading)
    let progress = now.progress(towards: heading)
    var hasNew = false
    while cursors[cursor] < list.count {
      let entry = table.entries[list.lowerBound + cursors[cursor]]
      guard entry.threshold <= progress else { break }
      cursors[cursor] += 1
      guard let demand = table.demands[entry.rule], demand.rest?.contains(rest) ?? true else {
        continue
      }
      if engage(entry.rule, demand, now, isEnd, in: table) {
        hasNew = true
      } else {
        waiting.append(entry.rule)
      }
    }
    return hasNew
  }

  private mutating func engageWaiting(_ now: Measures, _ isEnd: Bool, in table: RuleTable) -> Bool {
    var hasNew = false
    var index = 0
    while index < waiting.count {
      if let demand = table.demands[waiting[index]],
        engage(waiting[index], demand, now, isEnd, in: table)
      {
        hasNew = true
        waiting.swapAt(index, waiting.count - 1)
        waiting.removeLast()
      } else {
        index += 1
      }
    }
    return hasNew
  }

  /// Engages a rule if its conditions are met. A rule that the gesture's end would cancel is not
  /// begun.
  private mutating func engage(
    _ rule: Int, _ demand: Demand, _ now: Measures, _ isEnd: Bool, in table: RuleTable
  ) -> Bool {
    let unmet = demand.unmet(now)
    guard (isEnd ? unmet : unmet.subtracting(.passed)).isEmpty else { return false }
    let first = counters.count
    for step in table.steps[rule] {
      counters.append(StepCounter(table.stepMeasures[step], of: demand, from: now))
    }
    engaged.append(
      Engaged(outcome: RuleOutcome(rule: rule), counters: first..<counters.count))
    return true
  }

  /// Insertion sort: the newly engaged rules are at the end, and few.
  private mutating func putInOrder() {
    for index in engaged.indices {
      var place = index
      while place > 0, engaged[place - 1].rule > engaged[place].rule {
        engaged.swapAt(place - 1, place)
        place -= 1
      }
    }
  }

  private mutating func tell(
    _ index: Int, _ now: Measures, isChange: Bool, in table: RuleTable, emit: Emit
  ) {
    let (rule, isNew) = (engaged[index].rule, engaged[index].isNew)
    func say(_ moment: Activation.Moment) {
      engaged[index].outcome.note(moment)
      emit(
        Activation(
          time: now.event.time, rule: rule, moment: moment, cause: .gesture(now.event),
          story: number))
    }
    if isNew {
      engaged[index].isNew = false
      say(.begin)
    } else if isChange, table.hasChange[rule] {
      say(.change)
    }
    let first = engaged[index].counters.lowerBound
    for counter in engaged[index].counters {
      let steps = counters[counter].steps(to: now)
      if steps > 0 { say(.forward(step: counter - first, count: steps)) }
      if steps < 0 { say(.back(step: counter - first, count: -steps)) }
    }
  }
}
