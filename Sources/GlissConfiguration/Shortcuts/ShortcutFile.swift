import GlissEvents
import GlissHotkeys
import GlissYaml

/// The file in which answers are kept: applications, their shortcuts, and a trigger for each.
///
/// ```yaml
/// com.obsproject.Studio:
///   record: {description: Start recording, trigger: ctrl+alt+r}
///   talk: {description: Push to talk, trigger: {gesture: hold, fingers: 3}}
///   quit: {description: Quit, trigger: none}
/// ```
package enum ShortcutFile {
  package static let largestFile = 1 << 20

  /// What was read, unless there was a mistake.
  package static func read(
    _ file: ConfigurationText
  ) -> (answers: ShortcutAnswers?, mistakes: [Mistake]) {
    do throws(Mistake) {
      var reader = try Reader(SourceText(file), upTo: largestFile)
      let answers = ShortcutAnswers(applications(&reader))
      return (reader.mistakes.errors == 0 ? answers : nil, reader.mistakes.all)
    } catch {
      return (nil, [error])
    }
  }

  private static func applications(_ reader: inout Reader) -> [ShortcutAnswers.Application] {
    guard let root = reader.yaml.root else { return [] }
    return entries(of: root, "an application's id", &reader).map { name, _, value in
      let answers = entries(of: value, "a shortcut's id", &reader).compactMap { id, _, value in
        answer(id, value, &reader)
      }
      return ShortcutAnswers.Application(name: name, answers: answers)
    }
  }

  private static func entries(
    of node: YamlNode, _ what: String, _ reader: inout Reader
  ) -> [Reader.Entry] {
    reader.entries(of: node, FormWords("a mapping from \(what)"), what) ?? []
  }

  private static func answer(
    _ id: String, _ node: YamlNode, _ reader: inout Reader
  ) -> ShortcutAnswers.Answer? {
    var draft = Draft()
    guard let given = table.read(node, into: &draft, &reader), let choice = draft.trigger else {
      return nil
    }
    var trigger = choice?.consuming(draft.consumes ?? true)
    if let consumes = draft.consumes, let key = given.key("consume"),
      (trigger?.consumes ?? false) != consumes
    {
      reader.report("only chords of keys can be kept from the desktop: leave out consume", at: key)
      trigger = nil
    }
    return ShortcutAnswers.Answer(id: id, description: draft.description, trigger: trigger)
  }

  private struct Draft {
    var description = ""
    /// The inner `nil` is the choice of none.
    var trigger: Rule.Trigger??
    var consumes: Bool?
  }

  private static let table = Table<Draft>(
    name: "a shortcut",
    fields: [
      Field("description", .text("a description"), \.description, "What it does."),
      Field(
        "trigger", .trigger, \.trigger,
        "A hotkey (docs/hotkeys.md), a gesture as in gliss.yaml, or none.", isRequired: true),
      Field(
        "consume", .flag, \.consumes, "Whether the rest of the desktop does not get the keys.",
        standard: "`true`"),
    ])
}

extension Form where Value == Rule.Trigger? {
  /// A hotkey, a gesture without actions, or none.
  static var trigger: Form {
    let words = FormWords(
      "a hotkey, a gesture or none", "ctrl+alt+p", "{gesture: hold, fingers: 3}")
    return Form(words, schema: [:]) { node, reader in
      if reader.yaml.isMapping(node) {
        return GestureTable.condition.read(node, &reader).map { .gesture($0) }
      }
      guard let text = reader.word(node) else {
        reader.expected(words, at: node)
        return nil
      }
      if text == "none" { return .some(nil) }
      guard let hotkey = reader.parsed(node, { () throws(HotkeyError) in try Hotkey(text) }) else {
        return nil
      }
      guard hotkey.activation == .press else {
        reader.report(
          "an application learns of the press and of the release: leave out"
            + " \(hotkey.activation):", at: node)
        return nil
      }
      return .hotkey(HotkeyCondition(hotkey: hotkey))
    }
  }
}

// MARK: Writing

extension ShortcutAnswers {
  /// The file with these answers. It begins with `head`, which is a comment.
  package func text(head: String) -> String {
    var lines: [String] = []
    for application in applications {
      lines.append(YamlQuoting.scalar(application.name) + ":")
      for answer in application.answers {
        lines += answer.written.lines(key: YamlQuoting.scalar(answer.id)).map { "  " + $0 }
      }
    }
    return head + lines.map { $0 + "\n" }.joined()
  }
}

