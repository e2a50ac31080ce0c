package import GlissConfiguration
package import GlissEvents
import GlissHotkeys

/// A moment at which a rule's actions are due.
package struct Activation: Hashable, Sendable {
  package var time: EventTime
  /// The rule's index in ``Configuration/rules``.
  package var rule: Int
  package var moment: Moment
  /// The state of the gesture or hotkey at that time.
  package var cause: Cause
  /// The number of the gesture or press. Everything that follows from it has the same number. The
  /// same rules never reuse it.
  package var serial: UInt64 = 0

  /// Which of the rule's reactions is due.
  package enum Moment: Hashable, Sendable {
    case begin, end, cancel, release
    /// The gesture has moved by this much since the last event, in mm.
    case change(Vector2)
    /// `count` steps forward or back, for the rule's step with this number.
    case forward(step: Int, count: Int)
    case back(step: Int, count: Int)
  }

  package enum Cause: Hashable, Sendable {
    case gesture(GestureEvent)
    case hotkey(HotkeyEvent)
  }
}

extension Configuration {
  /// The actions due, in order. Each is done once per count.
  package func actions(of activation: Activation) -> [Action] {
    guard rules.indices.contains(activation.rule) else { return [] }
    let rule = rules[activation.rule]
    let reactions = rule.reactions
    switch activation.moment {
    case .begin: return rule.holds(rule.isHotkey ? [] : reactions.hold) + reactions.begin
    case .change: return reactions.change
    case .end:
      guard rule.isHotkey else { return reactions.end + rule.releases(reactions.hold) }
      return rule.holds(reactions.hold) + reactions.end
    case .cancel: return reactions.cancel + rule.releases(reactions.hold)
    case .release: return reactions.release + rule.releases(reactions.hold)
    case .forward(let step, _):
      return reactions.steps.indices.contains(step) ? reactions.steps[step].forward : []
    case .back(let step, _):
      return reactions.steps.indices.contains(step) ? reactions.steps[step].back : []
    }
  }

  /// The first rule of the same place with the same actions. Hotkeys in a list share their turns
  /// and limits; the members of a group whose actions differ do not.
  package func owner(of rule: Int) -> RuleMember {
    let place = rules[rule].place
    var first = rule
    while first > 0, rules[first - 1].place == place { first -= 1 }
    let same = (first...rule).first { rules[$0].reactions == rules[rule].reactions }
    return RuleMember(place: place, member: (same ?? rule) - first)
  }
}

extension Rule {
  fileprivate func holds(_ chords: [Chord]) -> [Action] {
    chords.isEmpty ? [] : [Action(.hold(chords), place: place)]
  }

  fileprivate func releases(_ chords: [Chord]) -> [Action] {
    chords.isEmpty ? [] : [Action(.letGo(chords), place: place)]
  }
}

/// A rule by its place, which stays the same if files before it change. The members of a group in
/// braces share their place.
package struct RuleMember: Hashable, Sendable {
  package var place: Place
  /// Its index among the rules of that place.
  package var member: Int
}

/// Identifies an action for turns and limits. Rules may share an action by an alias.
struct RuleAction: Hashable {
  var rule: RuleMember
  var place: Place
}

struct Turns {
  private var next: [RuleAction: Int] = [:]

  mutating func next(of turns: [[Action]], for action: RuleAction) -> [Action] {
    guard !turns.isEmpty else { return [] }
    let turn = next[action, default: 0] % turns.count
    next[action] = turn + 1
    return turns[turn]
  }
}

extension Activation.Moment {
  /// A single step.
  var once: Activation.Moment {
    switch self {
    case .forward(let step, _): .forward(step: step, count: 1)
    case .back(let step, _): .back(step: step, count: 1)
    case .begin, .change, .end, .cancel, .release: self
    }
  }
}

extension Activation.Cause {
  var event: InputEvent {
    switch self {
    case .gesture(let gesture): .gesture(gesture)
    case .hotkey(let hotkey): .hotkey(hotkey)
    }
  }
}

/// Decides whether an activation is still in time to be carried out when it becomes known.
///
/// A chord or gesture may be read long after it was made, because this process, the broker or the
/// machine was suspended. It must not act when the user has moved on. An action that started in
/// time is still completed: if the press was carried out, so is its release, however late, and a
/// gesture that ends late is cancelled. If the start of a gesture was too late, nothing is done for
/// that gesture. A late change or step is skipped on its own.
struct TimelinessMachine {
  /// Older activations are not carried out. Usually one is known within 10 ms. After a second people
  /// have turned to something else (Nielsen, Usability Engineering, 1993: the limit for the user's
  /// flow of thought to stay uninterrupted).
  static let limit = EventInterval.milliseconds(500)

  enum Verdict: Hashable {
    case act
    /// The activation is this old.
    case tooLate(EventInterval)
    /// The end of a gesture that has acted is this old: the rule is cancelled instead.
    case cutShort(EventInterval)
    /// It ends something that was skipped because it started too late.
    case pointless
  }

  private struct Engagement: Hashable {
    var serial: UInt64
    var rule: Int
  }

  /// Those that have acted, and those whose start or press was too late.
  private var begun: Set<Engagement> = []
  private var skipped: Set<Engagement> = []

  /// - Parameters:
  ///   - acts: whether the rule has an action for that moment.
  ///   - now: when the activation became known.
  mutating func judge(_ activation: Activation, acts: Bool, at now: EventTime) -> Verdict {
    let engagement = Engagement(serial: activation.serial, rule: activation.rule)
    let age = now - activation.time
    let late = age > Self.limit ? age : nil
    switch (activation.moment, activation.cause) {
    case (.begin, _): return judgeStart(engagement, acts, late)
    case (.change, _), (.forward, _), (.back, _):
      return skipped.contains(engagement) ? .pointless : judgePart(engagement, acts, late)
    case (.end, .hotkey):
      // it may act again while it is held; the release ends it
      if late == nil { skipped.remove(engagement) }
      return judgeStart(engagement, acts, late)
    case (.end, .gesture), (.cancel, _), (.release, _):
      let wasBegun = begun.remove(engagement) != nil
      if skipped.remove(engagement) != nil { return .pointless }
      guard let late else { return .act }
      if !wasBegun { return .tooLate(late) }
      return activation.moment == .end ? .cutShort(late) : .act
    }
  }

  /// A start or a press. If it is skipped, so is everything that follows. `age` is `nil` in time.
  private mutating func judgeStart(
    _ engagement: Engagement, _ acts: Bool, _ age: EventInterval?
  ) -> Verdict {
    let verdict = judgePart(engagement, acts, age)
    if case .tooLate = verdict, !begun.contains(engagement) { skipped.insert(engagement) }
    return verdict
  }

  private mutating func judgePart(
    _ engagement: Engagement, _ acts: Bool, _ age: EventInterval?
  ) -> Verdict {
    guard acts else { return .act }
    if let age { return .tooLate(age) }
    begun.insert(engagement)
    return .act
  }
}
