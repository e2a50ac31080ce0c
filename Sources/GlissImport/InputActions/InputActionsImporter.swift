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

  /// What a gesture inherits from the groups around it.
  private struct Scope {
    var device: DeviceMatch.Kind
    var conditions = InputActionsConditions()
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
      } else if !Self.idle.contains(name) {
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

  /// Sections without gestures.
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
    let type = word("type", of: gesture) ?? ""
    if let held = document.value("keyboard_modifiers", of: gesture) {
      let names = document.items(of: held).compactMap { document.text($0) }
      guard scope.conditions.hold(names.isEmpty ? [document.text(held) ?? ""] : names) else {
        return lose(
          gesture, "keyboard_modifiers", "only Shift, Ctrl, Alt and Super can be asked for")
      }
    }
    let remarks = file.remarks.count
    let reactions = reactions(of: gesture, type)
    guard reactions != Reactions() else {
      if file.remarks.count == remarks { lose(gesture, "type \(type)", "it does nothing") }
      return
    }
    switch scope.device {
    case .keyboard, .mouse: readHotkey(gesture, type, reactions, scope)
    case .touchpad, .touchscreen:
      guard let condition = condition(of: gesture, type, scope) else { return }
      let isTap = condition.kind == .tap
      if isTap, !reactions.hold.isEmpty {
        lose(gesture, "input", "a tap is over at once, so nothing can be held")
      }
      if isTap, reactions.hasOther {
        lose(gesture, "on", "a tap is over at once: only what it does at its begin and end counts")
      }
      let kept = isTap ? Reactions(end: reactions.begin + reactions.end) : reactions
      guard kept != Reactions() else { return }
      add(.gesture(condition), kept, gesture, scope, DeviceMatch(kind: scope.device))
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
    of gesture: YamlNode, _ type: String, _ scope: Scope
  ) -> GestureCondition? {
    var fingers = scope.conditions.fingers
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
    condition.modifiers = scope.conditions.modifiers
    if let word = word("direction", of: gesture), word != "any" {
      guard let sense = Self.senses[word], kind.senses.contains(sense) else {
        return lose(gesture, "direction \(word)", "a \(kind.name) has no such direction")
      }
      condition.sense = sense
    }
    bound(&condition, gesture)
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
  private func bound(_ condition: inout GestureCondition, _ gesture: YamlNode) {
    let numbers = numbers("threshold", of: gesture)
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
    var words = isMouse ? names.map(Self.button) : names
    if isWheel { words = ["wheel" + (word("direction", of: gesture) ?? "")] }
    guard let chord = Self.chord((scope.conditions.modifiers?.names ?? []) + words) else {
      return lose(gesture, words.joined(separator: "+"), "no hotkey has these keys")
    }
    let hotkey = Hotkey(chord)
    var own = Reactions(end: reactions.begin, release: reactions.end)
    if own.end.isEmpty { (own.end, own.release) = (own.release, []) }
    own.hold = reactions.hold
    guard own != Reactions() else {
      return lose(
        gesture, "type \(type)", "only a beginning and an end have an equivalent for hotkeys")
    }
    do throws(HotkeyError) {
      _ = try taken[scope.conditions.application, default: HotkeyTable()].register(
        hotkey, owner: "")
    } catch {
      return lose(gesture, hotkey.description, "it has a rule already")
    }
    add(
      .hotkey(HotkeyCondition(hotkey: hotkey, consumes: hotkey.isConsumable)), own, gesture, scope)
  }

  // MARK: Nodes

  /// Of two equal keys, InputActions uses only the first.
  private mutating func noteRepeatedKeys(of node: YamlNode) {
    var names: Set<String> = []
    for (key, _) in document.pairs(of: node) {
      guard let name = document.text(key), !names.insert(name).inserted else { continue }
      file.lose(name, "the same key stands above, and only the first one counts", at: place(key))
    }
  }

  func word(_ key: String, of node: YamlNode) -> String? {
    document.value(key, of: node).flatMap { document.text($0) }
  }

  /// The numbers of a value such as `3` or `2-4`.
  private func numbers(_ key: String, of node: YamlNode) -> [Double] {
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

extension Reactions {
  /// Whether anything happens at another time than the beginning and the end.
  fileprivate var hasOther: Bool { !change.isEmpty || !cancel.isEmpty || !steps.isEmpty }
}
