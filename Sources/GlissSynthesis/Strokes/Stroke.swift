public import GlissEvents

/// An intended stroke of a hand on a pad.
///
/// ```swift
/// let trace = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)
/// ```
/// This gives the events a kernel would deliver for two fingers that spread from 20 to 60 mm.
public struct Stroke: Hashable, Sendable {
  /// The part of the hand that lies still in a pinch.
  public enum Anchor: Hashable, Sendable {
    /// The thumb, or the finger opposite.
    case thumb, finger
  }

  /// The stroke without the way it is made.
  public enum Shape: Hashable, Sendable {
    /// As ``Stroke/drag(by:fingers:)``.
    case drag(by: Vector2, fingers: Int)
    /// As ``Stroke/pinch(from:to:fingers:anchor:)``.
    case pinch(from: Double, to: Double, fingers: Int, anchor: Anchor?)
    /// As ``Stroke/rotate(by:fingers:)``.
    case rotate(degrees: Double, fingers: Int)
    /// Fingers that swipe by a displacement in mm.
    case swipe(by: Vector2, fingers: Int)
    /// As ``Stroke/tap(fingers:count:)``.
    case tap(fingers: Int, count: Int)
    /// As ``Stroke/tapAndDrag(by:)``.
    case tapAndDrag(by: Vector2)
    /// Fingers that lie still, as long as the options say.
    case hold(fingers: Int)
    /// As ``Stroke/edgeSwipe(_:fingers:length:)``.
    case edgeSwipe(Edge, fingers: Int, length: Double)
    /// As ``Stroke/click(fingers:)``.
    case click(fingers: Int)
    /// As ``Stroke/drumRoll(touches:overlap:)``.
    case drumRoll(touches: Int, overlapMilliseconds: Double)
  }

  /// What the fingers do.
  public var shape: Shape
  /// How they do it.
  public var options: StrokeOptions

  /// A stroke; the functions below make the usual ones.
  public init(_ shape: Shape, options: StrokeOptions = StrokeOptions()) {
    self.shape = shape
    self.options = options
  }

  /// Fingers that move together, by a displacement in mm, x to the right and y down.
  public static func drag(by displacement: Vector2, fingers: Int = 2) -> Stroke {
    Stroke(.drag(by: displacement, fingers: fingers))
  }

  /// One finger that moves the pointer.
  public static func point(by displacement: Vector2) -> Stroke {
    Stroke(.drag(by: displacement, fingers: 1))
  }

  /// Fingers that close or open.
  ///
  /// - Parameters:
  ///   - from: the distance at the beginning, in mm: between two fingers, or across the circle of
  ///     more.
  ///   - to: the distance at the end, in mm.
  ///   - anchor: the finger that lies still; `nil` if all move alike.
  public static func pinch(
    from: Double, to: Double, fingers: Int = 2, anchor: Anchor? = nil
  ) -> Stroke {
    Stroke(.pinch(from: from, to: to, fingers: fingers, anchor: anchor))
  }

  /// Fingers that turn around their middle, by degrees, counter-clockwise positive as the user sees
  /// it.
  public static func rotate(by degrees: Double, fingers: Int = 2) -> Stroke {
    Stroke(.rotate(degrees: degrees, fingers: fingers))
  }

  /// Three or more fingers that move together by `distance` mm.
  public static func swipe(
    fingers: Int = 3, direction: Direction, distance: Double = 30
  ) -> Stroke {
    Stroke(.swipe(by: direction.unit * distance, fingers: fingers))
  }

  /// Fingers that touch and leave, `count` times.
  public static func tap(fingers: Int = 1, count: Int = 1) -> Stroke {
    var stroke = Stroke(.tap(fingers: fingers, count: count))
    stroke.options.durationMilliseconds = 70
    return stroke
  }

  /// One finger that taps, then lands again and drags.
  public static func tapAndDrag(by displacement: Vector2) -> Stroke {
    Stroke(.tapAndDrag(by: displacement))
  }

  /// Fingers that lie still for `duration`.
  public static func hold(fingers: Int = 1, for duration: Duration = .seconds(1)) -> Stroke {
    hold(fingers: fingers, milliseconds: EventInterval(duration).milliseconds)
  }

  package static func hold(fingers: Int, milliseconds: Double) -> Stroke {
    var stroke = Stroke(.hold(fingers: fingers))
    stroke.options.durationMilliseconds = milliseconds
    return stroke
  }

  /// Fingers that come in over an edge and continue for `length` mm.
  public static func edgeSwipe(_ edge: Edge, fingers: Int = 1, length: Double = 25) -> Stroke {
    Stroke(.edgeSwipe(edge, fingers: fingers, length: length))
  }

