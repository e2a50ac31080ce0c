import GlissEvents

extension Chord {
  /// Why no keyboard can press a chord.
  public enum Obstacle: Hashable, Sendable {
    /// It ends with a mouse's button or a notch of its wheel.
    case noKey
    /// The kernel itself would obey it: SysRq with Alt ends sessions and restarts machines.
    case sysRq
  }

  /// What keeps it from being pressed on any keyboard; `nil` where nothing does.
  public var obstacle: Obstacle? {
    switch trigger {
    case .wheel: return .noKey
    case .symbol: return nil
    case .key(let key):
      if key.isButton || !(1...Self.lastKey).contains(key.rawValue) { return .noKey }
      return key == .sysRq && !modifiers.isDisjoint(with: [.alt, .altGr]) ? .sysRq : nil
    }
  }

  /// `KEY_MAX`.
  private static let lastKey: UInt16 = 0x2ff
}

extension Key {
  fileprivate static let sysRq = Key(rawValue: 99)
}
