package import GlissEvents

/// The modifiers that a chord requires: either side, or a particular one.
///
/// For a pair, `shift` requires one or both of its keys, `leftShift` the left one without the right
/// one, and both sides together both keys. A modifier that is not named must be up. Alt and AltGr
/// are two modifiers, not sides of one.
public struct ChordModifiers: OptionSet, Hashable, Sendable, BitwiseCopyable {
  /// The lower eight bits are those of `Modifiers`; above them is one bit for "either side" of each
  /// pair.
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

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
