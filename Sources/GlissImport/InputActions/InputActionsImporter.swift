import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissYaml

/// Imports rules from InputActions' config.yaml: its gestures on touchpads and touchscreens, its
/// keyboard's shortcuts, and the mouse's buttons and wheel.
struct InputActionsImporter {
  private let source: ImportedText
  var file: ImportedFile
  let document: YamlDocument
  /// The hotkeys so far, by application.
  private var taken: [ApplicationMatch?: HotkeyTable] = [:]
  /// The gestures so far.
  private var earlier: [Earlier] = []

  /// What a gesture inherits from the groups around it.
  struct Scope {
    var device: DeviceMatch.Kind
    var conditions = InputActionsConditions()
  }

  private struct Earlier {
    var line: Int
    var device: DeviceMatch.Kind
    var condition: GestureCondition
    var application: ApplicationMatch?
  }

  static func imported(_ source: ImportedText) throws(Mistake) -> ImportedFile {
    var importer = InputActionsImporter(
      source: source, file: ImportedFile(tool: .inputActions, name: source.name),
      document: try source.yaml())
    try importer.read()
    return importer.file
  }

  private mutating func read() throws(Mistake) {
    guard let root = document.root else { return }
    var sections: [(kind: DeviceMatch.Kind, key: YamlNode, handler: YamlNode)] = []
    for (key, value) in document.pairs(of: root) {
      let name = document.text(key) ?? ""
      if let kind = DeviceMatch.Kind(rawValue: name) {
        sections.append((kind, key, value))
      } else if !Self.idle.contains(name), name.first != "_" {
        file.lose(name, "no such section is known here", at: place(key))
      }
    }
    guard !sections.isEmpty || document.isNull(root) else {
      throw Mistake(
        "not a file of inputactions: touchpad:, touchscreen:, mouse: or keyboard: was expected",
        at: place(root))
    }
    for (kind, key, handler) in sections {
      for handler in document.isSequence(handler) ? document.items(of: handler) : [handler] {
        readGestures(of: handler, Scope(device: kind), below: key)
      }
    }
  }

  /// Sections without gestures, besides those that begin with `_`.
  private static let idle: Set<String> = [
    "anchors", "autoreload", "device_rules", "notifications", "external_variable_access",
    "emergency_combination",
  ]

  private mutating func readGestures(of group: YamlNode, _ scope: Scope, below key: YamlNode) {
    noteRepeatedKeys(of: group)
    let gestures = document.value("gestures", of: group)
    guard let gestures, document.isSequence(gestures) else {
      return lose(key, "gestures", "a list of gestures was expected below this")
    }
    for gesture in document.items(of: gestures) {
      var inner = scope
      if let conditions = document.value("conditions", of: gesture),
        let text = inner.conditions.add(conditions, in: document)
      {
        lose(gesture, text, "the condition has no equivalent, so the gesture is left out")
        continue
      }
      if document.value("gestures", of: gesture) != nil {
        if document.value("type", of: gesture) != nil {
          lose(gesture, "type", "a group of gestures does nothing itself")
        }
        readGestures(of: gesture, inner, below: gesture)
      } else {
        read(gesture, inner)
      }
    }
  }

  // MARK: Gestures

  private mutating func read(_ gesture: YamlNode, _ scope: Scope) {
    var scope = scope
    noteRepeatedKeys(of: gesture)
    noteIgnoredKeys(of: gesture)
    let type = word("type", of: gesture) ?? ""
    if let held = document.value("keyboard_modifiers", of: gesture) {
      let names = document.items(of: held).compactMap { document.text($0) }
      guard scope.conditions.hold(names.isEmpty ? [document.text(held) ?? ""] : names) else {
        return lose(
          gesture, "keyboard_modifiers", "only Shift, Ctrl, Alt and Super can be asked for")
      }
    }
    let remarks = file.remarks.count
    let parts = parts(of: gesture, scope).map { ($0, reactions(of: $0, gesture, type)) }
      .filter { $0.1 != Reactions() }
    if parts.isEmpty, file.remarks.count == remarks {
      lose(gesture, "type \(type)", "it does nothing")
    }
    if parts.contains(where: \.0.scope.conditions.allowsOtherModifiers) {
      file.noteOnce(
        "$keyboard_modifiers contains", "the rule acts only while all other modifiers are up",
        at: place(gesture))
    }
    let others = earlier
    for (part, reactions) in parts {
      switch scope.device {
      case .keyboard, .mouse: readHotkey(gesture, type, reactions, part.scope)
      case .touchpad, .touchscreen: add(part, reactions, gesture, type, besides: others)
      }
    }
  }

