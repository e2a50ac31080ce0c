import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// A gesture's conditions, apart from its fingers.
struct InputActionsConditions {
  private var match = ApplicationMatch()
  /// Which window the conditions are about; `nil` until one says so.
  private var window: MatchedWindow?
  private(set) var modifiers: Modifiers?
  private(set) var fingers: ClosedRange<Int>?

  var application: ApplicationMatch? { match == ApplicationMatch() ? nil : match }

  /// Returns `false` if there is anything but the four modifiers.
  mutating func hold(_ names: [String]) -> Bool {
    if names.contains("any") { return true }
    let words = names.filter { !["none", ""].contains($0) }.map { $0 == "meta" ? "super" : $0 }
    modifiers = words.isEmpty ? [] : try? Modifiers(heldAs: words.joined(separator: "+"))
    return modifiers != nil
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
      var sum = InputActionsConditions()
      for item in document.items(of: any) {
        if let lost = sum.add(item, in: document) { return lost }
      }
      // alternatives of one kind become a list
      let isOneKind =
        sum.match.not.isEmpty && sum.modifiers == nil && sum.fingers == nil
        && (sum.match.only.isEmpty || sum.match.titles.isEmpty)
      guard isOneKind, sum.window.map({ look(at: $0) }) ?? true else { return "any" }
      match.only += sum.match.only
      match.titles += sum.match.titles
      return nil
    }
    // until 0.6: window_class: firefox
    let old = document.pairs(of: node).first.map { key, value in
      "$\(document.text(key) ?? "") == \(document.text(value) ?? "")"
    }
    let text = document.text(node) ?? old ?? ""
    return add(text) ? nil : text
  }

  /// Returns `false` if another condition is about the other window.
  private mutating func look(at window: MatchedWindow) -> Bool {
    defer { (self.window, match.window) = (window, window) }
    return self.window == nil || self.window == window
  }

  private mutating func add(_ text: String) -> Bool {
    let isNegated = text.first == "!"
    let words = (isNegated ? String(text.dropFirst()) : text).words
    guard words.count >= 3, ["==", "!=", "contains", "matches", "one_of"].contains(words[1]) else {
      return false
    }
    let values = words.dropFirst(2).joined(separator: " ").filter { !"'\"[]".contains($0) }
      .split { $0 == "," || $0 == "|" && words[1] == "matches" }.map { String($0).trimmed }
    guard !values.isEmpty, !values.contains(where: { $0.contains { "\\^$?*+(){}".contains($0) } })
    else { return false }
    let isNot = isNegated != (words[1] == "!=")
    let isPart = words[1] == "contains" || words[1] == "matches"
    let patterns = isPart ? values.map { "*\($0)*" } : values
    if words[0].hasPrefix("$window_"),
      !look(at: words[0].hasPrefix("$window_under_") ? .underPointer : .focused)
    {
      return false
    }
    switch words[0] {
    case "$window_class", "$window_under_class", "$window_resource_class", "$window_name":
      if isNot { match.not += patterns } else { match.only += patterns }
    case "$window_title" where !isNot, "$window_under_title" where !isNot: match.titles += patterns
    case "$keyboard_modifiers" where !isNot: return hold(values)
    case "$fingers" where !isNot:
      guard let number = Int(values[0]), words[1] == "==" else { return false }
      fingers = number...number
    case _: return false
    }
    return true
  }
}
