public import GlissEvents

/// The registered hotkeys and their owners.
///
/// A tree of chords: each node indexes its next steps by key and modifiers, so that a lookup costs
/// the same however many there are. Two steps of a node that the same key or the same character
/// could satisfy would be a conflict; the table has none.
package struct HotkeyTable: Sendable {
  /// A position in the tree, reached by the chords so far.
  struct Node: Hashable, BitwiseCopyable {
    let number: Int
    /// The root when no mode is active.
    static let base = Node(number: 0)
  }

  /// What a step leads to.
  enum Target: Hashable {
    case hotkey(HotkeyID, Hotkey.Activation)
    case node(Node)
  }

  struct Step: Hashable {
    var node = Node.base
    var modifiers: ChordModifiers
    var code: Code

    func from(_ node: Node) -> Step { Step(node: node, modifiers: modifiers, code: code) }
  }

  enum Code: Hashable {
    case key(Key)
    /// By keysym, with Shift in its actual state.
    case letter(UInt32)
    /// By keysym, whether Shift is held or not.
    case sign(UInt32)
    case wheel(WheelDirection)
    case tap(Key)
  }

  private var entries: [HotkeyID: RegisteredHotkey] = [:]
  private var conflicts = HotkeyConflicts<HotkeyID>()
  private var steps: [Step: Target] = [:]
  /// The number of hotkeys below each node.
  private var counts: [Node: Int] = [:]
  private var roots: [String: Node] = [:]
  private var lastNode = Node.base
  private var lastID: UInt32 = 0
  /// How many chords name the sides of each of the eight sets of pairs, and how many end with a
  /// character: what none has is not looked up.
  private var sides = InlineArray<8, Int>(repeating: 0)
  private var symbols = 0
  /// The consuming hotkeys below each node; only nodes that have some are present.
  private var consuming: [Node: Set<HotkeyID>] = [:]

  package init() {}

  /// The hotkey with that number; `nil` if it was unregistered.
  package subscript(id: HotkeyID) -> RegisteredHotkey? { entries[id] }

  /// All hotkeys, in the order of registration.
  package var all: [RegisteredHotkey] { entries.values.sorted { $0.id < $1.id } }

  /// The root of `mode`; `nil` if it has no hotkeys.
  func root(of mode: String) -> Node? { roots[mode] }

  /// Whether nothing is left of earlier registrations; for tests.
  var isBare: Bool {
    entries.isEmpty && conflicts.isEmpty && steps.isEmpty && counts.isEmpty && roots.isEmpty
      && symbols == 0 && consuming.isEmpty && sides.indices.allSatisfy { sides[$0] == 0 }
  }

  // MARK: Registering

  /// Registers `hotkey` for `owner`, until it is unregistered.
  ///
  /// - Parameters:
  ///   - mode: the mode it is active in; without one it is active while no mode is.
  ///   - consumes: whether its keys are withheld from the rest of the desktop.
  /// - Throws: ``HotkeyError/taken(_:by:)`` if it conflicts with a hotkey of the same mode,
  ///   ``HotkeyError/notConsumable(_:)`` if its keys cannot be withheld,
  ///   ``HotkeyError/syntax(_:)`` if it has too many chords.
  package mutating func register(
    _ hotkey: Hotkey, owner: String, mode: String? = nil, consumes: Bool = false
  ) throws(HotkeyError) -> HotkeyID {
    guard !consumes || hotkey.isConsumable else { throw .notConsumable(hotkey) }
    // what is registered is stored as its text, which must be valid
    if hotkey.chords.count > Hotkey.longestSequence { _ = try Hotkey("\(hotkey)") }
    let path = Self.path(of: hotkey)
    let others = conflicts.all(with: path).compactMap { entries[$0] }.filter { $0.mode == mode }
    if let oldest = others.min(by: { $0.id < $1.id }) { throw .taken(hotkey, by: oldest) }
    lastID += 1
    let id = HotkeyID(rawValue: lastID)
    entries[id] = RegisteredHotkey(
      id: id, hotkey: hotkey, owner: owner, mode: mode, consumes: consumes)
    conflicts.add(path, id)
    let start = mode.map { roots[$0] ?? newNode() } ?? .base
    if let mode { roots[mode] = start }
    insert(path, .hotkey(id, hotkey.activation), at: start, consumer: consumes ? id : nil)
    count(hotkey, 1)
    return id
  }

  /// Unregisters a hotkey; `false` if it does not exist.
  @discardableResult package mutating func unregister(_ id: HotkeyID) -> Bool {
    guard let entry = entries.removeValue(forKey: id) else { return false }
    conflicts.remove(entry.hotkey, id)
    remove(entry, from: entry.mode.map { roots[$0] ?? .base } ?? .base)
    count(entry.hotkey, -1)
    return true
  }

  private mutating func newNode() -> Node {
    lastNode = Node(number: lastNode.number + 1)
    return lastNode
  }

  private mutating func insert(
    _ path: Path, _ target: Target, at root: Node, consumer: HotkeyID?
  ) {
    var node = root
    count(root, consumer, 1)
    for (index, alternatives) in path.enumerated() {
      let place = node
      var next = target
      if index < path.count - 1 {
        next = steps[alternatives[0].from(place)] ?? .node(newNode())
        if case .node(let below) = next { node = below }
        count(node, consumer, 1)
      }
      for alternative in alternatives { steps[alternative.from(place)] = next }
    }
  }

  private mutating func remove(_ entry: RegisteredHotkey, from root: Node) {
    let path = Self.path(of: entry.hotkey)
    let consumer = entry.consumes ? entry.id : nil
    var node = root
    count(root, consumer, -1)
    if counts[root] == nil, let mode = entry.mode { roots[mode] = nil }
    for alternatives in path {
      let steps = alternatives.map { $0.from(node) }
      let target = self.steps[steps[0]]
      if case .node(let next)? = target {
        count(next, consumer, -1)
        node = next
        if counts[next] != nil { continue }
      }
      for step in steps { self.steps[step] = nil }
    }
  }

  /// Counts a hotkey below `node`, or one less.
  private mutating func count(_ node: Node, _ consumer: HotkeyID?, _ change: Int) {
    counts[node, default: 0] += change
    if counts[node] == 0 { counts[node] = nil }
    guard let consumer else { return }
    if change > 0 {
      consuming[node, default: []].insert(consumer)
    } else {
      consuming[node]?.remove(consumer)
      if consuming[node]?.isEmpty == true { consuming[node] = nil }
    }
  }

  private mutating func count(_ hotkey: Hotkey, _ change: Int) {
    for chord in hotkey.chords {
      sides[Int(chord.modifiers.sidedPairs.rawValue >> 8)] += change
      if case .symbol = chord.trigger { symbols += change }
    }
  }

  // MARK: Paths

  /// The steps of a hotkey, as if each began at the root. A character, or a modifier of either
  /// side, has several alternatives.
  typealias Path = [[Step]]

  static func path(of hotkey: Hotkey) -> Path {
    hotkey.tapped.map { [$0.keys.map { Step(modifiers: [], code: .tap($0)) }] }
      ?? hotkey.chords.map(alternatives)
  }

  private static func alternatives(of chord: Chord) -> [Step] {
    let modifiers = chord.modifiers
    switch chord.trigger {
    case .key(let key): return [Step(modifiers: modifiers, code: .key(key))]
    case .wheel(let direction): return [Step(modifiers: modifiers, code: .wheel(direction))]
    case .symbol(let character):
      let symbol = Symbol(character)
      return symbol.pressedKeysyms.map {
        Step(modifiers: modifiers, code: symbol.isLetter ? .letter($0) : .sign($0))
      }
    }
  }

  // MARK: Consuming

  var consumesAny: Bool { !consuming.isEmpty }

  /// Whether the press that leads to `target` is withheld from the rest of the desktop; this
  /// includes the chords that begin a sequence. Only the consuming hotkeys that match count.
  func consumes(
    _ target: Target, where matches: (HotkeyID) -> Bool = { _ in true }
  ) -> Bool {
    switch target {
    case .hotkey(let id, _): (entries[id]?.consumes ?? false) && matches(id)
    case .node(let node): consuming[node]?.contains(where: matches) ?? false
    }
  }

  // MARK: Lookups

  /// The target of a key or button pressed while `held` are down. Hotkeys on the physical key come
  /// before those on the character it has on the layout.
  func target(from node: Node, of press: KeyEvent, held: Modifiers) -> Target? {
    if let target = target(from: node, .key(press.key), held) { return target }
    guard symbols > 0, press.keysym != 0 else { return nil }
    var base = press.base
    if base.keysym == 0 {
      // unknown, as in recordings: what the modifiers can choose, they have chosen
      base = KeyBase(keysym: press.keysym, choosers: [.leftShift, .rightShift, .rightAlt])
    }
    let shifted = held.subtracting(base.choosers.intersection(.rightAlt))
    let rest = held.subtracting(base.choosers)
    if let target = target(from: node, .letter(base.keysym), shifted) { return target }
    // a letter that the layout has only with Shift
    if base.choosers.contains(.leftShift), press.keysym != base.keysym,
      let target = target(from: node, .letter(press.keysym), rest)
    {
      return target
    }
    if let target = target(from: node, .sign(press.keysym), rest) { return target }
    guard base.letter != 0 else { return nil }
    return target(from: node, .letter(base.letter), shifted)
      ?? target(from: node, .sign(base.letter), shifted)
  }

  func target(from node: Node, _ code: Code, _ held: Modifiers) -> Target? {
    let either = ChordModifiers(held: held)
    for set in sides.indices where set == 0 || sides[set] > 0 {
      let naming = ChordModifiers(rawValue: UInt16(set) << 8)
      guard either.isSuperset(of: naming) else { continue }
      let modifiers = ChordModifiers(held: held, naming: naming)
      if let target = steps[Step(node: node, modifiers: modifiers, code: code)] { return target }
    }
    return nil
  }
}

