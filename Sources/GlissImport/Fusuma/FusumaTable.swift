import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// The location of an entry in a config.yml: the keys above it. `nil` means that a key was left
/// out.
struct FusumaLocation: Hashable {
  /// The names of gestures; taps are from fusuma-plugin-tap.
  static let kinds: [String: GestureKind] = [
    "swipe": .swipe, "pinch": .pinch, "rotate": .rotate, "hold": .hold, "tap": .tap,
  ]

  enum Moment: String {
    /// Once, when the gesture has gone far enough.
    case once
    case begin, update, end, cancelled
  }

  var kind: GestureKind
  var fingers: Int?
  var sense: GestureCondition.Sense?
  var moment = Moment.once
  /// The keys that must be held, as fusuma-plugin-keypress names them.
  var held: String?

  /// The directions in the order in which rules are written; opposite ones are adjacent.
  var senses: [GestureCondition.Sense] {
    switch kind {
    case .swipe: [.towards(.left), .towards(.right), .towards(.up), .towards(.down)]
    case .pinch: [.inward, .outward]
    case .rotate: [.clockwise, .counterclockwise]
    case .hold, .tap, .drag, .edgeSwipe: []
    }
  }

  /// Whether it completely specifies a gesture.
  var isWhole: Bool { senses.isEmpty ? fingers != nil : sense != nil || moment != .once }

  /// The location below the key `name`; `nil` if no such key is looked for here.
  func below(_ name: String) -> FusumaLocation? {
    guard moment == .once, held == nil else { return nil }
    var below = self
    if sense == nil, fingers == nil, let number = Int(name), (1...5).contains(number) {
      below.fingers = number
    } else if sense == nil, let found = senses.first(where: { $0.word == name }) {
      below.sense = found
    } else if let moment = Moment(rawValue: name), moment != .once, kind != .tap,
      kind != .hold || (fingers != nil && moment != .update)
    {
      below.moment = moment
    } else {
      return nil
    }
    return below
  }

  /// The locations that fusuma searches for this event, in order. It also tries without the held
  /// keys, without the direction if the moment has a name, and without the finger count.
  var searched: [FusumaLocation] {
    var found = [self]
    func alsoWithout<Value>(_ part: WritableKeyPath<FusumaLocation, Value?>) {
      found = found.flatMap { location in
        var general = location
        general[keyPath: part] = nil
        return location == general ? [location] : [location, general]
      }
    }
    if !senses.isEmpty { alsoWithout(\.fingers) }
    if moment != .once { alsoWithout(\.sense) }
    alsoWithout(\.held)
    return found
  }

  var back: FusumaLocation? {
    guard let index = senses.firstIndex(where: { $0 == sense }) else { return nil }
    var back = self
    back.sense = senses[index ^ 1]
    return back
  }

  var words: String {
    [kind.name, fingers.map { "\($0)" }, sense?.word].compactMap { $0 }.joined(separator: " ")
  }
}

struct FusumaBinding {
  /// If several are given at one location, fusuma does the first of these.
  static let executors = ["command", "sendkey", "shortcut", "workspace", "window"]

  var location: FusumaLocation
  /// The index in ``executors``.
  var executor: Int
  /// Empty if the entry is blank or has no equivalent. It still takes precedence over more general
  /// entries.
  var actions: [Action]
  var lines: [Int]
  var place: Place

  var isMotion: Bool { actions.contains { $0.verb == .move(1) } }
}

/// A `threshold`, an `interval` or an `accel`.
struct FusumaNumber: Hashable {
  var name: String
  var value: Double
  /// `nil` if it applies to all gestures of its kind.
  var line: Int?
  var place: Place
}

/// The entries of a config.yml, and which of them acts in which case. As in fusuma, each property
/// is looked up separately, specific locations before general ones.
struct FusumaTable {
  let applications: [String]
  /// The tables that are searched first.
  var earlier: [FusumaTable] = []
  private(set) var bindings: [FusumaBinding] = []
  /// The binding that acts at each location.
  private var actors: [FusumaLocation: Int] = [:]
  /// The keys that must be held for some binding.
  private var held: Set<String> = []
  private var numbers: [String: [FusumaLocation: FusumaNumber]] = [:]

  init(applications: [String] = []) { self.applications = applications }

  /// Consecutive finger counts for which a binding acts in the same way.
  struct Case: Hashable {
    /// Requires no held modifiers if another binding acts while certain ones are held.
    var condition: GestureCondition
    /// The applications in which an earlier table's binding acts.
    var exceptions: [String]
    var threshold: FusumaNumber?
    /// The interval, or for a motion its factor.
    var number: FusumaNumber?
    /// The binding that is updated while the fingers move back.
    var back: Int?
  }

