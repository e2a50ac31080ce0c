public import GlissEvents
public import GlissSession

/// A stroke as a pad's driver reported it, and what it was meant to be.
public struct Trace: Sendable {
  /// The pad's description of itself.
  public var device: Device
  /// In order of time; frames end with `SYN_REPORT`.
  public var events: [EvdevEvent]
  /// What the stroke was meant to be.
  package var truth: Truth
}

/// What a trace was meant to be, and when.
package struct Truth: Hashable, Sendable {
  /// A gesture that would be a right answer.
  package struct Expectation: Hashable, Sendable {
    /// The kind of gesture.
    package var kind: GestureKind
    /// How many fingers make it.
    package var fingers: Int
    /// The directions that count as right, of the four; `nil` if there is no direction.
    package var directions: Set<Direction>?
    /// 1 if the fingers move apart, -1 if they come together.
    package var scaleSign: Int?
    /// 1 counter-clockwise as the user sees it, -1 clockwise.
    package var rotationSign: Int?
    /// The number of consecutive taps.
    package var count: Int?
    /// The edge that an edge swipe comes over.
    package var edge: Edge?
    /// Whether it is a drag of one finger right after a tap.
    package var isAfterTap = false
  }

  /// The class the trace was made for.
  package var className: String
  /// Any one of these is right; if it is empty, no gesture is expected.
  package var expected: [Expectation]
  /// Kinds that may occur in addition to the expected one.
  package var tolerated: Set<GestureKind>
  /// When the first intended motion began: the minimum-jerk profile's start, or the landing if that
  /// is later.
  package var strokeStart: EventTime?
  /// When a finger was first 0.1 mm from where it landed by its intended motion alone.
  package var onset: EventTime?
  /// When the last participating finger landed.
  package var landed: EventTime
  /// When the last participating finger lifted.
  package var lifted: EventTime
}

/// Plays a synthesized stroke into a session like a recording.
extension Trace: Source {
  /// Processes the whole stroke, without waiting between its events.
  public func run(into session: Session) {
    let id = session.add(device)
    for event in events { session.process(event, from: id) }
    session.finish()
  }
}

extension Truth {
  /// The right answers for a stroke.
  init(of stroke: Stroke, className: String, meant: Plan, performed: Plan, origin: EventTime) {
    let part = performed.fingers.filter(\.takesPart)
    let (expected, tolerated) = Self.answers(to: stroke, meant)
    self.init(
      className: className, expected: expected, tolerated: tolerated,
      strokeStart: performed.strokeStart.map { origin + $0 },
      onset: performed.onset.map { origin + $0 },
      landed: origin + (part.map(\.landing).max() ?? 0),
      lifted: origin + (part.map(\.lifting).max() ?? 0))
  }

  private static func answers(
    to stroke: Stroke, _ plan: Plan
  ) -> (expected: [Expectation], tolerated: Set<GestureKind>) {
    switch stroke.shape {
    case .drag(_, let fingers):
      let resting = stroke.options.extraContacts.contains {
        if case .finger = $0 { true } else { false }
      }
      // The resting finger is a hold until the other one lands.
      if resting { return (besideResting(stroke, plan), [.hold]) }
      return together(fingers, stroke, plan)
    case .swipe(_, let fingers): return together(fingers, stroke, plan)
    case .pinch(let from, let to, let fingers, _):
      return ([.init(kind: .pinch, fingers: fingers, scaleSign: to > from ? 1 : -1)], [])
    case .rotate(let degrees, let fingers):
      return ([.init(kind: .rotate, fingers: fingers, rotationSign: degrees > 0 ? 1 : -1)], [])
    case .tap(let fingers, let count):
      return ([.init(kind: .tap, fingers: fingers, count: count)], [])
    case .tapAndDrag:
      var answer = moving(.drag, 1, plan)
      answer.isAfterTap = true
      return ([answer], [.tap])
    case .hold(let fingers): return ([.init(kind: .hold, fingers: fingers)], [])
    case .edgeSwipe(let edge, let fingers, _):
      return ([.init(kind: .edgeSwipe, fingers: fingers, edge: edge)], [])
    case .click: return ([], [])
    case .drumRoll: return ([], [.tap])
    }
  }

  /// Fingers that move together, and the participating ones beside them.
  private static func together(
    _ fingers: Int, _ stroke: Stroke, _ plan: Plan
  ) -> (expected: [Expectation], tolerated: Set<GestureKind>) {
    var count = fingers
    // A finger that lies still alone for long enough, above where thumbs lie, holds.
    var mayHold = false
    for contact in stroke.options.extraContacts {
      switch contact {
      case .wakingThumb(let height, let earlier, _):
        count += 1
        mayHold = mayHold || (height > highestThumb && earlier > longestPause)
      case .stillFinger(_, _, let earlier):
        count += 1
        mayHold = mayHold || earlier > longestPause
      case .lowThumb(let height, let earlier, _):
        mayHold = mayHold || (height > highestThumb && earlier > longestPause)
      case .thumb, .palm, .finger, .restingPalm: break
      }
    }
    let tolerated: Set<GestureKind> = mayHold ? [.hold] : []
    if count == 1 { return ([], tolerated) }
    return ([moving(count == 2 ? .drag : .swipe, count, plan)], tolerated)
  }

  /// Above this height, in mm, a contact's position does not show that it is a thumb.
  private static let highestThumb = 9.0
  /// A finger that lies still for longer than this may be a hold, in ms.
  private static let longestPause = 250.0

  private static func moving(_ kind: GestureKind, _ fingers: Int, _ plan: Plan) -> Expectation {
    .init(kind: kind, fingers: fingers, directions: directions(of: netMotion(plan)))
  }

  /// One finger lies still and another moves: across the line between them it is a drag, along it
  /// may also be a pinch.
  private static func besideResting(_ stroke: Stroke, _ plan: Plan) -> [Expectation] {
    let drag = moving(.drag, 2, plan)
    guard case .finger(let offset, _)? = stroke.options.extraContacts.first else { return [drag] }
    let motion = netMotion(plan)
    let along = abs(motion.dot(offset)) / max(1e-9, motion.length * offset.length)
    guard along > 0.6 else { return [drag] }
    let sign = motion.dot(offset) < 0 ? 1 : -1
    return [drag, .init(kind: .pinch, fingers: 2, scaleSign: sign)]
  }

  /// How far the moving fingers get from landing to lifting, in mm.
  private static func netMotion(_ plan: Plan) -> Vector2 {
    Vector2.mean(
      plan.fingers.filter { $0.takesPart && !$0.moves.isEmpty }.map {
        $0.position(at: $0.lifting) - $0.position(at: $0.landing)
      })
  }

  /// The main direction of a motion; both if it lies within 15° of the diagonal.
  static func directions(of motion: Vector2) -> Set<Direction> {
    guard let main = Direction.ofFour(motion) else { return [] }
    let (ax, ay) = (abs(motion.x), abs(motion.y))
    // tan 30°: 15° off the diagonal.
    guard min(ax, ay) > max(ax, ay) * 0.5773502691896257 else { return [main] }
    return [motion.x > 0 ? .right : .left, motion.y > 0 ? .down : .up]
  }
}
