package import GlissEvents

/// What a recognizer made of one stroke.
package struct Cell: Hashable, Sendable {
  package enum Verdict: Character, Hashable, Sendable, CaseIterable {
    case drag = "d"
    case pinch = "p"
    case rotation = "r"
    /// Edge swipes too.
    case swipe = "s"
    case tap = "t"
    /// The fingers held; their motion was no gesture.
    case hold = "h"
    /// A decision was cancelled, and another kind replaced it.
    case corrected = "~"
    /// Nothing was decided, or the decision was cancelled.
    case nothing = "."

    package var name: String { "\(self)" }

    fileprivate init(_ kind: GestureKind) {
      switch kind {
      case .drag: self = .drag
      case .pinch: self = .pinch
      case .rotate: self = .rotation
      case .swipe, .edgeSwipe: self = .swipe
      case .tap: self = .tap
      case .hold: self = .hold
      }
    }
  }

  package var verdict: Verdict
  /// How far the farthest finger had gone when the last decision on motion came, in mm; `nil` if none came.
  package var travel: Double?
  /// How long after the onset of motion it came, in ms.
  package var delay: Double?

  /// Plays the stroke.
  package init(_ plan: StrokePlan) { self.init(plan.gestures(), of: plan) }

  /// Judges the stroke by the `gestures` recognized in it.
  package init(_ gestures: [GestureEvent], of plan: StrokePlan) {
    let motions = gestures.filter { $0.phase == .began && Verdict($0.kind).isMotion }
    guard let last = motions.last,
      gestures.last(where: { $0.kind == last.kind })?.phase != .cancelled
    else {
      let still = gestures.first { !Verdict($0.kind).isMotion }
      verdict = motions.isEmpty ? still.map { Verdict($0.kind) } ?? .nothing : .nothing
      return
    }
    let time = (last.time - .zero).milliseconds
    travel = plan.farthest(at: time)
    delay = time - plan.onset
    verdict = motions.contains { $0.kind != last.kind } ? .corrected : Verdict(last.kind)
  }
}

extension Cell.Verdict {
  /// A decision on motion, as against contact alone.
  package var isMotion: Bool {
    switch self {
    case .drag, .pinch, .rotation, .swipe, .corrected: true
    case .tap, .hold, .nothing: false
    }
  }
}
