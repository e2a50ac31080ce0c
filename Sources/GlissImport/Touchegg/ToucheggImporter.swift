import GlissConfiguration
import GlissEvents

/// Imports rules from a touchegg.conf.
struct ToucheggImporter {
  private let source: ImportedText
  private let options: ImportOptions
  var file: ImportedFile

  /// touchégg looks at the window under the pointer. `nil` until there is a rule for an application.
  private var window: MatchedWindow?

  /// A gesture that can become a rule, and its action.
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
    let root = try XMLReader.root(of: source)
    guard root.name == "touchégg" || root.name == "touchegg" else {
      throw Mistake("<touchégg> was expected, not <\(root.name)>", at: root.place)
    }
    var importer = ToucheggImporter(
      source: source, options: options, file: ImportedFile(tool: .touchegg, name: source.name))
    if let old = root.children.lazy.flatMap(\.children).first(where: Self.isOld) {
      throw Mistake(
        "this is a file of touchégg 1, which touchégg 2 does not act on; write its gestures anew",
        at: old.place)
    }
    importer.check(root)
    importer.add(root)
    return importer.file
  }

  /// Whether a gesture has the form that touchégg had until version 1.
  private static func isOld(_ gesture: XMLElement) -> Bool {
    ["DRAG", "ROTATE", "TOUCH"].contains(gesture.attribute("type") ?? "")
      || gesture.children.contains { $0.name == "action" && $0.text.contains(":INVERTED=") }
  }

  private mutating func add(_ root: XMLElement) {
    var gestures: [Gesture] = []
    for section in root.children where section.name == "application" {
      let names = (section.attribute("name") ?? "").split(separator: "," as Character)
        .map { String($0).trimmed }.filter { !$0.isEmpty }
      guard !names.isEmpty else {
        file.lose("application", "it has no name", at: section.place)
        continue
      }
      noteApplications(section, names)
      for child in section.children where child.name == "gesture" {
        if let gesture = gesture(child, in: names) { gestures.append(gesture) }
      }
    }
    let owners = ToucheggOwners(gestures)
    for (index, gesture) in gestures.enumerated() {
      let place = gesture.element.place
      guard let application = owners.application(of: index, gesture) else {
        let line = owners.rival(of: gesture).map { gestures[$0].element.place.line } ?? 0
        file.lose(
          words(gesture.element), "line \(line) has the same gesture, and the last one counts",
          at: place)
        continue
      }
      guard let reactions = reactions(of: gesture) else { continue }
      let lines = [place.line] + gesture.element.children.map(\.place.line)
      // touchégg has taps and two-finger swipes from touchscreens only; on touchpads libinput turns
      // them into clicks and scrolling
      let isForScreens = gesture.condition.kind == .tap || gesture.condition.kind == .drag
      file.add(
        Rule(
          trigger: .gesture(gesture.condition),
          device: isForScreens ? DeviceMatch(kind: .touchscreen) : nil,
          application: application.match(window), reactions: reactions, place: place),
        from: Set(lines).sorted().map { source.source($0) })
    }
  }

  private mutating func noteApplications(_ section: XMLElement, _ names: [String]) {
    if window != nil || names.contains(where: ToucheggOwners.isAll) { return }
    window = options.knowsPointer() ? .underPointer : .focused
    guard window == .focused else { return }
    file.note(
      "application \(names.joined(separator: ", "))",
      "touchégg looks at the window under the pointer, which this desktop does not report; the rules look at the one that has the focus",
      at: section.place)
  }

  // MARK: Gestures

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
    guard let action = element.children.first(where: { $0.name == "action" }) else {
      return lose("it has no <action>")
    }
    guard let fingers = element.attribute("fingers").flatMap({ Int($0) }) else {
      return lose("fingers=\"3\" or another number was expected")
    }
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
    guard (kind == .tap ? 1...5 : 2...5).contains(fingers) else {
      return lose("\(kind == .tap ? 1 : 2) to 5 fingers can do that")
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

  /// Reports elements, attributes and text that touchégg does not look for in `element`, and
  /// elements of which it uses another. What an unknown element contains is not looked at.
  private mutating func check(_ element: XMLElement) {
    let known = Self.known[element.name] ?? ([], [])
    for (name, value) in element.attributes where !known.attributes.contains(name) {
      file.lose(
        "\(name)=\"\(value)\"",
        "unknown attribute of <\(element.name)>\(advice(name, known.attributes))",
        at: element.place)
    }
    if !known.children.isEmpty, !element.text.trimmed.isEmpty {
      file.lose(
        element.text.trimmed, "text is ignored in <\(element.name)>", at: element.place)
    }
    // a gesture has its first action, and an action its last command
    var counted: [String: Place] = [:]
    for child in element.name == "gesture" ? element.children : element.children.reversed() {
      let isOnlyOne = element.name == "gesture" || element.name == "action"
      if !known.children.contains(child.name) {
        file.lose(
          "<\(child.name)>",
          "unknown element in <\(element.name)>\(advice(child.name, known.children))",
          at: child.place)
      } else if isOnlyOne, let other = counted[child.name] {
        file.lose(
          "<\(child.name)>", "the one of line \(other.line) counts instead", at: child.place)
      } else {
        counted[child.name] = child.place
        check(child)
      }
    }
  }

  private func advice(_ name: String, _ known: [String]) -> String {
    Spelling.similar(to: name, among: known, within: 2, onlyNearest: true).first
      .map { "; \($0) is one" } ?? ""
  }
}

/// Which gesture counts in which application: the last one for that application, or the last one for
/// all of them.
private struct ToucheggOwners {
  /// By gesture and application, which touchégg compares without regard to case.
  private var owners: [GestureCondition: [String: Int]] = [:]
  /// The names as first written.
  private var names: [String: String] = [:]

  private static let all = "all"
  static func isAll(_ name: String) -> Bool { name.lowercased() == all }

  init(_ gestures: [ToucheggImporter.Gesture]) {
    for (index, gesture) in gestures.enumerated() {
      for name in gesture.applications {
        let key = name.lowercased()
        names[key] = names[key] ?? name
        owners[gesture.condition, default: [:]][key] = index
      }
    }
  }

  /// A rule's condition, without names for all applications.
  struct Application {
    var only: [String] = []
    var not: [String] = []

    func match(_ window: MatchedWindow?) -> ApplicationMatch? {
      if only.isEmpty, not.isEmpty { return nil }
      return ApplicationMatch(only: only, not: not, window: window ?? .focused)
    }
  }

  /// - Returns: `nil` if later gestures take its place everywhere.
  func application(of index: Int, _ gesture: ToucheggImporter.Gesture) -> Application? {
    let own = owners[gesture.condition] ?? [:]
    func written(_ keys: some Sequence<String>) -> [String] {
      keys.sorted().map { names[$0] ?? $0 }
    }
    if own[Self.all] == index {
      let others = own.filter { $0.value != index }.keys
      return Application(not: written(others))
    }
    let kept = own.filter { $0.value == index }.keys
    return kept.isEmpty ? nil : Application(only: written(kept))
  }

  /// The gesture that takes its place.
  func rival(of gesture: ToucheggImporter.Gesture) -> Int? {
    gesture.applications.compactMap { owners[gesture.condition]?[$0.lowercased()] }.max()
  }
}
