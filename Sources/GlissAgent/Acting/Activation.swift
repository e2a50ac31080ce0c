public import GlissConfiguration
public import GlissEvents

/// A moment at which a rule's actions are due.
public struct Activation: Hashable, Sendable {
  public var time: EventTime
  /// The rule's index in ``Configuration/rules``.
  public var rule: Int
  public var moment: Moment
  /// The state of the gesture or hotkey at that time.
  public var cause: Cause
  /// The number of the gesture or press. Everything that follows from it has the same number. The
  /// same rules never reuse it.
  public var serial: UInt64

  /// Which of the rule's reactions is due.
  public enum Moment: Hashable, Sendable {
    case begin, change, end, cancel, release
    /// `count` steps forward or back, for the rule's step with this number.
    case forward(step: Int, count: Int)
    case back(step: Int, count: Int)
  }

  public enum Cause: Hashable, Sendable {
    case gesture(GestureEvent)
    case hotkey(HotkeyEvent)
  }

  public init(time: EventTime, rule: Int, moment: Moment, cause: Cause, serial: UInt64 = 0) {
    self.time = time
    self.rule = rule
    self.moment = moment
    self.cause = cause
    self.serial = serial
  }
}

extension Configuration {
  /// The actions due, in order. Each is done once per count.
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
