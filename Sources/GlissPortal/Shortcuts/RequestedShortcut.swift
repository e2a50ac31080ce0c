import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// A shortcut that an application asks for. Nothing of it is to be trusted.
package struct RequestedShortcut: Hashable, Sendable {
  /// The application's own name for it.
  package var id: String
  /// What it does, for the user.
  package var description: String
  /// The trigger that the application would like, in whatever form.
  package var preferred: String

  package init(id: String, description: String = "", preferred: String = "") {
    self.id = id
    self.description = Self.line(description, atMost: Self.longestDescription)
    self.preferred = Self.line(preferred, atMost: Self.longestDescription)
  }

  package static let longestID = 256
  package static let longestDescription = 120

  /// One line of visible text, for a dialog, a terminal or a file. An application cannot hide or
  /// reorder what stands beside its text.
  package static func line(_ text: String, atMost limit: Int) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      if line.unicodeScalars.count >= limit {
        line.unicodeScalars.append("…")
        break
      }
      line.unicodeScalars.append(YamlQuoting.standsAsItself(scalar) ? scalar : " ")
    }
    let words = line.split(separator: " ")
    return words.joined(separator: " ")
  }
}

extension [RequestedShortcut] {
  /// Without repetitions, the first of each id; `nil` if one cannot be taken. Chromium names the same
  /// id several times.
  package func checked(atMost limit: Int) -> [RequestedShortcut]? {
    guard count <= limit * 4 else { return nil }
    var known: Set<String> = []
    var kept: [RequestedShortcut] = []
    for shortcut in self {
      guard !shortcut.id.isEmpty, shortcut.id.utf8.count <= RequestedShortcut.longestID,
        shortcut.id.unicodeScalars.allSatisfy({ YamlQuoting.standsAsItself($0) })
      else { return nil }
      if known.insert(shortcut.id).inserted { kept.append(shortcut) }
    }
    return kept.count <= limit ? kept : nil
  }
}

/// What may be registered, and words for it.
extension Rule.Trigger {
  /// Why it may not be registered for an application; `nil` if it may.
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
    case .hotkey(let condition): HotkeyWords.words(for: "\(condition.hotkey)")
    case .gesture(let condition): condition.words
    }
  }
}

private enum HotkeyWords {
  static func words(for text: String) -> String {
    if text.hasPrefix("tap:") { return "tap " + part(text.dropFirst(4)) }
    return text.split(separator: " ").map { chord in
      chord == ";" ? "then" : chord.split(separator: "+").map(part).joined(separator: "+")
    }.joined(separator: " ")
  }

  private static func part(_ word: Substring) -> String {
    if word.first == "'", word.last == "'", word.count > 2 {
      return word.dropFirst().dropLast().uppercased()
    }
    guard let first = word.first else { return "" }
    return first.uppercased() + word.dropFirst()
  }
}

extension GestureCondition {
  fileprivate var words: String {
    var words = [kind.name]
    if let sense { words.append(sense.word) }
    if let edge { words.append("from the \(edge.name)") }
    if let count, count > 1 { words.append("\(count) times") }
    if let fingers {
      let range =
        fingers.count == 1
        ? "\(fingers.lowerBound)" : "\(fingers.lowerBound) to \(fingers.upperBound)"
      words.append("with \(range) finger\(fingers == 1...1 ? "" : "s")")
    }
    if let modifiers, !modifiers.isEmpty {
      words.append("holding \(modifiers.names.joined(separator: "+"))")
    }
    return words.joined(separator: " ")
  }
}
