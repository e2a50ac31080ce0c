import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

extension InputActionsImporter {
  /// Actions of a gesture that become one rule: they have the same conditions and threshold.
  struct Part {
    var scope: Scope
    /// How far the gesture has to go, from one number to the other.
    var threshold: [Double]
    /// The direction, if each direction of the gesture has a rule of its own.
    var sense: GestureCondition.Sense?
    var actions: [YamlNode] = []
  }

  /// None for 0, which every motion reaches.
  private func threshold(of node: YamlNode) -> [Double] {
    let numbers = numbers("threshold", of: node)
    return numbers.contains { $0 > 0 } ? numbers : []
  }

  mutating func parts(of gesture: YamlNode, _ scope: Scope) -> [Part] {
    let whole = Part(scope: scope, threshold: threshold(of: gesture))
    var parts: [Part] = []
    // the index of each part
    var known: [InputActionsConditions: [[Double]: Int]] = [:]
    for node in document.items(of: value("actions", of: gesture)) {
      noteIgnoredKeys(of: node)
      var part = whole
      if let (key, conditions) = conditions(of: node),
        let text = part.scope.conditions.add(conditions, in: document)
      {
        lose(key, text, "the condition has no equivalent, so the action is left out")
        continue
      }
      let own = threshold(of: node)
      // a wheel's notches have no length
      if let low = own.first, word("type", of: gesture) != "wheel" {
        part.threshold = [max(low, whole.threshold.first ?? 0)]
        if let high = [own, whole.threshold].filter({ $0.count > 1 }).map({ $0[1] }).min() {
          part.threshold.append(high)
        }
      }
      let same = known[part.scope.conditions]?[part.threshold]
      if same == nil {
        known[part.scope.conditions, default: [:]][part.threshold] = parts.count
        parts.append(part)
      }
      parts[same ?? parts.count - 1].actions.append(node)
    }
    return parts
  }

  /// The part, or one for each direction of a pinch in any direction with a threshold: a bound of
  /// the scale is met in one direction only.
  func ways(
    of part: Part, _ reactions: Reactions, _ gesture: YamlNode, _ type: String
  ) -> [(Part, Reactions)] {
    guard type == "pinch", !part.threshold.isEmpty,
      word("direction", of: gesture) ?? "any" == "any"
    else { return [(part, reactions)] }
    var (outward, inward, turned) = (part, part, reactions)
    (outward.sense, inward.sense) = (.outward, .inward)
    turned.steps = reactions.steps.map(\.turned)
    return [(outward, reactions), (inward, turned)]
  }

  private mutating func noteIgnoredKeys(of action: YamlNode) {
    let isRepeated = ["update", "tick"].contains(word("on", of: action))
    for (key, value) in document.pairs(of: action) {
      let name = document.text(key) ?? ""
      if name == "limit" {
        // other actions are done once anyway
        guard isRepeated, document.text(value) != "0" else { continue }
        file.lose(name, "the action is done as often as the fingers move on", at: place(key))
      } else if !Self.known.contains(name) {
        file.lose(name, "it is ignored", at: place(key))
      }
    }
  }

  /// The keys of an action that are read, or that change nothing here.
  private static let known: Set<String> = [
    "on", "interval", "limit", "conditions", "threshold", "id", "conflicting",
    // what it does
    "command", "input", "plasma_shortcut", "one", "sleep", "replace_text", "activate_window",
    "function",
  ]

