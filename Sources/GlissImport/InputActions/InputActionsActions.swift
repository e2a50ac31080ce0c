import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// Converts what gestures of InputActions do.
extension InputActionsImporter {
  /// What a gesture does at each moment. Remarks on what has no equivalent.
  mutating func reactions(of gesture: YamlNode, _ type: String) -> Reactions {
    var reactions = Reactions()
    var held: [Chord] = []
    for node in document.items(of: document.value("actions", of: gesture)) {
      if document.value("conditions", of: node) != nil {
        lose(node, "conditions", "an action of its own has none; give the gesture its conditions")
        continue
      }
      let actions = actions(of: node, &held)
      guard !actions.isEmpty else { continue }
      let moment = word("on", of: node) ?? "end"
      let isMove = actions.contains { if case .move = $0.verb { true } else { false } }
      if isMove, moment != "update" || document.value("interval", of: node) != nil {
        lose(node, "move_by_delta", "the pointer moves only with on: update without an interval")
        continue
      }
      switch moment {
      case "begin": reactions.begin += actions
      case "end": reactions.end += actions
      case "cancel": reactions.cancel += actions
      case "end_cancel":
        reactions.end += actions
        reactions.cancel += actions
      case "update": update(actions, node, type, &reactions)
      case "tick":
        let period = word("interval", of: node).flatMap { Double($0) } ?? 100
        let range = Measure.period.range
        reactions.steps.append(
          Step(
            interval: .milliseconds(min(max(period, range.lowerBound), range.upperBound)),
            forward: actions, back: [], place: place(node)))
      case _: lose(node, "on: \(moment)", "Gliss has no such moment")
      }
    }
    if let all = Chord.joined(held) {
      reactions.hold = [all]
    } else if !held.isEmpty {
      lose(gesture, "input", "only one key or button can be held with modifiers")
    }
    return reactions
  }

  /// `interval` is as far as the gesture goes from one time to the next, with the sign of the way.
  private mutating func update(
    _ actions: [Action], _ node: YamlNode, _ type: String, _ reactions: inout Reactions
  ) {
    let written = word("interval", of: node) ?? "0"
    let isBack = written.first == "-"
    let number = abs(Double(written.filter { $0 != "+" }) ?? 0)
    guard number > 0 else {
      reactions.change += actions
      return
    }
    let (interval, measure): (Step.Interval, Measure) =
      switch type {
      case "pinch": (.percent((number * 1000).rounded() / 10), .percent)
      case "rotate": (.degrees(number), .turn)
      case _: (.millimetres((number * 0.254).rounded() / 10), .length)
      }
    let length =
      switch interval {
      case .percent(let length), .degrees(let length), .millimetres(let length),
        .milliseconds(let length):
        length
      }
    guard measure.range.contains(length) else {
      return lose(node, "interval \(written)", "it is too short or too long")
    }
    // an interval of each sign is one step with both ways
    if let last = reactions.steps.indices.last, reactions.steps[last].interval == interval {
      if isBack, reactions.steps[last].back.isEmpty { return reactions.steps[last].back = actions }
      if !isBack, reactions.steps[last].forward.isEmpty {
        return reactions.steps[last].forward = actions
      }
    }
    reactions.steps.append(
      Step(
        interval: interval, forward: isBack ? [] : actions, back: isBack ? actions : [],
        place: place(node)))
  }

  private mutating func actions(of node: YamlNode, _ held: inout [Chord]) -> [Action] {
    let place = place(node)
    if let command = word("command", of: node), !command.trimmed.isEmpty {
      return [Action(file.verb(of: command, at: place), place: place)]
    }
    if let shortcut = word("plasma_shortcut", of: node) {
      // KWin itself is asked for it, as InputActions does
      let parts = shortcut.split(separator: "," as Character, maxSplits: 1).map {
        String($0).trimmed
      }
      guard parts.count == 2 else { return [] }
      let path = "/component/" + String(parts[0].map { $0.isLetter || $0.isNumber ? $0 : "_" })
      return [
        Action(
          .run(
            Command(
              .arguments([
                "dbus-send", "--session", "--dest=org.kde.kglobalaccel", path,
                "org.kde.kglobalaccel.Component.invokeShortcut", "string:\(parts[1])",
              ]))), place: place)
      ]
    }
    guard let input = document.value("input", of: node) else {
      lose(node, "action", "only command, input and plasma_shortcut have an equivalent")
      return []
    }
    var actions: [Action] = []
    for part in document.isSequence(input) ? document.items(of: input) : [input] {
      for (device, list) in document.pairs(of: part) {
        let isMouse = document.text(device) == "mouse"
        for item in document.isSequence(list) ? document.items(of: list) : [list] {
          read(document.text(item) ?? "", isMouse, item, &actions, &held)
        }
      }
    }
    return actions
  }

  /// One thing that is done with the keyboard or the mouse.
  private mutating func read(
    _ text: String, _ isMouse: Bool, _ node: YamlNode, _ actions: inout [Action],
    _ held: inout [Chord]
  ) {
    let place = place(node)
    let sign = text.first.flatMap { "+-".contains($0) && text.count > 1 ? $0 : nil }
    let bare = sign == nil ? text : String(text.dropFirst())
    if isMouse, text == "move_by_delta" {
      return actions.append(Action(.move(1), place: place))
    }
    let words = bare.words
    if isMouse, words.first == "wheel", words.count == 3, let x = Double(words[1]),
      let y = Double(words[2])
    {
      let word =
        abs(x) > abs(y) ? (x > 0 ? "wheelright" : "wheelleft") : y > 0 ? "wheeldown" : "wheelup"
      return press([word], place, &actions, node)
    }
    let names =
      isMouse
      ? [InputActionsKeys.button(bare) ?? bare]
      : bare.split(separator: "+" as Character).map { String($0).trimmed }
    guard sign != nil else { return press(names, place, &actions, node) }
    guard let chord = InputActionsKeys.chord(names) else {
      return lose(node, text, "Gliss presses no such key")
    }
    // it comes up with the end, whatever presses it
    if sign == "+", !held.contains(chord) { held.append(chord) }
  }

  private mutating func press(
    _ names: [String], _ place: Place, _ actions: inout [Action], _ node: YamlNode
  ) {
    guard let chord = InputActionsKeys.chord(names), chord.obstacle == nil else {
      return lose(node, names.joined(separator: "+"), "Gliss presses no such key")
    }
    actions.append(Action(.keys([chord]), place: place))
  }
}

/// Names of keys and buttons: the kernel's, without `KEY_`.
enum InputActionsKeys {
  static func chord(_ names: [String]) -> Chord? {
    let keys = names.compactMap(KeyNames.kernel)
    return keys.count == names.count ? Chord(of: keys) : nil
  }

  static func button(_ name: String) -> String? {
    [
      "left": "button1", "middle": "button2", "right": "button3", "back": "button4",
      "extra1": "button4", "forward": "button5", "extra2": "button5",
    ][name.lowercased()]
  }
}
