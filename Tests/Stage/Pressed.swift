import GlissDevices
import GlissEvents
import GlissHotkeys

/// Writes down what is pressed, in the place of a keyboard.
final class Pressed: KeyPressing {
  /// There is no /dev/uinput.
  var isMissing = false
  private(set) var chords: [Chord] = []
  /// How far the pointer was moved, in mm.
  private(set) var way = Vector2.zero
  private(set) var forgotten = 0
  /// How often what one client pressed was cancelled.
  private(set) var dropped = 0
  /// By holder.
  private(set) var held: [UInt64: [Chord]] = [:]

  func check(_ chords: [Chord], toHold: Bool) throws(PressError) {
    for chord in chords {
      if toHold, case .wheel = chord.trigger { throw .notHeld(chord) }
      if let obstacle = chord.obstacle, obstacle == .noKey { throw .noKey(chord) }
      if case .symbol(let character) = chord.trigger, !character.isASCII {
        throw .notOnLayout(chord, layout: "us")
      }
    }
  }

  func press(_ chords: [Chord], by owner: UInt64) throws(PressError) {
    try check(chords, toHold: false)
    self.chords += chords
  }

  func hold(_ chords: [Chord], by holder: UInt64) throws(PressError) {
    try check(chords, toHold: true)
    if held[holder] == nil { held[holder] = chords }
  }

  func move(_ way: Vector2, by owner: UInt64) throws(PressError) { self.way += way }

  /// Nothing is taken for read by the desktop.
  var isWaiting: Bool { true }

  func forget(_ owner: UInt64) { dropped += 1 }

  func release(_ holder: UInt64) { held[holder] = nil }

  func forget() {
    forgotten += 1
    held = [:]
  }
}
