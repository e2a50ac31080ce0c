/// Every number the recognizers go by, in mm, ms, degrees or as a factor.
///
/// A gesture that comes out wrong is mended here, not in the code. ``settings`` lists all of them with default, range
/// and source; ``set(_:to:)`` changes one by name.
public struct GestureConfiguration: Hashable, Sendable {
  public var landing = Landing()
  public var lift = Lift()
  public var motion = Motion()
  public var dominance = Dominance()
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

  public init() {}
}

extension GestureConfiguration {
  /// When fingers have landed.
  public struct Landing: Hashable, Sendable {
    /// How long after the last finger has landed nothing is decided: more may come. In ms; 0 to 200.
    public var grace: Double = 50
    /// How long a finger that has landed is left to settle before its motion counts. In ms; 0 to 100.
    public var settle: Double = 35

    public init() {}
  }
}

extension GestureConfiguration {
  /// When a finger has lifted.
  public struct Lift: Hashable, Sendable {
    /// How long after a finger has lifted the others decide nothing. In ms; 0 to 500.
    public var grace: Double = 80
    /// How far fingers that leave before they were decided must have gone to be a flick. In mm; 0.5 to 20.
    public var flickTravel: Double = 2.5

    public init() {}
  }
}

extension GestureConfiguration {
  /// When motion speaks.
  public struct Motion: Hashable, Sendable {
    /// Travel below which nothing is decided, however still the fingers lay. In mm; 0.1 to 5.
    public var floor: Double = 0.3
    /// What is added to the floor for each mm the fingers tremble (standard deviation). A factor; 0 to 20.
    public var jitterFactor: Double = 3
    /// A finger that has moved less is still. In mm; 0.05 to 5.
    public var stillLimit: Double = 0.3
    /// A finger that has moved less than this share of the farthest one is still. A factor; 0 to 0.5.
    public var stillShare: Double = 0.2
    /// How fast a still finger's drift is forgotten (time constant). In ms; 10 to 5000.
    public var driftTime: Double = 250
    /// A contact that goes this far in 12.5 ms, out of the blue, is another finger's. In mm; 5 to 100.
    public var jump: Double = 20

    public init() {}
  }
}

extension GestureConfiguration {
  /// By how much one kind must beat another.
  public struct Dominance: Hashable, Sendable {
    /// Travel together for each mm of travel against each other or around. A factor; 1 to 10.
    public var drag: Double = 1.7
    /// Travel apart or inward for each mm of travel together. A factor; 0.3 to 10.
    public var pinch: Double = 0.9
    /// Travel around for each mm of travel together. A factor; 0.3 to 10.
    public var rotate: Double = 0.9
    /// What pinches and rotations need beyond the floor. In mm; 0 to 5.
    public var caution: Double = 0.3
    /// Pinch against rotation, and the other way round. A factor; 1 to 10.
    public var pinchOrRotate: Double = 1.25
    /// Travel after which the longest way wins, however close the others are. In mm; 1 to 30.
    public var patience: Double = 6

    public init() {}
  }
}

extension GestureConfiguration {
  /// When one finger lies still and another moves.
  public struct Anchor: Hashable, Sendable {
    /// How far the moving finger must go before the still one is taken to stay. In mm; 0.5 to 20.
    public var travel: Double = 2.5
    /// How long the moving finger must have moved. In ms; 0 to 500.
    public var duration: Double = 75
    /// A finger along the line that has moved more than this share of the moving one only lags. A factor; 0 to 0.5.
    public var lag: Double = 0.06
    /// Only fingers that landed within this of each other make a pinch around a still one. In ms; 0 to 2000.
    public var landingWindow: Double = 120
    /// Up to this angle from the line between the fingers motion is a pinch, beyond it a drag. In degrees; 5 to 85.
    public var angle: Double = 45
    /// 1: motion across the line around a still finger is a rotation instead of a drag. 0 or 1; 0 to 1.
    public var turns: Double = 0

    public init() {}
  }
}

extension GestureConfiguration {
  /// When a finger only rests.
  public struct Thumb: Hashable, Sendable {
    /// How far up from the lower edge a thumb is expected. In mm; 0 to 50.
    public var zone: Double = 10
    /// No zone is a larger share of the height than this. A factor; 0 to 0.5.
    public var zoneShare: Double = 0.15
    /// In this part of the zone, next to the edge, half the head start is enough. A factor; 0 to 1.
    public var nearShare: Double = 0.4
    /// The same for a contact that is larger than the others. In mm; 0 to 50.
    public var largeZone: Double = 18
    /// By how much a thumb is larger than the fingers beside it. A factor; 1 to 5.
    public var largerBy: Double = 1.3
    /// How long before the others a thumb lies on the pad. In ms; 0 to 2000.
    public var headStart: Double = 200
    /// The same for a contact that is larger than the others. In ms; 0 to 2000.
    public var largeHeadStart: Double = 80
    /// How far the others must move before a still contact at the side is known to rest. In mm; 0.1 to 10.
    public var travel: Double = 0.6
    /// How far others must move before a still finger that is not low is known to rest. In mm; 0.5 to 20.
    public var certainTravel: Double = 4
    /// A resting finger that moves this share of what the others move takes part again. A factor; 0.1 to 1.
    public var wakeShare: Double = 0.47
    /// And at least this far it must move. In mm; 0.1 to 10.
    public var wakeTravel: Double = 1.2
    /// A suspected thumb or palm rests that has moved less than this share of the others, and less than it takes to wake. A factor; 0 to 1.
    public var sleepShare: Double = 0.45

