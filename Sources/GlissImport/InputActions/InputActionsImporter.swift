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
  private var earlier: [Earlier] = []
  /// The hotkeys so far; in the table each once.
  var hotkeys = HotkeyTable()
  /// By their keys as written: a modifier that is tapped is the same key as one that is pressed.
  var earlierHotkeys: [Chord: [EarlierHotkey]] = [:]
  /// The groups around the gesture that is being read, and the gesture.
  private var groups: [YamlNode] = []
  private var current: YamlNode?

  /// What a gesture inherits from the groups around it.
  struct Scope {
    var device: DeviceMatch.Kind
    var conditions = InputActionsConditions()
  }

  typealias EarlierHotkey = (hotkey: Hotkey, application: ApplicationMatch?, line: Int)

  /// How many gestures those below are compared with, and how many rules a hotkey may have. Each is
  /// compared with all of them, so more would take long; nobody has as many.
  static let mostCompared = 200

  private struct Earlier {
    var line: Int
    var device: DeviceMatch.Kind
    var condition: GestureCondition
    var application: ApplicationMatch?
    var actsEarly: Bool
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
    var hasSection = false
    for (key, value) in document.pairs(of: root) {
      let name = document.text(key) ?? ""
      if let kind = DeviceMatch.Kind(rawValue: name) {
        hasSection = true
        for handler in list(value) { read(handler, of: kind, below: key) }
      } else if !Self.idle.contains(name), name.first != "_" {
        file.lose(
          name, "it is not imported; settings for devices are under devices:", at: place(key))
      }
    }
    guard hasSection || document.isNull(root) else {
      throw Mistake(
        "not a file of inputactions: touchpad:, touchscreen:, mouse: or keyboard: was expected",
        at: place(root))
    }
  }

  private mutating func read(_ handler: YamlNode, of kind: DeviceMatch.Kind, below key: YamlNode) {
    for (key, _) in document.pairs(of: handler) {
      let name = document.text(key) ?? ""
      if name != "gestures", name.first != "_" {
        file.lose(
          name, "it has no equivalent; gliss thresholds lists the recognizer's settings",
          at: place(key))
      }
    }
    readGestures(of: handler, Scope(device: kind), below: key)
  }

  /// Sections without gestures, besides those that begin with `_`.
  private static let idle: Set<String> = [
    "anchors", "autoreload", "notifications", "external_variable_access",
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
      if let (key, conditions) = conditions(of: gesture),
        let text = inner.conditions.add(conditions, in: document)
      {
        lose(key, text, "the condition has no equivalent, so the gesture is left out")
        continue
      }
      noteIgnoredKeys(of: gesture)
      if document.value("gestures", of: gesture) != nil {
        // its keys are those of the gestures below it
        groups.append(gesture)
        readGestures(of: gesture, inner, below: gesture)
        groups.removeLast()
      } else {
        current = gesture
        read(gesture, inner)
        current = nil
      }
    }
  }

  /// A node's value. A gesture has those of its groups, too.
  func value(_ key: String, of node: YamlNode) -> YamlNode? {
    document.value(key, of: node)
      ?? (node == current
        ? groups.reversed().lazy.compactMap { document.value(key, of: $0) }.first : nil)
  }

  // MARK: Gestures

  private mutating func read(_ gesture: YamlNode, _ scope: Scope) {
    var scope = scope
    noteRepeatedKeys(of: gesture)
    let type = word("type", of: gesture) ?? ""
    if let held = value("keyboard_modifiers", of: gesture) {
      let names = document.items(of: held).compactMap { document.text($0) }
      guard scope.conditions.hold(names.isEmpty ? [document.text(held) ?? ""] : names) else {
        return lose(
          gesture, "keyboard_modifiers",
          "only Shift, Ctrl, Alt and Super can be asked for, and not others than in the conditions")
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
      case .keyboard, .mouse: readHotkey(gesture, type, reactions, part)
      case .touchpad, .touchscreen:
        for (part, reactions) in ways(of: part, reactions, gesture, type) {
          add(part, reactions, gesture, type, besides: others)
        }
      }
    }
  }

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
    let actsEarly = kept.hasOther || !kept.begin.isEmpty || !kept.hold.isEmpty
    if condition.speed?.maximum != nil, actsEarly {
      file.note(
        "speed", "it is known only when the fingers lift; what happens before happens at any speed",
        at: place(gesture))
    }
    consume(&condition, gesture, scope.device)
    separate(condition, &scope, from: others, gesture, actsEarly: actsEarly)
    if earlier.count < Self.mostCompared {
      earlier.append(
        Earlier(
          line: line(gesture), device: scope.device, condition: condition,
          application: scope.conditions.application, actsEarly: actsEarly))
    } else {
      file.noteOnce(
        "gestures",
        "only the first \(Self.mostCompared) gestures are compared with later ones; further ones"
          + " that fit the same stroke all act",
        at: place(gesture))
    }
    add(.gesture(condition), kept, gesture, scope, DeviceMatch(kind: scope.device))
  }

  /// InputActions keeps a gesture's events from programs unless the gesture has
  /// `block_events: false`.
  private mutating func consume(
    _ condition: inout GestureCondition, _ gesture: YamlNode, _ device: DeviceMatch.Kind
  ) {
    if !blocks(gesture) { return }
    let isTaken = [.swipe, .pinch, .rotate].contains(condition.kind)
    condition.consumes =
      isTaken && device == .touchpad
      && (condition.fingers ?? condition.kind.fingerRange).lowerBound >= 3
    if !condition.consumes {
      let what =
        device != .touchpad
        ? "gestures on touchscreens"
        : [.tap, .hold].contains(condition.kind) ? "taps and holds" : "strokes of two fingers"
      file.noteOnce(
        word("type", of: gesture) ?? "", "other programs receive \(what) too, so that both act",
        at: place(gesture))
    }
  }

  func blocks(_ gesture: YamlNode) -> Bool {
    !["false", "no", "off"].contains(word("block_events", of: gesture)?.lowercased())
  }

  /// Of several gestures that fit, InputActions acts on the first only, Gliss on all. An
  /// application with a gesture of its own is excluded from those below.
  private mutating func separate(
    _ condition: GestureCondition, _ scope: inout Scope, from others: [Earlier],
    _ gesture: YamlNode, actsEarly: Bool
  ) {
    for other in others
    where other.device == scope.device && other.condition.overlaps(condition) {
      let own = scope.conditions.application
      if let application = other.application, application.isDisjoint(from: own) { continue }
      if let application = other.application, other.condition.covers(condition),
        other.actsEarly || !actsEarly, scope.conditions.exclude(application)
      {
        continue
      }
      file.note(
        "type \(word("type", of: gesture) ?? "")",
        "the gesture in line \(other.line) fits as well, and both act; InputActions acts on the first",
        at: place(gesture))
      return
    }
  }

  mutating func add(
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
    var conditions = part.scope.conditions
    if value("fingers", of: gesture) != nil {
      let ends = numbers("fingers", of: gesture).compactMap { Int(exactly: $0) }
      guard let low = ends.first, let high = ends.last, low <= high else {
        return lose(gesture, "fingers", "a number was expected")
      }
      guard conditions.count(low...high) else {
        return lose(gesture, "fingers", "the conditions ask for another number")
      }
    }
    let fingers = conditions.fingers
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
        || !kind.fingerRange.contains(fingers.upperBound)
        || fingers.lowerBound == 1 && kind == .drag
    {
      let range = kind.fingerRange
      let least = max(range.lowerBound, kind == .drag ? 2 : 1)
      return lose(
        gesture, "fingers \(fingers.lowerBound)",
        "\(kind.withArticle) has \(least) to \(range.upperBound) fingers here")
    }
    var condition = GestureCondition(kind: kind, fingers: fingers)
    condition.modifiers = conditions.modifiers
    condition.sense = part.sense
    if let word = word("direction", of: gesture), word != "any" {
      guard let sense = GestureCondition.Sense.named[word], kind.senses.contains(sense) else {
        return lose(gesture, "direction \(word)", "\(kind.withArticle) has no such direction")
      }
      condition.sense = sense
    }
    guard part.threshold.count < 2 || part.threshold[0] <= part.threshold[1] else {
      return lose(gesture, "threshold", "the first number is larger than the second")
    }
    return bound(&condition, gesture, part.threshold) ? condition : nil
  }

  /// `threshold` is in libinput's dots of 1/1000 inch, a share of the size, degrees or ms. Returns
  /// `false` if nothing can fit it.
  private mutating func bound(
    _ condition: inout GestureCondition, _ gesture: YamlNode, _ numbers: [Double]
  ) -> Bool {
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
    case .hold:
      if let bounds = bounds(.time, { $0 }), !condition.takeHoldDuration(bounds) {
        lose(gesture, "threshold", "a hold begins later here, when such holds are over")
        return false
      }
    case .tap where !numbers.isEmpty: lose(gesture, "threshold", "a tap has none")
    case .tap: break
    case .pinch where condition.sense == .inward:
      condition.scale = bounds(.scale) { 1 - $0 }.map { Bounds(from: $0.maximum, to: $0.minimum) }
    case .pinch: condition.scale = bounds(.scale) { 1 + $0 }
    case .rotate: condition.turn = bounds(.turn) { $0 }
    }
    if isFast != nil, ![.drag, .swipe, .edgeSwipe].contains(condition.kind) {
      lose(gesture, "speed", "a \(condition.kind.name) has no speed here; it acts at any")
    }
    return true
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

  private mutating func noteIgnoredKeys(of gesture: YamlNode) {
    for (key, _) in document.pairs(of: gesture) {
      let name = document.text(key) ?? ""
      if name == "end_conditions" {
        file.lose(name, "the gesture ends whatever they are", at: place(key))
      } else if name == "instant", word("fingers", of: gesture) != nil,
        word("instant", of: gesture) == "true"
      {
        file.note(name, "a hold begins only after hold.duration here", at: place(key))
      } else if !Self.known.contains(name) {
        file.lose(name, "unknown key of a gesture", at: place(key))
      }
    }
  }

  /// The keys of a gesture that are read, or that change nothing here.
  private static let known: Set<String> = [
    "gestures", "type", "fingers", "direction", "speed", "threshold", "actions", "conditions",
    "keyboard_modifiers", "block_events", "resume_timeout", "mouse_buttons", "shortcut", "strokes",
    "accelerated", "clear_modifiers", "id", "instant", "lock_pointer", "mouse_buttons_exact_order",
    "set_last_trigger",
  ]

  /// The conditions of a gesture or an action, and their key. An alias stands for conditions from
  /// somewhere else, so remarks name the place of the key.
  func conditions(of node: YamlNode) -> (key: YamlNode, value: YamlNode)? {
    document.pairs(of: node).first { document.text($0.key) == "conditions" }
  }

  func word(_ key: String, of node: YamlNode) -> String? {
    value(key, of: node).flatMap { document.text($0) }
  }

  /// The numbers of a value such as `3` or `2-4`.
  func numbers(_ key: String, of node: YamlNode) -> [Double] {
    (word(key, of: node) ?? "").split(separator: "-" as Character)
      .compactMap { Double(String($0).trimmed) }.filter(\.isFinite)
  }

  mutating func lose<Result>(_ node: YamlNode, _ what: String, _ why: String) -> Result? {
    file.lose(what, why, at: place(node))
    return nil
  }

  mutating func lose(_ node: YamlNode, _ what: String, _ why: String) {
    file.lose(what, why, at: place(node))
  }

  func line(_ node: YamlNode) -> Int { document.start(of: node).line + 1 }

  func place(_ node: YamlNode) -> Place { source.place(of: document.start(of: node)) }
}

