public import GlissConfiguration
public import GlissEvents

/// A rule whose moment has come.
public struct Activation: Hashable, Sendable {
  public var time: EventTime
  /// The rule's place in ``Configuration/rules``.
  public var rule: Int
  public var moment: Moment
  /// What the gesture or hotkey was like then.
  public var cause: Cause
  /// Which gesture or press it was: a number that all that comes of it shares, never used again by the same rules.
  public var story: UInt64

  /// Which of a rule's reactions.
  public enum Moment: Hashable, Sendable {
    case begin, change, end, cancel, release
    /// Of the rule's steps the one with this number, `count` times on or back.
    case forward(step: Int, count: Int)
    case back(step: Int, count: Int)
  }

  public enum Cause: Hashable, Sendable {
    case gesture(GestureEvent)
    case hotkey(HotkeyEvent)
  }

  public init(time: EventTime, rule: Int, moment: Moment, cause: Cause, story: UInt64 = 0) {
    self.time = time
    self.rule = rule
    self.moment = moment
    self.cause = cause
    self.story = story
  }
}

extension Configuration {
  /// What is to be done, in order, once for each count.
  public func actions(of activation: Activation) -> [Action] {
    guard rules.indices.contains(activation.rule) else { return [] }
    let reactions = rules[activation.rule].reactions
    switch activation.moment {
    case .begin: return reactions.begin
    case .change: return reactions.change
    case .end: return reactions.end
    case .cancel: return reactions.cancel
    case .release: return reactions.release
    case .forward(let step, _):
      return reactions.steps.indices.contains(step) ? reactions.steps[step].forward : []
    case .back(let step, _):
      return reactions.steps.indices.contains(step) ? reactions.steps[step].back : []
    }
  }
}
