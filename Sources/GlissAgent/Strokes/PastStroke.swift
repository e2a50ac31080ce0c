public import GlissConfiguration
public import GlissEvents

/// A gesture that is over: what it was recognized as, and what came of it.
public struct PastStroke: Sendable {
  public let start: GestureEvent
  /// The last event.
  public let end: GestureEvent
  /// The device's name.
  public let device: String
  /// The rules it engaged, in file order.
  public let outcomes: [RuleOutcome]
  /// The number that its activations carry.
  let story: UInt64
  let modifiers: Modifiers
  let mode: String?
  let rest: Double
  let usesEight: Bool
  let matches: [Int]
  let stream: Int
  /// The rules in force at the time.
  let table: RuleTable

  init?(
    _ story: Story, of device: String, mode: String?, matches: [Int], stream: Int,
    in table: RuleTable
  ) {
    guard let start = story.start, let end = story.last else { return nil }
    self.start = start
    self.end = end
    self.device = device
    outcomes = story.outcomes
    self.story = story.number
    modifiers = story.modifiers
    self.mode = mode
    rest = story.rest
    usesEight = story.usesEight
    self.matches = matches
    self.stream = stream
    self.table = table
  }

  /// The rules that its rule numbers refer to.
  public var rules: [Rule] { table.configuration.rules }

  /// Whether it triggered any action.
  public var hasActed: Bool { outcomes.contains { $0.hasActed(by: rules[$0.rule].reactions) } }

  /// It was withdrawn in favour of another gesture, and triggered nothing.
  public var isForeword: Bool { end.phase == .cancelled && !hasActed }
}

/// The last gestures, oldest first.
public struct Strokes: Sendable {
  /// As many as a person remembers.
  public static let usual = 10

  /// How many are kept.
  let limit: Int
  public private(set) var kept: [PastStroke] = []

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func add(_ stroke: PastStroke) {
    // a finger that rested before it moved, or a gesture that was corrected, was already part of
    // this one
    if let last = kept.lastIndex(where: { $0.isSameStream(as: stroke) }),
      kept[last].isForeword, kept[last].end.time == stroke.start.time
    {
      kept.remove(at: last)
    }
    if kept.count == limit { kept.removeFirst() }
    kept.append(stroke)
  }
}

extension PastStroke {
  /// Made by the same fingers, but recognized with other settings.
  func hasSameFingers(as other: PastStroke) -> Bool {
    start.device == other.start.device && stream != other.stream
      && start.kind == other.start.kind && end.time == other.end.time
  }

  fileprivate func isSameStream(as other: PastStroke) -> Bool {
    start.device == other.start.device && stream == other.stream
  }
}

extension RuleOutcome {
  fileprivate func hasActed(by reactions: Reactions) -> Bool {
    (hasBegun && !reactions.begin.isEmpty) || changes > 0
      || (forward > 0 && reactions.steps.contains { !$0.forward.isEmpty })
      || (back > 0 && reactions.steps.contains { !$0.back.isEmpty })
      || (hasEnded && !reactions.end.isEmpty) || (wasCancelled && !reactions.cancel.isEmpty)
  }
}