  /// What happens at each moment. Remarks on actions without an equivalent.
  mutating func reactions(of part: Part, _ gesture: YamlNode, _ type: String) -> Reactions {
    var reactions = Reactions()
    var held: [Chord] = []
    for node in part.actions {
      let actions = actions(of: node, &held)
      guard !actions.isEmpty else { continue }
      let moment = word("on", of: node) ?? "end"
      let interval = word("interval", of: node)
      let isHotkey = part.scope.device == .mouse || part.scope.device == .keyboard
      if actions.contains(where: { $0.verb == .move(1) }),
        moment != "update" || interval != nil || isHotkey || type == "press" || type == "hold"
      {
        lose(
          node, "move_by_delta",
          "the pointer moves only with on: update of a touchpad's gesture, without an interval")
        continue
      }
      switch moment {
      case "begin": reactions.begin += actions
      case "end": reactions.end += actions
      case "cancel": reactions.cancel += actions
      case "end_cancel":
        reactions.end += actions
        reactions.cancel += actions
      case "update": update(actions, interval ?? "0", node, isHotkey ? "hotkey" : type, &reactions)
      case "tick": update(actions, interval ?? "0", node, "press", &reactions)
      case _: lose(node, "on: \(moment)", "Gliss has no such moment")
      }
    }
    if type == "rotate", word("direction", of: gesture) ?? "any" == "any" {
      // InputActions counts clockwise as positive, Gliss counterclockwise
      reactions.steps = reactions.steps.map(\.turned)
    }
    if let all = Chord.joined(held) {
      reactions.hold = [all]
    } else if !held.isEmpty {
      lose(gesture, "input", "only one key or button can be held with modifiers")
    }
    return reactions
  }

  /// `interval` is the distance from one time to the next; its sign is the direction. A sign alone
  /// means every event in that direction, which fast fingers report about every millimetre.
  private mutating func update(
    _ actions: [Action], _ interval: String, _ node: YamlNode, _ type: String,
    _ reactions: inout Reactions
  ) {
    let isSign = interval == "+" || interval == "-"
    let number = abs(Double(interval.filter { $0 != "+" }) ?? 0)
    let isTime = type == "press" || type == "hold"
    if isTime, interval.first == "-" {
      return lose(node, "interval", "a press repeats by time, so the interval cannot be negative")
    }
    guard isSign || isTime || number > 0 else {
      reactions.change += actions
      return
    }
    let (length, measure, unit): (Double, Measure, Step.Interval.Unit) =
      switch type {
      case "pinch": (number * 100, .percent, .percent)
      case "rotate": (number, .turn, .degrees)
      case "press", "hold": (Measure.period.range.nearest(to: number), .period, .milliseconds)
      // of a wheel or a key only the direction counts
      case "hotkey": (1, .length, .millimetres)
      case _: (number * 0.0254, .length, .millimetres)
      }
    let step = isSign && !isTime ? 1 : (length * 10).rounded() / 10
    guard measure.range.contains(step) else {
      return lose(node, "interval \(interval)", "it is too short or too long")
    }
    let way: WritableKeyPath<Step, [Action]> = interval.first == "-" ? \.back : \.forward
    // equal intervals with opposite signs become one step with both directions
    let last = reactions.steps.last
    let every = Step.Interval(step, unit)
    if last?.interval != every || last?[keyPath: way].isEmpty == false {
      reactions.steps.append(Step(interval: every, forward: [], back: [], place: place(node)))
    }
    reactions.steps[reactions.steps.count - 1][keyPath: way] = actions
  }

  /// The actions of a node. Adds the keys that it holds to `held`.
  private mutating func actions(of node: YamlNode, _ held: inout [Chord]) -> [Action] {
    let place = place(node)
    if let command = word("command", of: node), !command.trimmed.isEmpty {
      if let name = Self.variable(in: command) {
        lose(node, "$\(name)", "InputActions' variables are empty here; GLISS_… has the gesture's")
      }
      return [Action(file.verb(of: command, at: place), place: place)]
    }
    if let shortcut = word("plasma_shortcut", of: node) {
      // ask KWin itself, as InputActions does
      let parts = shortcut.split(separator: "," as Character, maxSplits: 1).map {
        String($0).trimmed
      }
      guard parts.count == 2 else {
        lose(node, "plasma_shortcut", "a component and a shortcut were expected")
        return []
      }
      let path = "/component/" + String(parts[0].map { $0.isLetter || $0.isNumber ? $0 : "_" })
      let call = [
        "dbus-send", "--session", "--dest=org.kde.kglobalaccel", path,
        "org.kde.kglobalaccel.Component.invokeShortcut", "string:\(parts[1])",
      ]
      return [Action(.run(Command(.arguments(call))), place: place)]
    }
    guard let input = document.value("input", of: node) else {
      lose(node, "action", "only command, input and plasma_shortcut have an equivalent")
      return []
    }
    var actions: [Action] = []
    var inputs = Inputs()
    let all = list(input).flatMap(document.pairs).flatMap { device, list in
      self.list(list).map { (item: $0, isMouse: document.text(device) == "mouse") }
    }
    for (item, isMouse) in all {
      guard let text = document.text(item), text.first == "-" else { continue }
      let name = String(text.dropFirst())
      inputs.released.append(isMouse ? Self.button(name) : name)
    }
    for (item, isMouse) in all { actions += self.input(item, isMouse, &inputs, &held) }
    return actions
  }

