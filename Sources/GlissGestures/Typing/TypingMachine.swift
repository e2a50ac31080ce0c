public import GlissEvents

/// Detects typing, so that palms beside the keys are not taken for fingers (disable-while-typing).
///
/// A typing key starts a short period. Another one within that period starts a longer one. Keys
/// that are part of a command, and keys that type nothing, are ignored.
struct TypingMachine: Sendable {
  private let limits: GestureConfiguration.Typing
  /// When the period ends; `nil` if nobody types.
  private var until: EventTime?

  init(_ limits: GestureConfiguration.Typing) { self.limits = limits }

  /// A key went down, with `modifiers` held.
  ///
  /// - Returns: whether it counts as typing, so that current touches may be palms.
  mutating func pressed(_ key: Key, with modifiers: Modifiers, at time: EventTime) -> Bool {
    guard limits.disables != 0, key.isTypewritten, modifiers.isDisjoint(with: .commands) else {
      return false
    }
    let isMore = isTyping(at: time)
    until = time + .milliseconds(isMore ? limits.afterKeys : limits.afterKey)
    return true
  }

  /// Whether a touch that begins at `time` counts as a palm.
  mutating func isTyping(at time: EventTime) -> Bool {
    if let until, time < until { return true }
    until = nil
    return false
  }
}

extension Key {
  /// A key that a typewriter has: not a modifier, function, cursor, keypad or media key.
  ///
  /// The same keys as in libinput 1.31, plus the three letter keys found only on ISO and Japanese
  /// keyboards.
  var isTypewritten: Bool {
    switch rawValue {
    // digits and Backspace; Q to Enter; A to `; \ to /; space
    case 2...14, 16...28, 30...41, 43...53, 57: true
    // KEY_102ND, KEY_RO, KEY_YEN
    case 86, 89, 124: true
    case _: false
    }
  }
}

extension Device {
  /// Connected by USB (3) or Bluetooth (5): not part of the machine.
  private var isExternal: Bool { identifier.bus == 3 || identifier.bus == 5 }

  /// Whether people who type on this device have their palms over `touchpad`: both are built in, or
  /// they are two parts of one device. A touchscreen never counts.
  public func isTyped(over touchpad: Device) -> Bool {
    guard touchpad.kind == .touchpad else { return false }
    if !isExternal && !touchpad.isExternal { return true }
    let (own, other) = (identifier, touchpad.identifier)
    let isKnown = own.vendor != 0 || own.product != 0
    return isKnown && own.vendor == other.vendor && own.product == other.product
  }
}