    public init() {}
  }
}

extension GestureConfiguration {
  /// When a contact is a palm.
  public struct Palm: Hashable, Sendable {
    /// From this diameter a contact is a palm. In mm; 10 to 100.
    public var size: Double = 24
    /// How near to a side edge a still contact is the hand's edge. In mm; 0 to 50.
    public var zone: Double = 5

    public init() {}
  }
}

extension GestureConfiguration {
  /// When somebody types.
  public struct Typing: Hashable, Sendable {
    /// 1: touches that begin while somebody types on the keyboard beside the pad are palms; 0: they are fingers.
    public var disables: Double = 1
    /// How long after a single key they are. In ms; 0 to 2000.
    public var afterKey: Double = 200
    /// How long after a key that followed another within that time. In ms; 0 to 5000.
    public var afterKeys: Double = 500

    public init() {}
  }
}

extension GestureConfiguration {
  /// When the pad is clicked.
  public struct Click: Hashable, Sendable {
    /// How long after the button changes the fingers decide nothing. In ms; 0 to 1000.
    public var grace: Double = 100
    /// After a click fingers must go this far. In mm; 0.5 to 20.
    public var travel: Double = 3

    public init() {}
  }
}

extension GestureConfiguration {
  /// When fingers touch and leave.
  public struct Tap: Hashable, Sendable {
    /// From the first finger down to the last one up. In ms; 50 to 1000.
    public var duration: Double = 250
    /// How far a finger may slide. In mm; 0.2 to 10.
    public var movement: Double = 5
    /// While fingers may still tap, motion counts only if it is foreseen to get this far. In mm; 0.2 to 10.
    public var slide: Double = 3
    /// How far ahead motion is foreseen for that. In ms; 0 to 200.
    public var foresight: Double = 30
    /// Fingers of one tap land within this of each other. In ms; 10 to 500.
    public var landingSpread: Double = 90
    /// Fingers of one tap share at least this part of their time on the pad. A factor; 0 to 1.
    public var overlap: Double = 0.35
    /// The next tap of a double tap begins within this of the last one's end. In ms; 50 to 1000.
    public var gap: Double = 300
    /// And its middle is within this of the last one's. In mm; 2 to 100.
    public var distance: Double = 15
    /// The same for three and more fingers. In mm; 2 to 200.
    public var manyDistance: Double = 45
    /// A contact within this of a gesture is a bounce, no tap. In ms; 0 to 500.
    public var quiet: Double = 100

    public init() {}
  }
}

extension GestureConfiguration {
  /// When one finger taps, returns and moves.
  public struct TapDrag: Hashable, Sendable {
    /// The finger returns within this. In ms; 50 to 1000.
    public var window: Double = 200
    /// And moves this far. In mm; 0.5 to 20.
    public var travel: Double = 3

    public init() {}
  }
}

extension GestureConfiguration {
  /// When fingers lie still.
  public struct Hold: Hashable, Sendable {
    /// How long they must lie still. In ms; 40 to 5000.
    public var duration: Double = 600
    /// The same for a single finger. In ms; 40 to 5000.
    public var singleDuration: Double = 900
    /// How far a finger may stray. In mm; 0.1 to 10.
    public var movement: Double = 2

    public init() {}
  }
}

extension GestureConfiguration {
  /// When fingers come in over an edge.
  public struct EdgeSwipe: Hashable, Sendable {
    /// How near to the edge every finger must land. In mm; 0 to 20.
    public var zone: Double = 1.5
    /// How far in one finger must come before it counts. In mm; 1 to 30.
    public var travel: Double = 6
    /// And so fast from landing on. In mm/s; 0 to 500.
    public var speed: Double = 30
    /// How long before it landed a finger must have been outside. In ms; 0 to 100.
    public var frame: Double = 20
    /// What lands deeper did not cross the edge, however fast it is. In mm; 0 to 50.
    public var longestStep: Double = 7
    /// Within this of landing. In ms; 50 to 2000.
    public var duration: Double = 200

    public init() {}
  }
}

extension GestureConfiguration {
  /// When a decision turns out wrong.
  public struct Correction: Hashable, Sendable {
    /// How long after a decision it may still be corrected. In ms; 0 to 1000.
    public var window: Double = 150
    /// No correction once the fingers have gone this far. In mm; 1 to 50.
    public var travel: Double = 8
    /// By how much the other kind must beat the decided one. A factor; 1 to 20.
    public var dominance: Double = 2.5

    public init() {}
  }
}

extension GestureConfiguration {
  /// How drags are told.
  public struct Drag: Hashable, Sendable {
    /// Points of translation for each point the fingers move. A factor; 0.01 to 100.
    public var gain: Double = 1
    /// Over how long velocity is measured. In ms; 5 to 200.
    public var velocityWindow: Double = 40

    public init() {}
  }
}
