package import GlissConfiguration
package import GlissEvents
import GlissHotkeys

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

/// The question as the user fills it in. Every kind of dialog shows and changes this.
package struct ConsentForm {
  package struct Row: Hashable, Sendable {
    package let id: String
    package let description: String
    /// What the application would like; shown if it is not what is proposed.
    package let preferred: String
    package fileprivate(set) var trigger: Rule.Trigger?
    package fileprivate(set) var isAllowed: Bool
    /// Whether it is new among what the application wants changed: unless it is allowed, it is not
    /// answered, and may be asked about again.
    fileprivate let isBeside: Bool
  }

  package let application: String
  package let isChange: Bool
  package private(set) var rows: [Row]
  private let others: OtherTriggers

  package init(_ question: ConsentQuestion, _ others: OtherTriggers) {
    application = question.application
    isChange = question.isChange
    self.others = others
    rows = question.rows.map { row in
      // Nothing is proposed that may not be registered, nor anything new among what is to be changed.
      Row(
        id: row.id, description: row.description, preferred: row.preferred, trigger: row.trigger,
        isAllowed: row.trigger != nil && row.trigger?.objection == nil
          && !(question.isChange && row.isNew), isBeside: question.isChange && row.isNew)
    }
  }

  /// The application, for the user.
  package var applicationName: String {
    application.isEmpty ? "An application that the portal does not know" : application
  }

  package var summary: String {
    let count = rows.count == 1 ? "a global shortcut" : "\(rows.count) global shortcuts"
    return isChange
      ? "The global shortcuts of \(applicationName)" : "\(applicationName) asks for \(count)"
  }

  /// What all rows have in common.
  package var notes: [String] {
    var notes = ["It learns when they are pressed and released, and of no other key."]
    if let problem = others.consuming {
      notes.append("The window that has the focus gets these keys too: \(problem)")
    }
    if application.isEmpty {
      notes.append("The answer is not kept: it cannot be told from other applications.")
    }
    return notes
  }

  /// What the user should know before allowing a row.
  package func remarks(on index: Int) -> [String] {
    guard rows.indices.contains(index) else { return [] }
    let row = rows[index]
    guard let trigger = row.trigger else {
      let asked = row.preferred.isEmpty ? "it" : "“\(row.preferred)”"
      return [row.preferred.isEmpty ? "choose its keys" : "\(asked) is not known: choose its keys"]
    }
    if let objection = trigger.objection { return [objection] }
    var remarks = others.conflicts(with: trigger, of: application, row.id)
    for (other, row) in rows.enumerated() where other != index && row.trigger == trigger {
      remarks.append("the same as “\(row.name)”")
    }
    return remarks
  }

  // MARK: Changing

  /// Why a text is not taken as a trigger.
  package struct Refusal: Error, Hashable {
    package var message: String
  }

  /// Chooses the trigger of a row, which allows it.
  package mutating func choose(_ text: String, for index: Int) throws(Refusal) {
    guard rows.indices.contains(index) else { return }
    let trigger = try Self.trigger(text)
    rows[index].trigger = trigger
    rows[index].isAllowed = true
  }

  /// The trigger that a user writes: as in the file, as an application would, or a few words.
  package static func trigger(_ text: String) throws(Refusal) -> Rule.Trigger {
    let text = RequestedShortcut.line(text, atMost: 300)
    if let gesture = GestureText.condition(text) { return .gesture(gesture) }
    let trigger: Rule.Trigger?
    do throws(Mistake) {
      trigger = try Rule.Trigger(text: text)
    } catch {
      guard let hotkey = PreferredTrigger.hotkey(text) else {
        throw Refusal(message: error.message)
      }
      trigger = .hotkey(HotkeyCondition(hotkey: hotkey)).consuming(true)
    }
    guard let trigger else { throw Refusal(message: "it is empty") }
    if let objection = trigger.objection { throw Refusal(message: objection) }
    return trigger
  }

  /// Allows a row or not. One without a trigger that may be registered cannot be allowed.
  package mutating func allow(_ isAllowed: Bool, _ index: Int) {
    guard rows.indices.contains(index) else { return }
    let row = rows[index]
    rows[index].isAllowed = isAllowed && row.trigger != nil && row.trigger?.objection == nil
  }

  /// The answer if the user agrees to the form as it is. What is not allowed is denied.
  package var agreement: ConsentAnswer {
    .answers(
      rows.filter { $0.isAllowed || !$0.isBeside }.map { row in
        ShortcutAnswers.Answer(
          id: row.id, description: row.description,
          trigger: row.isAllowed ? row.trigger : nil)
      })
  }

  /// The answer if the user allows none of it.
  package var denial: ConsentAnswer {
    .answers(
      rows.filter { !$0.isBeside }.map {
        ShortcutAnswers.Answer(id: $0.id, description: $0.description, trigger: nil)
      })
  }
}

extension ConsentForm.Row {
  /// What it is called for the user.
  package var name: String { description.isEmpty ? id : description }
}

/// A gesture in a few words, such as `hold 3` or `swipe left with 4 fingers`.
enum GestureText {
  static func condition(_ text: String) -> GestureCondition? {
    let words = text.lowercased().split(whereSeparator: { $0 == " " || $0 == "-" }).map(String.init)
    var parts: [String] = []
    var kind: String?
    for word in words {
      switch word {
      case "with", "finger", "fingers", "a", "of", "the", "from": continue
      case _ where GestureKind.allCases.contains { $0.name == word }:
        guard kind == nil else { return nil }
        kind = word
        parts.append("gesture: \(word)")
      case _ where Int(word) != nil: parts.append("fingers: \(word)")
      case "left", "right", "up", "down", "in", "out", "clockwise", "counterclockwise":
        parts.append("direction: \(word)")
      case _: return nil
      }
    }
    let trigger =
      kind == nil ? nil : try? Rule.Trigger(text: "{\(parts.joined(separator: ", "))}")
    guard case .gesture(let condition)? = trigger else { return nil }
    return condition
  }
}

extension JSON {
  /// Its text.
  package var bytes: [UInt8] {
    var text = TextBuffer(capacity: 1024)
    write(into: &text)
    return Array(text.bytes)
  }
}

extension JSON.Limits {
  /// For a question of many shortcuts and its answer.
  package static let dialog = JSON.Limits(bytes: 1 << 20, values: 1 << 14)
}
