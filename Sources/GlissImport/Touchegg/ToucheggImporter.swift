import GlissConfiguration
import GlissEvents

/// Imports rules from a touchegg.conf.
struct ToucheggImporter {
  private let source: ImportedText
  private let options: ImportOptions
  var file: ImportedFile

  /// The window that rules look at; touchégg's is the one under the pointer. `nil` until needed.
  private var window: FollowedWindow?

  /// A gesture that can become a rule, and its action.
  struct Gesture {
    let element: XMLElement
    let action: XMLElement
    /// Without an action, nothing happens for its applications.
    var hasAction: Bool { element.children.contains { $0.name == "action" } }
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
      guard gesture.hasAction else {
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
    let window = self.window ?? (options.knowsPointer() ? .underPointer : .focused)
    self.window = window
    if window == .focused {
      file.noteOnce(
        "application \(names.joined(separator: ", "))",
        "touchégg looks at the window under the pointer, which this desktop does not report; the rules look at the one that has the focus",
        at: place)
    }
    return ApplicationMatch(
      only: excluded ? [] : names, not: excluded ? names : [], window: window)
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
    let senses: [String: GestureCondition.Sense]
    switch element.attribute("type")?.uppercased() {
    case "SWIPE":
      kind = fingers == 2 ? .drag : .swipe
      senses = [
        "UP": .towards(.up), "DOWN": .towards(.down), "LEFT": .towards(.left),
        "RIGHT": .towards(.right),
      ]
    case "PINCH": (kind, senses) = (.pinch, ["IN": .inward, "OUT": .outward])
    case "TAP": (kind, senses) = (.tap, [:])
    case _: return lose("type is SWIPE, PINCH or TAP")
    }
    let fewest = kind == .tap ? 1 : 2
    guard (fewest...5).contains(fingers) else {
      return lose("fingers is a number from \(fewest) to 5")
    }
    let sense = senses[element.attribute("direction")?.uppercased() ?? ""]
    guard sense != nil || senses.isEmpty else {
      return lose("direction is one of \(senses.keys.sorted().joined(separator: ", "))")
    }
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
