public import GlissConfiguration
import GlissEvents

/// The rules of a configuration, arranged so that the cost of an event does not depend on how many
/// rules there are.
///
/// A gesture's kind, fingers, mode and whatever else is settled when it begins select a few cells.
/// Each cell has one list of rules per heading, in order of what must be reached first. So only
/// rules whose threshold is reached are ever examined.
public final class RuleTable: Sendable {
  public let configuration: Configuration
  /// The sets of recognizer settings that rules bring themselves. The first is empty and used for
  /// all other rules. The index of a set is the number of its stream of gestures.
  public let settingSets: [[SettingChange]]
  /// By rule; `nil` for hotkeys.
  let demands: [Demand?]
  /// By rule: the range in `stepMeasures` of its steps.
  let steps: [Range<Int>]
  let stepMeasures: [StepCounter.Measure]
  /// By rule: whether it has actions for every change.
  let hasChange: [Bool]
  /// By rule: the number of its mode.
  let modes: [Int]
  /// By rule: its stream of gestures.
  let streams: [Int]
  /// By rule: the number of its device match; `nil` for any device.
  let matchOfRule: [Int?]
  /// The distinct device matches of all rules.
  let matches: [DeviceMatch]
  private let modeNumbers: [String: Int]
  private let groupNumbers: [GroupKey: Int]
  let groups: [Group]
  private let cells: [CellKey: Int]
  private let lists: [Range<Int>]
  /// The rules with the threshold each must reach first.
  let entries: [Entry]

  /// Selects a group of rules.
  struct GroupKey: Hashable {
    var stream: Int
    var mode: Int
    var kind: GestureKind
    var fingers: Int
  }

  /// The rules for gestures of one kind and finger count in one mode.
  struct Group: Sendable {
    /// Some rule has a diagonal heading, so all directions are judged by sectors of 45°.
    var usesEight = false
    /// The distinct combinations of details that rules of the group specify.
    fileprivate(set) var patterns: [Details] = []
  }

  /// The other details that are settled when a gesture begins and that a rule may specify.
  struct Details: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let edge = Details(rawValue: 1)
    static let count = Details(rawValue: 2)
    static let afterTap = Details(rawValue: 4)
    static let modifiers = Details(rawValue: 8)
    static let match = Details(rawValue: 16)
  }

  struct CellKey: Hashable {
    var group: Int
    var edge: Edge?
    var count: Int?
    var isAfterTap: Bool?
    var modifiers: Modifiers?
    var match: Int?
  }

  struct Entry: BitwiseCopyable, Sendable {
    /// What must be reached before the rule is examined, in the unit of
    /// ``Measures/progress(towards:)``.
    var threshold: Double
    var rule: Int
  }

  /// The highest finger count told apart. It stands for all higher ones too.
  fileprivate static let mostFingers = 10
  /// One list for rules without a heading, and one for each heading.
  static let listsPerCell = 1 + Heading.allCases.count

  /// - Parameter appliesSettings: gives rules with settings of their own a separate stream of
  ///   gestures (``settingSets``). If settings cannot be applied, these rules use the common
  ///   stream.
  public init(_ configuration: Configuration, appliesSettings: Bool = true) {
    var layout = Layout(appliesSettings: appliesSettings)
    let rules = configuration.rules
    layout.reserve(rules.count)
    for number in rules.indices { layout.add(rules, number) }
    layout.shareDirections()
    let (lists, entries) = layout.sorted()
    self.configuration = configuration
    settingSets = layout.settingSets
    demands = layout.demands
    steps = layout.steps
    stepMeasures = layout.stepMeasures
    // copying a whole rule just to look at it is expensive
    hasChange = rules.indices.map { !rules[$0].reactions.change.isEmpty }
    modes = layout.modes
    streams = layout.streams
    matchOfRule = layout.matchOfRule
    matches = layout.matches
    modeNumbers = layout.modeNumbers
    groupNumbers = layout.groupNumbers
    groups = layout.groups
    cells = layout.cells
    self.lists = lists
    self.entries = entries
  }

  // MARK: Looking up

  /// The number of a mode: `nil` if it has no rules, 0 for no mode.
  func number(ofMode mode: String?) -> Int? {
    guard let mode else { return 0 }
    return modeNumbers[mode]
  }

  func group(_ key: GroupKey) -> Int? {
    var key = key
    key.fingers = max(0, min(key.fingers, Self.mostFingers))
    return groupNumbers[key]
  }

  /// Passes the cells of `group` whose rules match a gesture that begins like `start` to `body`.
  func forEachCell(
    of group: Int, start: GestureEvent, modifiers: Modifiers, fitting matches: [Int],
    _ body: (Int) -> Void
  ) {
    for pattern in groups[group].patterns {
      var key = CellKey(group: group)
      if pattern.contains(.edge) { key.edge = start.edge }
      if pattern.contains(.count) { key.count = start.count }
      if pattern.contains(.afterTap) { key.isAfterTap = start.isAfterTap }
      if pattern.contains(.modifiers) { key.modifiers = modifiers }
      if pattern.contains(.edge), key.edge == nil { continue }
      if pattern.contains(.match) {
        for match in matches {
          key.match = match
          if let cell = cells[key] { body(cell) }
        }
      } else if let cell = cells[key] {
        body(cell)
      }
    }
  }

  /// The entries of a cell for rules with that heading, or for rules without one if it is `nil`.
  func list(_ cell: Int, _ heading: Heading?) -> Range<Int> {
    lists[cell * Self.listsPerCell + Self.slot(heading)]
  }

  static func slot(_ heading: Heading?) -> Int { heading.map { Int($0.rawValue) + 1 } ?? 0 }
}

