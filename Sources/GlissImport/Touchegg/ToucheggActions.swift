import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Converts touchégg's actions.
extension ToucheggImporter {
  /// A gesture's actions; `nil` if they have no equivalent, which becomes a remark.
  mutating func reactions(of gesture: Gesture) -> Reactions? {
    let action = gesture.action
    let type = action.attribute("type")?.uppercased() ?? ""
    let place = action.place
    switch type {
    case "RUN_COMMAND":
      let lines = [action.value("command") ?? "", action.value("decreaseCommand") ?? ""]
      guard !lines[0].isEmpty else { break }
      if lines.contains(where: { $0.has("TOUCHEGG_") }) {
        file.note(
          "TOUCHEGG_…", "commands learn of the gesture from GLISS_GESTURE, GLISS_PHASE and others",
          at: place)
      }
      let actions = lines.map { line in
        line.isEmpty ? [] : [Action(file.verb(of: line, at: place), place: place)]
      }
      return placed(actions[0], back: actions[1], gesture)
    case "SEND_KEYS":
      let held = heldModifiers(gesture)
      guard let forward = keys("keys", gesture, without: held),
        let back = keys("decreaseKeys", gesture, without: held)
      else { return nil }
      guard !forward.isEmpty else { break }
      var reactions = placed(forward, back: back, gesture)
      reactions.hold = held.map { [$0] } ?? []
      return reactions
    case "MOUSE_CLICK":
      guard let button = KeyNames.x11Button(action.value("button") ?? "1"),
        Chord([], button).obstacle == nil
      else { break }
      let click = [Action(.keys([Chord([], button)]), place: place)]
      return action.value("on") == "begin-and-end"
        ? Reactions(end: click) : once(click, usually: "begin", gesture)
    case "SHOW_DESKTOP":
      file.note(type, "Super+D is pressed, with which GNOME, KDE and Cinnamon do it", at: place)
      return Reactions(end: [Action(.keys([Chord(.super, .key(.d))]), place: place)])
    case _:
      guard let wanted = desktopAction(type, gesture) else { break }
      if case .window = wanted {
        file.noteOnce(
          type,
          "touchégg acts on the window under the pointer, Gliss on the one that has the focus",
          at: place)
      }
      return Reactions(end: [Action(.desktop(wanted), place: place)])
    }
    let what = [type, action.value("button") ?? ""].filter { !$0.isEmpty }
    file.lose(
      what.isEmpty ? "<action>" : what.joined(separator: " "),
      "unknown action, or without a <command>, <keys> or <button> that Gliss knows", at: place)
    return nil
  }

  // MARK: Keys

  /// The modifiers that touchégg holds until the fingers lift; `nil` if it holds none, or other
  /// keys.
  private func heldModifiers(_ gesture: Gesture) -> Chord? {
    guard isRepeated(gesture) || isSwitcher(gesture) else { return nil }
    let words = gesture.action.words("modifiers")
    let keys = words.compactMap(Keysyms.triggerToPress).filter { $0.modifier != nil }
    return keys.count == words.count ? Chord(of: keys) : nil
  }

  /// Whether the keys open a list of windows that stays until the modifiers come up.
  private func isSwitcher(_ gesture: Gesture) -> Bool {
    let action = gesture.action
    return gesture.condition.kind != .tap && (action.value("on") ?? "begin") == "begin"
      && action.words("keys").last.map { ["Tab", "ISO_Left_Tab"].contains($0) } ?? false
  }

  /// Presses a chord for each key, with the modifiers that precede it in either list; `nil` if a
  /// key is unknown, which becomes a remark.
  ///
  /// - Parameter holder: the modifiers that are held during the gesture.
  private mutating func keys(
    _ name: String, _ gesture: Gesture, without holder: Chord?
  ) -> [Action]? {
    let action = gesture.action
    if name != "keys", action.words(name).isEmpty { return [] }
    var chords: [Chord] = []
    var held: ChordModifiers = []
    // a modifier that no key follows is itself the key
    var last: Chord?
    for word in (holder == nil ? action.words("modifiers") : []) + action.words(name) {
      guard let trigger = Keysyms.triggerToPress(word) else {
        let note = ChainNote.unknownKey(word, similar: Keysyms.similar(to: word))
        file.lose(note.word, note.why, at: action.place)
        return nil
      }
      if let modifier = trigger.modifier {
        last = Chord(held.subtracting(modifier), trigger)
        held.formUnion(modifier)
      } else {
        last = nil
        chords.append(Chord(held, trigger))
      }
    }
    if let last { chords.append(last) }
    if chords.count > 1 {
      file.note(
        action.value(name) ?? name, "these keys are pressed one after the other, not together",
        at: action.place)
    }
    return chords.isEmpty ? [] : [Action(.keys(chords), place: action.place)]
  }

  // MARK: When

  private func isRepeated(_ gesture: Gesture) -> Bool {
    gesture.condition.kind != .tap && gesture.action.value("repeat")?.lowercased() == "true"
  }

  /// Repeats the actions for each part of the distance, or does them once at the beginning or end,
  /// as the gesture's action says.
  ///
  /// touchégg's `times` divide the distance of a long swipe, 50 mm. touchégg stops counting when
  /// its animation is complete, which is sooner; Gliss counts as far as the fingers move.
  private func placed(_ actions: [Action], back: [Action], _ gesture: Gesture) -> Reactions {
    guard isRepeated(gesture) else { return once(actions, usually: "begin", gesture) }
    let times = gesture.action.value("times").flatMap { Int($0) } ?? 10
    let parts = 10 / Double((2...15).nearest(to: times))
    let interval: Step.Interval =
      gesture.condition.kind == .pinch
      ? .percent((100 * parts).rounded() / 10) : .millimetres((50 * parts).rounded() / 10)
    let place = gesture.action.place
    return Reactions(steps: [Step(interval: interval, forward: actions, back: back, place: place)])
  }

  /// Acts at the beginning of the gesture, at its end, or at both. As in touchégg, any other word
  /// means the end.
  private func once(_ actions: [Action], usually: String, _ gesture: Gesture) -> Reactions {
    guard gesture.condition.kind != .tap else { return Reactions(end: actions) }
    return switch gesture.action.value("on") ?? usually {
    case "begin": Reactions(begin: actions)
    // touchégg also ends it if the fingers go back
    case "begin-and-end": Reactions(begin: actions, end: actions, cancel: actions)
    case _: Reactions(end: actions)
    }
  }

  // MARK: What only a window manager can do

  /// `auto` follows the fingers: a window is tiled on the side that they move to, and workspaces
  /// are switched the other way, as with natural scrolling.
  private func desktopAction(_ type: String, _ gesture: Gesture) -> DesktopAction? {
    let direction = gesture.action.value("direction")?.lowercased() ?? "auto"
    let sense = gesture.condition.sense
    switch type {
    case "MAXIMIZE_RESTORE_WINDOW": return .window(.maximize)
    case "MINIMIZE_WINDOW": return .window(.minimize)
    case "TILE_WINDOW":
      let isRight = direction == "auto" ? sense == .towards(.right) : direction == "right"
      return .window(isRight ? .tileRight : .tileLeft)
    case "FULLSCREEN_WINDOW": return .window(.fullscreen)
    case "CLOSE_WINDOW": return .window(.close)
    case "CHANGE_DESKTOP":
      let isBackward =
        direction == "auto"
        ? sense != .towards(.left) && sense != .towards(.up)
        : ["previous", "left", "up"].contains(direction)
      return .workspace(isBackward ? .previous : .next)
    case _: return nil
    }
  }
}
