import GlissConfiguration
import GlissEvents
import GlissHotkeys

struct ToucheggImporter {
  private let source: ImportedText
  private let options: ImportOptions
  var file: ImportedFile

  /// The window that rules look at; touchégg's is the one under the pointer.
  private lazy var window: FollowedWindow = options.knowsPointer() ? .underPointer : .focused

  struct Gesture {
    let element: XMLElement
    let action: XMLElement
    let condition: GestureCondition
    /// The applications that it is for, or All.
    let applications: [String]
  }

  static func imported(
    _ source: ImportedText, _ options: ImportOptions
  ) throws(Mistake) -> ImportedFile {
    // before version 1 it was no XML
    if let start = source.bytes.firstIndex(where: { "#;[".utf8.contains($0) }),
      !source.bytes[..<start].contains(UInt8(ascii: "<")),
      String(decoding: source.bytes, as: UTF8.self).contains("_FINGERS_")
    {
      throw old(at: source.place(at: start))
    }
    let root = try XMLReader.root(of: source)
    guard root.name == "touchégg" || root.name == "touchegg" else {
      throw Mistake("<touchégg> was expected, not <\(root.name)>", at: root.place)
    }
    if let gesture = root.children.lazy.flatMap(\.children).first(where: isOld) {
      throw old(at: gesture.place)
    }
    var importer = ToucheggImporter(
      source: source, options: options, file: ImportedFile(tool: .touchegg, name: source.name))
    importer.check(root)
    importer.add(root)
    return importer.file
  }

  private static func old(at place: Place) -> Mistake {
    Mistake(
      "this is a file of touchégg 1 or older, which touchégg 2 does not read; write its gestures as rules",
      at: place)
  }

  /// Whether a gesture has the form that touchégg had until version 1.
  private static func isOld(_ gesture: XMLElement) -> Bool {
    ["DRAG", "TOUCH"].contains(gesture.attribute("type") ?? "")
      || gesture.children.contains { $0.name == "action" && $0.text.contains(":INVERTED=") }
  }

  /// For each application, its last gesture counts, or else the last one for All.
  private mutating func add(_ root: XMLElement) {
    let gestures = gestures(in: root)
    // touchégg compares names without regard to case
    var owners: [GestureCondition: [String: Int]] = [:]
    var written: [String: String] = [:]
    for (index, gesture) in gestures.enumerated() {
      for name in gesture.applications {
        written[name.lowercased()] = written[name.lowercased()] ?? name
        owners[gesture.condition, default: [:]][name.lowercased()] = index
      }
    }
    for (index, gesture) in gestures.enumerated() {
      let place = gesture.element.place
      let all = owners[gesture.condition] ?? [:]
      let own = all.keys.filter { all[$0] == index }.sorted()
      guard !own.isEmpty else {
        let rival = gesture.applications.compactMap { all[$0.lowercased()] }.max() ?? index
        file.note(
          words(gesture.element),
          "line \(gestures[rival].element.place.line) has the same gesture, and the last one counts",
          at: place)
        continue
      }
      guard gesture.element.children.contains(where: { $0.name == "action" }) else {
        file.note(
          words(gesture.element), "it has no <action>, so it does nothing for its applications",
          at: place)
        continue
      }
      guard let reactions = reactions(of: gesture) else { continue }
      let isForAll = own.contains("all")
      let names = (isForAll ? all.keys.filter { all[$0] != index }.sorted() : own)
        .map { written[$0] ?? $0 }
      // touchégg has taps and two-finger swipes from touchscreens only; on touchpads libinput turns
      // them into clicks and scrolling
      let isForScreens = gesture.condition.kind == .tap || gesture.condition.kind == .drag
      let rule = Rule(
        trigger: .gesture(gesture.condition),
        device: isForScreens ? DeviceMatch(kind: .touchscreen) : nil,
        application: names.isEmpty ? nil : match(names, excluded: isForAll, at: place),
        reactions: reactions, place: place)
      let lines = Set([place.line] + gesture.element.children.map(\.place.line)).sorted()
      file.add(rule, from: lines.map { source.source($0) })
    }
  }

  private mutating func match(
    _ names: [String], excluded: Bool, at place: Place
  ) -> ApplicationMatch {
    if window == .focused {
      file.noteOnce(
        "application \(names.joined(separator: ", "))",
        "touchégg looks at the window under the pointer, which this desktop does not report; the rules look at the one that has the focus",
        at: place)
    }
    return ApplicationMatch(only: excluded ? [] : names, not: excluded ? names : [], window: window)
  }

  // MARK: Gestures

  private mutating func gestures(in root: XMLElement) -> [Gesture] {
    var gestures: [Gesture] = []
    for section in root.children where section.name == "application" {
      let names = (section.attribute("name") ?? "").split(separator: "," as Character)
        .map { String($0).trimmed }.filter { !$0.isEmpty }
      if names.isEmpty {
        file.lose("application", "it has no name", at: section.place)
        continue
      }
      for child in section.children where child.name == "gesture" {
        if let gesture = gesture(child, in: names) { gestures.append(gesture) }
      }
    }
    return gestures
  }

