import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// What a gesture asks for beside the fingers.
struct InputActionsConditions {
  var only: [String] = []
  var not: [String] = []
  var titles: [String] = []
  /// Which window they are about; `nil` until one says it.
  var window: MatchedWindow?
  var modifiers: Modifiers?
  var fingers: ClosedRange<Int>?

  var application: ApplicationMatch? {
    only.isEmpty && not.isEmpty && titles.isEmpty
      ? nil
      : ApplicationMatch(only: only, not: not, titles: titles, window: window ?? .focused)
  }

  /// Returns `false` if another condition is about the other window.
  mutating func look(at window: MatchedWindow) -> Bool {
    let isSame = self.window == nil || self.window == window
    self.window = window
    return isSame
  }

  /// Returns `false` for anything but the four modifiers.
  mutating func hold(_ names: [String]) -> Bool {
    let words = names.filter { !["none", "any", ""].contains($0) }
    if names.contains("any") { return true }
    let names = words.map { $0 == "meta" ? "super" : $0 }
    guard !names.isEmpty else {
      modifiers = []
      return true
    }
    modifiers = try? Modifiers(heldAs: names.joined(separator: "+"))
    return modifiers != nil
  }
}

extension InputActionsImporter {
  /// Reads conditions, all of which must hold. Returns `false` if one has no equivalent, which
  /// becomes a remark.
  mutating func read(
    _ node: YamlNode, into conditions: inout InputActionsConditions, of gesture: YamlNode
  ) -> Bool {
    if document.isSequence(node) {
      for item in document.items(of: node) where !read(item, into: &conditions, of: gesture) {
        return false
      }
      return true
    }
    if let all = document.value("all", of: node) {
      return read(all, into: &conditions, of: gesture)
    }
    if let any = document.value("any", of: node) {
      // alternatives of one kind are a list
      var sum = InputActionsConditions()
      for item in document.items(of: any) where !read(item, into: &sum, of: gesture) {
        return false
      }
      guard sum.not.isEmpty, sum.modifiers == nil, sum.fingers == nil,
        sum.only.isEmpty || sum.titles.isEmpty
      else {
        lose(gesture, "any", "only alternatives of one kind have an equivalent")
        return false
      }
      if let window = sum.window, !conditions.look(at: window) {
        lose(
          gesture, "any", "a rule looks at one window: the focused one or that under the pointer")
        return false
      }
      conditions.only += sum.only
      conditions.titles += sum.titles
      return true
    }
    let text =
      document.text(node)
      ?? document.pairs(of: node).first.map { key, value in
        // as before 0.6: window_class: firefox
        "$\(document.text(key) ?? "") == \(document.text(value) ?? "")"
      } ?? ""
    if read(text, into: &conditions) { return true }
    lose(gesture, text, "the condition has no equivalent, so the gesture is left out")
    return false
  }

  private func read(_ text: String, into conditions: inout InputActionsConditions) -> Bool {
    let isNegated = text.first == "!"
    let words = (isNegated ? String(text.dropFirst()) : text).words
    guard words.count >= 3, words[0].first == "$" else { return false }
    let unquoted = words.dropFirst(2).joined(separator: " ").filter { !"'\"[]".contains($0) }
    let values = unquoted.split { $0 == "," || $0 == "|" && words[1] == "matches" }
      .map { String($0).trimmed }
    let isNot = isNegated != (words[1] == "!=")
    let isPart = words[1] == "contains" || words[1] == "matches"
    guard ["==", "!=", "contains", "matches", "one_of"].contains(words[1]), !values.isEmpty,
      !values.contains(where: { $0.contains { "\\^$?*+(){}".contains($0) } })
    else { return false }
    let patterns = isPart ? values.map { "*\($0)*" } : values
    if words[0].hasPrefix("$window_"),
      !conditions.look(at: words[0].hasPrefix("$window_under_") ? .underPointer : .focused)
    {
      return false
    }
    switch words[0] {
    case "$window_class", "$window_under_class", "$window_resource_class", "$window_name":
      if isNot { conditions.not += patterns } else { conditions.only += patterns }
    case "$window_title" where !isNot, "$window_under_title" where !isNot:
      conditions.titles += patterns
    case "$keyboard_modifiers" where !isNot: return conditions.hold(values)
    case "$fingers" where !isNot:
      guard let number = Int(values[0]), words[1] == "==" else { return false }
      conditions.fingers = number...number
    case _: return false
    }
    return true
  }
}
