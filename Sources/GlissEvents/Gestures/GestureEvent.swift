/// The kinds of gesture.
public enum GestureKind: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// Two fingers that move together; or one, after a tap.
  case drag
  /// Two to five fingers that move together or apart.
  case pinch
  /// Two to five fingers that turn.
  case rotate
  /// Three to five fingers that move together.
  case swipe
  /// One to five fingers that touch and leave.
  case tap
  /// One to five fingers that lie still.
  case hold
  /// One to three fingers that come in over an edge.
  case edgeSwipe
}

/// The phase of a gesture.
///
/// Every `began` is followed by exactly one `ended` or `cancelled`; `recognized` comes alone
/// (taps).
public enum GesturePhase: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// It was recognized now. Its translation, scale and rotation are still neutral.
  case began
  /// The fingers have moved.
  case changed
  /// The fingers have left.
  case ended
  /// It was not what it seemed, or something took the fingers. Undo its effect.
  case cancelled
  /// A gesture without duration has happened: a tap.
  case recognized
}

/// A direction as the user sees it: the four main ones and the four diagonals.
public enum Direction: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// The four main directions, or diagonals between two of them. Down is toward the user.
  case right, downRight, down, downLeft, left, upLeft, up, upRight

  /// The nearest of the four main directions; `nil` for no motion.
  public static func ofFour(_ motion: Vector2) -> Direction? {
    if motion.x == 0 && motion.y == 0 { return nil }
    if abs(motion.x) >= abs(motion.y) { return motion.x > 0 ? .right : .left }
    return motion.y > 0 ? .down : .up
  }

  /// The nearest of all eight directions, in sectors of 45°; `nil` for no motion.
  public static func ofEight(_ motion: Vector2) -> Direction? {
    if motion.x == 0 && motion.y == 0 { return nil }
    // tan 22.5°: the border between the sectors of a main direction and its neighbour.
    let border = 0.41421356237309503
    let (ax, ay) = (abs(motion.x), abs(motion.y))
    if ay <= ax * border { return motion.x > 0 ? .right : .left }
    if ax <= ay * border { return motion.y > 0 ? .down : .up }
    if motion.x > 0 { return motion.y > 0 ? .downRight : .upRight }
    return motion.y > 0 ? .downLeft : .upLeft
  }
}

/// A side of a device.
public enum Edge: String, Hashable, Sendable, BitwiseCopyable, CaseIterable {
  /// The side that a finger came over, as the user sees it.
  case left, right, top, bottom
}

/// A recognized gesture at one instant.
///
/// `kind` determines which of the numbers apply; the others keep their neutral values and are left
/// out of the JSON form.
public struct GestureEvent: Hashable, Sendable, BitwiseCopyable {
  /// The time of the frame or deadline that led to it, on the source's clock.
  public var time: EventTime
  /// The device that was touched.
  public var device: DeviceID
  /// What the fingers do.
  public var kind: GestureKind
  /// How far the gesture has come.
  public var phase: GesturePhase
  /// How many fingers made the gesture when it was recognized, without resting ones; others may
  /// have joined or left since.
  public var fingers: Int
  /// Taps in a row; 0 for other gestures. The first tap of a double tap is reported at once, as 1;
  /// the second follows as 2.
  public var count = 0
  /// The direction of a swipe or edge swipe so far, one of four. `nil` for a drag: use
  /// ``Direction/ofFour(_:)``.
  public var direction: Direction?
  /// The direction of a swipe or edge swipe so far, one of eight.
  public var direction8: Direction?
  /// The edge over which an edge swipe came in.
  public var edge: Edge?
  /// Whether this is a drag of one finger right after a tap.
  public var isAfterTap = false
  /// The middle of the fingers, 0…1 over the device, origin at the top left; zero unless
  /// ``hasCentroid``.
  public var centroid = Vector2.zero
  /// Whether the centroid is present: not everybody may know where the fingers are.
  public var hasCentroid = true
  /// How far the centroid has moved since `began`, in mm and in points.
  public var translation = Translation.zero
  /// The centroid's velocity, in mm/s; at `ended`, the velocity with which the fingers left.
  public var velocity = Vector2.zero
  /// Size now divided by size at `began`: 1 is unchanged, above 1 the fingers are further apart.
  public var scale = 1.0
  /// Radians since `began`, counter-clockwise positive as the user sees it.
  public var rotation = 0.0

  /// A gesture whose numbers are all neutral, with a centroid of zero.
  public init(
    time: EventTime, device: DeviceID, kind: GestureKind, phase: GesturePhase, fingers: Int
  ) {
    self.time = time
    self.device = device
    self.kind = kind
    self.phase = phase
    self.fingers = fingers
  }
}

extension GestureEvent {
  /// Whether it is the first event of its gesture.
  package var begins: Bool { phase == .began || phase == .recognized }
}

/// How far the fingers have moved since a gesture began, in mm and in points.
///
/// Both are of the same instant. A point is 1/72 inch before the gain: `points` is `millimetres`
/// times 72 / 25.4 times the setting `drag.gain`, which is 1 unless it was changed.
/// Use `points` to move content, and `millimetres` to compare a motion with a length on the pad.
public struct Translation: Hashable, Codable, Sendable, BitwiseCopyable {
  /// In mm on the pad, whatever the gain.
  public var millimetres: Vector2
  /// In points, with the gain.
  public var points: Vector2

