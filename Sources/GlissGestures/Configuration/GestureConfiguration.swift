import GlissEvents

/// Every number in the recognizers that may need to differ between pads or hands, in mm, ms or as a
/// factor.
///
/// ``settings`` lists them all; ``set(_:to:)`` changes one by name. Those that weigh one meaning
/// against another have no public properties, because they may change with the algorithm; what
/// they do is said in the list only.
public struct GestureConfiguration: Hashable, Sendable {
  /// Fingers that land.
  public var landing = Landing()
  /// Fingers that lift.
  public var lift = Lift()
  /// When motion counts.
  public var motion = Motion()
  /// By how much a meaning must lead.
  package var lead = Lead()
  /// Fingers that begin to move later than others.
  package var late = Late()
  /// Pinches and rotations around a still finger.
  package var anchor = Anchor()
  /// Resting thumbs.
  public var thumb = Thumb()
  /// Palms and the edge of the hand.
  public var palm = Palm()
  /// Touches while somebody types.
  public var typing = Typing()
  /// What a click of the pad delays.
  public var click = Click()
  /// Taps.
  public var tap = Tap()
  /// Drags of one finger after a tap.
  public var tapDrag = TapDrag()
  /// Holds.
  public var hold = Hold()
  /// Swipes that come in over an edge.
  public var edgeSwipe = EdgeSwipe()
  /// When a decided gesture may still become another.
  package var correction = Correction()
  /// What a drag reports.
  public var drag = Drag()

  /// Creates a configuration with the default of each of ``settings``.
  ///
  /// Only ``set(_:to:)`` checks ranges. A value outside its range that you assign to a member is
  /// used as it is, but cannot be decoded again; ``check()`` finds it.
  public init() {
    for setting in Self.settings { self[keyPath: setting.keyPath] = setting.defaultValue }
  }

  /// Limits for fingers that land.
  public struct Landing: Hashable, Sendable {
    /// How long nothing is decided after the last finger has landed, as more may come. In ms.
    public var grace = 0.0
    /// How long a finger may settle after landing before its motion counts. In ms.
    public var settle = 0.0
  }

  /// Limits for fingers that lift.
  public struct Lift: Hashable, Sendable {
    /// How long the remaining fingers decide nothing after one has lifted. In ms.
    public var grace = 0.0
    /// How far fingers that leave before a decision must have moved to make a flick. In mm.
    public var flickTravel = 0.0
  }

  /// When motion counts.
  public struct Motion: Hashable, Sendable {
    /// Travel below which nothing is decided, however still the fingers lay before. In mm.
    public var floor = 0.0
    /// Added to the floor for each mm of finger tremor (standard deviation).
    public var jitterFactor = 0.0
    /// Time constant for forgetting a still finger's drift. In ms.
    public var driftTime = 0.0
    /// A contact that suddenly jumps this far within 12.5 ms belongs to another finger. In mm.
    public var jump = 0.0
  }

  /// The lead one meaning needs over the others.
  package struct Lead: Hashable, Sendable {
    package var caution = 0.0
    package var share = 0.0
    package var patience = 0.0
  }

  /// How late a finger may join a stroke.
  package struct Late: Hashable, Sendable {
    package var time = 0.0
    package var longest = 0.0
    package var charge = 0.0
  }

  /// One finger lies still while another moves.
  package struct Anchor: Hashable, Sendable {
    package var turns = 0.0
  }

  /// When a finger only rests.
  public struct Thumb: Hashable, Sendable {
    /// How far above the lower edge a thumb may lie. In mm.
    public var zone = 0.0
    /// How far below the other fingers a thumb lies. In mm.
    public var clearance = 0.0
    /// How long before the other fingers a thumb lands. In ms.
    public var headStart = 0.0
    /// A resting finger that moves at least this share of the others' travel takes part again.
    public var wakeShare = 0.0
    /// How far a resting finger must move at least to take part again. In mm.
    public var wakeTravel = 0.0
  }

  /// When a contact is a palm.
  public struct Palm: Hashable, Sendable {
    /// The diameter from which a contact is a palm. In mm.
    public var size = 0.0
    /// How near to a side edge a still contact counts as the edge of the hand. In mm.
    public var zone = 0.0
  }

  /// Touches during typing.
  public struct Typing: Hashable, Sendable {
    /// 1: touches that begin during typing are palms; 0: they are fingers.
    public var disables = 0.0
    /// How long after a single key new touches are palms. In ms.
    public var afterKey = 0.0
    /// How long after a key that followed another new touches are palms. In ms.
    public var afterKeys = 0.0
  }

