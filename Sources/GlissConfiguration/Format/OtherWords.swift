import GlissEvents
import GlissGestures
import GlissHotkeys
import GlissYaml

/// What other programs, and people, call what a file can contain: for advice in messages.
enum OtherWords {
  /// By a word of the file: other names for it, in lower-case letters only.
  private static let names: KeyValuePairs = [
    "out": ["apart", "outward", "outwards"], "in": ["together", "inward", "inwards"],
    "clockwise": ["cw"], "counterclockwise": ["ccw", "anticlockwise"],
    "run": ["exec", "command", "launch", "spawn", "start", "open", "program"],
    "do": ["action", "actions"], "hotkey": ["key", "bind", "press"],
    "travel": ["distance", "threshold"], "rotate": ["rotation"], "drag": ["scroll"],
    "hold": ["longpress"], "previous": ["prev"], "gesture": ["type"],
    "steps": ["interval"], "every": ["interval"], "begin": ["start", "onbegin"],
    "end": ["onend"], "change": ["update"], "pinch": ["zoom"], "workspace": ["desktop"],
    "application": ["class", "when", "app", "appid", "windowclass", "program", "focus"],
    "only": ["class", "name"], "modifiers": ["mods", "mod"], "vertical": ["updown"],
    "horizontal": ["leftright"], "name": ["description"], "time": ["timeout"],
    "environment": ["env"], "directory": ["cwd"], "forward": ["forwards", "out"],
    "back": ["backward", "backwards", "in"], "count": ["taps"],
  ]

  /// Units that people write, and what each is in a unit of ours.
  private static let units: [(words: [String], factor: Double, unit: String)] = [
    (["cm"], 10, "mm"), (["m"], 1000, "mm"), (["in", "inch", "inches"], 25.4, "mm"),
    (["cm/s"], 10, "mm/s"), (["m/s"], 1000, "mm/s"),
    (["rad"], 180 / Double.pi, "deg"), (["deg", "degree", "degrees"], 1, "deg"),
    (["deg", "degree", "degrees"], 1, "°"), (["msec", "millisecond", "milliseconds"], 1, "ms"),
    (["sec", "second", "seconds"], 1, "s"), (["m", "minute", "minutes"], 1, "min"),
    (["hour", "hours"], 1, "h"), (["s", "sec", "second", "seconds"], 1000, "ms"),
    (["min", "minute", "minutes"], 60, "s"), (["min", "minute", "minutes"], 60_000, "ms"),
    (["h", "hour", "hours"], 60, "min"), (["percent"], 1, "%"),
  ]

  /// Suggests up to three of `words`, as the end of a sentence.
  static func advice(for word: String, among words: [String]) -> String {
    let letters = word.lowercased().filter(\.isLetter)
    let known = names.first { $0.value.contains(letters) && words.contains($0.key) }?.key
    // leftUp is upLeft
    let turned = words.first { name in
      let half = name.prefix { $0.isLowercase }
      return !letters.isEmpty && (name.dropFirst(half.count) + half).lowercased() == letters
    }
    if let name = known ?? turned { return "; did you mean \(name)?" }
    let parts = word.split { " -_".contains($0) }.map(String.init)
    let kind = GestureKind.allCases.first { $0.name == parts.first && words.contains($0.name) }
    if let kind, parts.count == 2, kind.senses.contains(where: { $0.word == parts[1] }) {
      return "; write gesture: \(parts[0]) and direction: \(parts[1])"
    }
    let similar = Spelling.nearest(to: word, among: words)
    return similar.isEmpty ? "" : "; did you mean \(similar.joined(separator: " or "))?"
  }

  /// A number or bounds in a unit that is not ours, in one of `ours`; `nil` if that is unknown.
  static func converted(
    _ numbers: some StringProtocol, _ unit: some StringProtocol, to ours: [String]
  ) -> String? {
    let word = unit.lowercased()
    let other = units.first { $0.words.contains(word) && ours.contains($0.unit) }
    let (factor, name) =
      ours.contains(word) ? (1, word) : other.map { ($0.factor, $0.unit) } ?? (0, "")
    let ends = Dots.split(numbers)
    let all = [ends.low] + (ends.high.map { [$0] } ?? [])
    let values = all.map { end in
      if end.isEmpty { return "" }
      let number = end.allSatisfy { Measure.isDigit($0) || $0 == "." } ? Double(end) : nil
      return number.map { ($0 * factor).trimmed(3) } ?? "?"
    }
    return name.isEmpty || values.contains("?")
      ? nil : "\(values.joined(separator: "..")) \(name)"
  }
}

