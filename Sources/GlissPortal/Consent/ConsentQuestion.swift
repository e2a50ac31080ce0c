package import GlissConfiguration
package import GlissEvents

/// What the user is asked about an application's shortcuts.
package struct ConsentQuestion: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var id: String
    /// What it does, in the application's words.
    package var description: String
    /// What the application would like, as it sent it.
    package var preferred: String
    /// Whether the user has not answered it before.
    package var isNew: Bool
    /// What is proposed, or was answered before.
    package var trigger: Rule.Trigger?

    init(_ shortcut: RequestedShortcut, isNew: Bool, trigger: Rule.Trigger?) {
      id = shortcut.id
      description = shortcut.description
      preferred = shortcut.preferred
      self.isNew = isNew
      self.trigger = trigger
    }
  }

  package var number: Int
  /// The application's id; empty if the portal does not know it.
  package var application: String
  /// Whether the application asked to have its shortcuts changed.
  package var isChange: Bool
  package var rows: [Row]

  package init(number: Int, application: String, isChange: Bool, rows: [Row]) {
    self.number = number
    self.application = application
    self.isChange = isChange
    self.rows = rows
  }

  /// Whether agreeing may allow something that the user has not allowed before: Enter, pressed for
  /// another window, must not.
  var mayAllowNew: Bool { !isChange || rows.contains(where: \.isNew) }
}

/// The user's answer to a question.
package enum ConsentAnswer: Hashable, Sendable {
  /// Nothing is decided: the application is refused, and may ask again.
  case later
  case answers([ShortcutAnswers.Answer])
}

// MARK: Between the portal and the process that shows the dialog

extension ConsentQuestion {
  package var json: JSON {
    [
      "number": .integer(Int64(number)), "application": .string(application),
      "change": .bool(isChange), "shortcuts": .array(rows.map(\.json)),
    ]
  }

  /// `nil` if it is not a question.
  package init?(_ json: JSON) {
    guard let number = json["number"]?.integer, let application = json["application"]?.string,
      let rows = json["shortcuts"]?.array
    else { return nil }
    self.init(
      number: Int(clamping: number), application: application,
      isChange: json["change"]?.bool ?? false, rows: rows.compactMap(Row.init))
  }
}

extension ConsentQuestion.Row {
  fileprivate var json: JSON {
    .members([
      "id": .string(id), "description": .string(description), "preferred": .string(preferred),
      "new": .bool(isNew), "trigger": trigger.map { .string($0.text) },
      "consume": .bool(trigger?.consumes ?? false),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let id = json["id"]?.string else { return nil }
    let shortcut = RequestedShortcut(
      id: id, description: json["description"]?.string ?? "",
      preferred: json["preferred"]?.string ?? "")
    let trigger = json["trigger"]?.string.flatMap { try? Rule.Trigger(text: $0) }
    self.init(
      shortcut, isNew: json["new"]?.bool ?? true,
      trigger: trigger?.consuming(json["consume"]?.bool ?? true))
  }
}

extension ConsentAnswer {
  package var json: JSON {
    switch self {
    case .later: [:]
    case .answers(let answers):
      [
        "answers": .array(
          answers.map { answer in
            .members([
              "id": .string(answer.id), "description": .string(answer.description),
              "trigger": answer.trigger.map { .string($0.text) },
              "consume": .bool(answer.trigger?.consumes ?? false),
            ])
          })
      ]
    }
  }

  /// Anything that is not an answer decides nothing.
  package init(_ json: JSON) {
    guard let list = json["answers"]?.array else {
      self = .later
      return
    }
    var answers: [ShortcutAnswers.Answer] = []
    for item in list {
      guard let id = item["id"]?.string else { continue }
      var trigger: Rule.Trigger?
      if let given = item["trigger"] {
        guard let text = given.string, let read = try? Rule.Trigger(text: text) else { continue }
        trigger = read.consuming(item["consume"]?.bool ?? true)
      }
      answers.append(
        ShortcutAnswers.Answer(
          id: id, description: item["description"]?.string ?? "", trigger: trigger))
    }
    self = .answers(answers)
  }
}
