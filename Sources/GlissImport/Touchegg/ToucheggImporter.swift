import GlissConfiguration
import GlissEvents

/// Imports rules from a touchegg.conf.
struct ToucheggImporter {
  private let source: ImportedText

  init(_ source: ImportedText) { self.source = source }

  func add(to file: inout ImportedFile) throws(Mistake) {
    var reader = XMLReader(source)
    let root = try reader.root()
    if let found = reader.unknownReferences {
      file.noteFirst(
        found.first,
        "it stands for nothing in XML, and is read as it is written, as by touchégg; &amp; is the sign itself",
        at: found.place, of: found.count)
    }
    guard root.name == "touchégg" || root.name == "touchegg" else {
      throw Mistake("<touchégg> was expected, not <\(root.name)>", at: root.place)
    }
    ToucheggStrays(root).tell(&file)
    var gestures: [ToucheggGesture] = []
    for section in root.children {
      switch section.name {
      case "settings": settings(section, &file)
      case "application": application(section, &gestures, &file)
      case _: continue
      }
    }
    var held: [XMLElement] = []
    for (index, gesture) in gestures.enumerated() {
      if let later = gestures[(index + 1)...].first(where: { $0.hasSameKey(as: gesture) }) {
        file.lose(
          gesture.words,
          "line \(later.element.place.line) has the same gesture, and the last one counts",
          at: gesture.element.place)
        continue
      }
      let actions = ToucheggActions(gesture, source)
      guard let reactions = actions.reactions(&file) else { continue }
      if let modifiers = actions.heldModifiers { held.append(modifiers) }
      file.add(
        Rule(
          trigger: .gesture(gesture.condition), device: gesture.device,
          reactions: reactions.value, place: gesture.element.place),
        from: sources(of: gesture.element), proposal: reactions.proposal)
    }
    file.noteFirst(
      held,
      "touchégg holds them until the fingers leave; here they come up with each step, so that a switcher of windows closes after each"
    )
    MirroredPinches.join(in: &file.parts)
  }

  /// The lines of the gesture's tag and of its action's tag.
  private func sources(of gesture: XMLElement) -> [ImportedFile.SourceLine] {
    let lines = [gesture.place.line] + gesture.children.map(\.place.line)
    return Set(lines).sorted().map { source.source($0) }
  }

  // MARK: Settings

  private func settings(_ section: XMLElement, _ file: inout ImportedFile) {
    for property in section.children where property.name == "property" {
      let name = property.attribute("name") ?? property.name
      let why =
        switch name {
        case "animation_delay", "color", "borderColor": "nothing is drawn here"
        case "action_execute_threshold":
          "a gesture counts as soon as it is recognized; travel: and scale: ask for more of it"
        case "threshold", "animation_finish_threshold":
          "distances are in mm here; travel: asks for a way, steps: for one each so many mm"
        case _: "touchégg has no such setting"
        }
      file.note("\(name) \(property.text.trimmed)", why, at: property.place)
    }
  }

  // MARK: Gestures

  private func application(
    _ section: XMLElement, _ gestures: inout [ToucheggGesture], _ file: inout ImportedFile
  ) {
    let names = (section.attribute("name") ?? "").split(separator: "," as Character)
      .map { String($0).trimmed }
    let isForAll = names.contains { $0.lowercased() == "all" }
    if !isForAll {
      file.lose(
        "application \(names.joined(separator: ", "))",
        "which window is in front is not known here; a command can ask the window manager, or leave the gesture to the program",
        at: section.place)
    } else if names.count > 1 {
      file.note(
        "application \(names.joined(separator: ", "))", "All stands for the others, too",
        at: section.place)
    }
    for child in section.children where child.name == "gesture" {
      guard isForAll else {
        let words = ToucheggGesture.words(of: child)
        file.lose(words, "it is for one application only", at: child.place)
        continue
      }
      if let gesture = ToucheggGesture(child, &file) { gestures.append(gesture) }
    }
  }
}

/// A gesture of touchégg, and its action.
struct ToucheggGesture {
  let element: XMLElement
  let action: XMLElement
  let condition: GestureCondition

  var words: String { Self.words(of: element) }

  static func words(of element: XMLElement) -> String {
    ([element.name]
      + ["type", "fingers", "direction"].compactMap { element.attribute($0) }).joined(
        separator: " ")
  }

  /// touchégg has taps and two-finger swipes from touchscreens only. On touchpads libinput turns
  /// them into clicks and scrolling.
  var device: DeviceMatch? {
    condition.kind == .tap || condition.kind == .drag ? DeviceMatch(kind: .touchscreen) : nil
  }

