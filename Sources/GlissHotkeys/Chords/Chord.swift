public import GlissEvents

/// A key, button or wheel notch, with the modifiers that must be down.
public struct Chord: Hashable, Sendable {
  /// What completes a chord.
  public enum Trigger: Hashable, Sendable {
    /// A physical key or button, whatever character the layout gives it.
    case key(Key)
    /// The key that has this character on the user's layout.
    ///
    /// Letters are in lower case here. AltGr and Shift cannot be required where the layout may choose
    /// the character with them; Shift can with letters that have a capital.
    case symbol(Unicode.Scalar)
    /// A notch of a mouse's wheel, 15°.
    case wheel(WheelDirection)
  }

  /// The modifiers that must be down; no other may be.
  public let modifiers: ChordModifiers
  /// What completes the chord.
  public let trigger: Trigger

  /// Drops what has no effect: `super` next to `leftSuper`, and modifiers with which the layout
  /// chooses a symbol.
  public init(_ modifiers: ChordModifiers = [], _ trigger: Trigger) {
    switch trigger {
    case .symbol(let character):
      let symbol = Symbol(character)
      self.trigger = .symbol(symbol.character)
      self.modifiers = modifiers.canonical.subtracting(symbol.choosers)
    case .key, .wheel:
      self.trigger = trigger
      self.modifiers = modifiers.canonical
    }
  }
}

/// The direction in which a wheel turns.
public enum WheelDirection: UInt8, Hashable, Sendable, CaseIterable {
  /// Away from the user, which scrolls up.
  case up
  /// Toward the user.
  case down
  /// To the left.
  case left
  /// To the right.
  case right
}

extension Chord {
  /// Why a chord cannot be pressed.
  package enum Obstacle: Hashable, Sendable {
    /// It ends with something that no keyboard and no mouse has.
    case noKey
    /// The kernel itself would act on it: SysRq with Alt ends sessions and restarts machines.
    case sysRq
  }

  /// Why this chord cannot be pressed; `nil` if it can.
  package var obstacle: Obstacle? {
    switch trigger {
    case .symbol, .wheel: return nil
    case .key(let key):
      if key.isButton { return key.isPointerButton ? nil : .noKey }
      if !(1...Self.lastKey).contains(key.rawValue) { return .noKey }
      return key == .sysRq && !modifiers.isDisjoint(with: [.alt, .altGr]) ? .sysRq : nil
    }
  }

  /// `KEY_MAX`.
  private static let lastKey: UInt16 = 0x2ff

  /// Whether this chord reveals nothing about typed text: it includes Ctrl, Alt or Super, or its
  /// key types nothing.
  ///
  /// Shift and AltGr choose what is typed and do not count, nor do modifiers alone, which reveal
  /// when the user shifts. Unclear cases count as typing.
  public var typesNothing: Bool {
    if !modifiers.isDisjoint(with: .commands) { return true }
    switch trigger {
    case .key(let key): return key.classes.isSubset(of: [.function, .media])
    case .symbol, .wheel: return false
    }
  }

  /// Parses the chords to press: `alt+left`, several in turn (`super+k ; w`), or modifiers alone
  /// (`super`, `ctrl+shift`). `tap:super` is the same as `super`.
  ///
  /// - Throws: if the text is not valid, or says when to act (`release:`, `repeat:`).
  public static func chords(toPress text: String) throws(HotkeyError) -> [Chord] {
    if let held = try? Modifiers(heldAs: text) {
      let words = text.split(separator: "+").map { $0.filter { $0 != " " } }
      if let chord = Chord(pressing: held, words) { return [chord] }
    }
    let hotkey = try Hotkey(text)
    guard hotkey.activation == .press else {
      throw .syntax(
        HotkeyMistake(
          text: text, offset: 0, length: "\(hotkey.activation):".count, problem: .prefixOfPress,
          similar: []))
    }
    return hotkey.tapped?.keys.prefix(1).map { Chord([], .key($0)) } ?? hotkey.chords
  }

  /// These modifiers alone, by the left key of each that a word names without its side.
  private init?(pressing held: Modifiers, _ words: [String]) {
    var keys = Key.modifiers.filter { !held.isDisjoint(with: Modifiers($0)) }
    let named = words.compactMap { try? ChordModifiers(Modifiers(heldAs: $0)) }
    for pair in ModifierPair.all where named.contains(where: pair.sides.isSubset) {
      keys.removeAll { ChordModifiers(Modifiers($0)) == pair.right }
    }
    guard let last = keys.popLast() else { return nil }
    self.init(keys.reduce(into: []) { $0.formUnion(ChordModifiers(Modifiers($1))) }, .key(last))
  }

  /// The text from which ``chords(toPress:)`` makes this chord.
  public var textToPress: String {
    guard case .key(let key) = trigger, modifiers.isEmpty,
      let modifier = TappedModifier.allCases.last(where: { $0.keys == [key] })
    else { return description }
    return "\(modifier)"
  }

  /// Whether a key, button or wheel completes this chord, whatever modifiers are held.
  ///
  /// - Parameter keysym: what the layout makes of the key; 0 without a layout.
  package func isCompleted(by trigger: Trigger, keysym: UInt32) -> Bool {
    switch self.trigger {
    case .key, .wheel: self.trigger == trigger
    case .symbol(let character): Symbol(character).pressedKeysyms.contains(keysym)
    }
  }

  /// Whether it can require the same modifiers as `other`.
  package func sharesModifiers(with other: Chord) -> Bool { modifiers.overlaps(other.modifiers) }
}

