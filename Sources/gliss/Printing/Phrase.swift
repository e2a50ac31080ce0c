/// A few words about an event that say less when there is less room: whole parts go, never half a number.
struct Phrase {
  /// What goes first when there is no room, and what stays longest.
  enum Rank: Int, CaseIterable {
    /// The same said another way.
    case detail
    case speed
    case circumstance
    case length
    /// What happened.
    case essence
    /// That it came to nothing.
    case outcome
  }

  private struct Part {
    /// The longest first.
    var forms: ArraySlice<String>
    var rank: Rank
    /// What stands between it and the part before.
    var joint: String
  }

  private var parts: [Part] = []

  init() {}

  init(_ text: String) { add(text) }

  /// - Parameter short: shorter ways to say the same.
  mutating func add(
    _ text: String, short: [String] = [], _ rank: Rank = .essence, joint: String = ", "
  ) {
    parts.append(Part(forms: ([text] + short)[...], rank: rank, joint: joint))
  }

  /// All of it.
  var whole: String { Self.joined(parts) }

  /// As much as `width` columns hold.
  func fitted(to width: Int) -> String {
    var parts = parts
    for rank in Rank.allCases {
      for index in parts.indices where parts[index].rank == rank {
        while !parts[index].forms.isEmpty {
          let text = Self.joined(parts)
          if Charset.current.width(of: text) <= width { return text }
          parts[index].forms.removeFirst()
        }
      }
    }
    return ""
  }

  private static func joined(_ parts: [Part]) -> String {
    var text = ""
    for part in parts {
      guard let form = part.forms.first else { continue }
      text += (text.isEmpty ? "" : part.joint) + form
    }
    return text
  }
}
