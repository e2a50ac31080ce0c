/// The applications that a rule applies to. All conditions that are set must hold.
///
/// Patterns may contain `*` for anything and `?` for one character; case is ignored. A rule with
/// such conditions does not apply while no window has the focus.
package struct ApplicationMatch: Hashable, Sendable {
  /// One of these matches one of the application's names; empty for every application.
  package var only: [String]
  /// None of these matches any of its names.
  package var not: [String]
  /// One of these matches the window's title; empty for every title.
  package var titles: [String]

  package init(only: [String] = [], not: [String] = [], titles: [String] = []) {
    self.only = only
    self.not = not
    self.titles = titles
  }

  /// Whether a window matches.
  ///
  /// - Parameter names: the names of its application, such as app id, class and instance.
  package func fits(names: [String], title: String) -> Bool {
    func fits(_ patterns: [String], _ texts: [String]) -> Bool {
      patterns.contains { pattern in texts.contains { Wildcard.fits(pattern, $0) } }
    }
    if !only.isEmpty, !fits(only, names) { return false }
    if fits(not, names) { return false }
    return titles.isEmpty || fits(titles, [title])
  }
}

/// Patterns in which `*` matches anything and `?` one character; case is ignored.
package enum Wildcard {
  package static func fits(_ pattern: String, _ text: String) -> Bool {
    fits(Array(pattern.lowercased()), Array(text.lowercased()))
  }

  private static func fits(_ pattern: [Character], _ text: [Character]) -> Bool {
    var (p, t) = (0, 0)
    // the position of the last star, and the end of the text it covers so far
    var star: (pattern: Int, text: Int)?
    while t < text.count {
      if p < pattern.count, pattern[p] == "*" {
        star = (p, t)
        p += 1
      } else if p < pattern.count, pattern[p] == "?" || pattern[p] == text[t] {
        p += 1
        t += 1
      } else if let last = star {
        star = (last.pattern, last.text + 1)
        (p, t) = (last.pattern + 1, last.text + 1)
      } else {
        return false
      }
    }
    return pattern[p...].allSatisfy { $0 == "*" }
  }
}
