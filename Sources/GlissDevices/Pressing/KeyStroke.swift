import GlissEvents

/// A key that goes down or up.
struct KeyStroke: Hashable, Sendable, BitwiseCopyable {
  var key: Key
  var isDown: Bool

  static func down(_ key: Key) -> KeyStroke { KeyStroke(key: key, isDown: true) }
  static func up(_ key: Key) -> KeyStroke { KeyStroke(key: key, isDown: false) }
}
