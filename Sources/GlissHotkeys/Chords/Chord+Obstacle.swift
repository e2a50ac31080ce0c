import GlissEvents

extension Chord {
  /// Why no keyboard can press a chord.
  public enum Obstacle: Hashable, Sendable {
    /// It ends with a mouse button or a wheel notch.
    case noKey
    /// The kernel itself would act on it: SysRq with Alt ends sessions and restarts machines.
    case sysRq
  }

  /// Why no keyboard can press this chord; `nil` if one can.
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
