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

extension Key {
  /// Function, media and system keys, and the side buttons of mice. Everything else may be part of typing: letters and
  /// digits of any pad, keys that edit, move the cursor, choose among characters or words, modifiers, Caps and Num Lock, the
  /// buttons one points and clicks with (there are keyboards on screens), and codes without a name.
  var typesNothing: Bool {
    switch rawValue {
    // F1 to F24
    case 0x3b...0x44, 0x57, 0x58, 0xb7...0xc2: true
    // Scroll Lock, SysRq, Pause
    case 0x46, 0x63, 0x77: true
    // mute, volume, power, scale
    case 0x71...0x74, 0x78: true
    // stop, open, find, mail, programs; not again, undo, copy, paste, cut
    case 0x80, 0x82, 0x84, 0x86, 0x88, 0x8a...0x92: true
    // programs, web, player, scrolling; not the parentheses of keypads
    case 0x94...0xb2, 0xb5: true
    // player, camera, mail; not the question mark
    case 0xc8...0xd5, 0xd7...0xdd: true
    // brightness, screens, radios, microphone
    case 0xe0...0xef, 0xf1...0xf8: true
    // a mouse's side buttons
    case 0x113...0x117: true
    // televisions and offices; not OK, select, clear, digits, currencies, lines
    case 0x162, 0x164...0x19c, 0x1a0...0x1af, 0x1b1, 0x1b4...0x1ba, 0x1bc...0x1bf: true
    // Fn with Escape and F1 to F12; Fn itself is a modifier
    case 0x1d1...0x1dd: true
    // cameras, cabins, sensors, assistants, brightness; not pictographs, not words to choose
    case 0x210...0x21e, 0x230...0x232, 0x240...0x248, 0x24a, 0x250, 0x251: true
    // menus, recorders, charts
    case 0x26a, 0x26b, 0x26e...0x289: true
    // macro keys
    case 0x70, 0x290...0x2ad, 0x2b0...0x2b5, 0x2b8...0x2bc: true
    case _: false
    }
  }
}
