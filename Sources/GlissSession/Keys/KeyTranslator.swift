public import GlissEvents

/// What a layout makes of a key.
public struct KeyMeaning: Hashable, Sendable, BitwiseCopyable {
  /// As in ``GlissEvents/KeyEvent/keysym``.
  public var keysym: UInt32
  /// As in ``GlissEvents/KeyEvent/text``.
  public var text: KeyText

  /// Of a key the layout does not know.
  public static let none = KeyMeaning()

  public init(keysym: UInt32 = 0, text: KeyText = .none) {
    self.keysym = keysym
    self.text = text
  }
}

/// Keys in, keysyms and text out: owns the layout and the state it is in.
///
/// A session tells it each key once, whatever keyboards it is held on, and its release in any case.
public protocol KeyTranslator: AnyObject {
  /// What `key` means now. `down` and `up` change the state the keys after it meet; `repeat` changes nothing.
  func translate(_ key: Key, _ state: KeyEvent.State) -> KeyMeaning

  /// Whether `key` repeats while it is held: modifiers and locks do not.
  func repeats(_ key: Key) -> Bool
}