  private func words(_ element: XMLElement) -> String {
    let attributes = ["type", "fingers", "direction"].compactMap { element.attribute($0) }
    return ([element.name] + attributes).joined(separator: " ")
  }

  /// `nil` if it cannot become a rule. A remark says why.
  private mutating func gesture(_ element: XMLElement, in applications: [String]) -> Gesture? {
    func lose(_ why: String) -> Gesture? {
      file.lose(words(element), why, at: element.place)
      return nil
    }
    let action =
      element.children.first { $0.name == "action" }
      ?? XMLElement(name: "action", place: element.place)
    let fingers = element.attribute("fingers").flatMap { Int($0) } ?? 0
    let kind: GestureKind
    let directions: [String]
    switch element.attribute("type")?.uppercased() {
    case "SWIPE":
      (kind, directions) = (fingers == 2 ? .drag : .swipe, ["DOWN", "LEFT", "RIGHT", "UP"])
    case "PINCH": (kind, directions) = (.pinch, ["IN", "OUT"])
    case "TAP": (kind, directions) = (.tap, [])
    case _: return lose("type is SWIPE, PINCH or TAP")
    }
    let fewest = kind == .tap ? 1 : 2
    guard (fewest...5).contains(fingers) else {
      return lose("fingers is a number from \(fewest) to 5")
    }
    let direction = element.attribute("direction")?.uppercased() ?? ""
    guard directions.isEmpty || directions.contains(direction) else {
      return lose("direction is one of \(directions.joined(separator: ", "))")
    }
    let sense = kind.senses.first { $0.word.uppercased() == direction }
    return Gesture(
      element: element, action: action,
      condition: GestureCondition(kind: kind, fingers: fingers...fingers, sense: sense),
      applications: applications)
  }

  // MARK: What touchégg ignores

  /// The elements that touchégg looks for in each element, and the attributes.
  private static let known: [String: (children: [String], attributes: [String])] = [
    "touchégg": (["settings", "application"], []), "touchegg": (["settings", "application"], []),
    "settings": (["property"], []), "property": ([], ["name"]),
    "application": (["gesture"], ["name"]),
    "gesture": (["action"], ["type", "fingers", "direction"]),
    "action": (
      [
        "repeat", "command", "decreaseCommand", "on", "times", "modifiers", "keys", "decreaseKeys",
        "button", "direction", "cyclic", "animate", "animation", "animationPosition", "color",
        "borderColor",
      ], ["type"]
    ),
  ]

  /// Notes the setting that changes when gestures act, unless it has touchégg's default.
  private mutating func noteSetting(_ element: XMLElement) {
    let value = element.text.trimmed
    guard element.attribute("name") == "action_execute_threshold", !value.isEmpty, value != "20"
    else { return }
    file.note(
      "action_execute_threshold",
      "it is not imported; to require more motion, give the rule travel: or scale:",
      at: element.place)
  }

  /// Reports elements, attributes and text that touchégg ignores in `element`. Does not look inside
  /// an ignored element.
  private mutating func check(_ element: XMLElement) {
    let known = Self.known[element.name] ?? ([], [])
    for (name, value) in element.attributes where !known.attributes.contains(name) {
      file.lose(
        "\(name)=\"\(value)\"", "<\(element.name)> has no such attribute", at: element.place)
    }
    if !known.children.isEmpty, !element.text.trimmed.isEmpty {
      file.lose(element.text.trimmed, "text is ignored in <\(element.name)>", at: element.place)
    }
    noteSetting(element)
    // the first action of a gesture counts, but the last command of an action
    let isFirst = element.name == "gesture"
    let isOnlyOne = isFirst || element.name == "action"
    var counted: Set<String> = []
    for child in isFirst ? element.children : element.children.reversed() {
      if !known.children.contains(child.name) {
        file.lose("<\(child.name)>", "<\(element.name)> has no such element", at: child.place)
      } else if counted.insert(child.name).inserted || !isOnlyOne {
        check(child)
      } else {
        file.lose(
          "<\(child.name)>", "the \(isFirst ? "first" : "last") one counts", at: child.place)
      }
    }
  }
}

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
        ? Reactions(end: click) : once(click, gesture)
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
    guard isRepeated(gesture) else { return once(actions, gesture) }
    let times = gesture.action.value("times").flatMap { Int($0) } ?? 10
    let parts = 10 / Double((2...15).nearest(to: times))
    let interval =
      gesture.condition.kind == .pinch
      ? Step.Interval((100 * parts).rounded() / 10, .percent)
      : Step.Interval((50 * parts).rounded() / 10, .millimetres)
    let place = gesture.action.place
    return Reactions(steps: [Step(interval: interval, forward: actions, back: back, place: place)])
  }

  /// Acts at the beginning of the gesture, at its end, or at both. As in touchégg, any other word
  /// means the end.
  private func once(_ actions: [Action], _ gesture: Gesture) -> Reactions {
    guard gesture.condition.kind != .tap else { return Reactions(end: actions) }
    return switch gesture.action.value("on") ?? "begin" {
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