  /// Fingers that press the pad's button.
  public static func click(fingers: Int = 1) -> Stroke { Stroke(.click(fingers: fingers)) }

  /// Two fingers that touch in turn, each landing before the other has left.
  public static func drumRoll(
    touches: Int = 6, overlap: Duration = .milliseconds(30)
  ) -> Stroke {
    drumRoll(touches: touches, overlapMilliseconds: EventInterval(overlap).milliseconds)
  }

  package static func drumRoll(touches: Int, overlapMilliseconds: Double) -> Stroke {
    Stroke(.drumRoll(touches: touches, overlapMilliseconds: overlapMilliseconds))
  }

  /// The same stroke with other options.
  public func with(_ change: (inout StrokeOptions) -> Void) -> Stroke {
    var copy = self
    change(&copy.options)
    return copy
  }

  /// The events that a pad's driver would report while a hand makes this stroke.
  ///
  /// A stroke that does not fit the pad is shrunk until it does. The same stroke, pad and seed give
  /// the same bits on any processor.
  public func trace(on pad: Pad, seed: UInt64) -> Trace {
    trace(on: pad, seed: seed, className: name)
  }

  package func trace(on pad: Pad, seed: UInt64, className: String) -> Trace {
    var random = RandomSource(seed: seed, name: "stroke")
    var plan = Choreography(stroke: self, pad: pad).plan(using: &random)
    let meant = plan
    plan.perform(options.motor, using: &random)
    plan.landWhereTheyEnter(pad.size)
    let first = plan.fingers.map(\.landing).min() ?? 0
    // A little over a second before the first finger, so that no plan has a negative time.
    let origin = EventTime(microseconds: 1_000_000) + (0.2 * random.unit() - first)
    let truth = Truth(of: self, className: className, meant: meant, performed: plan, origin: origin)
    var sensor = Sensor(plan, on: pad, model: options.motor, seed: seed)
    return Trace(device: pad.device, events: sensor.scan(origin: origin), truth: truth)
  }

  /// The name of the shape.
  private var name: String {
    switch shape {
    case .drag(_, let fingers): fingers == 1 ? "pointing" : "drag"
    case .pinch(let from, let to, _, _): to > from ? "pinch-out" : "pinch-in"
    case .rotate(let degrees, _): degrees > 0 ? "rotate-ccw" : "rotate-cw"
    case .swipe: "swipe"
    case .tap: "tap"
    case .tapAndDrag: "tap-drag"
    case .hold: "hold"
    case .edgeSwipe: "edge-swipe"
    case .click: "click"
    case .drumRoll: "drum-roll"
    }
  }
}

extension Direction {
  /// The unit vector in this direction, y down.
  var unit: Vector2 {
    switch self {
    case .right: Vector2(x: 1, y: 0)
    case .downRight: Vector2(angle: .pi / 4)
    case .down: Vector2(x: 0, y: 1)
    case .downLeft: Vector2(angle: .pi * 3 / 4)
    case .left: Vector2(x: -1, y: 0)
    case .upLeft: Vector2(angle: -.pi * 3 / 4)
    case .up: Vector2(x: 0, y: -1)
    case .upRight: Vector2(angle: -.pi / 4)
    }
  }
}

/// How a stroke is made: its timing, the position of the hand, deliberate faults, and what rests
/// beside it.
public struct StrokeOptions: Hashable, Sendable {
  /// Something that rests on the pad beside the stroke.
  public enum ExtraContact: Hashable, Sendable {
    /// A thumb low on the pad that lands this many ms before the first finger.
    case thumb(earlierMilliseconds: Double)
    /// A palm at a side edge; it may come and go at any time.
    case palm(Edge)
    /// A finger at `offset` mm from the stroke's first finger that lands this many ms before it.
    case finger(offset: Vector2, earlierMilliseconds: Double)
    /// A thumb `height` mm above the lower edge that lands this many ms before the first finger,
    /// and rolls by `roll` mm while the fingers move.
    case lowThumb(height: Double, earlierMilliseconds: Double, roll: Vector2)
    /// A thumb like ``lowThumb(height:earlierMilliseconds:roll:)`` that moves `share` of the
    /// fingers' distance with them: it takes part.
    case wakingThumb(height: Double, earlierMilliseconds: Double, share: Double)
    /// A finger that takes part by lying still, `height` mm above the lower edge and at `offset` mm
    /// from the stroke's first finger, landing this many ms before it.
    case stillFinger(height: Double, offset: Vector2, earlierMilliseconds: Double)
    /// A palm whose middle lies `inset` mm from a side edge and that lands this many ms before the
    /// first finger.
    case restingPalm(Edge, inset: Double, earlierMilliseconds: Double)
  }

