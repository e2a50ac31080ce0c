import GlissEvents

extension Chord {
  /// Whether nobody could learn from this chord what is typed: it holds Ctrl, Alt or Super, or its key types nothing.
  ///
  /// Shift and AltGr choose what is typed and do not count. What is in doubt counts as typing.
  public var typesNothing: Bool {
    if !modifiers.isDisjoint(with: .commands) { return true }
    switch trigger {
    case .key(let key): return key.typesNothing
    case .symbol, .wheel: return false
    }
  }
}

extension Hotkey {
  /// Whether every step of it types nothing (``Chord/typesNothing``). Taps say when somebody shifts: they do not.
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
  /// Function, media and system keys, and the side buttons of mice. Modifiers alone say when somebody shifts.
  var typesNothing: Bool { classes.isSubset(of: [.function, .media]) }
}
