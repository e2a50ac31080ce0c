import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// Converts InputActions' shortcuts of keyboards, and the buttons and wheels of mice.
extension InputActionsImporter {
  mutating func readHotkey(
    _ gesture: YamlNode, _ type: String, _ reactions: Reactions, _ scope: Scope
  ) {
    let isMouse = scope.device == .mouse
    let list = isMouse ? "mouse_buttons" : "shortcut"
    let names = document.items(of: value(list, of: gesture)).compactMap { document.text($0) }
    if !numbers("threshold", of: gesture).isEmpty {
      lose(gesture, "threshold", "a hotkey acts at once")
    }
    let isWheel = isMouse && type == "wheel"
    if isWheel, !names.isEmpty {
      return lose(gesture, "mouse_buttons", "a wheel with a held button has no equivalent")
    }
    guard isWheel || type == (isMouse ? "press" : "shortcut") else {
      return lose(
        gesture, "type \(type)", "Gliss has no such gesture of a \(scope.device.rawValue)")
    }
    if isWheel { return readWheel(gesture, reactions, scope) }
    if names.isEmpty { return lose(gesture, list, "keys or buttons were expected") }
    var own = Reactions(end: reactions.begin, release: reactions.end)
    if own.end.isEmpty { (own.end, own.release) = (own.release, []) }
    own.hold = reactions.hold
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
  private mutating func readWheel(
    _ gesture: YamlNode, _ reactions: Reactions, _ scope: Scope
  ) {
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
    var scope = scope
    // a chord repeats in all applications or in none
    if let same = earlierHotkeys.first(where: { $0.hotkey.chords == [chord] }),
      same.hotkey != hotkey
    {
      hotkey = same.hotkey
      file.note(
        hotkey.description, "line \(same.line) says whether these keys repeat", at: place(gesture))
    }
    if !earlierHotkeys.contains(where: { $0.hotkey == hotkey }) {
      do throws(HotkeyError) {
        _ = try hotkeys.register(hotkey, owner: "")
      } catch {
        return lose(gesture, hotkey.description, "a hotkey above has the same keys on either side")
      }
    }
    // several actions of one gesture all act
    for other in earlierHotkeys where other.hotkey == hotkey && other.line != line(gesture) {
      if let application = other.application,
        application.isDisjoint(from: scope.conditions.application)
          || scope.conditions.exclude(application)
      {
        continue
      }
      // the same applications are reported below
      if other.application == scope.conditions.application { continue }
      file.note(
        hotkey.description,
        "the hotkey in line \(other.line) acts as well; InputActions acts on the first",
        at: place(gesture))
      break
    }
    let application = scope.conditions.application
    if earlierHotkeys.contains(where: { $0.hotkey == hotkey && $0.application == application }) {
      return file.note(hotkey.description, "it has a rule already", at: place(gesture))
    }
    earlierHotkeys.append((hotkey, application, line(gesture)))
    add(
      .hotkey(
        HotkeyCondition(
          hotkey: hotkey,
          consumes: hotkey.isConsumable && blocks(gesture))),
      own, gesture, scope)
  }
}