  /// Adds a gesture's rule.
  private mutating func add(
    _ part: Part, _ reactions: Reactions, _ gesture: YamlNode, _ type: String,
    besides others: [Earlier]
  ) {
    var scope = part.scope
    guard var condition = condition(of: gesture, type, part) else { return }
    let isTap = condition.kind == .tap
    if isTap, !reactions.hold.isEmpty {
      lose(gesture, "input", "a tap is over at once, so nothing can be held")
    }
    if isTap, reactions.hasOther {
      lose(gesture, "on", "a tap is over at once: only what it does at its begin and end counts")
    }
    var kept = isTap ? Reactions(end: reactions.begin + reactions.end) : reactions
    guard kept != Reactions() else { return }
    if let text = word("resume_timeout", of: gesture), let pause = Double(text), pause > 0 {
      if condition.kind == .drag || condition.kind == .swipe {
        kept.linger = Measure.period.range.nearest(to: pause)
      } else {
        lose(gesture, "resume_timeout", "only drags and swipes can go on after the fingers lift")
      }
    }
    if condition.speed?.maximum != nil, kept.hasOther || !kept.begin.isEmpty || !kept.hold.isEmpty {
      file.note(
        "speed", "it is known only when the fingers lift; what happens before happens at any speed",
        at: place(gesture))
    }
    consume(&condition, gesture, scope.device)
    separate(condition, &scope, from: others, gesture)
    let application = scope.conditions.application
    earlier.append(
      Earlier(
        line: line(gesture), device: scope.device, condition: condition, application: application))
    add(.gesture(condition), kept, gesture, scope, DeviceMatch(kind: scope.device))
  }

  /// InputActions keeps a gesture's events from programs unless the gesture has
  /// `block_events: false`.
  private mutating func consume(
    _ condition: inout GestureCondition, _ gesture: YamlNode, _ device: DeviceMatch.Kind
  ) {
    if word("block_events", of: gesture) == "false" { return }
    let isTaken = [.swipe, .pinch, .rotate].contains(condition.kind)
    condition.consumes =
      isTaken && device == .touchpad && condition.fingers?.lowerBound ?? 1 >= 3
    if !condition.consumes {
      file.noteOnce(
        "block_events",
        "other programs receive this gesture too; only strokes of three and more fingers on touchpads can be kept from them",
        at: place(gesture))
    }
  }

  /// Of several gestures that fit, InputActions acts on the first only, Gliss on all. An
  /// application with a gesture of its own is excluded from those below.
  private mutating func separate(
    _ condition: GestureCondition, _ scope: inout Scope, from others: [Earlier],
    _ gesture: YamlNode
  ) {
    for other in others
    where other.device == scope.device && other.condition.overlaps(condition) {
      let own = scope.conditions.application
      if let application = other.application, application.isDisjoint(from: own) { continue }
      if let application = other.application, scope.conditions.exclude(application) { continue }
      file.note(
        "type \(word("type", of: gesture) ?? "")",
        "the gesture in line \(other.line) fits as well, and both act; InputActions acts on the first",
        at: place(gesture))
      return
    }
  }

  private mutating func add(
    _ trigger: Rule.Trigger, _ reactions: Reactions, _ gesture: YamlNode, _ scope: Scope,
    _ device: DeviceMatch? = nil
  ) {
    file.add(
      Rule(
        trigger: trigger, device: device, application: scope.conditions.application,
        reactions: reactions, place: place(gesture)),
      from: [source.source(line(gesture))])
  }

  private mutating func condition(
    of gesture: YamlNode, _ type: String, _ part: Part
  ) -> GestureCondition? {
    var fingers = part.scope.conditions.fingers
    if document.value("fingers", of: gesture) != nil {
      let ends = numbers("fingers", of: gesture).compactMap { Int(exactly: $0) }
      guard let low = ends.first, let high = ends.last, low <= high else {
        return lose(gesture, "fingers", "a number was expected")
      }
      fingers = low...high
    }
    let kind: GestureKind
    switch type {
    case "swipe": kind = fingers?.upperBound ?? 3 <= 2 ? .drag : .swipe
    case "pinch": kind = .pinch
    case "rotate": kind = .rotate
    case "press", "hold": kind = .hold
    case "tap": kind = .tap
    case _: return lose(gesture, "type \(type)", "Gliss has no such gesture")
    }
    if let fingers,
      !kind.fingerRange.contains(fingers.lowerBound)
        || !kind.fingerRange.contains(fingers.upperBound) || fingers == 1...1 && kind == .drag
    {
      return lose(gesture, "fingers \(fingers.lowerBound)", "a \(kind.name) of so many is unknown")
    }
    var condition = GestureCondition(kind: kind, fingers: fingers)
    condition.modifiers = part.scope.conditions.modifiers
    if let word = word("direction", of: gesture), word != "any" {
      guard let sense = Self.senses[word], kind.senses.contains(sense) else {
        return lose(gesture, "direction \(word)", "a \(kind.name) has no such direction")
      }
      condition.sense = sense
    }
    bound(&condition, gesture, part.threshold)
    return condition
  }

