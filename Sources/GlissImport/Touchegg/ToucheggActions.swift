import GlissConfiguration
import GlissEvents
import GlissHotkeys

/// Converts touchégg's actions.
struct ToucheggActions {
  /// What a gesture does. It is commented out if it is only proposed.
  struct Result {
    var value: Reactions
    var proposal: String?
  }

  private let gesture: ToucheggGesture
  private let action: XMLElement
  private let source: ImportedText

  /// The distance that touchégg's `times` divides, in mm: that of a long swipe. touchégg stops
  /// counting when its animation is complete, which is sooner. Here counting continues as far as
  /// the fingers move.
  private static let way = 50.0

  init(_ gesture: ToucheggGesture, _ source: ImportedText) {
    self.gesture = gesture
    self.source = source
    action = gesture.action
  }

  private var type: String { action.attribute("type")?.uppercased() ?? "" }
  private var place: Place { action.place }

  func reactions(_ file: inout ImportedFile) -> Result? {
    switch type {
    case "RUN_COMMAND": commands(&file)
    case "SEND_KEYS": keys(&file)
    case "MOUSE_CLICK": click(&file)
    case _: window(&file)
    }
  }

  private func lose(_ what: String, _ why: String, _ file: inout ImportedFile) -> Result? {
    file.lose(what, why, at: place)
    return nil
  }

  // MARK: Commands

  private func commands(_ file: inout ImportedFile) -> Result? {
    guard let command = action.value("command"), !command.isEmpty else {
      return lose(type, "it has no <command>", &file)
    }
    for text in [command, action.value("decreaseCommand") ?? ""] where Self.usesVariables(text) {
      file.note(
        "TOUCHEGG_…", "commands learn of the gesture from GLISS_GESTURE, GLISS_PHASE and others",
        at: place)
    }
    let back = action.value("decreaseCommand").map { [self.action($0)] } ?? []
    return placed([self.action(command)], back: back, &file)
  }

  private func action(_ command: String) -> Action {
    Action(.run(Command(.shell(command))), place: place)
  }

  private static func usesVariables(_ command: String) -> Bool {
    let name = Array("TOUCHEGG_".utf8)
    let bytes = Array(command.utf8)
    guard bytes.count >= name.count else { return false }
    return (0...(bytes.count - name.count)).contains { bytes[$0...].starts(with: name) }
  }

  // MARK: Keys

  private func keys(_ file: inout ImportedFile) -> Result? {
    guard let forward = chords("keys", &file) else { return nil }
    guard !forward.isEmpty else { return lose(type, "it has no <keys>", &file) }
    var back: [Action] = []
    if let text = action.value("decreaseKeys"), !text.isEmpty {
      guard let chords = chords("decreaseKeys", &file) else { return nil }
      back = [Action(.keys(chords), place: place)]
    }
    return placed([Action(.keys(forward), place: place)], back: back, &file)
  }

  /// A chord for each key with the modifiers before it, whichever list they are in; `nil` if a key
  /// is unknown, which becomes a remark.
  private func chords(_ name: String, _ file: inout ImportedFile) -> [Chord]? {
    var chords: [Chord] = []
    var held: ChordModifiers = []
    // a modifier that no key follows is itself the key
    var last: (key: Key, before: ChordModifiers)?
    for word in words("modifiers") + words(name) {
      guard let trigger = Keysyms.triggerToPress(word) else { return unknown(word, &file) }
      if case .key(let key) = trigger, let modifier = Self.modifier(of: key) {
        last = (key, held.subtracting(modifier))
        held.formUnion(modifier)
      } else {
        last = nil
        chords.append(Chord(held, trigger))
      }
    }
    if let last { chords.append(Chord(last.before, .key(last.key))) }
    if chords.count > 1 {
      file.note(
        action.value(name) ?? name, "these keys are pressed one after the other, not together",
        at: place)
    }
    return chords
  }

  private func words(_ name: String) -> [String] {
    (action.value(name) ?? "").split(separator: "+" as Character).map { String($0).trimmed }
      .filter { !$0.isEmpty }
  }

  private func unknown(_ word: String, _ file: inout ImportedFile) -> [Chord]? {
    let similar = Keysyms.similar(to: word).map { "; \($0) is one" } ?? ""
    file.lose(
      word, "no key is called so\(similar); 'gliss watch --events key' prints what a key is called",
      at: place)
    return nil
  }

  private static func modifier(of key: Key) -> ChordModifiers? {
    switch key {
    case .leftShift, .rightShift: .shift
    case .leftControl, .rightControl: .control
    case .leftSuper, .rightSuper: .super
    case .leftAlt: .alt
    case .rightAlt: .altGr
    case _: nil
    }
  }

  /// The modifiers that touchégg holds while it presses the keys repeatedly; `nil` if there are
  /// none.
  var heldModifiers: XMLElement? {
    guard type == "SEND_KEYS", isRepeated, !words("modifiers").isEmpty else { return nil }
    return action.children.last { $0.name == "modifiers" }
  }

