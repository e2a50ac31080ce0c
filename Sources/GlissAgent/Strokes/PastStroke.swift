public import GlissConfiguration
public import GlissEvents

/// A gesture that is over: what it was taken for, and what came of it.
public struct PastStroke: Sendable {
  public let start: GestureEvent
  /// As it was in the end.
  public let end: GestureEvent
  /// The device's name.
  public let device: String
  /// The rules it engaged, in the order of the file.
  public let outcomes: [RuleOutcome]
  /// The number of its activations.
  let story: UInt64
  let modifiers: Modifiers
  let mode: String?
  let rest: Double
  let usesEight: Bool
  let matches: [Int]
  let stream: Int
  /// The rules that held.
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

  /// The rules that hold for its numbers.
  public var rules: [Rule] { table.configuration.rules }

  /// Whether anything was to be done because of it.
  public var hasActed: Bool { outcomes.contains { $0.hasActed(by: rules[$0.rule].reactions) } }

  /// It became another gesture, and was none itself.
  public var isForeword: Bool { end.phase == .cancelled && !hasActed }
}

/// The last gestures, the oldest first.
public struct Strokes: Sendable {
  /// As many as somebody remembers.
  public static let usual = 10

  /// How many are kept.
  let limit: Int
  public private(set) var kept: [PastStroke] = []

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func add(_ stroke: PastStroke) {
    // a finger that rested before it moved, a gesture that was corrected: they were this one already
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
  /// The same fingers, recognized alike with other settings.
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
