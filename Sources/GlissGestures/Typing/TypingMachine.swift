public import GlissEvents

/// Tells when somebody is typing, so that the palms beside the keys are no fingers (disable-while-typing).
///
/// A key that types begins it, for a short time; another within that time says that it goes on, for a longer one. Keys
/// that are part of a command, and keys that type nothing, say nothing.
struct TypingMachine: Sendable {
  private enum State {
    case quiet
    case typing(until: EventTime)
  }

  private let limits: GestureConfiguration.Typing
  private var state = State.quiet

  init(_ limits: GestureConfiguration.Typing) { self.limits = limits }

  /// A key went down, with `modifiers` held.
  ///
  /// - Returns: whether that is typing: what touches now may be a palm.
  mutating func pressed(_ key: Key, with modifiers: Modifiers, at time: EventTime) -> Bool {
    guard limits.disables != 0, key.isTypewritten, modifiers.isDisjoint(with: .commands) else {
      return false
    }
    let isMore = isTyping(at: time)
    state = .typing(until: time + .milliseconds(isMore ? limits.afterKeys : limits.afterKey))
    return true
  }

  /// Whether a touch that begins at `time` is taken for a palm.
  mutating func isTyping(at time: EventTime) -> Bool {
    switch state {
    case .quiet: return false
    case .typing(let until):
      if time < until { return true }
      state = .quiet
      return false
    }
  }
}

extension Key {
  /// One of the keys that a typewriter has: no modifier, no function, cursor, keypad or media key.
  ///
  /// As libinput 1.31 has it, and with the three letter keys that ISO and Japanese keyboards have besides.
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
  private static let usb: UInt16 = 3
  private static let bluetooth: UInt16 = 5

  /// Plugged in or on the air: not part of the machine.
  private var isExternal: Bool {
    identifier.bus == Self.usb || identifier.bus == Self.bluetooth
  }

  /// Whether who types on this device has his palms over `touchpad`: both are built in, or they are one device with
  /// two parts. A touchscreen is nowhere near.
  public func isTyped(over touchpad: Device) -> Bool {
    guard touchpad.kind == .touchpad else { return false }
    if !isExternal && !touchpad.isExternal { return true }
    let (own, other) = (identifier, touchpad.identifier)
    let isKnown = own.vendor != 0 || own.product != 0
    return isKnown && own.vendor == other.vendor && own.product == other.product
  }
}