  private static func variable(in command: String) -> Substring? {
    let starts = ["finger_", "last_trigger_", "pointer_", "thumb_", "window_"]
    let names = ["cursor_shape", "device_name", "fingers", "keyboard_modifiers", "screen_name"]
    return command.split(separator: "$" as Character, omittingEmptySubsequences: false).dropFirst()
      .lazy.map { text in
        text.drop { $0 == "{" }.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
      }
      .first { name in
        names.contains { $0 == name } || starts.contains { name.hasPrefix($0) }
      }
  }

  private struct Inputs {
    /// The keys and buttons that are down and come up in the list, and whether another was pressed
    /// meanwhile.
    var down: [(name: String, isUsed: Bool)] = []
    /// What comes up in the rest of the list.
    var released: [String] = []
  }

  func list(_ node: YamlNode) -> [YamlNode] {
    document.isSequence(node) ? document.items(of: node) : [node]
  }

  /// What the keyboard or mouse does. A key that goes down and up in one list is pressed, with those
  /// that are down then. One that stays down comes up at the end, whatever releases it.
  private mutating func input(
    _ node: YamlNode, _ isMouse: Bool, _ inputs: inout Inputs, _ held: inout [Chord]
  ) -> [Action] {
    guard let text = document.text(node) else {
      let name = document.pairs(of: node).first.flatMap { document.text($0.key) } ?? "input"
      lose(node, name, name == "text" ? "Gliss does not type text" : "it has no equivalent")
      return []
    }
    if isMouse, text == "move_by_delta" { return [Action(.move(1), place: place(node))] }
    let isHeld = text.count > 1 && text.first == "+"
    let isReleased = text.count > 1 && text.first == "-"
    let bare = isHeld || isReleased ? String(text.dropFirst()) : text
    var names =
      isMouse ? [Self.button(bare)] : bare.split(separator: "+" as Character).map(String.init)
    guard let chord = Self.chord(names), chord.obstacle == nil,
      !(isHeld || isReleased) || !chord.isNotch
    else {
      lose(node, text, "Gliss presses no such key")
      return []
    }
    if isHeld {
      if inputs.released.contains(names[0]) {
        inputs.down.append((names[0], false))
      } else if !held.contains(chord) {
        held.append(chord)
      }
      return []
    }
    if isReleased {
      inputs.released.firstIndex(of: names[0]).map { _ = inputs.released.remove(at: $0) }
      guard let last = inputs.down.lastIndex(where: { $0.name == names[0] }) else { return [] }
      if inputs.down.remove(at: last).isUsed { return [] }
    }
    names = inputs.down.map(\.name) + names
    for index in inputs.down.indices { inputs.down[index].isUsed = true }
    guard let pressed = Self.chord(names), pressed.obstacle == nil else {
      lose(node, text, "Gliss presses no such key with those that are down")
      return []
    }
    return [Action(.keys([pressed]), place: place(node))]
  }

