/// The actions for each moment of a gesture or hotkey.
///
/// Gestures: `begin` when the rule is engaged, `steps` during the gesture, then either `end` or
/// `cancel` once. It is `cancel` if the gesture was cancelled, or no longer met the rule's
/// conditions when it ended. Taps have only `end`. Hotkeys: `end` when the hotkey acts (on the
/// press, or as its text says), `release` when its key is released after a press.
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

  /// Calls `body` for every action of every moment.
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

/// Actions that are repeated at fixed intervals along a gesture, and others for the way back.
public struct Step: Hashable, Sendable {
  public var interval: Interval
  /// Once for every interval that the gesture moves in the rule's direction. Without a direction,
  /// right, down, outward and counterclockwise count as forward.
  public var forward: [Action]
  /// Once for every interval that it moves back.
  public var back: [Action]
  public var place: Place

  /// The distance from one step to the next.
  public enum Interval: Hashable, Sendable {
    case millimetres(Double)
    /// Of the size at which the pinch began: steps of 10 % are at 1.1, 1.2, 1.3 … and 0.9, 0.8 …
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
