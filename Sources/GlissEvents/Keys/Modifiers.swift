/// Modifier keys that are down, left and right apart.
public struct Modifiers: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let leftShift = Modifiers(rawValue: 1)
  public static let rightShift = Modifiers(rawValue: 2)
  public static let leftControl = Modifiers(rawValue: 4)
  public static let rightControl = Modifiers(rawValue: 8)
  public static let leftAlt = Modifiers(rawValue: 16)
  /// AltGr on most layouts.
  public static let rightAlt = Modifiers(rawValue: 32)
  public static let leftSuper = Modifiers(rawValue: 64)
  public static let rightSuper = Modifiers(rawValue: 128)

  /// The modifier that `key` is, or none.
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

  /// Those with which keys are commands, not text: Ctrl, Alt or Super. Shift and AltGr choose what is typed.
  public static let commands: Modifiers = [
    .leftControl, .rightControl, .leftAlt, .leftSuper, .rightSuper,
  ]

  /// The words of the event schema, in its order.
  /// The words in the event schema of those that are down.
  public var names: [String] {
    Self.words.filter { !isDisjoint(with: $0.0) }.map { "\($0.1)" }
  }

  static let words: [(Modifiers, StaticString)] = [
    ([.leftShift, .rightShift], "shift"), ([.leftControl, .rightControl], "ctrl"),
    (.leftAlt, "alt"), (.rightAlt, "altgr"), ([.leftSuper, .rightSuper], "super"),
  ]

  /// The words for those of which a keyboard has two that mean the same, in the schema's order.
  static let sides: [(Modifiers, StaticString)] = [
    (.leftShift, "left-shift"), (.rightShift, "right-shift"),
    (.leftControl, "left-ctrl"), (.rightControl, "right-ctrl"),
    (.leftSuper, "left-super"), (.rightSuper, "right-super"),
  ]
}