  private static let senses: [String: GestureCondition.Sense] = [
    "left": .towards(.left), "right": .towards(.right), "up": .towards(.up),
    "down": .towards(.down), "left_up": .towards(.upLeft), "left_down": .towards(.downLeft),
    "right_up": .towards(.upRight), "right_down": .towards(.downRight),
    "left_right": .horizontal, "up_down": .vertical, "in": .inward, "out": .outward,
    "clockwise": .clockwise, "counterclockwise": .counterclockwise,
  ]

  /// `threshold` is in libinput's dots of 1/1000 inch, a share of the size, degrees or ms.
  private func bound(
    _ condition: inout GestureCondition, _ gesture: YamlNode, _ numbers: [Double]
  ) {
    let isFast = word("speed", of: gesture).flatMap { ["fast": true, "slow": false][$0] }
    func bounds(_ measure: Measure, _ convert: (Double) -> Double) -> Bounds? {
      let values = numbers.map {
        measure.range.nearest(to: (convert($0) * 100).rounded() / 100)
      }
      guard let low = values.first else { return nil }
      return Bounds(from: low, to: values.count > 1 ? values[1] : nil)
    }
    switch condition.kind {
    case .drag, .swipe, .edgeSwipe:
      condition.travel = bounds(.length) { $0 * 0.0254 }
      // 20 dots in 8 ms
      if let isFast { condition.speed = isFast ? Bounds(from: 63.5) : Bounds(to: 63.5) }
    case .pinch where condition.sense == .inward:
      condition.scale = bounds(.scale) { 1 - $0 }.map { Bounds(from: $0.maximum, to: $0.minimum) }
    case .pinch: condition.scale = bounds(.scale) { 1 + $0 }
    case .rotate: condition.turn = bounds(.turn) { $0 }
    case .hold: condition.duration = bounds(.time) { $0 }
    case .tap: break
    }
  }

  // MARK: Hotkeys

  private mutating func readHotkey(
    _ gesture: YamlNode, _ type: String, _ reactions: Reactions, _ scope: Scope
  ) {
    let names = document.items(
      of: document.value(scope.device == .mouse ? "mouse_buttons" : "shortcut", of: gesture)
    ).compactMap { document.text($0) }
    let isMouse = scope.device == .mouse
    let isWheel = isMouse && type == "wheel" && names.isEmpty
    guard isWheel || type == (isMouse ? "press" : "shortcut") else {
      return lose(
        gesture, "type \(type)", "Gliss has no such gesture of a \(scope.device.rawValue)")
    }
    if isWheel { return readWheel(gesture, reactions, scope) }
    var own = Reactions(end: reactions.begin, release: reactions.end)
    if own.end.isEmpty { (own.end, own.release) = (own.release, []) }
    own.hold = reactions.hold
    let repeated = reactions.change + reactions.steps.flatMap(\.forward)
    // at the beginning it may do the same, or nothing
    let isRepeating =
      !isMouse && !repeated.isEmpty && reactions.end.isEmpty
      && repeated.map(\.verb) == (own.end.isEmpty ? repeated : own.end).map(\.verb)
    if isRepeating { own.end = repeated }
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
    for (index, word) in (both ?? [direction]).enumerated() {
      let steps = reactions.steps.flatMap { step in
        both == nil ? step.forward + step.back : index == 0 ? step.forward : step.back
      }
      let all = reactions.begin + reactions.change + steps + reactions.end
      if !all.isEmpty { addHotkey(["wheel" + word], Reactions(end: all), gesture, scope) }
    }
  }

