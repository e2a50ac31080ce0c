import GlissEvents
import GlissGestures
import GlissHotkeys
import GlissYaml

extension Table {
  /// What to write for a key that other programs have, or that stands in the wrong place, if that is
  /// more than another name.
  ///
  /// - Parameter given: its value, if that is a scalar.
  func otherSpelling(
    _ word: String, _ given: String?, of node: YamlNode, _ reader: Reader
  ) -> String? {
    let own = fields.first { ["gesture", "hotkey", "match", "run"].contains($0.name) }?.name
    func has(_ key: String) -> Bool { reader.yaml.value(key, of: node) != nil }
    switch (own, word) {
    case ("gesture", "command"), ("hotkey", "command"), ("gesture", "exec"), ("hotkey", "exec"):
      return
        "a command is an action: write do: {\(given.map { CommandLine($0).entry } ?? "run: …")}"
    case ("gesture", "touchpad"), ("gesture", "touchscreen"):
      return "\(word) is a kind of device: write device: {kind: \(word)}"
    case ("gesture", "hotkey"), ("gesture", "key"):
      return "a rule with hotkey stands below hotkeys"
    case ("hotkey", "keys") where has("do") && !has("hotkey"):
      return "what is pressed is the hotkey: write hotkey: \(given ?? "…")"
    case ("hotkey", "tap"), ("hotkey", "repeat"):
      let hotkey = reader.yaml.value("hotkey", of: node).flatMap { reader.written($0) }
      let keys = [given, hotkey].lazy.compactMap(\.self).first {
        !$0.contains(":") && (try? Hotkey("\(word):\($0)")) != nil
      }
      return "\(word) is part of a hotkey: write hotkey: \(word):\(keys ?? "…")"
    case ("hotkey", "fingers"), ("hotkey", "direction"):
      return "\(word) is a key of a gesture: write the rule below gestures"
    case ("run", "type"), ("run", "text"):
      return "text cannot be typed; keys are pressed one after the other, as in keys: [h, i]"
    case ("match", "name"), ("match", "id"), ("match", "kind"):
      return "\(word) says which device it is: write match: {\(word): \"\(given ?? "…")\"}"
    case ("match", _) where GestureConfiguration().value(of: word) != nil:
      return "\(word) is a setting: write settings: {\(word): \(given ?? "…")}"
    case _: return nil
    }
  }
}
