package import GlissEvents

/// The applications that a rule applies to. All conditions that are set must hold.
///
/// Patterns may contain `*` for anything and `?` for one character; case is ignored. A rule with
/// such conditions does not apply while there is no such window.
package struct ApplicationMatch: Hashable, Sendable {
  /// One of these matches one of the application's names; empty for every application.
  package var only: [String]
  /// None of these matches any of its names.
  package var not: [String]
  /// One of these matches the window's title; empty for every title.
  package var titles: [String]
  /// Which window must match.
  package var window: FollowedWindow

  package init(
    only: [String] = [], not: [String] = [], titles: [String] = [],
    window: FollowedWindow = .focused
  ) {
    self.only = only
    self.not = not
    self.titles = titles
    self.window = window
  }

  /// Whether a window matches.
  ///
  /// - Parameter names: the names of its application, such as app id, class and instance.
  package func fits(names: [FoldedText], title: FoldedText) -> Bool {
    func fits(_ patterns: [String], _ texts: [FoldedText]) -> Bool {
      patterns.contains { pattern in texts.contains { $0.fits(pattern) } }
    }
    if !only.isEmpty, !fits(only, names) { return false }
    if fits(not, names) { return false }
    return titles.isEmpty || fits(titles, [title])
  }
}

/// A text without regard to case, to be compared with many patterns.
package struct FoldedText: Hashable, Sendable {
  private let text: [UInt8]

  package init(_ text: String) { self.text = Array(text.lowercased().utf8) }

  /// Whether it matches a pattern in which `*` stands for anything and `?` for one character.
  ///
  /// A title can be as long as a program likes, so bytes are compared.
  package func fits(_ pattern: String) -> Bool {
    let pattern = FoldedText(pattern).text
    var (p, t) = (0, 0)
    // the position of the last star, and the end of the text it covers so far
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == UInt8(ascii: "*") {
        star = (p, t)
        p += 1
      } else if p < pattern.count, let end = end(of: pattern[p], from: t) {
        p += 1
        t = end
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (p, t) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Where the match of one byte of a pattern ends: after that byte, or after a whole character.
  private func end(of sign: UInt8, from start: Int) -> Int? {
    guard sign == UInt8(ascii: "?") else { return sign == text[start] ? start + 1 : nil }
    let isWithin = { (index: Int) in text[index] & 0xc0 == 0x80 }
    if isWithin(start) { return nil }
    var end = start + 1
    while end < text.count, isWithin(end) { end += 1 }
    return end
  }
}
