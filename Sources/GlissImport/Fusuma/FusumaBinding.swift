import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// The location of an entry in a config.yml: the keys above it. `nil` means that a key was left
/// out.
struct FusumaLocation: Hashable {
  enum Kind: String, CaseIterable {
    case swipe, pinch, rotate, hold
    /// From fusuma-plugin-tap.
    case tap

    /// The directions that fusuma looks for, in the order in which rules are written.
    var directions: [String] {
      switch self {
      case .swipe: ["left", "right", "up", "down"]
      case .pinch: ["in", "out"]
      case .rotate: ["clockwise", "counterclockwise"]
      case .hold, .tap: []
      }
    }

    /// The moments that it has besides the one that every kind has.
    var moments: [Moment] {
      switch self {
      case .swipe, .pinch, .rotate: [.begin, .update, .end, .cancelled]
      case .hold: [.begin, .end, .cancelled]
      case .tap: []
      }
    }

    /// The direction opposite to `direction`.
    static func opposite(of direction: String) -> String? { opposites[direction] }

    private static let opposites = [
      "left": "right", "right": "left", "up": "down", "down": "up", "in": "out", "out": "in",
      "clockwise": "counterclockwise", "counterclockwise": "clockwise",
    ]

    /// The finger counts that an entry without a number can apply to.
    var possibleFingers: ClosedRange<Int> {
      switch self {
      case .swipe: 3...5
      case .pinch, .rotate: 2...5
      case .hold, .tap: 1...5
      }
    }
  }

  enum Moment: String, CaseIterable {
    /// Once, when the gesture has gone far enough.
    case once
    case begin, update, end, cancelled
  }

  var kind: Kind
  var fingers: Int?
  var direction: String?
  var moment: Moment
  /// The keys that must be held, as fusuma-plugin-keypress names them.
  var held: String?

  /// The locations that fusuma searches for this event, in order. It also tries without the held
  /// keys, without the direction if the moment has a name, and without the finger count.
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

/// What is done at a location.
struct FusumaBinding {
  /// What carries it out. If several are given at one location, fusuma uses the first of these.
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
  /// Empty if the entry is blank or cannot be done here. It still takes precedence over more
  /// general entries.
  var actions: [Action]
  /// Why the rule is only proposed.
  var proposal: String?
  /// It needs data that only fusuma passes to its commands, as a drag does. All rules for the
  /// gesture are then only proposed.
  var isFed = false
  var lines: [Int]
  var place: Place

  /// The place for remarks about it.
  var actionPlace: Place { actions.first?.place ?? place }
}

/// A threshold or an interval, with its place.
struct FusumaNumber: Hashable {
  enum Name: String {
    case threshold, interval
  }

  var name: Name
  var value: Double
  var lines: [Int]
  var place: Place
}

/// Keys as fusuma's plugins name them: the kernel's names without `KEY_`, joined by plus signs.
enum FusumaKeys {
  /// A chord of the last key, with the modifiers before it held.
  static func chord(_ text: String) throws(ChainNote) -> Chord {
    var keys = try self.keys(text)
    guard let last = keys.popLast() else {
      throw ChainNote(word: text, why: "the name of a key was expected, such as LEFTALT+LEFT")
    }
    var modifiers: ChordModifiers = []
    for key in keys {
      guard let modifier = modifier(key) else {
        throw ChainNote(
          word: text, why: "only modifiers are held while a key is pressed; list the keys instead")
      }
      modifiers.formUnion(modifier.asked)
    }
    return Chord(modifiers, .key(last))
  }

  /// Modifiers that must be held, on either side.
  static func held(_ text: String) throws(ChainNote) -> Modifiers {
    var held: Modifiers = []
    for key in try keys(text) {
      guard let modifier = modifier(key) else {
        throw ChainNote(
          word: text,
          why: "only Shift, Ctrl, Alt and Super can be asked for; a mode: can stand for another key"
        )
      }
      held.formUnion(modifier.held)
    }
    return held
  }

  private static func keys(_ text: String) throws(ChainNote) -> [Key] {
    var keys: [Key] = []
    for part in text.split(separator: "+" as Character) {
      let word = String(part).trimmed.lowercased()
      let bare = word.hasPrefix("key_") ? String(word.dropFirst(4)) : word
      let meant =
        switch bare {
        case "super": "leftmeta"
        case "ctrl": "leftctrl"
        case "alt": "leftalt"
        case "shift": "leftshift"
        case _: bare
        }
      guard case .key(let key)? = Keysyms.trigger(word: meant) else {
        throw ChainNote(
          word: String(part), why: "no key is called so; 'gliss watch --events key' prints its name"
        )
      }
      keys.append(key)
    }
    return keys
  }

  private static func modifier(_ key: Key) -> (asked: ChordModifiers, held: Modifiers)? {
    switch key {
    case .leftShift, .rightShift: (.shift, [.leftShift, .rightShift])
    case .leftControl, .rightControl: (.control, [.leftControl, .rightControl])
    case .leftSuper, .rightSuper: (.super, [.leftSuper, .rightSuper])
    case .leftAlt: (.alt, .leftAlt)
    case .rightAlt: (.altGr, .rightAlt)
    case _: nil
    }
  }
}
