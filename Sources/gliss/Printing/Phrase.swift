/// A few words about an event that shorten to fit: parts are dropped as a whole, so a number is
/// never cut.
struct Phrase {
  /// The order in which parts are dropped, first to last.
  enum Rank: Int, CaseIterable {
    /// The same in other words.
    case detail
    case speed
    case circumstance
    case length
    /// What happened.
    case essence
    /// That it had no effect.
    case outcome
  }

  private struct Part {
    /// The longest first.
    var forms: ArraySlice<String>
    var rank: Rank
    /// The separator before this part.
    var joint: String
  }

  private var parts: [Part] = []

  init() {}

  init(_ text: String) { add(text) }

  /// - Parameter short: Shorter ways to say the same.
  mutating func add(
    _ text: String, short: [String] = [], _ rank: Rank = .essence, joint: String = ", "
  ) {
    parts.append(Part(forms: ([text] + short)[...], rank: rank, joint: joint))
  }

  /// The full text.
  var whole: String { Self.joined(parts) }

  /// The text shortened to `width` columns.
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
