import GlissEvents
import Scoring

/// What a real recording's label asks for, and whether it came.
struct RealScore {
  enum Verdict {
    case clean
    case wrong(String)
    /// The label requires something that the recording cannot show.
    case undecidable(String)
  }

  let recording: Recorded
  let contacts: Contacts

  init(_ recording: Recorded) {
    self.recording = recording
    contacts = Contacts(recording.events, millimetres: recording.millimetres)
  }

  /// The group a label belongs to in the report; `nil` for labels that are not scored.
  static func group(of label: String) -> String? {
    let label = label.filter { $0 != "\"" }
    if label.hasPrefix("prior_state+drag2") { return "prior state, then drag" }
    if label.hasPrefix("thumb+drag2") { return "thumb beside drag" }
    if label.hasPrefix("anchored+drag2") { return "anchored drag" }
    if label.hasPrefix("flick2") { return "flicks" }
    if label.hasPrefix("drag2 then") { return nil }
    if label.hasPrefix("drag2") { return "drags" }
    if label.hasPrefix("swipe3") || label.hasPrefix("swipe4") { return "swipes" }
    if label.hasPrefix("rotate") { return "rotations" }
    if label.hasPrefix("pinch") { return "pinches" }
    if label.hasPrefix("tap_drag") { return "tap and drag" }
    if label.hasPrefix("tap") { return "taps" }
    if label.hasPrefix("drumroll") { return "drum-rolls" }
    if label == "rest1+move1" { return "resting finger" }
    if label == "thumb drag1" { return "resting thumb" }
    if label == "click2" { return "clicks" }
    return nil
  }

  /// Whether real taps and holds that the label does not mention are accepted.
  var ignoresOwnTaps: Bool {
    switch Self.group(of: recording.label) {
    case "drags", "flicks", "thumb beside drag", "swipes", "prior state, then drag",
      "anchored drag", "pinches", "rotations":
      true
    case _: false
    }
  }

  func verdict(_ all: [Outcome]) -> Verdict {
    let outcomes = ignoresOwnTaps ? withoutOwnTapsAndHolds(all).rest : all
    let label = recording.label.filter { $0 != "\"" }
    switch Self.group(of: label) {
    case "drags", "flicks", "thumb beside drag": return moving(outcomes, .drag, fingers: 2)
    case "swipes": return moving(outcomes, .swipe, fingers: label.hasPrefix("swipe4") ? 4 : 3)
    case "rotations": return rotation(outcomes, sign: label.hasPrefix("rotate-left") ? 1 : -1)
    case "prior state, then drag":
      guard let start = labelledRun else { return .undecidable("two fingers never move together") }
      let after = outcomes.filter { $0.began >= start || ($0.isOpen && $0.kind != .tap) }
      return moving(after, .drag, fingers: 2)
    case "anchored drag": return anchored(outcomes)
    case "pinches": return pinch(outcomes, sign: label.hasPrefix("pinch-out") ? 1 : -1)
    case "tap and drag": return tapAndDrag(outcomes)
    case "taps": return taps(outcomes, label: label)
    case "drum-rolls", "resting finger", "resting thumb":
      return outcomes.contains { $0.kind == .pinch || $0.kind == .rotate } ? .wrong("") : .clean
    case "clicks": return outcomes.contains(where: \.isMotion) ? .wrong("") : .clean
    case _: return .undecidable("not scored")
    }
  }

  // MARK: - Motion

  /// The directions a label's last word stands for; `nil` where it names none.
  private var directions: Set<Direction>? {
    guard let dash = recording.label.lastIndex(of: "-") else { return nil }
    let word = String(recording.label[recording.label.index(after: dash)...])
    let target = word.split(separator: "_to_").last.map(String.init) ?? word
    let isPath = word.contains("_to_")
    var found: Set<Direction> = []
    if target.contains("up") || (isPath && target.contains("top")) { found.insert(.up) }
    if target.contains("down") || (isPath && target.contains("bottom")) { found.insert(.down) }
    if target.contains("left") { found.insert(.left) }
    if target.contains("right") { found.insert(.right) }
    return found.isEmpty ? nil : found
  }

