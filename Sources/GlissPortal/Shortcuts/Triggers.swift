package import GlissConfiguration
import GlissEvents
import GlissHotkeys

extension Rule.Trigger {
  /// Why it must not be registered for an application; `nil` if it may.
  package var objection: String? {
    switch self {
    case .gesture: return nil
    case .hotkey(let condition):
      if condition.hotkey.typesNothing || condition.hotkey.isTap { return nil }
      return "it could be typed, and would show an application what you type: hold Ctrl, Alt or"
        + " Super with it, or take a function or media key"
    }
  }

  /// For people: `Ctrl+Alt+P`, `hold with 3 fingers`.
  package var words: String {
    switch self {
    case .hotkey(let condition): condition.hotkey.words
    case .gesture(let condition): condition.words
    }
  }
}

extension Hotkey {
  fileprivate var words: String {
    let text = "\(self)"
    if text.hasPrefix("tap:") { return "tap " + Self.word(text.dropFirst(4)) }
    return text.split(separator: " ").map { chord in
      chord == ";" ? "then" : chord.split(separator: "+").map(Self.word).joined(separator: "+")
    }.joined(separator: " ")
  }

  private static func word(_ part: Substring) -> String {
    if part.first == "'", part.last == "'", part.count > 2 {
      return part.dropFirst().dropLast().uppercased()
    }
    return part.prefix(1).uppercased() + part.dropFirst()
  }
}

extension GestureCondition {
  /// A gesture in a few words, as a rule's mapping: `hold 3` or `swipe left with 4 fingers`; `nil`
  /// if no word is a kind of gesture. The mapping may have mistakes.
  static func mapping(ofWords text: String) -> String? {
    var words = text.lowercased().split { $0 == " " || $0 == "-" }
    let kinds = GestureKind.allCases.map(\.name)
    guard
      let place = words.firstIndex(where: { word in kinds.contains { $0.lowercased() == word } }),
      let kind = kinds.first(where: { $0.lowercased() == words[place] })
    else { return nil }
    words.remove(at: place)
    var parts = ["gesture: \(kind)"]
    for word in words {
      switch word {
      case "with", "finger", "fingers", "a", "of", "the", "from": continue
      case _ where Int(word) != nil: parts.append("fingers: \(word)")
      case _: parts.append("direction: \(word)")
      }
    }
    return "{\(parts.joined(separator: ", "))}"
  }

  fileprivate var words: String {
    var words = [kind.name]
    if let sense { words.append(sense.word) }
    if let edge { words.append("from the \(edge.name)") }
    if let count, count > 1 { words.append("\(count) times") }
    if let fingers {
      let most = fingers.count == 1 ? "" : " to \(fingers.upperBound)"
      words.append("with \(fingers.lowerBound)\(most) finger\(fingers == 1...1 ? "" : "s")")
    }
    if let modifiers, !modifiers.isEmpty {
      words.append("holding \(modifiers.names.joined(separator: "+"))")
    }
    return words.joined(separator: " ")
  }
}

// MARK: Conflicts

/// Other triggers: those of the user's own rules, and of other applications.
package struct OtherTriggers: Sendable {
  private let rules: [Rule]
  private let answers: ShortcutAnswers
  /// Why keys cannot be hidden from the focused window; `nil` if they can.
  let consuming: String?

  package init(
    rules: [Rule] = [], answers: ShortcutAnswers = ShortcutAnswers(), consuming: String? = nil
  ) {
    self.rules = rules
    self.answers = answers
    self.consuming = consuming
  }

  /// Whose triggers have the same keys or fingers.
  package func conflicts(
    with trigger: Rule.Trigger, of application: String, _ id: String
  ) -> [String] {
    var found: [String] = []
    for rule in rules where rule.trigger.conflicts(with: trigger) {
      let name = rule.name.map { "“\($0)”" } ?? "in \(rule.place)"
      switch trigger {
      case .gesture: found.append("your own rule \(name) acts on it too")
      case .hotkey:
        found.append("your own rule \(name) has these keys: only one of the two works")
      }
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
  fileprivate func conflicts(with other: Rule.Trigger) -> Bool {
    switch (self, other) {
    case (.hotkey(let one), .hotkey(let another)):
      // most layouts have a letter on the key that has it on QWERTY
      one.hotkey.spellings.contains { spelling in
        another.hotkey.spellings.contains { spelling.conflicts(with: $0) }
      }
    case (.gesture(let one), .gesture(let another)): one.conflicts(with: another)
    case (.hotkey, .gesture), (.gesture, .hotkey): false
    }
  }
}

extension Hotkey {
  /// This hotkey, and the same one with physical keys for letters and digits.
  fileprivate var spellings: [Hotkey] {
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
      && (sense == other.sense || isMet(by: other.sense) || other.isMet(by: sense)
        || other.sense == nil)
      && (count == nil || other.count == nil || count == other.count)
  }
}
