/// The words for gestures that `gliss why`, `gliss explain`, tables and pictures share.
package enum GestureWords {
  package static let afterTap = "after a tap"

  package static func fingers(_ count: Int) -> String { "\(count) finger\(count == 1 ? "" : "s")" }

  package static func from(_ edge: Edge) -> String { "from the \(edge.name) edge" }

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
    case .drag: "drag"
    case .pinch: "pinch"
    case .rotate: "rotation"
    case .swipe: "swipe"
    case .tap: "tap"
    case .hold: "hold"
    case .edgeSwipe: "edge swipe"
    }
  }

  package var withArticle: String {
    switch self {
    case .drag, .pinch, .rotate, .swipe, .tap, .hold: "a \(spoken)"
    case .edgeSwipe: "an \(spoken)"
    }
  }
}