/// A table under construction.
private struct Layout {
  let appliesSettings: Bool
  var settingSets: [[SettingChange]] = [[]]
  var demands: [Demand?] = []
  var steps: [Range<Int>] = []
  var stepMeasures: [StepCounter.Measure] = []
  var modes: [Int] = []
  var streams: [Int] = []
  var matchOfRule: [Int?] = []
  var matches: [DeviceMatch] = []
  var modeNumbers: [String: Int] = [:]
  var groupNumbers: [RuleTable.GroupKey: Int] = [:]
  var groups: [RuleTable.Group] = []
  var cells: [RuleTable.CellKey: Int] = [:]
  private var matchNumbers: [DeviceMatch: Int] = [:]
  private var setNumbers: [[Named]: Int] = [[]: 0]
  private var placed: [(list: Int, entry: RuleTable.Entry)] = []

  /// A setting, independent of its place in the file.
  private struct Named: Hashable {
    var name: String
    var value: Double
  }

  init(appliesSettings: Bool) { self.appliesSettings = appliesSettings }

  /// Reserves room for `count` rules.
  mutating func reserve(_ count: Int) {
    demands.reserveCapacity(count)
    steps.reserveCapacity(count)
    modes.reserveCapacity(count)
    streams.reserveCapacity(count)
    matchOfRule.reserveCapacity(count)
    placed.reserveCapacity(count)
  }

  /// Adds a rule, given as array and index so that it is not copied.
  mutating func add(_ rules: [Rule], _ number: Int) {
    let mode = rules[number].mode.map { numberOfMode($0) } ?? 0
    let match = rules[number].device.map { numberOfMatch($0) }
    modes.append(mode)
    matchOfRule.append(match)
    let first = stepMeasures.count
    stepMeasures += rules[number].reactions.steps.map { StepCounter.Measure($0.interval) }
    steps.append(first..<stepMeasures.count)
    switch rules[number].trigger {
    case .hotkey:
      demands.append(nil)
      streams.append(0)
    case .gesture(let condition):
      let demand = Demand(condition, mode: mode, match: match)
      demands.append(demand)
      streams.append(stream(condition.settings))
      place(demand, number, stream: streams[number])
    }
  }

