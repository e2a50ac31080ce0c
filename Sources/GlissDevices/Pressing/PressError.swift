public import GlissHotkeys

/// Why keys cannot be pressed. Nothing has been pressed then.
public enum PressError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No key has the character on the keyboard layout, which is named.
  case notOnLayout(Chord, layout: String)
  /// It ends with a mouse's button or a notch of its wheel.
  case noKey(Chord)
  /// The kernel itself would obey it: SysRq with Alt ends sessions and restarts machines.
  case notPressed(Chord)
  /// More chords wait to be pressed than are kept.
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