  /// No motion.
  public static let zero = Translation(millimetres: .zero, points: .zero)

  /// Creates a translation from both lengths.
  @inlinable public init(millimetres: Vector2, points: Vector2) {
    self.millimetres = millimetres
    self.points = points
  }

  /// Creates a translation whose points follow from `millimetres` and `gain`.
  public init(millimetres: Vector2, gain: Double = 1) {
    self.init(
      millimetres: millimetres, points: millimetres * (DeviceSize.pointsPerMillimetre * gain))
  }
}

/// What a gesture is, with the numbers of its kind.
///
/// ```swift
/// switch (gesture.phase, gesture.shape) {
/// case (.ended, .swipe(.left)): back()
/// case (.changed, .pinch(let scale)): zoom(by: scale)
/// default: break
/// }
/// ```
public enum GestureShape: Hashable, Sendable, BitwiseCopyable {
  /// How far the fingers have moved, in mm and in points.
  case drag(Translation)
  /// Size now divided by size at the beginning.
  case pinch(Double)
  /// Radians, counter-clockwise positive as the user sees it.
  case rotate(Double)
  /// One of four directions; `nil` before any motion.
  case swipe(Direction?)
  /// Taps in a row.
  case tap(Int)
  /// Fingers that lie still.
  case hold
  /// The edge it came in over, and one of four directions; `nil` if unknown.
  case edgeSwipe(Edge?, Direction?)
}

extension GestureEvent {
  /// The same event without the position of the fingers.
  public var withoutCentroid: GestureEvent {
    var event = self
    event.centroid = .zero
    event.hasCentroid = false
    return event
  }

  /// What it is so far, with the numbers of its kind.
  public var shape: GestureShape {
    switch kind {
    case .drag: .drag(translation)
    case .pinch: .pinch(scale)
    case .rotate: .rotate(rotation)
    case .swipe: .swipe(direction)
    case .tap: .tap(count)
    case .hold: .hold
    case .edgeSwipe: .edgeSwipe(edge, direction)
    }
  }
}

extension GestureEvent: CustomStringConvertible {
  /// One line, such as "pinch of 2 changed, out to 1.24×" or "swipe of 3 ended, left".
  public var description: String {
    let words = shape.words
    return "\(kind.name) of \(fingers) \(phase.name)" + (words.isEmpty ? "" : ", \(words)")
  }
}

extension GestureShape {
  /// The numbers in words, such as "up 32.0 mm"; empty for a hold and a single tap.
  package var words: String {
    switch self {
    case .drag(let motion): GestureWords.moved(by: motion.millimetres)
    case .pinch(let scale): GestureWords.scaled(by: scale)
    case .rotate(let radians): GestureWords.turned(by: radians)
    case .swipe(let direction): direction.map(GestureWords.towards) ?? ""
    case .tap(let count): GestureWords.multiple(count) ?? (count < 2 ? "" : "\(count) in a row")
    case .hold: ""
    case .edgeSwipe(let edge, let direction):
      [edge.map(GestureWords.from), direction.map(GestureWords.towards)].compactMap { $0 }
        .joined(separator: ", ")
    }
  }
}

/// The words for gestures that `gliss why`, `gliss explain`, tables and pictures share.
package enum GestureWords {
  package static let afterTap = "after a tap"

  package static func fingers(_ count: Int) -> String { "\(count) finger\(count == 1 ? "" : "s")" }

  package static func from(_ edge: Edge) -> String { "from the \(edge.name) edge" }

  package static func towards(_ direction: Direction) -> String {
    switch direction {
    case .right, .down, .left, .up: direction.name
    case .downRight: "down and right"
    case .downLeft: "down and left"
    case .upLeft: "up and left"
    case .upRight: "up and right"
    }
  }

  /// A motion in mm: "up and left 32.0 mm".
  fileprivate static func moved(by motion: Vector2) -> String {
    let direction = Direction.ofEight(motion).map { "\(towards($0)) " } ?? ""
    return "\(direction)\(motion.length.fixed(1)) mm"
  }

  /// "in to 0.56×".
  package static func scaled(by scale: Double) -> String {
    "\(scale < 1 ? "in" : "out") to \(scale.fixed(2))×"
  }

  /// "57° clockwise".
  package static func turned(by radians: Double) -> String {
    "\(abs(radians * 180 / .pi).fixed(0))° \(radians < 0 ? "" : "counter")clockwise"
  }

  /// The speed in mm/s at which fingers lifted.
  package static func lifted(at speed: Double) -> String { "lifted at \(speed.fixed(0)) mm/s" }

  /// The word for two or three taps in a row; `nil` for other counts.
  package static func multiple(_ count: Int) -> String? {
    switch count {
    case 2: "double"
    case 3: "triple"
    case _: nil
    }
  }
}

extension GestureKind {
  /// The kind's name in a sentence.
  package var spoken: String {
    switch self {
    case .rotate: "rotation"
    case .edgeSwipe: "edge swipe"
    case .drag, .pinch, .swipe, .tap, .hold: rawValue
    }
  }

  package var withArticle: String { "\(self == .edgeSwipe ? "an" : "a") \(spoken)" }
}