  /// Touches while the pad is clicked.
  public struct Click: Hashable, Sendable {
    /// How long the fingers decide nothing after the button changes. In ms.
    public var grace = 0.0
    /// How far fingers must move after a click to make a gesture. In mm.
    public var travel = 0.0
  }

  /// When fingers that touch and leave are a tap.
  public struct Tap: Hashable, Sendable {
    /// The longest time from the first finger down to the last one up. In ms.
    public var duration = 0.0
    /// How far a finger may slide. In mm.
    public var movement = 0.0
    /// While fingers may still tap, motion counts only if it is predicted to go this far. In mm.
    public var slide = 0.0
    /// How far ahead a stroke is predicted while fingers may still tap. In ms.
    public var foresight = 0.0
    /// All fingers of one tap land within this time, after 90 ms only if they lie still. In ms.
    public var landingSpread = 0.0
    /// The fingers of one tap share at least this part of their time on the pad.
    public var overlap = 0.0
    /// The next tap of a double tap begins within this time of the end of the last one. In ms.
    public var gap = 0.0
    /// The next tap of a double tap lies within this distance of the last one. In mm.
    public var distance = 0.0
    /// How far apart taps of three or more fingers may lie. In mm.
    public var manyDistance = 0.0
    /// A contact within this time after a gesture is a bounce, not a tap. In ms.
    public var quiet = 0.0
  }

  /// When one finger taps, returns and moves.
  public struct TapDrag: Hashable, Sendable {
    /// How soon after a tap a finger must return to drag. In ms.
    public var window = 0.0
    /// How far a finger that returned after a tap must move to drag. In mm.
    public var travel = 0.0
  }

  /// When still fingers are a hold.
  public struct Hold: Hashable, Sendable {
    /// How long they must lie still. In ms.
    public var duration = 0.0
    /// The same for a single finger. In ms.
    public var singleDuration = 0.0
    /// How far a finger may stray. In mm.
    public var movement = 0.0
  }

  /// When fingers come in over an edge.
  public struct EdgeSwipe: Hashable, Sendable {
    /// How near to the edge every finger must land. In mm.
    public var zone = 0.0
    /// How far a single finger must move after it landed. In mm.
    public var travel = 0.0
    /// The minimum inward speed of an edge swipe since landing. In mm/s.
    public var speed = 0.0
    /// A finger must have been outside at most this long before it landed. In ms.
    public var frame = 0.0
    /// A finger that lands this far beyond the zone did not cross the edge. In mm.
    public var longestStep = 0.0
    /// How soon after landing a finger must have crossed the edge. In ms.
    public var duration = 0.0
  }

  /// When a decision turns out to be wrong.
  package struct Correction: Hashable, Sendable {
    package var window = 0.0
    package var travel = 0.0
    package var lead = 0.0
    package var share = 0.0
  }

  /// How drags are reported.
  public struct Drag: Hashable, Sendable {
    /// Points of translation for each point the fingers move.
    public var gain = 0.0
    /// The time over which velocity is measured. In ms.
    public var velocityWindow = 0.0
  }
}

extension GestureConfiguration: Codable {
  /// Reads an object of settings by name, such as `{"drag.gain": 2}`. Others keep their defaults.
  ///
  /// - Throws: `DecodingError.dataCorrupted` for a name that does not exist or a value outside its
  ///   range.
  public init(from decoder: any Decoder) throws {
    self.init()
    for (name, value) in try [String: Double](from: decoder).sorted(by: { $0.key < $1.key }) {
      do throws(ConfigurationError) {
        try set(name, to: value)
      } catch {
        throw DecodingError.invalid("\(error)", at: decoder)
      }
    }
  }

  /// Writes the settings that differ from their defaults, by name.
  public func encode(to encoder: any Encoder) throws {
    let pairs = changed.map { ($0.name, self[keyPath: $0.keyPath]) }
    try Dictionary(pairs, uniquingKeysWith: { $1 }).encode(to: encoder)
  }

  /// The settings that differ from their defaults.
  private var changed: [Setting] {
    Self.settings.filter { self[keyPath: $0.keyPath] != $0.defaultValue }
  }
}

extension GestureConfiguration: CustomStringConvertible {
  /// The settings that differ from their defaults: `drag.gain=2, tap.duration=150`.
  public var description: String {
    let texts = changed.map { "\($0.name)=\(self[keyPath: $0.keyPath].shortest)" }
    return texts.isEmpty ? "defaults" : texts.joined(separator: ", ")
  }
}
