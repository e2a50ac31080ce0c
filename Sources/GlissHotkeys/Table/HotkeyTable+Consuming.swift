public import GlissEvents

/// Keys that hotkeys keep from the rest of the desktop: a keyboard that has one of them has to be grabbed.
public enum ConsumedKeys: Hashable, Sendable {
  case none
  /// These, wherever they are.
  case keys(Set<Key>)
  /// Also characters, which may be on any key.
  case any

  public func union(_ other: ConsumedKeys) -> ConsumedKeys {
    switch (self, other) {
    case (.any, _), (_, .any): .any
    case (.none, let keys), (let keys, .none): keys
    case (.keys(let mine), .keys(let theirs)): .keys(mine.union(theirs))
    }
  }
}

extension HotkeyTable {
  /// Which keys are kept from the rest of the desktop, at one time or another.
  public var consumedKeys: ConsumedKeys {
    guard consumesAny else { return .none }
    var keys: Set<Key> = []
    for entry in all where entry.consumes {
      for chord in entry.hotkey.chords {
        switch chord.trigger {
        case .key(let key): keys.insert(key)
        case .symbol: return .any
        case .wheel: break
        }
      }
    }
    return .keys(keys)
  }
}

extension Hotkey {
  /// Whether its keys can be kept from the rest of the desktop: modifiers never are, so that none can be of a tap, and
  /// neither buttons nor wheels are.
  public var isConsumable: Bool {
    !isTap
      && chords.allSatisfy { chord in
        switch chord.trigger {
        case .key(let key): !key.isButton && Modifiers(key).isEmpty
        case .symbol: true
        case .wheel: false
        }
      }
  }
}