/// What hotkeys withhold from the rest of the desktop: a device that has one of these must be
/// grabbed.
package struct ConsumedKeys: Hashable, Sendable {
  /// Keys and buttons, on any device.
  package var keys: Set<Key> = []
  /// Whether characters are withheld too; they may be on any key.
  package var hasCharacters = false
  package var hasWheel = false

  package static let none = ConsumedKeys()

  package func union(_ other: ConsumedKeys) -> ConsumedKeys {
    ConsumedKeys(
      keys: keys.union(other.keys), hasCharacters: hasCharacters || other.hasCharacters,
      hasWheel: hasWheel || other.hasWheel)
  }
}

extension HotkeyTable {
  /// What may be withheld from the rest of the desktop at some time.
  package var consumedKeys: ConsumedKeys {
    var consumed = ConsumedKeys.none
    guard consumesAny else { return consumed }
    for entry in all where entry.consumes {
      for chord in entry.hotkey.chords {
        switch chord.trigger {
        case .key(let key): consumed.keys.insert(key)
        case .symbol(let character):
          consumed.hasCharacters = true
          if let key = Symbol(character).keypadKey { consumed.keys.insert(key) }
        case .wheel: consumed.hasWheel = true
        }
      }
    }
    return consumed
  }

  fileprivate static func conflict(_ one: Path, _ other: Path) -> Bool {
    // sequences may share their beginning if they start with the same chord
    for (step, another) in zip(one, other) where step != another {
      // most sequences that begin alike have other keys here, which costs the least to see
      return step.contains { mine in another.contains { $0.code == mine.code } }
        && step[0].modifiers.overlaps(another[0].modifiers)
    }
    return true
  }
}

