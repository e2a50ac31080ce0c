package import GlissEvents

/// Hides what was typed from a recording: every key that `libinput record` hides, and all others
/// that type.
///
/// It does not hide when keys were pressed, or how many.
extension Key {
  /// The codes that may reveal what was typed.
  private static let revealing: [ClosedRange<UInt16>] = [
    // From 1 to the keypad's point and everything in between, as in `libinput record`; includes
    // modifiers and F1 to F10.
    0x02...0x56,
    // RO and the keys that switch Japanese input; the keypad's comma, Enter, right Ctrl and slash.
    0x59...0x62,
    // right Alt, line feed
    0x64...0x65,
    // the keypad's equals and plus-minus; its comma, Hangul, Hanja, Yen
    0x75...0x76, 0x79...0x7c,
    // Compose
    0x7f...0x7f,
    // parentheses
    0xb3...0xb4,
    // ?
    0xd6...0xd6,
    // $ and €
    0x1b2...0x1b3,
    // Fn with a digit, a letter or Shift
    0x1de...0x1e5,
    // braille
    0x1f1...0x1fa,
    // digits and letters of telephones and remote controls
    0x200...0x20f, 0x26c...0x26d,
  ]

  /// Whether a recording shows ``a`` in its place: it may reveal what was typed, or is unknown.
  package var isRedacted: Bool {
    Self.revealing.contains { $0.contains(rawValue) } || Key(name: name) != self
  }
}

extension EvdevEvent {
  /// The event without information about typing: such keys become ``Key/a``, and the scan codes
  /// sent for them become the one sent for it.
  package var redacted: EvdevEvent {
    var event = self
    switch type {
    case .key where Key(rawValue: code).isRedacted: event.code = Key.a.rawValue
    // MSC_RAW and MSC_SCAN: the keyboard's own number for the key
    case .miscellaneous where (3...4).contains(code):
      event.value = Int32(Key.a.rawValue)
    case _: break
    }
    return event
  }
}
