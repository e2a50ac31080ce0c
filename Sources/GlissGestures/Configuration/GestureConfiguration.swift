/// Every number of the recognizers that a pad or a hand may need changed, in mm, ms or as a factor.
///
/// ``settings`` lists all of them once, with default, range and source; ``set(_:to:)`` changes one by name.
public struct GestureConfiguration: Hashable, Sendable {
  public var landing = Landing()
  public var lift = Lift()
  public var motion = Motion()
  public var lead = Lead()
  public var late = Late()
  public var anchor = Anchor()
  public var thumb = Thumb()
  public var palm = Palm()
  public var typing = Typing()
  public var click = Click()
  public var tap = Tap()
  public var tapDrag = TapDrag()
  public var hold = Hold()
  public var edgeSwipe = EdgeSwipe()
  public var correction = Correction()
  public var drag = Drag()

  /// The defaults of ``settings``.
  public init() {
    for setting in Self.settings { self[keyPath: setting.keyPath] = setting.defaultValue }
  }

  /// When fingers have landed.
  public struct Landing: Hashable, Sendable {
    /// How long after the last finger has landed nothing is decided: more may come. In ms.
    public var grace = 0.0
    /// How long a finger that has landed is left to settle before its motion counts. In ms.
    public var settle = 0.0

    fileprivate init() {}
  }

  /// When a finger has lifted.
  public struct Lift: Hashable, Sendable {
    /// How long after a finger has lifted the others decide nothing. In ms.
    public var grace = 0.0
    /// How far fingers that leave before they were decided must have gone to be a flick. In mm.
    public var flickTravel = 0.0

    fileprivate init() {}
  }

  /// When motion speaks.
  public struct Motion: Hashable, Sendable {
    /// Travel below which nothing is decided, however still the fingers lay. In mm.
    public var floor = 0.0
    /// What is added to the floor for each mm the fingers tremble (standard deviation).
    public var jitterFactor = 0.0
    /// How fast a still finger's drift is forgotten (time constant). In ms.
    public var driftTime = 0.0
    /// A contact that goes this far in 12.5 ms, out of the blue, is another finger's. In mm.
    public var jump = 0.0

    fileprivate init() {}
  }

  /// By how much one meaning must beat the others.
  public struct Lead: Hashable, Sendable {
    /// What pinches and rotations need beyond the floor; a finger that lies still, twice. In mm.
    public var caution = 0.0
    /// What the cheapest meaning needs for each mm that it leaves unexplained itself.
    public var share = 0.0
    /// Travel after which the cheapest meaning wins, however close the others are. In mm.
    public var patience = 0.0

    fileprivate init() {}
  }

  /// When a finger may still be on its way.
  public struct Late: Hashable, Sendable {
    /// How late a finger of one stroke may be. In ms.
    public var time = 0.0
    /// What lateness costs: this share of the travel that it explains.
    public var charge = 0.0

    fileprivate init() {}
  }

  /// When one finger lies still and another moves.
  public struct Anchor: Hashable, Sendable {
    /// 1: motion across the line around a still finger is a rotation instead of a drag.
    public var turns = 0.0

    fileprivate init() {}
  }

  /// When a finger only rests.
  public struct Thumb: Hashable, Sendable {
    /// How far up from the lower edge a thumb is expected. In mm.
    public var zone = 0.0
    /// How far below the other fingers a thumb is expected. In mm.
    public var clearance = 0.0
    /// How long before the others a thumb lies on the pad. In ms.
    public var headStart = 0.0
    /// A resting finger that moves this share of what the others move takes part again.
    public var wakeShare = 0.0
    /// And at least this far it must move. In mm.
    public var wakeTravel = 0.0

    fileprivate init() {}
  }

  /// When a contact is a palm.
  public struct Palm: Hashable, Sendable {
    /// From this diameter a contact is a palm. In mm.
    public var size = 0.0
    /// How near to a side edge a still contact is the hand's edge. In mm.
    public var zone = 0.0

    fileprivate init() {}
  }

  /// When somebody types.
  public struct Typing: Hashable, Sendable {
    /// 1: touches that begin while somebody types are palms; 0: they are fingers.
    public var disables = 0.0
    /// How long after a single key touches that begin are palms. In ms.
    public var afterKey = 0.0
    /// How long after a key that followed another while somebody typed. In ms.
    public var afterKeys = 0.0

    fileprivate init() {}
  }

  /// When the pad is clicked.
  public struct Click: Hashable, Sendable {
    /// How long after the button changes the fingers decide nothing. In ms.
    public var grace = 0.0
    /// After a click fingers must go this far. In mm.
    public var travel = 0.0

    fileprivate init() {}
  }

  /// When fingers touch and leave.
  public struct Tap: Hashable, Sendable {
    /// From the first finger down to the last one up. In ms.
    public var duration = 0.0
    /// How far a finger may slide. In mm.
    public var movement = 0.0
    /// While fingers may still tap, motion counts only if it is foreseen to get this far. In mm.
    public var slide = 0.0
    /// How far ahead motion is foreseen for that. In ms.
    public var foresight = 0.0
    /// Fingers of one tap land within this of each other. In ms.
    public var landingSpread = 0.0
    /// Fingers of one tap share at least this part of their time on the pad.
    public var overlap = 0.0
    /// The next tap of a double tap begins within this of the last one's end. In ms.
    public var gap = 0.0
    /// And its middle is within this of the last one's. In mm.
    public var distance = 0.0
    /// The same for three and more fingers. In mm.
    public var manyDistance = 0.0
    /// A contact within this of a gesture is a bounce, no tap. In ms.
    public var quiet = 0.0

    fileprivate init() {}
  }

  /// When one finger taps, returns and moves.
  public struct TapDrag: Hashable, Sendable {
    /// The finger returns within this. In ms.
    public var window = 0.0
    /// And moves this far. In mm.
    public var travel = 0.0

    fileprivate init() {}
  }

  /// When fingers lie still.
  public struct Hold: Hashable, Sendable {
    /// How long they must lie still. In ms.
    public var duration = 0.0
    /// The same for a single finger. In ms.
    public var singleDuration = 0.0
    /// How far a finger may stray. In mm.
    public var movement = 0.0

    fileprivate init() {}
  }

  /// When fingers come in over an edge.
  public struct EdgeSwipe: Hashable, Sendable {
    /// How near to the edge every finger must land. In mm.
    public var zone = 0.0
    /// How far in one finger must come before it counts. In mm.
    public var travel = 0.0
    /// And so fast from landing on. In mm/s.
    public var speed = 0.0
    /// How long before it landed a finger must have been outside. In ms.
    public var frame = 0.0
    /// What lands deeper did not cross the edge, however fast it is. In mm.
    public var longestStep = 0.0
    /// Within this of landing. In ms.
    public var duration = 0.0

    fileprivate init() {}
  }

  /// When a decision turns out wrong.
  public struct Correction: Hashable, Sendable {
    /// How long after a decision it may still be corrected. In ms.
    public var window = 0.0
    /// No correction once the fingers have gone this far. In mm.
    public var travel = 0.0
    /// By how much the other kind must beat the decided one. In mm.
    public var lead = 0.0
    /// And by how much more for each mm that the farthest finger has gone.
    public var share = 0.0

    fileprivate init() {}
  }

  /// How drags are told.
  public struct Drag: Hashable, Sendable {
    /// Points of translation for each point the fingers move.
    public var gain = 0.0
    /// Over how long velocity is measured. In ms.
    public var velocityWindow = 0.0

    fileprivate init() {}
  }
}
