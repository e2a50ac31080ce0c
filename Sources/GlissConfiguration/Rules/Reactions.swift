/// What happens at which moment of a gesture or hotkey.
///
/// Gestures: `begin` when the rule is engaged, `steps` on the way, then `end` once, or `cancel` once: where the gesture was
/// cancelled, or had left what the rule asks for when it ended. Taps have only `end`. Hotkeys: `end` when it acts (the
/// press, or what its text says), `release` when its key goes up after a press.
public struct Reactions: Hashable, Sendable {
  public var begin: [Action]
  public var change: [Action]
  public var steps: [Step]
  public var end: [Action]
  public var cancel: [Action]
  public var release: [Action]

  public init(
    begin: [Action] = [], change: [Action] = [], steps: [Step] = [], end: [Action] = [],
    cancel: [Action] = [], release: [Action] = []
  ) {
    self.begin = begin
    self.change = change
    self.steps = steps
    self.end = end
    self.cancel = cancel
    self.release = release
  }

  /// Every action of every moment.
  package func forEachAction(_ body: (Action) -> Void) {
    for action in begin { body(action) }
    for action in change { body(action) }
    for step in steps {
      for action in step.forward { body(action) }
      for action in step.back { body(action) }
    }
    for action in end { body(action) }
    for action in cancel { body(action) }
    for action in release { body(action) }
  }
}

/// Something that happens once for every so much of the way, and its counterpart on the way back.
public struct Step: Hashable, Sendable {
  public var interval: Interval
  /// Once for every interval the gesture goes on in the rule's sense; without a sense right, down, outward and
  /// counterclockwise go on.
  public var forward: [Action]
  /// Once for every interval it goes back.
  public var back: [Action]
  public var place: Place

  /// How far from one step to the next.
  public enum Interval: Hashable, Sendable {
    case millimetres(Double)
    /// Of the size the pinch began with: the steps of 10 % are at 1.1, 1.2, 1.3 … and 0.9, 0.8 …
    case percent(Double)
    case degrees(Double)
  }

  public init(interval: Interval, forward: [Action], back: [Action], place: Place) {
    self.interval = interval
    self.forward = forward
    self.back = back
    self.place = place
  }
}