extension ShortcutAnswers.Answer {
  fileprivate var written: YamlText {
    var isOpen = false
    if case .hotkey(let condition)? = trigger {
      isOpen = condition.hotkey.isConsumable && !condition.consumes
    }
    return [
      "description": description.isEmpty ? nil : .text(description),
      "trigger": trigger?.written ?? .word("none"), "consume": isOpen ? .word("false") : nil,
    ]
  }
}

extension Rule.Trigger {
  fileprivate var written: YamlText {
    switch self {
    case .hotkey(let condition): .text("\(condition.hotkey)")
    case .gesture(let condition): .map(condition.entries)
    }
  }

  package var text: String {
    if case .hotkey(let condition) = self { "\(condition.hotkey)" } else { written.inline ?? "" }
  }

  /// The trigger with this text, as in the file.
  ///
  /// - Throws: what is wrong with it.
  package init?(text: String) throws(Mistake) {
    // YAML would read a character in quotes as a quoted word
    if let hotkey = try? Hotkey(text), hotkey.activation == .press {
      self = Rule.Trigger.hotkey(HotkeyCondition(hotkey: hotkey)).consuming(true)
      return
    }
    let source = SourceText(ConfigurationText(name: "trigger", bytes: Array(text.utf8)))
    var reader = try Reader(source, upTo: ShortcutFile.largestFile)
    guard let root = reader.yaml.root else {
      throw source.mistake("it is empty", at: YamlMark(line: 0, column: 0), length: 1)
    }
    let choice = Form<Rule.Trigger?>.trigger.read(root, &reader)
    if let mistake = reader.mistakes.all.first(where: { $0.severity == .error }) { throw mistake }
    guard let trigger = choice ?? nil else { return nil }
    self = trigger.consuming(true)
  }

  package var consumes: Bool {
    if case .hotkey(let condition) = self { condition.consumes } else { false }
  }

  /// The same trigger, hidden from the rest of the desktop if it can be.
  package func consuming(_ consumes: Bool) -> Rule.Trigger {
    guard case .hotkey(var condition) = self else { return self }
    condition.consumes = consumes && condition.hotkey.isConsumable
    return .hotkey(condition)
  }
}

/// What the user has answered to applications that asked for global shortcuts.
package struct ShortcutAnswers: Hashable, Sendable {
  package struct Answer: Hashable, Sendable {
    /// The application's own name for it.
    package var id: String
    /// What it does, in the application's words.
    package var description: String
    /// What activates it; `nil` if the user does not allow it.
    package var trigger: Rule.Trigger?

    package init(id: String, description: String, trigger: Rule.Trigger?) {
      self.id = id
      self.description = description
      self.trigger = trigger
    }
  }

  package struct Application: Hashable, Sendable {
    /// Its id, such as `org.mozilla.firefox`.
    package var name: String
    package var answers: [Answer]
  }

  package var applications: [Application]

  package init(_ applications: [Application] = []) { self.applications = applications }

  package subscript(_ application: String, _ id: String) -> Answer? {
    applications.first { $0.name == application }?.answers.first { $0.id == id }
  }

  package mutating func set(_ answer: Answer, of application: String) {
    let index = applications.firstIndex { $0.name == application } ?? applications.count
    if index == applications.count {
      applications.append(Application(name: application, answers: []))
    }
    if let known = applications[index].answers.firstIndex(where: { $0.id == answer.id }) {
      applications[index].answers[known] = answer
    } else {
      applications[index].answers.append(answer)
    }
  }

  /// Removes the answer for a shortcut, or for all of an application's if `id` is `nil`.
  ///
  /// - Returns: how many were removed.
  @discardableResult
  package mutating func forget(_ application: String, _ id: String? = nil) -> Int {
    guard let index = applications.firstIndex(where: { $0.name == application }) else { return 0 }
    let before = applications[index].answers.count
    applications[index].answers.removeAll { id == nil || $0.id == id }
    let left = applications[index].answers.count
    if left == 0 { applications.remove(at: index) }
    return before - left
  }
}
