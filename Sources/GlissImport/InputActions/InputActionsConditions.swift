import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

struct InputActionsConditions: Hashable {
  private var match = ApplicationMatch()
  /// Which window the conditions are about; `nil` until one says so.
  private var window: FollowedWindow?
  private(set) var modifiers: Modifiers?
  private(set) var fingers: ClosedRange<Int>?
  /// Whether modifiers besides those named may be held.
  private(set) var allowsOtherModifiers = false

  var application: ApplicationMatch? { match == ApplicationMatch() ? nil : match }

  /// Requires that these modifiers are held, and no others unless they are allowed. Returns `false`
  /// if there is anything but the four modifiers, or if no keyboard can meet all conditions.
  mutating func hold(_ names: [String], allowingOthers allows: Bool = false) -> Bool {
    if names.contains("any") { return true }
    let words = names.filter { !["none", ""].contains($0) }.map { $0 == "meta" ? "super" : $0 }
    let held = words.isEmpty ? [] : try? Modifiers(heldAs: words.joined(separator: "+"))
    guard var held else { return false }
    if let modifiers {
      guard allows || modifiers.isSubset(of: held),
        allowsOtherModifiers || held.isSubset(of: modifiers)
      else { return false }
      held.formUnion(modifiers)
    }
    allowsOtherModifiers = allows && (modifiers == nil || allowsOtherModifiers)
    modifiers = held
    return true
  }

  /// Requires so many fingers. Returns `false` if another condition asks for others.
  mutating func count(_ range: ClosedRange<Int>) -> Bool {
    let both = (fingers ?? range).clamped(to: range)
    guard fingers?.overlaps(range) ?? true else { return false }
    fingers = both
    return true
  }

  /// Excludes the applications that match. Returns `false` if that cannot be said.
  mutating func exclude(_ application: ApplicationMatch) -> Bool {
    guard !application.only.isEmpty, application.not.isEmpty, application.titles.isEmpty,
      match.only.isEmpty,
      look(at: application.window)
    else { return false }
    match.not += application.only.filter { !match.not.contains($0) }
    return true
  }

  /// Adds conditions, all of which must hold. Returns one that has no equivalent.
  mutating func add(_ node: YamlNode, in document: YamlDocument) -> String? {
    if let all = document.value("all", of: node) { return add(all, in: document) }
    if document.isSequence(node) {
      for item in document.items(of: node) {
        if let lost = add(item, in: document) { return lost }
      }
      return nil
    }
    if let any = document.value("any", of: node) {
      // alternatives of one kind become a list
      var sum = ApplicationMatch()
      for item in document.items(of: any) {
        var one = InputActionsConditions()
        if let lost = one.add(item, in: document) { return lost }
        guard one.match.not.isEmpty, one.modifiers == nil, one.fingers == nil,
          one.match.only.isEmpty != one.match.titles.isEmpty,
          sum.only.isEmpty || one.match.titles.isEmpty,
          sum.titles.isEmpty || one.match.only.isEmpty,
          one.window.map({ look(at: $0) }) ?? true
        else { return "any" }
        sum.only += one.match.only
        sum.titles += one.match.titles
      }
      return restrict(\.only, sum.only) && restrict(\.titles, sum.titles) ? nil : "any"
    }
    if let none = document.value("none", of: node) {
      for item in document.items(of: none) {
        var one = InputActionsConditions()
        if let lost = one.add(item, in: document) { return lost }
        guard one.modifiers == nil, one.fingers == nil, exclude(one.match) else { return "none" }
      }
      return nil
    }
    // until 0.6: window_class: firefox
    let old = document.pairs(of: node).map { key, value in
      "$\(document.text(key) ?? "") == \(document.text(value) ?? "")"
    }
    if document.value("negate", of: node) != nil { return "negate" }
    if old.contains(where: { $0.contains { "|^*\\".contains($0) } }) {
      let patterns = old.map { $0.replacing(" == ", with: " matches ") }
      return patterns.first { !add($0) }
    }
    let lost = (document.text(node).map { [$0] } ?? old).first { !add($0) }
    // YAML takes an unquoted ! for a tag
    return lost == "" ? "conditions" : lost
  }

