/// A physical key or button, by its evdev code; an open set, so that unknown ones survive.
public struct Key: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let a = Key(rawValue: 30)
  public static let leftControl = Key(rawValue: 29)
  public static let leftShift = Key(rawValue: 42)
  public static let rightShift = Key(rawValue: 54)
  public static let leftAlt = Key(rawValue: 56)
  public static let rightControl = Key(rawValue: 97)
  public static let rightAlt = Key(rawValue: 100)
  public static let leftSuper = Key(rawValue: 125)
  public static let rightSuper = Key(rawValue: 126)

  public static let leftButton = Key(rawValue: 0x110)
  public static let rightButton = Key(rawValue: 0x111)
  public static let middleButton = Key(rawValue: 0x112)
  public static let toolPen = Key(rawValue: 0x140)
  public static let toolFinger = Key(rawValue: 0x145)
  public static let toolQuintTap = Key(rawValue: 0x148)
  public static let touch = Key(rawValue: 0x14a)
  public static let toolDoubleTap = Key(rawValue: 0x14d)
  public static let toolTripleTap = Key(rawValue: 0x14e)
  public static let toolQuadTap = Key(rawValue: 0x14f)

  /// The key the kernel calls `name` (`KEY_T`, `BTN_LEFT`), or `nil`.
  public init?(name: String) {
    guard let code = KeyNames.code(of: name) else { return nil }
    self.init(rawValue: code)
  }

  /// The kernel's name (`KEY_T`, `BTN_LEFT`), or `KEY_` and the code in decimal where it has none.
  public var name: String { KeyNames.name(of: rawValue) ?? "KEY_\(rawValue)" }

  /// A button of a mouse or pad (`BTN_LEFT` to `BTN_TASK`).
  public var isPointerButton: Bool { (0x110...0x117).contains(rawValue) }

  /// Says that a finger or pen is there, not that something was pressed (`BTN_TOOL_*`, `BTN_TOUCH`).
  public var isContact: Bool { (0x140...0x14f).contains(rawValue) }

  public static func < (a: Key, b: Key) -> Bool { a.rawValue < b.rawValue }
}

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

  /// The words of the event schema, in its order.
  static let words: [(Modifiers, StaticString)] = [
    ([.leftShift, .rightShift], "shift"), ([.leftControl, .rightControl], "ctrl"),
    (.leftAlt, "alt"), (.rightAlt, "altgr"), ([.leftSuper, .rightSuper], "super"),
  ]
}

/// A key pressed, repeated or released.
public struct KeyEvent: Hashable, Sendable, BitwiseCopyable {
  public enum State: UInt8, Hashable, Sendable, BitwiseCopyable, CaseIterable {
    case down, up
    /// Held down: sent again by the keyboard.
    case `repeat`

    /// The word in the event schema.
    public var name: String {
      switch self {
      case .down: "down"
      case .up: "up"
      case .repeat: "repeat"
      }
    }
  }

  public var time: EventTime
  public var device: DeviceID
  public var key: Key
  public var state: State
  /// The modifiers that are down after this event.
  public var modifiers: Modifiers

  public init(time: EventTime, device: DeviceID, key: Key, state: State, modifiers: Modifiers) {
    self.time = time
    self.device = device
    self.key = key
    self.state = state
    self.modifiers = modifiers
  }
}

/// A button of a pad or mouse, pressed or released.
public struct ButtonEvent: Hashable, Sendable, BitwiseCopyable {
  public var time: EventTime
  public var device: DeviceID
  public var button: Key
  public var isDown: Bool

  public init(time: EventTime, device: DeviceID, button: Key, isDown: Bool) {
    self.time = time
    self.device = device
    self.button = button
    self.isDown = isDown
  }
}