extension Hotkey {
  /// Whether its keys can be withheld from the rest of the desktop. Modifiers, and so taps, cannot
  /// be; neither can the left button alone, without which nobody could click any more.
  public var isConsumable: Bool {
    !isTap
      && chords.allSatisfy { chord in
        switch chord.trigger {
        case .key(.leftButton): !chord.modifiers.isEmpty
        case .key(let key): Modifiers(key).isEmpty
        case .symbol, .wheel: true
        }
      }
  }

  /// Whether the same keys could press both, or begin both.
  package func conflicts(with other: Hotkey) -> Bool {
    HotkeyTable.conflict(HotkeyTable.path(of: self), HotkeyTable.path(of: other))
  }
}

/// A registered hotkey and its owner.
public struct RegisteredHotkey: Hashable, Sendable {
  /// Its number, which its events carry.
  public let id: HotkeyID
  /// What must be pressed.
  public let hotkey: Hotkey
  /// The name reported to others that want the same keys.
  public let owner: String
  /// The mode it is active in; `nil` for none.
  public let mode: String?
  /// Whether its keys are withheld from the rest of the desktop, if possible.
  public let consumes: Bool
}

/// Hotkeys by the keys of their first step, to find those that conflict: the same keys could press
/// both, or begin both.
///
/// The broker has one above the tables of a user's programs, which receive the same keys.
package struct HotkeyConflicts<Value: Equatable & Sendable>: Sendable {
  private var values: [HotkeyTable.Code: [(path: HotkeyTable.Path, value: Value)]] = [:]

  package init() {}

  var isEmpty: Bool { values.isEmpty }

  package mutating func add(_ hotkey: Hotkey, _ value: Value) {
    add(HotkeyTable.path(of: hotkey), value)
  }

  fileprivate mutating func add(_ path: HotkeyTable.Path, _ value: Value) {
    for first in path[0] { values[first.code, default: []].append((path, value)) }
  }

  /// Frees `hotkey`, which must have been added with `value`.
  package mutating func remove(_ hotkey: Hotkey, _ value: Value) {
    for first in HotkeyTable.path(of: hotkey)[0] {
      values[first.code]?.removeAll { $0.value == value }
      if values[first.code]?.isEmpty == true { values[first.code] = nil }
    }
  }

  /// Those that conflict with `hotkey`, in any mode, oldest first for each key.
  package func all(with hotkey: Hotkey) -> [Value] { all(with: HotkeyTable.path(of: hotkey)) }

  fileprivate func all(with path: HotkeyTable.Path) -> [Value] {
    path[0].flatMap { values[$0.code] ?? [] }
      .filter { HotkeyTable.conflict($0.path, path) }.map(\.value)
  }
}