extension Chord: Codable {
  /// Reads the text of one chord to press: `alt+left`, `tap:super`.
  ///
  /// - Throws: `DecodingError.dataCorrupted` with the mistake, if the text is not one chord.
  public init(from decoder: any Decoder) throws {
    let chords = try decoder.parsed { (text) throws(HotkeyError) in
      try Chord.chords(toPress: text)
    }
    guard let chord = chords.first, chords.count == 1 else {
      let text = try String(from: decoder)
      throw DecodingError.invalid("“\(text)” is more than one chord", at: decoder)
    }
    self = chord
  }

  /// Writes ``textToPress``.
  public func encode(to encoder: any Encoder) throws { try textToPress.encode(to: encoder) }
}

/// The modifiers that a chord requires: either side, or a particular one.
///
/// For a pair, `shift` requires one or both of its keys, `leftShift` the left one without the right
/// one, and both sides together both keys. A modifier that is not named must be up. Alt and AltGr
/// are two modifiers, not sides of one.
public struct ChordModifiers: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// The lower eight bits are those of `Modifiers`; above them is one bit for "either side" of each
  /// pair.
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue & 0x7FF }

  /// One Shift key or both.
  public static let shift = ChordModifiers(rawValue: 0x100)
  /// One Ctrl key or both.
  public static let control = ChordModifiers(rawValue: 0x200)
  /// One Super key or both.
  public static let `super` = ChordModifiers(rawValue: 0x400)
  /// The left Alt key.
  public static let alt = ChordModifiers(.leftAlt)
  /// The right Alt key, which is AltGr on most layouts.
  public static let altGr = ChordModifiers(.rightAlt)
  /// The left Shift key.
  public static let leftShift = ChordModifiers(.leftShift)
  /// The right Shift key.
  public static let rightShift = ChordModifiers(.rightShift)
  /// The left Ctrl key.
  public static let leftControl = ChordModifiers(.leftControl)
  /// The right Ctrl key.
  public static let rightControl = ChordModifiers(.rightControl)
  /// The left Super key.
  public static let leftSuper = ChordModifiers(.leftSuper)
  /// The right Super key.
  public static let rightSuper = ChordModifiers(.rightSuper)

  init(_ modifiers: Modifiers) { self.init(rawValue: UInt16(modifiers.rawValue)) }

  /// The modifiers that make keys commands, not text, as in `Modifiers.commands`.
  static let commands = ChordModifiers(Modifiers.commands).union([.control, .super])

  /// The same set without redundant members: a named side implies "either side".
  var canonical: ChordModifiers {
    var result = self
    for pair in ModifierPair.all where !isDisjoint(with: pair.sides) { result.remove(pair.either) }
    return result
  }

  /// Whether the same held modifiers can satisfy both sets.
  func overlaps(_ other: ChordModifiers) -> Bool {
    var (mine, theirs) = (self, other)
    for pair in ModifierPair.all {
      let (one, two) = (intersection(pair.whole), other.intersection(pair.whole))
      guard one == two || !one.isEmpty && !two.isEmpty && (one == pair.either || two == pair.either)
      else { return false }
      mine.subtract(pair.whole)
      theirs.subtract(pair.whole)
    }
    return mine == theirs
  }

  /// The pairs with a named side, each by its "either side".
  var sidedPairs: ChordModifiers {
    ModifierPair.all.reduce(into: []) { if !isDisjoint(with: $1.sides) { $0.insert($1.either) } }
  }

  /// What a chord must require to be satisfied by `held`, naming sides only for pairs in `sided`.
  init(held: Modifiers, naming sided: ChordModifiers = []) {
    let held = ChordModifiers(held)
    rawValue =
      held.intersection([.alt, .altGr])
      .union(ModifierPair.shift.asked(of: held, sided))
      .union(ModifierPair.control.asked(of: held, sided))
      .union(ModifierPair.super.asked(of: held, sided)).rawValue
  }
}

/// A modifier that has two equivalent keys on a keyboard.
struct ModifierPair: Sendable {
  let either: ChordModifiers
  let left: ChordModifiers
  let right: ChordModifiers

  var sides: ChordModifiers { left.union(right) }
  var whole: ChordModifiers { sides.union(either) }

  static let shift = ModifierPair(either: .shift, left: .leftShift, right: .rightShift)
  static let control = ModifierPair(either: .control, left: .leftControl, right: .rightControl)
  static let `super` = ModifierPair(either: .super, left: .leftSuper, right: .rightSuper)

  static let all = [shift, control, `super`]

  /// The modifiers a chord would require for `held`, with the side named if `sided` contains this
  /// pair.
  func asked(of held: ChordModifiers, _ sided: ChordModifiers) -> ChordModifiers {
    let down = held.intersection(sides)
    return down.isEmpty || sided.contains(either) ? down : either
  }
}

extension Modifiers {
  /// The modifiers that `text` names, separated by `+`, such as `super+shift`; both keys of a pair
  /// if no side is named.
  package init(heldAs text: String) throws(HotkeyError) {
    var parser = try HotkeyParser(text)
    self.init(try parser.modifiers())
  }

  /// All keys that the named modifiers may mean.
  private init(_ named: ChordModifiers) {
    self = []
    for pair in ModifierPair.all where named.contains(pair.either) {
      formUnion(Modifiers(rawValue: UInt8(truncatingIfNeeded: pair.sides.rawValue)))
    }
    formUnion(Modifiers(rawValue: UInt8(truncatingIfNeeded: named.rawValue)))
  }
}
