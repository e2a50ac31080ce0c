/// A physical key or button, by its evdev code; an open set, so that unknown ones survive.
public struct Key: RawRepresentable, Hashable, Comparable, Sendable, BitwiseCopyable {
  public let rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let a = Key(rawValue: 30)
  public static let leftControl = Key(rawValue: 29)
  public static let leftShift = Key(rawValue: 42)
  public static let rightShift = Key(rawValue: 54)
  public static let leftAlt = Key(rawValue: 56)
  public static let capsLock = Key(rawValue: 58)
  public static let numLock = Key(rawValue: 69)
  public static let scrollLock = Key(rawValue: 70)
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

  /// The kernel's name (`KEY_T`, `BTN_LEFT`), or `KEY_` and the code in decimal if it has none.
  public var name: String { KeyNames.name(of: rawValue) ?? "KEY_\(rawValue)" }

  /// The key with that name in the event schema; also one without a kernel name, as ``name`` writes
  /// it.
  package init?(schemaName name: String) {
    if let key = Key(name: name) {
      self = key
    } else {
      guard name.hasPrefix("KEY_"), let code = UInt16(name.dropFirst(4)) else { return nil }
      self.init(rawValue: code)
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
