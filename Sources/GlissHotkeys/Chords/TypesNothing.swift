import GlissEvents

extension Chord {
  /// Whether this chord reveals nothing about typed text: it includes Ctrl, Alt or Super, or its
  /// key types nothing.
  ///
  /// Shift and AltGr choose what is typed and do not count. Unclear cases count as typing.
  public var typesNothing: Bool {
    if !modifiers.isDisjoint(with: .commands) { return true }
    switch trigger {
    case .key(let key): return key.typesNothing
    case .symbol, .wheel: return false
    }
  }
}

extension Hotkey {
  /// Whether every step types nothing (``Chord/typesNothing``). Taps do not qualify: they reveal
  /// when the user shifts.
  public var typesNothing: Bool {
    switch pattern {
    case .chord(let chord): chord.typesNothing
    case .sequence(let first, let rest): first.typesNothing && rest.allSatisfy(\.typesNothing)
    case .tap: false
    }
  }
}

extension Hotkey {
  /// Whether it is a modifier tapped alone.
  public var isTap: Bool {
    switch pattern {
    case .tap: true
    case .chord, .sequence: false
    }
  }
}

extension Key {
  /// Function, media and system keys, and side buttons of mice. Modifiers are left out: alone they
  /// reveal when the user shifts.
  var typesNothing: Bool { classes.isSubset(of: [.function, .media]) }
}