  /// How long the motion takes, in ms; `nil` for a duration that suits its length. For taps, how
  /// long each touch lasts.
  package var durationMilliseconds: Double?
  /// From the last finger's landing to the beginning of the motion, in ms; below 0 the hand moves
  /// as it lands.
  package var restMilliseconds = 60.0
  /// From the end of the motion to the first finger's lifting, in ms.
  package var lingerMilliseconds = 40.0
  /// The share of the motion's time after which the fingers lift; below 1 for flicks.
  public var liftShare = 1.0
  /// From the lifting of one tap to the landing of the next, in ms.
  package var gapMilliseconds = 120.0
  /// Where the middle of the stroke should be, in mm; `nil` for anywhere it fits.
  public var centre: Vector2?
  /// Distance between neighbouring fingers, in mm, unless the stroke itself sets it.
  public var separation = 20.0
  /// Angle in degrees between the line of the fingers (for pinches and rotations: from thumb to
  /// finger) and the horizontal, counter-clockwise; `nil` for a natural angle.
  public var handAngle: Double?
  /// Whether the left hand makes it.
  public var isLeftHanded = false

  /// Motion of all fingers in addition to the stroke's, in mm.
  public var drift = Vector2.zero
  /// How much the fingers come together on the way, as a share of their distance; below 0 they move
  /// apart.
  public var convergence = 0.0
  /// How far a drag's direction turns on its way, in degrees, clockwise.
  public var turn = 0.0
  /// The share of the way after which the direction begins to turn.
  public var turnAfter = 0.0
  /// The share of the way that the hand creeps before the main motion.
  public var creepShare = 0.0
  /// How long the hand creeps before the main motion, in ms.
  package var creepMilliseconds = 0.0
  /// The last finger's travel as a share of the others'.
  public var lastFingerGain = 1.0
  /// The hand pivots around a wrist or elbow this many mm away instead of moving in parallel; the
  /// sign selects the side.
  public var pivotRadius: Double?
  /// How long before the last finger the others of a drag land, in ms.
  package var lateFingerMilliseconds: Double?
  /// The share of the motion's time after which one finger already lifts.
  public var earlyLiftShare: Double?
  /// How long after the others one finger begins to move, in ms.
  package var laggingFingerMilliseconds: Double?
  /// The share of the motion that a pinch's still finger makes with the others.
  public var anchorCoupling = 0.0
  /// The fixed point of a two-finger pinch on the line from thumb (0) to finger (1), or beyond
  /// them; `nil` for the middle, or the still finger.
  public var fixedPoint: Double?

  /// What else touches the pad meanwhile.
  public var extraContacts: [ExtraContact] = []
  /// How the hand moves and how much it strays.
  public var motor = MotorModel()

  /// An ordinary stroke of a right hand.
  public init() {}
}

// The times of a stroke. The plans of strokes compute in fractions of milliseconds.
extension StrokeOptions {
  /// How long the motion takes; `nil` for a duration that suits its length. For taps, how long each
  /// touch lasts.
  public var duration: Duration? {
    get { durationMilliseconds.map(Self.duration) }
    set { durationMilliseconds = newValue.map(Self.milliseconds) }
  }

  /// From the last finger's landing to the beginning of the motion; below 0 the hand moves as it
  /// lands.
  public var rest: Duration {
    get { Self.duration(restMilliseconds) }
    set { restMilliseconds = Self.milliseconds(newValue) }
  }

  /// From the end of the motion to the first finger's lifting.
  public var linger: Duration {
    get { Self.duration(lingerMilliseconds) }
    set { lingerMilliseconds = Self.milliseconds(newValue) }
  }

  /// From the lifting of one tap to the landing of the next.
  public var gap: Duration {
    get { Self.duration(gapMilliseconds) }
    set { gapMilliseconds = Self.milliseconds(newValue) }
  }

  /// How long the hand creeps before the main motion.
  public var creep: Duration {
    get { Self.duration(creepMilliseconds) }
    set { creepMilliseconds = Self.milliseconds(newValue) }
  }

  /// How long before the last finger the others of a drag land.
  public var lateFinger: Duration? {
    get { lateFingerMilliseconds.map(Self.duration) }
    set { lateFingerMilliseconds = newValue.map(Self.milliseconds) }
  }

  /// How long after the others one finger begins to move.
  public var laggingFinger: Duration? {
    get { laggingFingerMilliseconds.map(Self.duration) }
    set { laggingFingerMilliseconds = newValue.map(Self.milliseconds) }
  }

  private static func duration(_ milliseconds: Double) -> Duration {
    Duration(EventInterval.milliseconds(milliseconds))
  }

  private static func milliseconds(_ duration: Duration) -> Double {
    EventInterval(duration).milliseconds
  }
}