  private mutating func numberOfMode(_ mode: String) -> Int {
    if let number = modeNumbers[mode] { return number }
    modeNumbers[mode] = modeNumbers.count + 1
    return modeNumbers.count
  }

  private mutating func numberOfMatch(_ match: DeviceMatch) -> Int {
    if let number = matchNumbers[match] { return number }
    matchNumbers[match] = matches.count
    matches.append(match)
    return matches.count - 1
  }

  private mutating func stream(_ settings: [SettingChange]) -> Int {
    guard appliesSettings, !settings.isEmpty else { return 0 }
    let named = settings.map { Named(name: $0.name, value: $0.value) }
    if let number = setNumbers[named] { return number }
    setNumbers[named] = settingSets.count
    settingSets.append(settings)
    return settingSets.count - 1
  }

  private mutating func place(_ demand: Demand, _ number: Int, stream: Int) {
    let fingers = demand.fingersOfGestures
    guard let first = fingers.first, let last = fingers.last else { return }
    for count in first...last {
      let key = RuleTable.GroupKey(
        stream: stream, mode: demand.mode, kind: demand.kind, fingers: count)
      let group = numberOfGroup(key)
      if demand.heading?.isDiagonal ?? false { groups[group].usesEight = true }
      let details = demand.details
      if !groups[group].patterns.contains(details) { groups[group].patterns.append(details) }
      let cell = RuleTable.CellKey(
        group: group, edge: demand.edge, count: demand.count, isAfterTap: demand.isAfterTap,
        modifiers: demand.modifiers, match: demand.match)
      let entry = RuleTable.Entry(threshold: demand.threshold, rule: number)
      let slot = RuleTable.slot(demand.heading)
      placed.append((numberOfCell(cell) * RuleTable.listsPerCell + slot, entry))
    }
  }

  private mutating func numberOfGroup(_ key: RuleTable.GroupKey) -> Int {
    if let number = groupNumbers[key] { return number }
    groupNumbers[key] = groups.count
    groups.append(RuleTable.Group())
    return groups.count - 1
  }

  private mutating func numberOfCell(_ key: RuleTable.CellKey) -> Int {
    if let number = cells[key] { return number }
    cells[key] = cells.count
    return cells.count - 1
  }

  /// Makes all streams judge directions alike: by eight sectors if one of them does.
  mutating func shareDirections() {
    for (key, group) in groupNumbers where groups[group].usesEight {
      for stream in settingSets.indices {
        var other = key
        other.stream = stream
        if let number = groupNumbers[other] { groups[number].usesEight = true }
      }
    }
  }

  /// All entries, list by list, each list in order of its thresholds.
  func sorted() -> (lists: [Range<Int>], entries: [RuleTable.Entry]) {
    let placed = placed.sorted {
      ($0.list, $0.entry.threshold, $0.entry.rule) < ($1.list, $1.entry.threshold, $1.entry.rule)
    }
    var lists = [Range<Int>](repeating: 0..<0, count: cells.count * RuleTable.listsPerCell)
    var first = 0
    while first < placed.count {
      var end = first
      while end < placed.count, placed[end].list == placed[first].list { end += 1 }
      lists[placed[first].list] = first..<end
      first = end
    }
    return (lists, placed.map(\.entry))
  }
}

extension Demand {
  fileprivate var details: RuleTable.Details {
    var details: RuleTable.Details = []
    if edge != nil { details.insert(.edge) }
    if count != nil { details.insert(.count) }
    if isAfterTap != nil { details.insert(.afterTap) }
    if modifiers != nil { details.insert(.modifiers) }
    if match != nil { details.insert(.match) }
    return details
  }

  /// The finger counts that the table tells apart.
  fileprivate var fingersOfGestures: ClosedRange<Int> {
    (fewestFingers...mostFingers).clamped(to: 0...RuleTable.mostFingers)
  }
}
