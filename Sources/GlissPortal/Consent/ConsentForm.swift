package import GlissConfiguration
package import GlissEvents
import GlissHotkeys

package struct ConsentQuestion: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var shortcut: RequestedShortcut
    package var isNew: Bool
    /// What is proposed, or was answered before.
    package var trigger: Rule.Trigger?
  }

  package var number: Int
  /// The application's id; empty if the portal does not know it.
  package var application: String
  /// Whether the application asked to have its shortcuts changed.
  package var isChange: Bool
  package var rows: [Row]
}

package enum ConsentAnswer: Hashable, Sendable {
  /// Nothing is decided. The application is refused for now, and may ask again.
  case later
  case answers([ShortcutAnswers.Answer])
}

/// The question as the user fills it in. Every kind of dialog shows and changes this form.
package struct ConsentForm {
  package private(set) var question: ConsentQuestion
  package private(set) var allowed: Set<Int>
  private let others: OtherTriggers

  package init(_ question: ConsentQuestion, _ others: OtherTriggers) {
    self.question = question
    self.others = others
    allowed = []
    for (index, row) in question.rows.enumerated() where !(question.isChange && row.isNew) {
      allow(true, index)
    }
  }

  package var rows: [ConsentQuestion.Row] { question.rows }

  package var summary: String {
    let application = question.application
    let name = application.isEmpty ? "An application that the portal does not know" : application
    let count = rows.count == 1 ? "a global shortcut" : "\(rows.count) global shortcuts"
    return question.isChange ? "The global shortcuts of \(name)" : "\(name) asks for \(count)"
  }

  package var notes: [String] {
    var notes = ["It learns when they are pressed and released, and of no other key."]
    if let problem = others.consuming {
      notes.append("The window that has the focus gets these keys too: \(problem)")
    }
    if question.application.isEmpty {
      notes.append("The answer is not saved: this application cannot be distinguished from others.")
    }
    return notes
  }

  package func remarks(on index: Int) -> [String] {
    let row = rows[index]
    guard let trigger = row.trigger else {
      let preferred = row.shortcut.preferred
      return [
        preferred.isEmpty ? "choose its keys" : "“\(preferred)” is not known: choose its keys"
      ]
    }
    if let objection = trigger.objection { return [objection] }
    var remarks = others.conflicts(with: trigger, of: question.application, row.shortcut.id)
    for (other, row) in rows.enumerated() where other != index && row.trigger == trigger {
      remarks.append("the same as “\(row.shortcut.name)”")
    }
    return remarks
  }

  // MARK: Changing

  package struct Refusal: Error, Hashable {
    package var message: String
  }

  /// Chooses the trigger of a row, which allows it.
  package mutating func choose(_ text: String, for index: Int) throws(Refusal) {
    question.rows[index].trigger = try Self.trigger(text)
    allowed.insert(index)
  }

  /// The trigger that a user writes: as in the file, as an application would, or a few words.
  package static func trigger(_ text: String) throws(Refusal) -> Rule.Trigger {
    let text = RequestedShortcut.line(text, atMost: 300)
    let mapping = GestureCondition.mapping(ofWords: text)
    let trigger: Rule.Trigger?
    do throws(Mistake) {
      trigger = try Rule.Trigger(text: mapping ?? text)
    } catch {
      guard mapping == nil, let preferred = PreferredTrigger.trigger(text) else {
        throw Refusal(message: error.message)
      }
      trigger = preferred
    }
    guard let trigger else { throw Refusal(message: "it is empty") }
    if let objection = trigger.objection { throw Refusal(message: objection) }
    return trigger
  }

  /// A row without a trigger that may be registered cannot be allowed.
  package mutating func allow(_ isAllowed: Bool, _ index: Int) {
    if isAllowed, let trigger = rows[index].trigger, trigger.objection == nil {
      allowed.insert(index)
    } else {
      allowed.remove(index)
    }
  }

  /// The answer if the user agrees to the form as it is. Rows that are not allowed are denied.
  package var agreement: ConsentAnswer { answer(allowing: allowed) }

  package var denial: ConsentAnswer { answer(allowing: []) }

  /// Of changed shortcuts, a new one is answered only if allowed: it may be asked about later.
  private func answer(allowing allowed: Set<Int>) -> ConsentAnswer {
    let answered = rows.enumerated().filter { index, row in
      allowed.contains(index) || !(question.isChange && row.isNew)
    }
    return .answers(
      answered.map { index, row in
        ShortcutAnswers.Answer(
          id: row.shortcut.id, description: row.shortcut.description,
          trigger: allowed.contains(index) ? row.trigger : nil)
      })
  }
}

// MARK: Between the portal and the process that shows the dialog

extension ConsentQuestion {
  package var json: JSON {
    [
      "number": .integer(Int64(number)), "application": .string(application),
      "change": .bool(isChange), "shortcuts": .array(rows.map(\.json)),
    ]
  }

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
      "id": .string(shortcut.id), "description": .string(shortcut.description),
      "preferred": .string(shortcut.preferred), "new": .bool(isNew),
      "trigger": trigger.map { .string($0.text) }, "consume": .bool(trigger?.consumes ?? false),
    ])
  }

  fileprivate init?(_ json: JSON) {
    guard let id = json["id"]?.string else { return nil }
    shortcut = RequestedShortcut(
      id: id, description: json["description"]?.string ?? "",
      preferred: json["preferred"]?.string ?? "")
    isNew = json["new"]?.bool ?? true
    trigger = json.trigger
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
    self = .answers(
      list.compactMap { item in
        guard let id = item["id"]?.string else { return nil }
        let trigger = item.trigger
        // an invalid trigger is not a denial
        if trigger == nil, item["trigger"] != nil { return nil }
        return ShortcutAnswers.Answer(
          id: id, description: item["description"]?.string ?? "", trigger: trigger)
      })
  }
}

extension JSON {
  fileprivate var trigger: Rule.Trigger? {
    guard let text = self["trigger"]?.string, let trigger = try? Rule.Trigger(text: text) else {
      return nil
    }
    return trigger.consuming(self["consume"]?.bool ?? true)
  }
}

extension JSON.Limits {
  package static let dialog = JSON.Limits(bytes: 1 << 20, values: 1 << 14)
}
