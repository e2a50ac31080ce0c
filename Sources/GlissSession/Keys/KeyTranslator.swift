package import GlissEvents

/// The keysym and text a layout gives a key.
package struct KeyMeaning: Hashable, Sendable, BitwiseCopyable {
  /// As in ``GlissEvents/KeyEvent/keysym``.
  package var keysym: UInt32
  /// As in ``GlissEvents/KeyEvent/text``.
  package var text: KeyText

  /// The meaning of a key the layout does not know.
  package static let none = KeyMeaning()

  /// A meaning; without arguments none.
  package init(keysym: UInt32 = 0, text: KeyText = .none) {
    self.keysym = keysym
    self.text = text
  }
}

/// Translates keys into keysyms and text: owns the layout and its state.
///
/// A session reports each key press to it once, however many keyboards hold the key, and always
/// reports its release.
package protocol KeyTranslator: AnyObject {
  /// The current meaning of `key`. `down` and `up` change the state for the following keys;
  /// `repeat` changes nothing.
  func translate(_ key: Key, _ state: KeyEvent.State) -> KeyMeaning

  /// Whether `key` repeats while it is held: modifiers and locks do not.
  func repeats(_ key: Key) -> Bool
}