  mutating func add(_ binding: FusumaBinding) {
    defer { bindings.append(binding) }
    if let actor = actors[binding.location], bindings[actor].executor < binding.executor { return }
    actors[binding.location] = bindings.count
    if let keys = binding.location.held { held.insert(keys) }
  }

  mutating func add(_ number: FusumaNumber, at location: FusumaLocation) {
    numbers[number.name, default: [:]][location] = number
  }

  func cases(of index: Int) -> [Case] {
    let location = bindings[index].location
    guard location.sense == nil, !location.senses.isEmpty else {
      return cases(of: index, towards: location.sense)
    }
    let found = location.senses.map { cases(of: index, towards: $0) }
    // if all directions are alike, use one rule without a direction
    var plain = found
    for (row, cases) in plain.enumerated() {
      for column in cases.indices { plain[row][column].condition.sense = nil }
    }
    return Set(plain).count == 1 ? plain[0] : found.flatMap { $0 }
  }

  private func cases(of index: Int, towards sense: GestureCondition.Sense?) -> [Case] {
    let location = bindings[index].location
    let all = location.fingers.map { $0...$0 } ?? location.kind.fingerRange
    return all.runs(\.condition.fingers) { fingers in
      var here = location
      here.fingers = fingers
      here.sense = sense
      guard actor(in: here) == index else { return nil }
      var one = Case(
        condition: GestureCondition(
          kind: location.kind, sense: sense, modifiers: hasRivals(index, in: here) ? [] : nil),
        exceptions: earlier.filter { $0.actor(in: here) != nil }.flatMap(\.applications))
      switch (location.moment, location.kind) {
      case (.once, .swipe):
        one.threshold = number("threshold", in: here)
        one.number = number("interval", in: here)
      case (.once, .pinch), (.once, .rotate), (.once, .hold):
        one.threshold = number("threshold", in: here)
      case (.update, _):
        one.number = number(bindings[index].isMotion ? "accel" : "interval", in: here)
        one.back = here.back.flatMap(actor).flatMap { bindings[$0].isMotion ? nil : $0 }
      case (.once, _), (.begin, _), (.end, _), (.cancelled, _): break
      }
      return one
    }
  }

  /// The binding that acts in a fully specified case.
  private func actor(in location: FusumaLocation) -> Int? {
    if earlier.contains(where: { $0.isForAll(of: self) && $0.actor(in: location) != nil }) {
      return nil
    }
    return location.searched.lazy.compactMap { actors[$0] }.first
  }

  private func isForAll(of other: FusumaTable) -> Bool {
    applications.isEmpty
      || !other.applications.isEmpty && Set(applications).isSuperset(of: other.applications)
  }

  /// Whether another binding acts there while certain keys are held.
  private func hasRivals(_ index: Int, in location: FusumaLocation) -> Bool {
    location.held == nil
      && held.contains { keys in
        var here = location
        here.held = keys
        return actor(in: here) != index
      }
  }

  private func number(_ name: String, in location: FusumaLocation) -> FusumaNumber? {
    let places = location.searched + [FusumaLocation(kind: location.kind)]
    return places.lazy.compactMap { numbers[name]?[$0] }.first
      ?? earlier.lazy.filter(\.applications.isEmpty).compactMap { $0.number(name, in: location) }
      .first
  }
}

/// Keys as fusuma's plugins name them: the kernel's names without `KEY_`, joined by plus signs.
enum FusumaKeys {
  static func chord(_ text: String) throws(ChainNote) -> Chord {
    guard let chord = Chord(of: try keys(text)) else {
      throw ChainNote(
        text,
        "a key was expected, and before it modifiers only, such as LEFTALT+LEFT; a list"
          + " presses one after the other")
    }
    return chord
  }

  static func held(_ text: String) throws(ChainNote) -> Modifiers {
    var names: Set<String> = []
    for case .key(let key) in try keys(text) { names.insert(Modifiers(key).names.first ?? "") }
    guard let held = try? Modifiers(heldAs: names.sorted().joined(separator: "+")) else {
      throw ChainNote(
        text, "only Shift, Ctrl, Alt and Super can be asked for; a mode: can stand for another key")
    }
    return held
  }

  private static func keys(_ text: String) throws(ChainNote) -> [Chord.Trigger] {
    var keys: [Chord.Trigger] = []
    for part in text.split(separator: "+" as Character) {
      guard case .key(let key)? = KeyNames.kernel(String(part)) else {
        throw .unknownKey(String(part))
      }
      keys.append(.key(key))
    }
    return keys
  }
}
