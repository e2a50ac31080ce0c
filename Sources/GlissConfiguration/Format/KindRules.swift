package import GlissEvents

/// What rules can ask of each kind of gesture.
extension GestureKind {
  /// The possible finger counts.
  package var fingerRange: ClosedRange<Int> {
    switch self {
    case .drag: 1...2
    case .pinch, .rotate: 2...5
    case .swipe: 3...5
    case .tap, .hold: 1...5
    case .edgeSwipe: 1...3
    }
  }

  /// The words for its directions.
  var senses: [(word: String, value: GestureCondition.Sense)] {
    switch self {
    case .drag, .swipe, .edgeSwipe: Direction.allCases.map { ($0.name, .towards($0)) }
    case .pinch: [("in", .inward), ("out", .outward)]
    case .rotate: [("clockwise", .clockwise), ("counterclockwise", .counterclockwise)]
    case .tap, .hold: []
    }
  }

  /// Whether the direction suits the kind. For kinds without directions the key itself is reported
  /// as invalid.
  func goes(_ sense: GestureCondition.Sense) -> Bool {
    switch (self, sense) {
    case (.drag, .towards), (.swipe, .towards), (.edgeSwipe, .towards), (.tap, _), (.hold, _): true
    case (.pinch, .inward), (.pinch, .outward): true
    case (.rotate, .clockwise), (.rotate, .counterclockwise): true
    case (.drag, _), (.swipe, _), (.edgeSwipe, _), (.pinch, _), (.rotate, _): false
    }
  }

  /// It lasts a while and covers a distance on which steps can be counted.
  var hasSteps: Bool {
    switch self {
    case .drag, .pinch, .rotate, .swipe, .edgeSwipe: true
    case .tap, .hold: false
    }
  }

  /// The unit of its steps.
  var stepMeasure: Measure? {
    switch self {
    case .drag, .swipe, .edgeSwipe: .length
    case .pinch: .percent
    case .rotate: .turn
    case .tap, .hold: nil
    }
  }
}

/// The keys of a gesture's rule that are valid for some kinds only.
enum KindRules {
  static let moving: [GestureKind] = [.drag, .swipe, .edgeSwipe]
  static let going: [GestureKind] = GestureKind.allCases.filter(\.hasSteps)
  static let lasting: [GestureKind] = GestureKind.allCases.filter { $0 != .tap }

  static let only: [(key: String, kinds: [GestureKind])] = [
    ("direction", going), ("edge", [.edgeSwipe]), ("count", [.tap]), ("afterTap", [.drag]),
    ("travel", moving), ("scale", [.pinch]), ("turn", [.rotate]), ("speed", moving),
    ("duration", [.hold]), ("phase", lasting), ("begin", lasting), ("change", lasting),
    ("cancel", lasting), ("steps", going),
  ]

  /// The kinds that `key` is valid for; `nil` for all.
  static func kinds(of key: String) -> [GestureKind]? { only.first { $0.key == key }?.kinds }
}
