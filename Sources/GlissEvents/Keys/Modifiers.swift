/// Modifier keys that are down, with left and right separate.
public struct Modifiers: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The left Shift key.
  public static let leftShift = Modifiers(rawValue: 1)
  /// The right Shift key.
  public static let rightShift = Modifiers(rawValue: 2)
  /// The left Ctrl key.
  public static let leftControl = Modifiers(rawValue: 4)
  /// The right Ctrl key.
  public static let rightControl = Modifiers(rawValue: 8)
  /// The left Alt key.
  public static let leftAlt = Modifiers(rawValue: 16)
  /// AltGr on most layouts.
  public static let rightAlt = Modifiers(rawValue: 32)
  /// The left Super key, also called Windows, Command or Meta.
  public static let leftSuper = Modifiers(rawValue: 64)
  /// The right Super key.
  public static let rightSuper = Modifiers(rawValue: 128)

  /// The modifier for `key`, or an empty set.
  public init(_ key: Key) {
    switch key {
    case .leftShift: self = .leftShift
    case .rightShift: self = .rightShift
    case .leftControl: self = .leftControl
    case .rightControl: self = .rightControl
    case .leftAlt: self = .leftAlt
    case .rightAlt: self = .rightAlt
    case .leftSuper: self = .leftSuper
    case .rightSuper: self = .rightSuper
    case _: self = []
    }
  }

  /// The modifiers that make keys commands, not text: Ctrl, Alt or Super. Shift and AltGr choose
  /// what is typed.
  public static let commands: Modifiers = [
    .leftControl, .rightControl, .leftAlt, .leftSuper, .rightSuper,
  ]

  /// The names in the event schema of the modifiers that are down, in schema order.
  public var names: [String] {
    Self.words.filter { !isDisjoint(with: $0.0) }.map { "\($0.1)" }
  }

  static let words: [(Modifiers, StaticString)] = [
    ([.leftShift, .rightShift], "shift"), ([.leftControl, .rightControl], "ctrl"),
    (.leftAlt, "alt"), (.rightAlt, "altgr"), ([.leftSuper, .rightSuper], "super"),
  ]

  /// The names for modifiers that have two equivalent keys on a keyboard, in schema order.
  static let sides: [(Modifiers, StaticString)] = [
    (.leftShift, "left-shift"), (.rightShift, "right-shift"),
    (.leftControl, "left-ctrl"), (.rightControl, "right-ctrl"),
    (.leftSuper, "left-super"), (.rightSuper, "right-super"),
  ]
}
