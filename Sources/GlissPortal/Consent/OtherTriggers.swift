package import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// What else has triggers: the user's own rules, and other applications.
package struct OtherTriggers: Sendable {
  private let rules: [Rule]
  private let answers: ShortcutAnswers
  /// Why keys are not kept from the focused window; `nil` if they are.
  let consuming: String?

  package init(
    rules: [Rule] = [], answers: ShortcutAnswers = ShortcutAnswers(), consuming: String? = nil
  ) {
    self.rules = rules
    self.answers = answers
    self.consuming = consuming
  }

  /// Whose triggers the same keys or fingers would activate.
  package func conflicts(
    with trigger: Rule.Trigger, of application: String, _ id: String
  ) -> [String] {
    var found: [String] = []
    for rule in rules where rule.trigger.conflicts(with: trigger) {
      let name = rule.name.map { "“\($0)”" } ?? "in \(rule.place)"
      found.append(
        trigger.isGesture
          ? "your own rule \(name) acts on it too"
          : "your own rule \(name) has these keys: only one of the two works")
    }
    for other in answers.applications {
      for answer in other.answers where other.name != application || answer.id != id {
        guard let own = answer.trigger, own.conflicts(with: trigger) else { continue }
        let name = answer.description.isEmpty ? answer.id : answer.description
        found.append(
          other.name == application
            ? "the same as its “\(name)”" : "\(other.name) has it for “\(name)”")
      }
    }
    return found
  }
}

extension Rule.Trigger {
  var isGesture: Bool {
    switch self {
    case .gesture: true
    case .hotkey: false
    }
  }

  /// Whether the same keys or fingers can mean both.
  func conflicts(with other: Rule.Trigger) -> Bool {
    switch (self, other) {
    case (.hotkey(let one), .hotkey(let another)):
      one.hotkey.conflicts(with: another.hotkey)
    case (.gesture(let one), .gesture(let another)): one.conflicts(with: another)
    case (.hotkey, .gesture), (.gesture, .hotkey): false
    }
  }
}

extension Hotkey {
  fileprivate func conflicts(with other: Hotkey) -> Bool {
    // a letter is mostly on the key that has it on QWERTY
    spellings.contains { one in
      var claims = HotkeyClaims<Int>()
      claims.add(one, .init(owner: 0, id: HotkeyID(rawValue: 1)))
      return other.spellings.contains { claims.holder(against: $0, of: 1) != nil }
    }
  }

  /// This hotkey, and the same with physical keys in place of letters and digits.
  private var spellings: [Hotkey] {
    let chords = chords.map { chord in
      guard case .symbol(let character) = chord.trigger, character.isASCII,
        let trigger = Keysyms.trigger(String(Character(character)))
      else { return chord }
      return Chord(chord.modifiers, trigger)
    }
    guard let first = chords.first, chords != self.chords else { return [self] }
    return [self, Hotkey(first, then: Array(chords.dropFirst()))]
  }
}

extension GestureCondition {
  fileprivate func conflicts(with other: GestureCondition) -> Bool {
    kind == other.kind && (fingers ?? 1...9).overlaps(other.fingers ?? 1...9)
      && (edge == nil || other.edge == nil || edge == other.edge)
      && (isMet(by: other.sense) || other.isMet(by: sense) || other.sense == nil)
      && (count ?? 1) == (other.count ?? 1)
  }
}