extension GestureCondition {
  /// Whether every stroke that fits `other` fits this, too.
  fileprivate func covers(_ other: GestureCondition) -> Bool {
    let (all, some) = (fingers ?? kind.fingerRange, other.fingers ?? kind.fingerRange)
    return kind == other.kind && all.lowerBound <= some.lowerBound
      && all.upperBound >= some.upperBound && (sense == other.sense || isMet(by: other.sense))
      && (modifiers == nil || modifiers == other.modifiers)
      && [\GestureCondition.travel, \.speed, \.scale, \.turn, \.duration].allSatisfy {
        self[keyPath: $0] == nil || self[keyPath: $0] == other[keyPath: $0]
      }
  }

  /// Whether a stroke may fit both, as far as their bounds do not exclude each other.
  fileprivate func overlaps(_ other: GestureCondition) -> Bool {
    let fingers = self.fingers ?? kind.fingerRange
    return kind == other.kind && fingers.overlaps(other.fingers ?? kind.fingerRange)
      && (sense == other.sense || isMet(by: other.sense) || other.isMet(by: sense))
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
  func isDisjoint(from other: ApplicationMatch?) -> Bool {
    guard let other, window == other.window else { return false }
    func isApart(_ first: ApplicationMatch, _ second: ApplicationMatch) -> Bool {
      !first.only.isEmpty && !second.not.isEmpty && Set(first.only).isSubset(of: second.not)
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