  // MARK: When

  private var isRepeated: Bool {
    gesture.condition.kind != .tap && action.value("repeat")?.lowercased() == "true"
  }

  /// Does the actions once for each part of the distance, or once at the beginning or end, as the
  /// action says.
  private func placed(_ actions: [Action], back: [Action], _ file: inout ImportedFile) -> Result {
    guard isRepeated else {
      return Result(value: once(actions, usually: "begin", &file))
    }
    let times = times(&file)
    let interval: Step.Interval =
      gesture.condition.kind == .pinch
      ? .percent((1000 / Double(times)).rounded() / 10)
      : .millimetres((10 * Self.way / Double(times)).rounded() / 10)
    return Result(
      value: Reactions(steps: [Step(interval: interval, forward: actions, back: back, place: place)]
      ))
  }

  /// The number of parts of the distance.
  private func times(_ file: inout ImportedFile) -> Int {
    guard let text = action.value("times") else { return Self.usualTimes }
    let times = Int(text).map { min(max($0, 2), 15) } ?? Self.usualTimes
    if "\(times)" != text {
      file.note("times \(text)", "touchégg knows 2 to 15 times; \(times) is taken", at: place)
    }
    return times
  }

  /// touchégg's default for `times`.
  private static let usualTimes = 10

  /// At the beginning of the gesture, at its end, or at both.
  private func once(
    _ actions: [Action], usually: String, _ file: inout ImportedFile
  ) -> Reactions {
    guard gesture.condition.kind != .tap else { return Reactions(end: actions) }
    switch action.value("on") ?? usually {
    case "end": return Reactions(end: actions)
    case "begin-and-end": return Reactions(begin: actions, end: actions)
    case "begin": return Reactions(begin: actions)
    case let word:
      // touchégg takes anything but `begin` for the end
      file.note(word, "begin, end or begin-and-end was expected; it acts at the end", at: place)
      return Reactions(end: actions)
    }
  }

  // MARK: What only a window manager can do

  private func click(_ file: inout ImportedFile) -> Result? {
    let button = action.value("button") ?? "1"
    guard let number = Int(button), (1...15).contains(number) else {
      return lose("MOUSE_CLICK \(button)", "buttons are numbers from 1 to 15", &file)
    }
    file.lose(
      "MOUSE_CLICK",
      "buttons are not pressed here; ydotool or xdotool can, as the commented rule does",
      at: place)
    let command = Command(.arguments(["xdotool", "click", "\(number)"]))
    return Result(
      value: once([Action(.run(command), place: place)], usually: "end", &file),
      proposal: "Instead of MOUSE_CLICK, where xdotool works:")
  }

  private func window(_ file: inout ImportedFile) -> Result? {
    guard let keys = desktopKeys, let hotkey = try? Hotkey(keys.gnome) else {
      return lose(type.isEmpty ? "<action>" : type, "touchégg has no such action", &file)
    }
    file.lose(
      type,
      "windows and desktops are the window manager's; the commented rule presses GNOME's keys for it\(keys.others)",
      at: place)
    return Result(
      value: Reactions(end: [Action(.keys(hotkey.chords), place: place)]),
      proposal: "Instead of \(type), with GNOME's keys:")
  }

  private var direction: String { action.value("direction")?.lowercased() ?? "auto" }

  /// Whether the previous desktop is meant. `auto` follows the fingers, reversed as for natural
  /// scrolling.
  private var isBackward: Bool {
    switch direction {
    case "previous", "left", "up": true
    case "auto":
      gesture.condition.sense != .towards(.left) && gesture.condition.sense != .towards(.up)
    case _: false
    }
  }

  private var desktopKeys: (gnome: String, others: String)? {
    switch type {
    case "MAXIMIZE_RESTORE_WINDOW": ("super+up", ". KDE has super+pageup")
    case "MINIMIZE_WINDOW": ("super+h", ". KDE has super+pagedown")
    case "TILE_WINDOW":
      (direction == "right" ? "super+right" : "super+left", ", and KDE's")
    case "FULLSCREEN_WINDOW": ("f11", ". sway has 'swaymsg fullscreen toggle'")
    case "CLOSE_WINDOW": ("alt+f4", ", and KDE's. sway has 'swaymsg kill'")
    case "SHOW_DESKTOP": ("super+d", ", and KDE's")
    case "CHANGE_DESKTOP":
      isBackward
        ? ("super+pageup", ". KDE has ctrl+super+left, sway 'swaymsg workspace prev'\(natural)")
        : ("super+pagedown", ". KDE has ctrl+super+right, sway 'swaymsg workspace next'\(natural)")
    case _: nil
    }
  }

  private var natural: String {
    direction == "auto" ? "; auto is as with natural scrolling, turn both round without it" : ""
  }
}
