import GlissEvents
import GlissHotkeys

/// What touchégg's actions are with us.
struct ToucheggActions {
  /// What a gesture does; commented out where it is only proposed.
  struct Result {
    var value: Reactions
    var proposal: String?
  }

  private let gesture: ToucheggGesture
  private let action: XMLElement
  private let source: ImportedText

  /// How long the way is that touchégg's `times` divide, in mm: a long swipe's. Its animation is over sooner, and counts
  /// no further; here it goes on as far as the fingers do.
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
        "TOUCHEGG_…", "commands are told of the gesture by GLISS_GESTURE, GLISS_PHASE and others",
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

  /// A chord for each key, all with the action's modifiers; `nil` where one is not known, which is a remark.
  private func chords(_ name: String, _ file: inout ImportedFile) -> [Chord]? {
    var modifiers: ChordModifiers = []
    var held: [Key] = []
    for word in words("modifiers") {
      guard let key = Keysyms.key(word) else { return unknown(word, &file) }
      modifiers.formUnion(Self.modifiers(of: key) ?? [])
      held.append(key)
    }
    let words = words(name)
    // modifiers alone: the last of them is the key
    if words.isEmpty, name == "keys", let last = held.popLast() {
      return [Chord(Self.modifiers(of: held), .key(last))]
    }
    var chords: [Chord] = []
    for word in words {
      guard let key = Keysyms.key(word) else { return unknown(word, &file) }
      chords.append(Chord(modifiers, .key(key)))
    }
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
      word, "no key is called so\(similar); 'gliss watch --events key' tells what a key is called",
      at: place)
    return nil
  }

  private static func modifiers(of keys: [Key]) -> ChordModifiers {
    keys.reduce(into: []) { $0.formUnion(modifiers(of: $1) ?? []) }
  }

  private static func modifiers(of key: Key) -> ChordModifiers? {
    switch key {
    case .leftShift, .rightShift: .shift
    case .leftControl, .rightControl: .control
    case .leftSuper, .rightSuper: .super
    case .leftAlt: .alt
    case .rightAlt: .altGr
    case _: nil
    }
  }

  // MARK: When

  /// Once for each part of the way, or once at its beginning or end, as the action says.
  private func placed(_ actions: [Action], back: [Action], _ file: inout ImportedFile) -> Result {
    guard gesture.condition.kind != .tap, action.value("repeat")?.lowercased() == "true" else {
      return Result(value: once(actions, usually: "begin", &file))
    }
    var times = 10
    if let text = action.value("times") {
      if let number = Int(text), (2...15).contains(number) {
        times = number
      } else {
        file.note("times \(text)", "a number from 2 to 15 was expected; 10 is taken", at: place)
      }
    }
    let interval: Step.Interval =
      gesture.condition.kind == .pinch
      ? .percent((1000 / Double(times)).rounded() / 10)
      : .millimetres((10 * Self.way / Double(times)).rounded() / 10)
    return Result(
      value: Reactions(steps: [Step(interval: interval, forward: actions, back: back, place: place)]
      ))
  }

  /// At the gesture's beginning or end, or at both.
  private func once(
    _ actions: [Action], usually: String, _ file: inout ImportedFile
  ) -> Reactions {
    guard gesture.condition.kind != .tap else { return Reactions(end: actions) }
    switch action.value("on")?.lowercased() ?? usually {
    case "end": return Reactions(end: actions)
    case "begin-and-end": return Reactions(begin: actions, end: actions)
    case "begin": return Reactions(begin: actions)
    case let word:
      file.note(word, "begin, end or begin-and-end was expected; it acts at begin", at: place)
      return Reactions(begin: actions)
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
    let direction = action.value("direction")?.lowercased() ?? ""
    guard let keys = Self.desktopKeys(type, direction), let hotkey = try? Hotkey(keys.gnome) else {
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

  private static func desktopKeys(
    _ type: String, _ direction: String
  ) -> (gnome: String, others: String)? {
    switch type {
    case "MAXIMIZE_RESTORE_WINDOW": ("super+up", ". KDE has super+pageup")
    case "MINIMIZE_WINDOW": ("super+h", ". KDE has super+pagedown")
    case "TILE_WINDOW":
      (direction == "right" ? "super+right" : "super+left", ", and KDE's")
    case "FULLSCREEN_WINDOW": ("f11", ". sway has 'swaymsg fullscreen toggle'")
    case "CLOSE_WINDOW": ("alt+f4", ", and KDE's. sway has 'swaymsg kill'")
    case "SHOW_DESKTOP": ("super+d", ", and KDE's")
    case "CHANGE_DESKTOP":
      switch direction {
      case "previous", "left", "up":
        ("super+pageup", ". KDE has ctrl+super+left, sway 'swaymsg workspace prev'")
      case _:
        ("super+pagedown", ". KDE has ctrl+super+right, sway 'swaymsg workspace next'")
      }
    case _: nil
    }
  }
}
