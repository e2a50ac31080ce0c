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

extension RequestedShortcut {
  /// What it is called for the user.
  package var name: String { description.isEmpty ? id : description }
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
  /// A gesture in a few words, such as `hold 3` or `swipe left with 4 fingers`.
  init?(words text: String) {
    var parts: [String] = []
    var kind: String?
    for word in text.lowercased().split(whereSeparator: { $0 == " " || $0 == "-" }) {
      switch word {
      case "with", "finger", "fingers", "a", "of", "the", "from": continue
      case _ where GestureKind.allCases.contains { $0.name == word }:
        guard kind == nil else { return nil }
        kind = String(word)
        parts.append("gesture: \(word)")
      case _ where Int(word) != nil: parts.append("fingers: \(word)")
      case "left", "right", "up", "down", "in", "out", "clockwise", "counterclockwise":
        parts.append("direction: \(word)")
      case _: return nil
      }
    }
    guard kind != nil,
      case .gesture(let condition)? = try? Rule.Trigger(text: "{\(parts.joined(separator: ", "))}")
    else { return nil }
    self = condition
  }

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
