package import GlissEvents

/// A stroke of a hand in numbers, any of which a map can vary.
package struct StrokeSetting: Hashable, Sendable {
  /// How much of the first finger's way the second one goes: 1 alike, 0 still, -1 opposite.
  package var share = -1.0
  /// Between the motion and the line from the second finger through the first, in degrees: 0 is away from the second
  /// finger, 180 toward it.
  package var angle = 0.0
  /// How far the first finger goes, in mm.
  package var length = 10.0
  /// How long the motion lasts, in ms.
  package var duration = 300.0
  /// From one finger to the other when they land, in mm.
  package var separation = 25.0
  /// How much later than the first finger the second one lands, in ms; negative if earlier.
  package var gap = 0.0
  /// From the last landing to the motion, in ms.
  package var wait = 60.0
  /// Two or three: the third goes beside the first and does what it does.
  package var fingers = 2
  /// Frames a second.
  package var rate = 125.0
  /// Standard deviation of each coordinate in each frame, in mm.
  package var tremor = 0.0
  /// The other hand: left and right are exchanged.
  package var isMirrored = false
  /// By how much the hand is turned, in degrees, clockwise as the user sees it.
  package var turn = 0.0

  package init() {}

  package func with(_ change: (inout StrokeSetting) -> Void) -> StrokeSetting {
    var other = self
    change(&other)
    return other
  }

  /// From the finger beside the first to the first, in mm.
  private static let beside = 16.0

  /// The stroke, on the pad.
  package var plan: StrokePlan {
    let interval = 1000 / rate
    let first = max(0, -gap)
    let second = max(0, gap)
    let onset = max(first, second) + wait
    // one frame more than the motion needs, so that its end is seen
    let lifting = onset + duration + interval
    let (sine, cosine) = Elementary.sineCosine(angle * .pi / 180)
    let way = Vector2(x: -cosine, y: -sine) * length
    func finger(_ landing: Double, _ x: Double, _ y: Double, _ way: Vector2) -> PlannedFinger {
      PlannedFinger(
        landing: landing, lifting: lifting, place: seen(Vector2(x: x, y: y)), onset: onset,
        duration: duration, way: seen(way))
    }
    let half = separation / 2
    // with three fingers, the first and third lie on both sides of the line
    let aside = fingers > 2 ? Self.beside / 2 : 0
    var planned = [finger(first, -half, aside, way), finger(second, half, 0, way * share)]
    if fingers > 2 { planned.append(finger(first, -half, -aside, way)) }
    let offset = Self.offset(of: planned)
    for index in planned.indices { planned[index].place += offset }
    var plan = StrokePlan(planned, interval: interval)
    plan.tremor = tremor
    return plan
  }

  /// A hand's own coordinates as they are on the pad: mirrored, then turned.
  package func seen(_ vector: Vector2) -> Vector2 {
    let (sine, cosine) = Elementary.sineCosine(turn * .pi / 180)
    let (x, y) = (isMirrored ? -vector.x : vector.x, vector.y)
    return Vector2(x: x * cosine - y * sine, y: x * sine + y * cosine)
  }
}

extension StrokeSetting {
  /// Where the hand lands: above the pad's middle, since thumbs rest at the lower edge.
  private static let middle = Vector2(x: 50, y: 25)
  /// How near to the edges a stroke may come, in mm: nearer, edges and palms would have a say.
  private static let margin = Vector2(x: 7, y: 5)

  /// Whether the stroke stays away from the pad's edges.
  package var fits: Bool {
    let box = Box(around: plan.fingers)
    let most = StrokePlan.padSize - Self.margin
    let slack = 1e-9
    return box.low.x >= Self.margin.x - slack && box.low.y >= Self.margin.y - slack
      && box.high.x <= most.x + slack && box.high.y <= most.y + slack
  }

  /// How near to the pad's lower edge the stroke comes, in mm.
  package var aboveLowerEdge: Double { StrokePlan.padSize.y - Box(around: plan.fingers).high.y }

  /// Moves a stroke from the origin to its place on the pad. That place is the same for all strokes of a map, unless
  /// one would come too near to an edge.
  private static func offset(of fingers: [PlannedFinger]) -> Vector2 {
    let box = Box(around: fingers)
    let most = StrokePlan.padSize - margin
    func shift(_ middle: Double, _ low: Double, _ high: Double, _ ends: (Double, Double)) -> Double
    {
      middle + max(0, ends.0 - middle - low) - max(0, middle + high - ends.1)
    }
    return Vector2(
      x: shift(middle.x, box.low.x, box.high.x, (margin.x, most.x)),
      y: shift(middle.y, box.low.y, box.high.y, (margin.y, most.y)))
  }

  /// What the fingers' ways lie in.
  private struct Box {
    var low: Vector2
    var high: Vector2

    init(around fingers: [PlannedFinger]) {
      let places = fingers.flatMap { [$0.place, $0.place + $0.way] }
      let (x, y) = (places.map(\.x), places.map(\.y))
      low = Vector2(x: x.min() ?? 0, y: y.min() ?? 0)
      high = Vector2(x: x.max() ?? 0, y: y.max() ?? 0)
    }
  }
}
