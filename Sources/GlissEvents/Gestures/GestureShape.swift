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
  /// One line, such as "pinch of 2 changed, 1.24×" or "swipe of 3 ended, left".
  public var description: String {
    let numbers = shape.numbers
    return "\(kind.name) of \(fingers) \(phase.name)" + (numbers.isEmpty ? "" : ", \(numbers)")
  }
}

extension GestureShape {
  /// The numbers as text; empty for a kind without numbers.
  package var numbers: String {
    switch self {
    case .drag(let motion):
      "\(motion.millimetres.x.fixed(1)), \(motion.millimetres.y.fixed(1)) mm"
    case .pinch(let scale): "\(scale.fixed(2))×"
    case .rotate(let radians): "\((radians * 180 / .pi).fixed(0))°"
    case .swipe(let direction): direction?.name ?? ""
    case .tap(let count): count == 1 ? "" : "\(count) in a row"
    case .hold: ""
    case .edgeSwipe(let edge, let direction):
      [edge.map { "from \($0.name)" }, direction?.name].compactMap { $0 }.joined(separator: " ")
    }
  }
}
