public import GlissEvents

/// Keys that hotkeys withhold from the rest of the desktop: a keyboard that has one of them must be
/// grabbed.
public enum ConsumedKeys: Hashable, Sendable {
  case none
  /// These keys, on any keyboard.
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
  /// The keys that may be withheld from the rest of the desktop at some time.
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
  /// Whether its keys can be withheld from the rest of the desktop. Modifiers, and so taps, cannot
  /// be; neither can buttons or wheels.
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
