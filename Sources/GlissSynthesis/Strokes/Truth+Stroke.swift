import GlissEvents

extension Truth {
  /// What a stroke is to be taken for.
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
      let resting = stroke.options.company.contains {
        if case .finger = $0 { true } else { false }
      }
      // the finger that rests is a hold until the other comes
      if resting { return (besideResting(stroke, plan), [.hold]) }
      if fingers == 1 { return ([], []) }
      return ([moving(fingers == 2 ? .drag : .swipe, fingers, plan)], [])
    case .swipe(_, let fingers): return ([moving(.swipe, fingers, plan)], [])
    case .pinch(let from, let to, let fingers, _):
      var answer = Expectation(.pinch, fingers: fingers)
      answer.scaleSign = to > from ? 1 : -1
      return ([answer], [])
    case .rotate(let degrees, let fingers):
      var answer = Expectation(.rotate, fingers: fingers)
      answer.rotationSign = degrees > 0 ? 1 : -1
      return ([answer], [])
    case .tap(let fingers, let count):
      var answer = Expectation(.tap, fingers: fingers)
      answer.count = count
      return ([answer], [])
    case .tapAndDrag:
      var answer = moving(.drag, 1, plan)
      answer.isAfterTap = true
      return ([answer], [.tap])
    case .hold(let fingers): return ([Expectation(.hold, fingers: fingers)], [])
    case .edgeSwipe(let edge, let fingers, _):
      var answer = Expectation(.edgeSwipe, fingers: fingers)
      answer.edge = edge
      return ([answer], [])
    case .click: return ([], [])
    case .drumRoll: return ([], [.tap])
    }
  }

  private static func moving(_ kind: GestureKind, _ fingers: Int, _ plan: Plan) -> Expectation {
    var answer = Expectation(kind, fingers: fingers)
    answer.directions = directions(of: netMotion(plan))
    return answer
  }

  /// One finger lies still and another moves: across the line between them a drag, along it also a pinch.
  private static func besideResting(_ stroke: Stroke, _ plan: Plan) -> [Expectation] {
    let drag = moving(.drag, 2, plan)
    guard case .finger(let offset, _)? = stroke.options.company.first else { return [drag] }
    let motion = netMotion(plan)
    let along = abs(motion.dot(offset)) / max(1e-9, motion.length * offset.length)
    guard along > 0.6 else { return [drag] }
    var pinch = Expectation(.pinch, fingers: 2)
    pinch.scaleSign = motion.dot(offset) < 0 ? 1 : -1
    return [drag, pinch]
  }

  /// How far the fingers that move go from landing to lifting, in mm.
  private static func netMotion(_ plan: Plan) -> Vector2 {
    Vector2.mean(
      plan.fingers.filter { $0.takesPart && !$0.moves.isEmpty }.map {
        $0.position(at: $0.lifting) - $0.position(at: $0.landing)
      })
  }

  /// The main direction of a motion; both where it lies within 15° of the diagonal.
  static func directions(of motion: Vector2) -> Set<Direction> {
    guard let main = Direction.ofFour(motion) else { return [] }
    let (ax, ay) = (abs(motion.x), abs(motion.y))
    // tan 30°: 15° off the diagonal
    guard min(ax, ay) > max(ax, ay) * 0.5773502691896257 else { return [main] }
    return [motion.x > 0 ? .right : .left, motion.y > 0 ? .down : .up]
  }
}