  private mutating func addHotkey(
    _ words: [String], activation: Hotkey.Activation = .press, _ own: Reactions,
    _ gesture: YamlNode, _ scope: Scope
  ) {
    guard let chord = Self.chord((scope.conditions.modifiers?.names ?? []) + words) else {
      return lose(gesture, words.joined(separator: "+"), "no hotkey has these keys")
    }
    let hotkey = Hotkey(chord, activation: activation)
    do throws(HotkeyError) {
      _ = try taken[scope.conditions.application, default: HotkeyTable()].register(
        hotkey, owner: "")
    } catch {
      return file.note(hotkey.description, "it has a rule already", at: place(gesture))
    }
    add(
      .hotkey(
        HotkeyCondition(
          hotkey: hotkey,
          consumes: hotkey.isConsumable && word("block_events", of: gesture) != "false")),
      own, gesture, scope)
  }

  // MARK: Nodes

  /// Of two equal keys, InputActions uses only the first.
  private mutating func noteRepeatedKeys(of node: YamlNode) {
    var names: Set<String> = []
    for (key, _) in document.pairs(of: node) {
      guard let name = document.text(key), !names.insert(name).inserted else { continue }
      file.note(name, "the same key stands above, and only the first one counts", at: place(key))
    }
  }

  /// Notes what a gesture says that has no equivalent.
  private mutating func noteIgnoredKeys(of gesture: YamlNode) {
    for (key, _) in document.pairs(of: gesture) {
      let name = document.text(key) ?? ""
      if name == "end_conditions" {
        file.lose(name, "the gesture ends whatever they are", at: place(key))
      } else if !Self.known.contains(name) {
        file.lose(name, "unknown key of a gesture", at: place(key))
      }
    }
  }

  /// The keys of a gesture that are read, or that change nothing here.
  private static let known: Set<String> = [
    "type", "fingers", "direction", "speed", "threshold", "actions", "conditions",
    "keyboard_modifiers", "block_events", "resume_timeout", "mouse_buttons", "shortcut", "strokes",
    "accelerated", "clear_modifiers", "id", "instant", "lock_pointer", "mouse_buttons_exact_order",
    "set_last_trigger",
  ]

  func word(_ key: String, of node: YamlNode) -> String? {
    document.value(key, of: node).flatMap { document.text($0) }
  }

  /// The numbers of a value such as `3` or `2-4`.
  func numbers(_ key: String, of node: YamlNode) -> [Double] {
    (word(key, of: node) ?? "").split(separator: "-" as Character)
      .compactMap { Double(String($0).trimmed) }
  }

  /// Notes that `what` has no equivalent, so that the gesture is left out.
  mutating func lose<Result>(_ node: YamlNode, _ what: String, _ why: String) -> Result? {
    file.lose(what, why, at: place(node))
    return nil
  }

  mutating func lose(_ node: YamlNode, _ what: String, _ why: String) {
    file.lose(what, why, at: place(node))
  }

  private func line(_ node: YamlNode) -> Int { document.start(of: node).line + 1 }

  func place(_ node: YamlNode) -> Place { source.place(of: document.start(of: node)) }
}

extension GestureCondition {
  /// Whether a stroke may fit both, as far as their bounds do not exclude each other.
  fileprivate func overlaps(_ other: GestureCondition) -> Bool {
    let fingers = self.fingers ?? kind.fingerRange
    return kind == other.kind && fingers.overlaps(other.fingers ?? kind.fingerRange)
      && (isMet(by: other.sense) || other.isMet(by: sense) || sense == nil || other.sense == nil)
      && (modifiers == other.modifiers || modifiers == nil || other.modifiers == nil)
      && ![\GestureCondition.travel, \.speed, \.scale, \.turn, \.duration].contains {
        self[keyPath: $0].isApart(from: other[keyPath: $0])
      }
  }
}

extension Bounds? {
  /// Whether they have one value in common at most.
  fileprivate func isApart(from other: Bounds?) -> Bool {
    guard let self, let other else { return false }
    return self.maximum ?? .infinity <= other.minimum ?? -.infinity
      || other.maximum ?? .infinity <= self.minimum ?? -.infinity
  }
}

extension ApplicationMatch {
  /// Whether no application can match both, as far as their names show.
  fileprivate func isDisjoint(from other: ApplicationMatch?) -> Bool {
    guard let other, window == other.window else { return false }
    func isApart(_ first: ApplicationMatch, _ second: ApplicationMatch) -> Bool {
      !first.only.isEmpty && Set(first.only).isSubset(of: second.not)
    }
    return isApart(self, other) || isApart(other, self)
      || !only.isEmpty && !other.only.isEmpty && Set(only).isDisjoint(with: other.only)
        && !(only + other.only).contains { $0.contains("*") }
  }
}

extension Reactions {
  /// Whether anything happens at another time than the beginning and the end.
  fileprivate var hasOther: Bool { !change.isEmpty || !cancel.isEmpty || !steps.isEmpty }
}