  static func chord(_ names: [String]) -> Chord? {
    let keys = names.compactMap { name in
      // the side buttons and any further ones, from extra1 on
      let number = name.hasPrefix("extra") ? UInt16(name.dropFirst(5)) : nil
      return number.flatMap { 1...13 ~= $0 ? .key(Key(rawValue: 0x112 + $0)) : nil }
        ?? KeyNames.kernel(name)
    }
    return keys.count == names.count ? Chord(of: keys) : nil
  }

  /// Our name for a mouse button, or for a turn of the wheel such as `wheel 0 10`.
  static func button(_ text: String) -> String {
    let words = text.words
    if words.count == 3, words[0] == "wheel", let x = Double(words[1]), let y = Double(words[2]) {
      if abs(x) > abs(y) { return x > 0 ? "wheelright" : "wheelleft" }
      return y > 0 ? "wheeldown" : "wheelup"
    }
    return [
      "left": "button1", "middle": "button2", "right": "button3", "back": "button4",
      "forward": "button5", "task": "button6", "side": "button7", "extra": "button8",
    ][text.lowercased()] ?? text.lowercased()
  }
}

extension InputActionsImporter {
  mutating func readHotkey(
    _ gesture: YamlNode, _ type: String, _ reactions: Reactions, _ part: Part
  ) {
    let scope = part.scope
    let isMouse = scope.device == .mouse
    let list = isMouse ? "mouse_buttons" : "shortcut"
    let names = document.items(of: value(list, of: gesture)).compactMap { document.text($0) }
    let isWheel = isMouse && type == "wheel"
    if isWheel, !names.isEmpty {
      return lose(gesture, "mouse_buttons", "a wheel with a held button has no equivalent")
    }
    guard isWheel || type == (isMouse ? "press" : "shortcut") else {
      return lose(
        gesture, "type \(type)", "Gliss has no such gesture of a \(scope.device.rawValue)")
    }
    if isWheel {
      if !part.threshold.isEmpty { lose(gesture, "threshold", "a hotkey acts at once") }
      return readWheel(gesture, reactions, scope)
    }
    if names.isEmpty { return lose(gesture, list, "keys or buttons were expected") }
    guard part.threshold.isEmpty else {
      return lose(
        gesture, "threshold",
        "a hotkey acts at once, so what needs a longer or shorter press is left out")
    }
    var own = Reactions(hold: reactions.hold, end: reactions.begin, release: reactions.end)
    let repeated = reactions.change + reactions.steps.flatMap(\.forward)
    // at the beginning it may do the same, or nothing
    let isRepeating =
      !isMouse && !repeated.isEmpty && reactions.end.isEmpty
      && repeated.map(\.verb) == (own.end.isEmpty ? repeated : own.end).map(\.verb)
    if isRepeating {
      own.end = repeated
      file.noteOnce("interval", "it repeats as fast as the keyboard", at: place(gesture))
    }
    if !isRepeating && !repeated.isEmpty || !reactions.cancel.isEmpty || own == Reactions() {
      lose(
        gesture, "on",
        isMouse
          ? "a button acts when it is pressed and when it is released"
          : "a key acts when it is pressed and released, or repeats what it does when pressed")
    }
    guard own != Reactions() else { return }
    addHotkey(
      isMouse ? names.map(Self.button) : names, activation: isRepeating ? .repeat : .press, own,
      gesture, scope)
  }

  /// A wheel's `+` is down or to the right.
  private mutating func readWheel(_ gesture: YamlNode, _ reactions: Reactions, _ scope: Scope) {
    let direction = word("direction", of: gesture) ?? ""
    let both = ["up_down": ["down", "up"], "left_right": ["right", "left"]][direction]
    var ends = reactions.begin + reactions.end
    let goesOn = !reactions.change.isEmpty || !reactions.steps.isEmpty
    if !reactions.hold.isEmpty || !reactions.cancel.isEmpty || goesOn && !ends.isEmpty {
      lose(gesture, "on", "a wheel acts at each notch, and neither begins nor ends")
      if goesOn { ends = [] }
    }
    for (index, word) in (both ?? [direction]).enumerated() {
      let steps = reactions.steps.flatMap { step in
        both == nil ? step.forward + step.back : index == 0 ? step.forward : step.back
      }
      let all = ends + reactions.change + steps
      if !all.isEmpty { addHotkey(["wheel" + word], Reactions(end: all), gesture, scope) }
    }
  }

