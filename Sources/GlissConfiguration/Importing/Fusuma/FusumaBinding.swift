/// Where something stands in a config.yml: the keys above it. What is `nil` was left out.
struct FusumaLocation: Hashable {
  enum Kind: String, CaseIterable {
    case swipe, pinch, rotate, hold
    /// Of fusuma-plugin-tap.
    case tap

    /// Those that fusuma looks for, in the order in which they are written down.
    var directions: [String] {
      switch self {
      case .swipe: ["left", "right", "up", "down"]
      case .pinch: ["in", "out"]
      case .rotate: ["clockwise", "counterclockwise"]
      case .hold, .tap: []
      }
    }

    /// The moments that it has besides the one that everything has.
    var moments: [Moment] {
      switch self {
      case .swipe, .pinch, .rotate: [.begin, .update, .end, .cancelled]
      case .hold: [.begin, .end, .cancelled]
      case .tap: []
      }
    }

    /// What goes back where `direction` goes on.
    static func opposite(of direction: String) -> String? { opposites[direction] }

    private static let opposites = [
      "left": "right", "right": "left", "up": "down", "down": "up", "in": "out", "out": "in",
      "clockwise": "counterclockwise", "counterclockwise": "clockwise",
    ]

    /// How many fingers an entry without a number can be about.
    var possibleFingers: ClosedRange<Int> {
      switch self {
      case .swipe: 3...5
      case .pinch, .rotate: 2...5
      case .hold, .tap: 1...5
      }
    }
  }

  enum Moment: String, CaseIterable {
    /// Once, when the gesture has got far enough.
    case once
    case begin, update, end, cancelled
  }

  var kind: Kind
  var fingers: Int?
  var direction: String?
  var moment: Moment
  /// The keys that must be held, as fusuma-plugin-keypress names them.
  var held: String?

  /// Where fusuma looks, in its order, when this happens: it goes on without the keys, without the direction where the
  /// moment has a name, and without the number of fingers.
  var searched: [FusumaLocation] {
    var found: [FusumaLocation] = []
    for fingers in fingers == nil || kind.directions.isEmpty ? [fingers] : [fingers, nil] {
      for direction in direction == nil || moment == .once ? [direction] : [direction, nil] {
        for held in held == nil ? [nil] : [held, nil] {
          found.append(
            FusumaLocation(
              kind: kind, fingers: fingers, direction: direction, moment: moment, held: held))
        }
      }
    }
    return found
  }

  var words: String {
    [kind.rawValue, fingers.map { "\($0)" }, direction].compactMap { $0 }.joined(separator: " ")
  }
}

/// What is done where it stands.
struct FusumaBinding {
  /// Who does it. Of several that stand together fusuma asks one, the first of these.
  enum Executor: String, Comparable {
    case command, sendkey, workspace

    private var order: Int {
      switch self {
      case .command: 0
      case .sendkey: 1
      case .workspace: 2
      }
    }

    static func < (a: Executor, b: Executor) -> Bool { a.order < b.order }
  }

  var location: FusumaLocation
  var executor: Executor
  /// None where it is blank, or cannot be done here: it takes the place of what is more general all the same.
  var actions: [Action]
  /// Why the rule is only proposed.
  var proposal: String?
  /// It needs what fusuma alone tells its commands, as a drag does; so all of the gesture is only proposed.
  var isFed = false
  var lines: [Int]
  var place: Place

  /// Where what is said of it stands.
  var actionPlace: Place { actions.first?.place ?? place }
}

/// A threshold or an interval, and where it stands.
struct FusumaNumber: Hashable {
  enum Name: String {
    case threshold, interval
  }

  var name: Name
  var value: Double
  var lines: [Int]
  var place: Place
}