extension Table {
  private var own: String? {
    fields.first { ["gesture", "hotkey", "match", "run"].contains($0.name) }?.name
  }

  /// The key that shows that a rule is in the wrong list, and what to do about it.
  func misplaced(
    _ pairs: [(key: YamlNode, value: YamlNode)], _ reader: Reader
  ) -> (YamlNode, String)? {
    guard let own, own == "gesture" || own == "hotkey" else { return nil }
    let keys = pairs.map { ($0.key, reader.yaml.text($0.key) ?? "") }
    guard !keys.contains(where: { $0.1 == own }) else { return nil }
    for (node, word) in keys {
      switch (own, word) {
      case ("gesture", "hotkey"): return (node, belowHotkeys)
      case ("hotkey", "gesture"): return (node, "a rule with gesture stands below gestures")
      // tap: super may stand for hotkey: tap:super
      case ("hotkey", let kind)
      where kind != "tap" && GestureKind.allCases.contains { $0.name == kind }:
        return (node, belowGestures(kind))
      case _: continue
      }
    }
    return nil
  }

  private var belowHotkeys: String { "a rule with hotkey stands below hotkeys" }

  private func belowGestures(_ kind: String) -> String {
    "\(kind) is a gesture: write the rule below gestures, with gesture: \(kind)"
  }

  /// What to write for a key that other programs have, or that stands in the wrong place, if that is
  /// more than another name.
  ///
  /// - Parameter given: its value, if that is a scalar.
  func otherSpelling(
    _ word: String, _ given: String?, of node: YamlNode, _ reader: Reader
  ) -> String? {
    func has(_ key: String) -> Bool { reader.yaml.value(key, of: node) != nil }
    let quoted = given.map(YamlQuoting.item)
    switch (own, word) {
    case _
    where names.contains("do") && ["command", "exec", "launch", "spawn", "open"].contains(word):
      return
        "a command is an action: write do: {\(given.map { CommandLine($0).entry } ?? "run: …")}"
    case ("gesture", "touchpad"), ("gesture", "touchscreen"):
      return "\(word) is a kind of device: write device: {kind: \(word)}"
    case ("gesture", "hotkey"), ("gesture", "key"):
      return belowHotkeys
    case (nil, let kind)
    where names.contains("gestures") && GestureKind.allCases.contains { $0.name == kind }:
      return belowGestures(kind)
    case (_, "window")
    where names.contains("application")
      && OtherWords.advice(for: given ?? "", among: WindowAction.allCases.map(\.rawValue)).isEmpty:
      return "a window is chosen by application: write application: \(quoted ?? "…")"
    case _ where names.contains("application") && ["only", "not", "title"].contains(word):
      return "\(word) belongs to application: write application: {\(word): \(quoted ?? "…")}"
    case ("hotkey", "keys") where !has("hotkey"):
      return "what is pressed is the hotkey: write hotkey: \(given ?? "…")"
    // a word of letters only may be a key that was meant as something else, such as open
    case ("hotkey", _)
    where !has("hotkey") && !word.allSatisfy(\.isLetter) && (try? Hotkey(word)) != nil:
      return "\(word) is a chord: write hotkey: \(word), and do: beside it"
    case ("hotkey", "tap"), ("hotkey", "repeat"):
      let hotkey = reader.yaml.value("hotkey", of: node).flatMap { reader.written($0) }
      let keys = [given, hotkey].lazy.compactMap(\.self).first {
        !$0.contains(":") && (try? Hotkey("\(word):\($0)")) != nil
      }
      return "\(word) is part of a hotkey: write hotkey: \(word):\(keys ?? "…")"
    case ("hotkey", "mods"), ("hotkey", "mod"), ("hotkey", "modifiers"):
      return "modifiers are part of a hotkey, as in hotkey: super+e"
    case ("hotkey", "fingers"), ("hotkey", "direction"):
      return "\(word) is a key of a gesture: write the rule below gestures"
    case ("run", "type"), ("run", "text"):
      return "text cannot be typed; keys are pressed one after the other, as in keys: [h, i]"
    case ("run", "zoom"), ("run", "scroll"):
      let notch = ["out", "down"].contains(given) ? "wheeldown" : "wheelup"
      let keys = word == "zoom" ? "ctrl+\(notch)" : notch
      return "the wheel is pressed like a key: write keys: \(keys)"
    case ("match", "name"), ("match", "id"), ("match", "kind"):
      return "\(word) says which device it is: write match: {\(word): \"\(given ?? "…")\"}"
    case ("match", _) where GestureConfiguration().value(of: word) != nil:
      return "\(word) is a setting: write settings: {\(word): \(given ?? "…")}"
    case _: return nil
    }
  }
}
