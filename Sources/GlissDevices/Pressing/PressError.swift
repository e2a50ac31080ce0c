public import GlissHotkeys

/// Why keys cannot be pressed. If it is thrown, nothing has been pressed.
public enum PressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No key on this layout has the character.
  case notOnLayout(Chord, layout: String)
  /// The chord ends with a mouse button or a wheel notch.
  case noKey(Chord)
  /// The kernel itself would act on the chord: Alt+SysRq ends sessions and restarts machines.
  case notPressed(Chord)
  /// Too many chords are waiting to be pressed.
  case tooMany(maximum: Int)
  /// There is no keyboard to press them on.
  case device(DeviceError)

  public var description: String {
    switch self {
    case .notOnLayout(let chord, let layout):
      "\(chord) cannot be pressed: no key of the layout \(layout) has that character; name the key itself, or one that the layout has"
    case .noKey(let chord): "\(chord) cannot be pressed: buttons and wheels are no keys"
    case .notPressed(let chord):
      "\(chord) is not pressed: the kernel itself would obey it; press SysRq without Alt"
    case .tooMany(let maximum):
      "at most \(maximum) chords wait to be pressed; press fewer at a time"
    case .device(let error): "no keys can be pressed: \(error)"
    }
  }
}
