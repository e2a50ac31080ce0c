/// A physical key or button, by its evdev code; an open set, so that unknown ones survive.
///
/// Each key with a name has a constant: ``Key/t``, ``Key/escape``, ``Key/f1``, ``Key/volumeUp``,
/// ``Key/digit1``, ``Key/leftButton``. Only the numbered buttons of game controllers have none:
/// `Key(name: "BTN_TRIGGER_HAPPY1")`.
public struct Key: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The key the kernel calls `name` (`KEY_T`, `BTN_LEFT`), or `nil`.
  public init?(name: String) {
    guard let code = KeyNames.code(of: name) else { return nil }
    self.init(rawValue: code)
  }

  /// The kernel's name (`KEY_T`, `BTN_LEFT`), or `KEY_` and the code in decimal if it has none.
  public var name: String {
    // no key has code 0, and “KEY_0” is the digit
    KeyNames.name(of: rawValue) ?? (rawValue == 0 ? "KEY_RESERVED" : "KEY_\(rawValue)")
  }

  /// The key with that name in the event schema; also one without a kernel name, as ``name`` writes
  /// it.
  package init?(schemaName name: String) {
    if let key = Key(name: name) {
      self = key
    } else if name == "KEY_RESERVED" {
      self.init(rawValue: 0)
    } else {
      guard name.hasPrefix("KEY_"), let code = UInt16(name.dropFirst(4)) else { return nil }
      self.init(rawValue: code)
      // not KEY_+700; a key may have got a name since it was written
      if name != "KEY_\(code)" { return nil }
    }
  }

  /// A button of any device, as opposed to a key of a keyboard (`BTN_*`).
  public var isButton: Bool {
    switch rawValue {
    case 0x100...0x15f, 0x220...0x223, 0x2c0...0x2e7: true
    case _: false
    }
  }

  /// A button of a mouse or pad (`BTN_LEFT` to `BTN_TASK`).
  public var isPointerButton: Bool { (0x110...0x117).contains(rawValue) }

  /// Reports the presence of a finger or pen, not a press (`BTN_TOOL_*`, `BTN_TOUCH`).
  public var isContact: Bool { (0x140...0x14f).contains(rawValue) }

  public static func < (a: Key, b: Key) -> Bool { a.rawValue < b.rawValue }
}

/// Classes of keys by what they reveal; each key belongs to exactly one.
public struct KeyClasses: OptionSet, Hashable, Sendable, BitwiseCopyable {
  public let rawValue: UInt8
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Anything that may be part of typing: letters, digits, keys that edit or move the cursor,
  /// locks, codes without a name.
  public static let typing = KeyClasses(rawValue: 1)
  /// Shift, Ctrl, Alt, Super.
  public static let modifiers = KeyClasses(rawValue: 2)
  /// F1 to F24, and the macro keys of keyboards.
  public static let function = KeyClasses(rawValue: 4)
  /// Volume, brightness, players, and other keys that type nothing.
  public static let media = KeyClasses(rawValue: 8)

  /// Every class.
  public static let all: KeyClasses = [.typing, .modifiers, .function, .media]

  /// The classes and their names in the protocol, in protocol order.
  public static let words: [(KeyClasses, StaticString)] = [
    (.typing, "typing"), (.modifiers, "modifiers"), (.function, "function"), (.media, "media"),
  ]
}

extension Key {
  /// The one class of this key. Unclear keys count as typing: keys that choose among characters or
  /// words, the digits of any pad, the buttons used to point and click (there are on-screen
  /// keyboards).
  public var classes: KeyClasses {
    if !Modifiers(self).isEmpty { return .modifiers }
    return switch rawValue {
    // F1 to F24
    case 0x3b...0x44, 0x57, 0x58, 0xb7...0xc2: .function
    // Scroll Lock, SysRq, Pause
    case 0x46, 0x63, 0x77: .media
    // mute, volume, power, scale
    case 0x71...0x74, 0x78: .media
    // stop, open, find, mail, programs; not again, undo, copy, paste, cut
    case 0x80, 0x82, 0x84, 0x86, 0x88, 0x8a...0x92: .media
    // programs, web, player, scrolling; not the parentheses of keypads
    case 0x94...0xb2, 0xb5: .media
    // player, camera, mail; not the question mark
    case 0xc8...0xd5, 0xd7...0xdd: .media
    // brightness, screens, radios, microphone
    case 0xe0...0xef, 0xf1...0xf8: .media
    // a mouse's side buttons
    case 0x113...0x117: .media
    // televisions and offices; not OK, select, clear, digits, currencies, lines
    case 0x162, 0x164...0x19c, 0x1a0...0x1af, 0x1b1, 0x1b4...0x1ba, 0x1bc...0x1bf: .media
    // Fn with Escape and F1 to F12; Fn itself counts as typing
    case 0x1d1...0x1dd: .function
    // cameras, cabins, sensors, assistants, brightness; not pictographs, not words to choose
    case 0x210...0x21e, 0x230...0x232, 0x240...0x248, 0x24a, 0x250, 0x251: .media
    // menus, recorders, charts
    case 0x26a, 0x26b, 0x26e...0x289: .media
    // macro keys
    case 0x70, 0x290...0x2ad, 0x2b0...0x2b5, 0x2b8...0x2bc: .function
    case _: .typing
    }
  }
}

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
