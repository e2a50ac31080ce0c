import GlissEvents

/// Decides whether what a rule asks for is still to be done when it is known.
///
/// A chord or gesture that was read long after it was made, because this process, the broker or the machine stood still,
/// must not act when nobody thinks of it any more. What it had begun in time still comes to its end: a release is done
/// however late, if the press was, and a gesture that ends late is cancelled. Of a gesture whose beginning was too late
/// nothing is done. A change or a step that is too late is skipped alone.
struct TimelinessMachine {
  /// What is older is not done. An action takes 10 ms at most; after a second people have turned to something else
  /// (Nielsen, Usability Engineering, 1993: the limit for a flow of thought to stay uninterrupted).
  static let limit = EventInterval.milliseconds(500)

  enum Verdict: Hashable {
    case act
    /// So long ago it was.
    case tooLate(EventInterval)
    /// The same of the end of a gesture that has acted: its rule is cancelled instead.
    case cutShort(EventInterval)
    /// It ends what was not begun, for that was too late.
    case pointless
  }

  private struct Engagement: Hashable {
    var story: UInt64
    var rule: Int
  }

  /// Those that have done something, and those whose beginning or press was too late.
  private var begun: Set<Engagement> = []
  private var skipped: Set<Engagement> = []

  /// - Parameters:
  ///   - acts: the rule has an action at that moment.
  ///   - now: when the activation is known.
  mutating func judge(_ activation: Activation, acts: Bool, at now: EventTime) -> Verdict {
    let engagement = Engagement(story: activation.story, rule: activation.rule)
    let age = now - activation.time
    let isLate = age > Self.limit
    switch activation.moment {
    case .begin: return judgeStart(engagement, acts, isLate ? age : nil)
    case .change, .forward, .back:
      if skipped.contains(engagement) { return .pointless }
      return judgePart(engagement, acts, isLate ? age : nil)
    case .end:
      if case .hotkey = activation.cause {
        // it may act again while it is held, and is over with its release
        if !isLate { skipped.remove(engagement) }
        return judgeStart(engagement, acts, isLate ? age : nil)
      }
      let (wasBegun, wasSkipped) = forget(engagement)
      if wasSkipped { return .pointless }
      guard isLate else { return .act }
      return wasBegun ? .cutShort(age) : .tooLate(age)
    case .cancel, .release:
      let (wasBegun, wasSkipped) = forget(engagement)
      if wasBegun { return .act }
      return wasSkipped ? .pointless : isLate ? .tooLate(age) : .act
    }
  }

  /// A beginning or a press: if it is skipped, so is what follows.
  ///
  /// - Parameter age: if that is too much.
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

  private mutating func forget(_ engagement: Engagement) -> (wasBegun: Bool, wasSkipped: Bool) {
    (begun.remove(engagement) != nil, skipped.remove(engagement) != nil)
  }
}