  func hasSameKey(as other: ToucheggGesture) -> Bool { condition == other.condition }

  /// `nil` if it cannot become a rule. A remark says why.
  init?(_ element: XMLElement, _ file: inout ImportedFile) {
    let words = Self.words(of: element)
    guard let action = element.children.first(where: { $0.name == "action" }) else {
      file.lose(words, "it has no <action>", at: element.place)
      return nil
    }
    guard let condition = Self.condition(of: element, &file) else {
      return nil
    }
    self.element = element
    self.action = action
    self.condition = condition
  }

  private static func condition(
    of element: XMLElement, _ file: inout ImportedFile
  ) -> GestureCondition? {
    let words = Self.words(of: element)
    let type = element.attribute("type")?.uppercased() ?? ""
    let direction = element.attribute("direction")?.uppercased() ?? ""
    guard let text = element.attribute("fingers"), let fingers = Int(text) else {
      file.lose(words, "fingers=\"3\" or another number was expected", at: element.place)
      return nil
    }
    let (kind, possible): (GestureKind, ClosedRange<Int>)
    switch type {
    case "SWIPE": (kind, possible) = (fingers == 2 ? .drag : .swipe, 2...5)
    case "PINCH": (kind, possible) = (.pinch, 2...5)
    case "TAP": (kind, possible) = (.tap, 1...5)
    case _:
      file.lose(words, "type is SWIPE, PINCH or TAP", at: element.place)
      return nil
    }
    guard possible.contains(fingers) else {
      file.lose(
        words, "\(possible.lowerBound) to \(possible.upperBound) fingers can do that",
        at: element.place)
      return nil
    }
    var condition = GestureCondition(kind: kind, fingers: fingers...fingers)
    if fingers == 2, kind == .drag {
      file.note(
        words, "two fingers that move together are a drag here; the window below gets it, too",
        at: element.place)
    }
    let senses: [String: GestureCondition.Sense] =
      kind == .tap
      ? [:]
      : kind == .pinch
        ? ["IN": .inward, "OUT": .outward]
        : [
          "UP": .towards(.up), "DOWN": .towards(.down), "LEFT": .towards(.left),
          "RIGHT": .towards(.right),
        ]
    if kind == .tap, !direction.isEmpty {
      file.note(words, "a tap goes nowhere; its direction is left out", at: element.place)
    }
    if kind != .tap {
      guard let sense = senses[direction] else {
        file.lose(
          words, "direction is one of \(senses.keys.sorted().joined(separator: ", "))",
          at: element.place)
        return nil
      }
      condition.sense = sense
    }
    return condition
  }
}

/// Joins pairs of inward and outward pinches, where each does on its way back what the other does
/// on its way forward.
///
/// touchégg follows one of them until the fingers lift. Here both would count beyond the point
/// where they began, so one rule without a direction replaces them.
enum MirroredPinches {
  static func join(in parts: inout [ImportedFile.Part]) {
    var index = 0
    while index < parts.count {
      for later in parts.indices.dropFirst(index + 1) {
        guard let joined = joined(parts[index], parts[later]) else { continue }
        parts[index] = joined
        parts.remove(at: later)
        break
      }
      index += 1
    }
  }

  private static func joined(
    _ a: ImportedFile.Part, _ b: ImportedFile.Part
  ) -> ImportedFile.Part? {
    guard case .gesture(var condition) = a.rule.trigger, case .gesture(var other) = b.rule.trigger,
      condition.kind == .pinch, a.proposal == nil, b.proposal == nil,
      let step = onlyStep(of: a.rule), let back = onlyStep(of: b.rule),
      step.interval == back.interval, step.forward.map(\.verb) == back.back.map(\.verb),
      step.back.map(\.verb) == back.forward.map(\.verb), condition.sense != other.sense
    else { return nil }
    let isOutward = condition.sense == .outward
    condition.sense = nil
    other.sense = nil
    guard condition == other else { return nil }
    var joined = a
    joined.sources += b.sources
    joined.rule.trigger = .gesture(condition)
    // without a direction, outward counts as forward
    joined.rule.reactions.steps = [isOutward ? step : back]
    return joined
  }

  private static func onlyStep(of rule: Rule) -> Step? {
    guard let step = rule.reactions.steps.first,
      rule.reactions == Reactions(steps: [step]), !step.back.isEmpty
    else { return nil }
    return step
  }
}