  private mutating func addHotkey(
    _ words: [String], activation: Hotkey.Activation = .press, _ own: Reactions,
    _ gesture: YamlNode, _ scope: Scope
  ) {
    guard var chord = Self.chord((scope.conditions.modifiers?.names ?? []) + words) else {
      return lose(gesture, words.joined(separator: "+"), "no hotkey has these keys")
    }
    // left keys are written for either side
    let sides: [(String, ChordModifiers, ChordModifiers)] = [
      ("rightctrl", .control, .rightControl), ("rightshift", .shift, .rightShift),
      ("rightmeta", .super, .rightSuper),
    ]
    for (word, either, right) in sides where words.dropLast().contains(word) {
      chord = Chord(chord.modifiers.subtracting(either).union(right), chord.trigger)
    }
    var hotkey = Hotkey(chord, activation: activation)
    var own = own
    var scope = scope
    // tapped, a modifier that acts only when it is released can be held for other hotkeys
    if chord.modifiers.isEmpty, own == Reactions(release: own.release),
      let modifier = ChainReader.tapped(chord.trigger)
    {
      hotkey = Hotkey(tap: modifier)
      own = Reactions(end: own.release)
      file.note("\(hotkey)", "a modifier alone acts when it is tapped", at: place(gesture))
    }
    let others = earlierHotkeys[chord] ?? []
    // a chord repeats in all applications or in none
    if !hotkey.isTap, let same = others.first(where: { !$0.hotkey.isTap }), same.hotkey != hotkey {
      hotkey = same.hotkey
      file.note(
        hotkey.description, "line \(same.line) says whether these keys repeat", at: place(gesture))
    }
    guard others.count < Self.mostCompared else {
      return lose(
        gesture, hotkey.description, "there are \(Self.mostCompared) rules for these keys already")
    }
    if !others.contains(where: { $0.hotkey == hotkey }) {
      do throws(HotkeyError) {
        _ = try hotkeys.register(hotkey, owner: "")
      } catch {
        return lose(
          gesture, hotkey.description,
          "a hotkey above already uses these keys, on one side of the keyboard or on both")
      }
    }
    separate(hotkey, &scope, from: others, gesture)
    let application = scope.conditions.application
    if others.contains(where: { $0.hotkey == hotkey && $0.application == application }) {
      return file.note(hotkey.description, "it has a rule already", at: place(gesture))
    }
    earlierHotkeys[chord, default: []].append((hotkey, application, line(gesture)))
    add(
      .hotkey(
        HotkeyCondition(
          hotkey: hotkey,
          consumes: hotkey.isConsumable && blocks(gesture))),
      own, gesture, scope)
  }

  /// Of several hotkeys with the same keys, InputActions acts on the first only, Gliss on all. An
  /// application with a hotkey of its own is excluded from those below.
  private mutating func separate(
    _ hotkey: Hotkey, _ scope: inout Scope, from others: [EarlierHotkey], _ gesture: YamlNode
  ) {
    // several actions of one gesture all act
    for other in others where other.line != line(gesture) {
      if let application = other.application,
        application.isDisjoint(from: scope.conditions.application)
          || scope.conditions.exclude(application)
      {
        continue
      }
      // a second rule for the same applications is reported by itself
      if other.hotkey == hotkey, other.application == scope.conditions.application { continue }
      file.note(
        hotkey.description,
        "the hotkey in line \(other.line) acts as well; InputActions acts on the first",
        at: place(gesture))
      return
    }
  }
}

extension Step {
  /// The same with the opposite direction as forward. A step of time has no direction.
  fileprivate var turned: Step {
    if interval.unit == .milliseconds { return self }
    return Step(interval: interval, forward: back, back: forward, place: place)
  }
}
