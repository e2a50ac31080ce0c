import GlissEvents
import Scoring

/// Taps are checked against the recording's own short touch-downs: labels often miscount them.
extension RealScore {
  /// What a stretch of contact is by its own time and motion.
  enum Contact: Equatable {
    /// This many fingers touched briefly.
    case tap(Int)
    /// Too long, too far, or with a press of the button.
    case other
    /// Longer or farther than most taps, or fingers that came one after the other.
    case unclear
  }

  func taps(_ outcomes: [Outcome], label: String) -> Verdict {
    let groups = contacts.groups
    guard let own = countedTaps else {
      return .undecidable("\(summary(of: groups)): taps and other contacts cannot be told apart")
    }
    if own.isEmpty { return .undecidable("no short touch-down in it") }
    let found = outcomes.filter { $0.kind == .tap }.map(\.fingers)
    guard found == own else { return .wrong("taps \(found) of \(own), \(summary(of: groups))") }
    let isOnlyTaps = own.count == groups.count
    if isOnlyTaps && outcomes.contains(where: { $0.kind != .tap }) { return .wrong("") }
    return .clean
  }

  /// The fingers of each tap that the recording holds, as far as that can be counted.
  ///
  /// They can be counted if the label and the short touch-downs agree on their number, or if every
  /// contact clearly is, or is not, a tap.
  private var countedTaps: [Int]? {
    let groups = contacts.groups
    let short = groups.filter(isShort)
    if let labelled, short.map(contacts.fingers(of:)) == labelled { return labelled }
    let kinds = groups.map(contact(of:))
    if kinds.contains(.unclear) { return nil }
    return kinds.compactMap { if case .tap(let fingers) = $0 { fingers } else { nil } }
  }

  /// The fingers of each tap that the label asks for; `nil` where it does not say how many taps.
  private var labelled: [Int]? {
    let numbers = recording.label.prefix { $0 != " " }.split { !$0.isNumber }.compactMap { Int($0) }
    guard numbers.count == 2 else { return nil }
    return Array(repeating: numbers[0], count: numbers[1])
  }

  /// What the label claims and the recording's touch-downs contradict.
  var contradiction: String? {
    guard let labelled else { return nil }
    let short = contacts.groups.filter(isShort).map(contacts.fingers(of:))
    return short == labelled ? nil : "its short touch-downs have these fingers: \(short)"
  }

  private func isShort(_ group: [Contacts.Touch]) -> Bool {
    guard let landed = group.map(\.landed).min(), let lifted = group.map(\.lifted).max() else {
      return false
    }
    let wasPressed = contacts.clicks.contains { $0 >= landed && $0 <= lifted }
    return (lifted - landed).milliseconds <= 300 && !wasPressed
  }

  private func summary(of groups: [[Contacts.Touch]]) -> String {
    groups.map { group in
      let landed = group.map(\.landed).min() ?? .zero
      let lifted = group.map(\.lifted).max() ?? .zero
      let travel = group.map(\.travel).max() ?? 0
      let slide = recording.isSizeKnown ? " \(travel.shown(1)) mm" : ""
      return "\((lifted - landed).milliseconds.shown(0)) ms\(slide)"
    }.joined(separator: ", ")
  }

  func contact(of group: [Contacts.Touch]) -> Contact {
    guard let landed = group.map(\.landed).min(), let lifted = group.map(\.lifted).max(),
      let lastLanded = group.map(\.landed).max(), let firstLifted = group.map(\.lifted).min()
    else { return .other }
    let length = (lifted - landed).milliseconds
    let travel = recording.isSizeKnown ? group.map(\.travel).max() ?? 0 : 0
    if !isShort(group) { return .other }
    // longer than libinput's limit for a tap, or further than any tap slides
    if length > 200 || travel > 8 { return .unclear }
    // one finger after the other rather than together
    if lastLanded >= firstLifted || (lastLanded - landed).milliseconds > 50 { return .unclear }
    return .tap(contacts.fingers(of: group))
  }

  /// Outcomes without taps and holds that really are in the recording but not in its label.
  func withoutOwnTapsAndHolds(_ outcomes: [Outcome]) -> (rest: [Outcome], own: [Outcome]) {
    let origin = recording.events.first?.time ?? .zero
    var own: [Outcome] = []
    let rest = outcomes.filter { outcome in
      guard !outcome.isMotion else { return true }
      let time = origin + (outcome.began - .zero)
      // a tap is reported when it is over, at the latest when no other may follow
      let group = contacts.groups.last { ($0.map(\.landed).min() ?? .zero) <= time }
      guard let group, contacts.fingers(of: group) == outcome.fingers else { return true }
      let isOwn =
        switch outcome.kind {
        case .tap: isShort(group)
        case .hold:
          !isShort(group) && group.allSatisfy { ($0.travel(by: time) ?? 9) < 1.5 }
            && !outcomes.contains { $0.isMotion && group.contains(timeOf: $0, origin) }
        case .drag, .pinch, .rotate, .swipe, .edgeSwipe: false
        }
      if isOwn { own.append(outcome) }
      return !isOwn
    }
    return (rest, own)
  }
}

extension [Contacts.Touch] {
  fileprivate func contains(timeOf outcome: Outcome, _ origin: EventTime) -> Bool {
    let time = origin + (outcome.began - .zero)
    return contains { $0.landed <= time && time <= $0.lifted }
  }
}
