package import GlissConfiguration
package import GlissEvents
import GlissHotkeys

/// A moment at which a rule's actions are due.
package struct Activation: Hashable, Sendable {
  package var time: EventTime
  /// The rule's index in ``Configuration/rules``.
  package var rule: Int
  package var moment: Moment
  /// The rule's step that goes forward or back.
  package var step = 0
  /// How many steps it goes; 1 for other moments.
  package var count = 1
  /// How far the gesture has moved since the last event, in mm, for a change.
  package var way = Vector2.zero
  /// The state of the gesture or hotkey at that time.
  package var cause: Cause
  /// The number of the gesture or press. Everything that follows from it has the same number. The
  /// same rules never reuse it.
  package var serial: UInt64 = 0

  /// Which of the rule's reactions is due. The raw value is the word in the log and in
  /// `GLISS_MOMENT`.
  package enum Moment: String, Sendable, CaseIterable {
    case begin, change, forward, back, end, cancel, release
  }

  package enum Cause: Hashable, Sendable {
    case gesture(GestureEvent)
    case hotkey(HotkeyEvent)
  }
}

extension Configuration {
  /// The actions due, in order. Each is done ``Activation/count`` times.
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
    case .forward, .back:
      guard reactions.steps.indices.contains(activation.step) else { return [] }
      let step = reactions.steps[activation.step]
      return activation.moment == .forward ? step.forward : step.back
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

  /// The action itself, once; or, if it has turns, the actions of the next `times` turns.
  mutating func deeds(of action: Action, for owner: RuleMember, times: Int) -> [DryRun.Deed] {
    guard case .turns(let all) = action.verb else { return [DryRun.Deed(action: action)] }
    if all.isEmpty { return [] }
    let key = RuleAction(rule: owner, place: action.place)
    var deeds: [DryRun.Deed] = []
    for _ in 0..<times {
      let turn = next[key, default: 0] % all.count
      next[key] = turn + 1
      for action in all[turn] {
        deeds += self.deeds(of: action, for: owner, times: 1).map {
          DryRun.Deed(action: $0.action, turn: $0.turn ?? (number: turn + 1, count: all.count))
        }
      }
    }
    return deeds
  }
}

extension Activation.Cause {
  package var event: InputEvent {
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

  /// By ``Activation/holder``: `true` for those that have acted, `false` for those whose start or
  /// press was too late.
  private var begun: [UInt64: Bool] = [:]

  /// - Parameters:
  ///   - acts: whether the rule has an action for that moment.
  ///   - now: when the activation became known.
  mutating func judge(_ activation: Activation, acts: Bool, at now: EventTime) -> Verdict {
    let engagement = activation.holder
    let age = now - activation.time
    let late = age > Self.limit ? age : nil
    switch (activation.moment, activation.cause) {
    case (.begin, _): return judgeStart(engagement, acts, late)
    case (.change, _), (.forward, _), (.back, _):
      return begun[engagement] == false ? .pointless : judgePart(engagement, acts, late)
    case (.end, .hotkey):
      // it may act again while it is held; the release ends it
      if late == nil, begun[engagement] == false { begun[engagement] = nil }
      return judgeStart(engagement, acts, late)
    case (.end, .gesture), (.cancel, _), (.release, _):
      let wasBegun = begun.removeValue(forKey: engagement)
      if wasBegun == false { return .pointless }
      guard let late else { return .act }
      if wasBegun == nil { return .tooLate(late) }
      return activation.moment == .end ? .cutShort(late) : .act
    }
  }

  /// A start or a press. If it is skipped, so is everything that follows. `age` is `nil` in time.
  private mutating func judgeStart(
    _ engagement: UInt64, _ acts: Bool, _ age: EventInterval?
  ) -> Verdict {
    let verdict = judgePart(engagement, acts, age)
    if case .tooLate = verdict, begun[engagement] == nil { begun[engagement] = false }
    return verdict
  }

  private mutating func judgePart(
    _ engagement: UInt64, _ acts: Bool, _ age: EventInterval?
  ) -> Verdict {
    guard acts else { return .act }
    if let age { return .tooLate(age) }
    begun[engagement] = true
    return .act
  }
}