  /// Narrows the list to values that it has in common with these. Returns `false` if that is
  /// unclear, or nothing is left.
  private mutating func restrict(
    _ list: WritableKeyPath<ApplicationMatch, [String]>, _ values: [String]
  ) -> Bool {
    let before = match[keyPath: list]
    if before.isEmpty || values.isEmpty {
      match[keyPath: list] = before + values
      return true
    }
    let common = before.filter(values.contains)
    match[keyPath: list] = common
    return !common.isEmpty && !(before + values).contains { $0.contains("*") }
  }

  /// Returns `false` if another condition is about the other window.
  private mutating func look(at window: FollowedWindow) -> Bool {
    guard self.window == nil || self.window == window else { return false }
    (self.window, match.window) = (window, window)
    return true
  }

  private mutating func add(_ text: String) -> Bool {
    let isNegated = text.first == "!"
    let words = (isNegated ? String(text.dropFirst()) : text).words
    guard words.count >= 3 else { return false }
    if words[0] == "$fingers", !isNegated {
      return count(words[1], words.dropFirst(2).joined())
    }
    guard ["==", "!=", "contains", "matches", "one_of"].contains(words[1]) else { return false }
    let isPattern = words[1] == "matches"
    let text = words.dropFirst(2).joined(separator: " ")
    let isList = text.first == "[" && text.last == "]"
    let values =
      isPattern
      ? text.withoutQuotes.alternatives
      : isList
        ? String(text.dropFirst().dropLast()).items : [text.withoutQuotes]
    let plain = isPattern ? values.map(\.withoutAnchors) : values
    guard !values.isEmpty,
      !plain.contains(where: { $0.contains { "\\^$?*+(){}[]".contains($0) } })
    else { return false }
    let isNot = isNegated != (words[1] == "!=")
    let name = words[0].replacing("$window_under_pointer_", with: "$window_under_")
    let patterns =
      isPattern
      ? values.map(\.withStars) : words[1] == "contains" ? values.map { "*\($0)*" } : values
    if name.hasPrefix("$window_"),
      !look(at: name.hasPrefix("$window_under_") ? .underPointer : .focused)
    {
      return false
    }
    switch name {
    case "$window_class", "$window_under_class", "$window_resource_class", "$window_name":
      if !isNot { return restrict(\.only, patterns) }
      match.not += patterns
    case "$window_title" where !isNot, "$window_under_title" where !isNot:
      return restrict(\.titles, patterns)
    case "$keyboard_modifiers" where !isNot && (words[1] == "==" || words[1] == "contains"):
      return hold(values, allowingOthers: words[1] == "contains")
    case _: return false
    }
    return true
  }

  /// How many fingers there are. Returns `false` for what is not a range.
  private mutating func count(_ comparison: String, _ value: String) -> Bool {
    let ends = value.split(separator: ";" as Character).compactMap { Int($0) }
    guard let low = ends.first, let high = ends.last, low <= high else { return false }
    switch (comparison, ends.count) {
    case ("==", 1), ("between", 2): return count(low...high)
    case (">=", 1): return count(low...max(low, 5))
    case _: return false
    }
  }
}

extension String {
  fileprivate var withoutQuotes: String {
    guard count > 1, let first, first == last, first == "'" || first == "\"" else { return self }
    return String(dropFirst().dropLast())
  }

  /// The items of a list between commas. Commas within quotes belong to their item.
  fileprivate var items: [String] {
    var (quote, isAtStart): (Character?, Bool) = (nil, true)
    return split {
      if isAtStart, $0 == "'" || $0 == "\"" { quote = $0 } else if $0 == quote { quote = nil }
      let ends = quote == nil && $0 == ","
      if !$0.isWhitespace || ends { isAtStart = ends }
      return ends
    }.map { String($0).trimmed.withoutQuotes }
  }

  /// The expressions of `a|b` or `^(a|b)$`.
  fileprivate var alternatives: [String] {
    let inner = withoutAnchors
    guard inner.first == "(", inner.last == ")" else {
      return split(separator: "|" as Character).map { String($0).trimmed }
    }
    return inner.dropFirst().dropLast().split(separator: "|" as Character).map {
      (first == "^" ? "^" : "") + $0 + (last == "$" ? "$" : "")
    }
  }

  /// The text of a regular expression without `^` at its beginning and `$` at its end.
  fileprivate var withoutAnchors: String {
    String(dropFirst(first == "^" ? 1 : 0).dropLast(last == "$" ? 1 : 0))
  }

  /// The same as a pattern with stars, for a regular expression that has nothing else.
  fileprivate var withStars: String {
    (first == "^" ? "" : "*") + withoutAnchors + (last == "$" ? "" : "*")
  }
}
