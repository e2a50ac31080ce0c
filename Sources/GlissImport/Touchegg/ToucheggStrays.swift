import GlissConfiguration
import GlissEvents

/// Reports the parts of a touchegg.conf that touchégg ignores, because it does not look for them
/// there or uses another of the same name, and the parts of actions that have no meaning here.
struct ToucheggStrays {
  private let root: XMLElement

  init(_ root: XMLElement) { self.root = root }

  func tell(_ file: inout ImportedFile) {
    check(root, ["settings", "application"], [], &file)
    for section in root.children {
      switch section.name {
      case "settings":
        check(section, ["property"], [], &file)
        for property in section.children where property.name == "property" {
          check(property, nil, ["name"], &file)
        }
      case "application":
        check(section, ["gesture"], ["name"], &file)
        for gesture in section.children where gesture.name == "gesture" { tell(of: gesture, &file) }
      case _: continue
      }
    }
    tellOfIdle(&file)
  }

  /// Settings for how an action looks or how a window manager does it, and why they have no effect
  /// here.
  private static let idle: KeyValuePairs<String, String> = [
    "animate": "nothing is drawn here", "animation": "nothing is drawn here",
    "animationPosition": "nothing is drawn here", "color": "nothing is drawn here",
    "borderColor": "nothing is drawn here",
    "cyclic": "whether desktops go round is up to the window manager",
  ]

  /// Most files repeat these in every action, so each is reported once.
  private func tellOfIdle(_ file: inout ImportedFile) {
    let actions = root.children.filter { $0.name == "application" }.flatMap(\.children)
      .filter { $0.name == "gesture" }.compactMap { gesture in
        gesture.children.first { $0.name == "action" }
      }
    for (name, why) in Self.idle {
      let found = actions.compactMap { action in
        Self.names(of: action).contains(name)
          ? action.children.last { $0.name == name } : nil
      }
      file.noteFirst(found, why)
    }
  }

  private func tell(of gesture: XMLElement, _ file: inout ImportedFile) {
    check(gesture, ["action"], ["type", "fingers", "direction"], &file)
    let actions = gesture.children.filter { $0.name == "action" }
    for other in actions.dropFirst() { lose(other, "a gesture has one action, its first", &file) }
    guard let action = actions.first else { return }
    let names = Self.names(of: action)
    check(action, names, ["type"], &file)
    for (index, child) in action.children.enumerated() where names.contains(child.name) {
      let later = action.children[(index + 1)...].last { $0.name == child.name }
      if let later {
        lose(child, "line \(later.place.line) has it again, and the last one counts", &file)
      } else {
        check(child, nil, [], &file)
      }
    }
  }

  private static func advice(_ name: String, _ known: [String]) -> String {
    Spelling.similar(to: name, among: known, within: 2, onlyNearest: true).first
      .map { "; \($0) is one" } ?? ""
  }

  /// The elements that an action may contain.
  private static func names(of action: XMLElement) -> [String] {
    let own =
      switch action.attribute("type")?.uppercased() ?? "" {
      case "RUN_COMMAND": ["repeat", "command", "decreaseCommand", "on", "times", "animation"]
      case "SEND_KEYS": ["repeat", "modifiers", "keys", "decreaseKeys", "on", "times", "animation"]
      case "MOUSE_CLICK": ["button", "on"]
      case _: ["direction", "animation", "animationPosition", "cyclic"]
      }
    // touchégg reads how it looks from every action
    return own + ["animate", "color", "borderColor"]
  }

  /// Reports elements and attributes with other names than these, and text beside elements. If
  /// `names` is `nil`, text is expected and elements are reported.
  private func check(
    _ element: XMLElement, _ names: [String]?, _ attributes: [String], _ file: inout ImportedFile
  ) {
    for attribute in element.attributes where !attributes.contains(attribute.name) {
      file.lose(
        "\(attribute.name)=\"\(attribute.value)\"",
        "touchégg does not know it in <\(element.name)>\(Self.advice(attribute.name, attributes))",
        at: attribute.place)
    }
    if names != nil, !element.text.trimmed.isEmpty {
      file.lose(
        element.text.trimmed, "text stands in <\(element.name)>, where nothing reads it",
        at: element.place)
    }
    for child in element.children where !(names ?? []).contains(child.name) {
      lose(
        child, "touchégg does not know it in <\(element.name)>",
        advice: Self.advice(child.name, names ?? []), &file)
    }
  }

  /// Reports an element as lost, with everything in it.
  private func lose(
    _ element: XMLElement, _ why: String, advice: String = "", _ file: inout ImportedFile
  ) {
    file.lose("<\(element.name)>", why + advice, at: element.place)
    for child in element.children { lose(child, why, &file) }
  }
}

extension ImportedFile {
  /// Notes the first of `found`, and how many follow.
  mutating func noteFirst(_ found: [XMLElement], _ why: String) {
    guard let first = found.first else { return }
    noteFirst("\(first.name) \(first.text.trimmed)", why, at: first.place, of: found.count)
  }

  mutating func noteFirst(_ what: String, _ why: String, at place: Place, of count: Int) {
    note(what, why + (count > 1 ? "; so it is with \(count - 1) more below" : ""), at: place)
  }
}