  private func moving(_ outcomes: [Outcome], _ kind: GestureKind, fingers: Int) -> Verdict {
    if contacts.framesTogether < 2 {
      return .undecidable("the fingers are seen together in one report only")
    }
    guard !outcomes.isEmpty else { return .wrong("none") }
    for outcome in outcomes {
      guard outcome.kind == kind, outcome.fingers == fingers, !outcome.wasCancelled else {
        return .wrong("")
      }
    }
    guard let directions else { return .clean }
    // a hand that goes back for another stroke may brush the pad: the long strokes count
    let longest = outcomes.map(\.last.translation.millimetres.length).max() ?? 0
    let strokes = outcomes.filter {
      $0.last.translation.millimetres.length >= min(3, longest)
    }
    let isRight = strokes.allSatisfy { $0.direction.map(directions.contains) ?? false }
    if isRight { return .clean }
    return directions.isDisjoint(with: ways)
      ? .undecidable("no finger goes that way") : .wrong("wrong way")
  }

  /// The directions in which fingers go 5 mm or more.
  private var ways: Set<Direction> {
    Set(
      contacts.touches.compactMap { touch in
        guard let from = touch.path.first?.place, let to = touch.path.last?.place,
          (to - from).length >= 5
        else { return nil }
        return Direction.ofFour(to - from)
      })
  }

  /// When the two fingers that move farthest together begin to touch at once, since the first event.
  private var labelledRun: EventTime? {
    let origin = recording.events.first?.time ?? .zero
    var best: (start: EventTime, motion: Double)?
    for (i, a) in contacts.touches.enumerated() {
      for b in contacts.touches[(i + 1)...] where b.landed < a.lifted {
        let (start, end) = (max(a.landed, b.landed), min(a.lifted, b.lifted))
        guard let a0 = a.place(at: start), let a1 = a.place(at: end),
          let b0 = b.place(at: start), let b1 = b.place(at: end)
        else { continue }
        let motion = ((a1 - a0) + (b1 - b0)).length / 2
        if motion > best?.motion ?? 0 { best = (start, motion) }
      }
    }
    return best.map { EventTime(microseconds: ($0.start - origin).microseconds) }
  }

  private func anchored(_ outcomes: [Outcome]) -> Verdict {
    guard !outcomes.isEmpty else { return .wrong("none") }
    let mayPinch = movesAlongTheLine
    for outcome in outcomes {
      switch outcome.kind {
      case .drag where outcome.fingers == 2 && !outcome.wasCancelled:
        if let directions, let direction = outcome.direction, !directions.contains(direction) {
          return .wrong("wrong way")
        }
      case .pinch where mayPinch && !outcome.wasCancelled: break
      case _: return .wrong("")
      }
    }
    return .clean
  }

  /// Whether the finger that moves does so towards or away from the one that rests.
  private var movesAlongTheLine: Bool {
    let moved = contacts.touches.max { $0.travel < $1.travel }
    guard let moved, let from = moved.path.first?.place, let to = moved.path.last?.place else {
      return false
    }
    let still = contacts.touches.filter {
      $0.landed < moved.lifted && moved.landed < $0.lifted && $0.travel < moved.travel
    }.max { $0.lifted - $0.landed < $1.lifted - $1.landed }
    guard let rest = still?.place(at: moved.landed) else { return false }
    let (line, motion) = (rest - from, to - from)
    return abs(motion.dot(line)) > 0.7 * motion.length * line.length
  }

  private func pinch(_ outcomes: [Outcome], sign: Int) -> Verdict {
    guard !outcomes.isEmpty else { return .wrong("none") }
    let isRight = outcomes.allSatisfy {
      $0.kind == .pinch && !$0.wasCancelled && $0.scaleSign == sign
    }
    return isRight ? .clean : .wrong("")
  }

  private func rotation(_ outcomes: [Outcome], sign: Int) -> Verdict {
    guard !outcomes.isEmpty else { return .wrong("none") }
    let isRight = outcomes.allSatisfy {
      $0.kind == .rotate && !$0.wasCancelled && $0.rotationSign == sign
    }
    return isRight ? .clean : .wrong("")
  }

  private func tapAndDrag(_ outcomes: [Outcome]) -> Verdict {
    let drags = outcomes.filter { $0.kind != .tap }
    guard drags.count == 1, let drag = drags.first, drag.kind == .drag, drag.last.isAfterTap,
      !drag.wasCancelled
    else { return .wrong("") }
    return directions.map { drag.direction.map($0.contains) ?? false } ?? true
      ? .clean : .wrong("wrong way")
  }
}
