package import Gliss

/// The way of a key: a session with so many hotkeys, and somebody who types on its keyboard.
package struct HotkeyRoute {
  private let session = Session()
  private let keyboard: DeviceID
  private var now = EventTime.zero

  /// Two of the hotkeys are met by what is typed: one chord, and a sequence.
  package init(hotkeys count: Int, _ handler: @escaping (HotkeyEvent) -> Void) {
    keyboard = session.add(Device(name: "Keys", keys: [.a, .leftSuper]))
    register("super+a", handler)
    register("super+b ; a", handler)
    for number in 2..<max(2, count) {
      // keys that no keyboard has, each with two sets of modifiers, and sequences among them
      let key = Chord.Trigger.key(Key(rawValue: UInt16(0x300 + number / 4)))
      let first = Chord(number % 2 == 0 ? .super : [.super, .control], key)
      let isSequence = number % 4 > 1
      let hotkey = Hotkey(
        isSequence ? Chord([.super, .alt], key) : first, then: isSequence ? [first] : [])
      _ = try? session.registerHotkey(hotkey, handler)
    }
  }

  private func register(_ text: String, _ handler: @escaping (HotkeyEvent) -> Void) {
    _ = try? session.registerHotkey(text, handler)
  }

  /// How many hotkeys there are.
  package var count: Int { session.hotkeys.count }

  /// What is typed in a round: letters, the chord, and the sequence.
  private static let keys: [(Key, Int32)] = {
    let b = Key(rawValue: 48)
    let letters = (UInt16(16)...25).flatMap { code -> [(Key, Int32)] in
      [(Key(rawValue: code), 1), (Key(rawValue: code), 0)]
    }
    return letters + [
      (.leftSuper, 1), (.a, 1), (.a, 0), (b, 1), (b, 0), (.leftSuper, 0), (.a, 1), (.a, 0),
    ]
  }()

  /// Key events in a round.
  package static var eventCount: Int { keys.count }

  /// One round of typing.
  package mutating func run() {
    for (key, value) in Self.keys {
      now = now + .milliseconds(10)
      session.process(.key(key, value, at: now), from: keyboard)
    }
  }
}
