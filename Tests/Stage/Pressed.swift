import GlissDevices
import GlissHotkeys

/// Writes down what is pressed, in the place of a keyboard.
final class Pressed: KeyPressing {
  /// There is no /dev/uinput.
  var isMissing = false
  private(set) var chords: [Chord] = []
  private(set) var forgotten = 0

  func press(_ chords: [Chord]) throws(PressError) {
    for chord in chords {
      if case .wheel = chord.trigger { throw .noKey(chord) }
      if case .symbol(let character) = chord.trigger, !character.isASCII {
        throw .notOnLayout(chord, layout: "us")
      }
    }
    self.chords += chords
  }

  func forget() { forgotten += 1 }
}
