import GlissEvents
import GlissHotkeys

/// Matches keys by going through all hotkeys one after the other; slow, and written without looking at the table.
struct Reference {
  var hotkeys: [RegisteredHotkey]
  private(set) var mode: String?
  /// Those that the chords so far have left, and how many chords that were.
  private var candidates: [RegisteredHotkey] = []
  private var steps = 0
  private var due: Int64 = 0
  private var holders: [Key: HotkeyID?] = [:]
  /// A modifier that went down alone, with nothing since, and when.
  private var tapped: (key: Key, since: Int64)?
  private(set) var told: [String] = []

  init(_ hotkeys: [RegisteredHotkey]) { self.hotkeys = hotkeys }

  static let names: [(Modifiers, Modifiers, ChordModifiers, ChordModifiers, ChordModifiers)] = [
    (.leftShift, .rightShift, .leftShift, .rightShift, .shift),
    (.leftControl, .rightControl, .leftControl, .rightControl, .control),
    (.leftSuper, .rightSuper, .leftSuper, .rightSuper, .super),
  ]

  static func satisfies(_ held: Modifiers, _ asked: ChordModifiers) -> Bool {
    if held.contains(.leftAlt) != asked.contains(.alt) { return false }
    if held.contains(.rightAlt) != asked.contains(.altGr) { return false }
    for (left, right, askedLeft, askedRight, either) in names {
      let hasLeft = held.contains(left)
      let hasRight = held.contains(right)
      if asked.contains(either) {
        if !hasLeft && !hasRight { return false }
      } else if asked.contains(askedLeft) != hasLeft || asked.contains(askedRight) != hasRight {
        return false
      }
    }
    return true
  }

  mutating func enter(_ mode: String?) {
    self.mode = mode
    steps = 0
  }

  private func isPhysical(_ chord: Chord, _ event: KeyEvent) -> Bool {
    let held = event.modifiers.subtracting(Modifiers(event.key))
    return chord.trigger == .key(event.key) && Self.satisfies(held, chord.modifiers)
  }

  private func isSymbolic(_ chord: Chord, _ event: KeyEvent) -> Bool {
    guard case .symbol(let character) = chord.trigger, event.keysym < 0x100,
      let given = Unicode.Scalar(event.keysym)
    else { return false }
    var held = event.modifiers.subtracting(Modifiers(event.key))
    held.remove(.rightAlt)
    if !given.properties.isAlphabetic { held.subtract([.leftShift, .rightShift]) }
    return given.properties.lowercaseMapping == String(character)
      && Self.satisfies(held, chord.modifiers)
  }

  private func remaining(
    _ entries: [RegisteredHotkey], _ step: Int, _ event: KeyEvent
  ) -> [RegisteredHotkey] {
    let long = entries.filter { $0.hotkey.chords.count > step }
    let physical = long.filter { isPhysical($0.hotkey.chords[step], event) }
    return physical.isEmpty ? long.filter { isSymbolic($0.hotkey.chords[step], event) } : physical
  }

  /// Whether the event belongs to a hotkey.
  mutating func process(_ event: KeyEvent) -> Bool {
    if steps > 0, event.time.microseconds >= due { steps = 0 }
    switch event.state {
    case .down:
      let isAlone = !Modifiers(event.key).isEmpty && event.modifiers == Modifiers(event.key)
      tapped = isAlone ? (event.key, event.time.microseconds) : nil
      let belongs = press(event)
      if belongs { tapped = nil }
      return belongs
    case .repeat:
      if Modifiers(event.key).isEmpty { tapped = nil }
      if let id = holders[event.key] ?? nil,
        hotkeys.first(where: { $0.id == id })?.hotkey.activation == .repeat
      {
        told.append("\(id.rawValue) repeated")
      }
      return holders[event.key] != nil
    case .up:
      defer { tapped = nil }
      if let tapped, tapped.key == event.key, steps == 0,
        event.time.microseconds - tapped.since <= 500_000
      {
        tap(event.key)
      }
      guard let held = holders.removeValue(forKey: event.key) else { return false }
      if let held, !holders.values.contains(held) { told.append("\(held.rawValue) released") }
      return true
    }
  }

  static let taps: [(TappedModifier, Set<Key>)] = [
    (.shift, [.leftShift, .rightShift]), (.control, [.leftControl, .rightControl]),
    (.super, [.leftSuper, .rightSuper]), (.leftShift, [.leftShift]), (.rightShift, [.rightShift]),
    (.leftControl, [.leftControl]), (.rightControl, [.rightControl]), (.leftSuper, [.leftSuper]),
    (.rightSuper, [.rightSuper]), (.alt, [.leftAlt]), (.altGr, [.rightAlt]),
  ]

  private mutating func tap(_ key: Key) {
    for entry in hotkeys where entry.mode == mode {
      guard let modifier = entry.hotkey.tapped,
        Self.taps.contains(where: { $0.0 == modifier && $0.1.contains(key) })
      else { continue }
      told += ["\(entry.id.rawValue) pressed", "\(entry.id.rawValue) released"]
    }
  }

  private mutating func press(_ event: KeyEvent) -> Bool {
    let all = hotkeys.filter { $0.mode == mode }
    var found = remaining(steps > 0 ? candidates : all, steps, event)
    if found.isEmpty {
      if !Modifiers(event.key).isEmpty && steps > 0 { return false }
      if event.key.name == "KEY_ESC", event.modifiers.isEmpty, steps > 0 || mode != nil {
        let wasFollowing = steps > 0
        steps = 0
        if wasFollowing || remaining(all, 0, event).isEmpty {
          if !wasFollowing { mode = nil }
          holders[event.key] = .some(nil)
          return true
        }
      }
      steps = 0
      found = remaining(all, 0, event)
    }
    if found.isEmpty { return false }
    steps += 1
    if let whole = found.first(where: { $0.hotkey.chords.count == steps }) {
      if !holders.values.contains(whole.id) { told.append("\(whole.id.rawValue) pressed") }
      holders[event.key] = whole.id
      steps = 0
    } else {
      candidates = found
      due = event.time.microseconds + 3_000_000
      holders[event.key] = .some(nil)
    }
    return true
  }
}
