import GlissHotkeys

/// What the user has answered to applications that asked for global shortcuts.
package struct ShortcutAnswers: Hashable, Sendable {
  /// The answer for one shortcut.
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

  /// The answers for one application.
  package struct Application: Hashable, Sendable {
    /// Its id, such as `org.mozilla.firefox`.
    package var name: String
    package var answers: [Answer]
  }

  /// In file order.
  package var applications: [Application]

  package init(_ applications: [Application] = []) { self.applications = applications }

  package subscript(_ application: String, _ id: String) -> Answer? {
    applications.first { $0.name == application }?.answers.first { $0.id == id }
  }

  /// Adds an answer, or replaces the one for the same shortcut.
  package mutating func set(_ answer: Answer, of application: String) {
    let index =
      applications.firstIndex { $0.name == application }
      ?? {
        applications.append(Application(name: application, answers: []))
        return applications.count - 1
      }()
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

extension Rule.Trigger {
  /// Whether the rest of the desktop is to be kept from its keys.
  package var consumes: Bool {
    if case .hotkey(let condition) = self { condition.consumes } else { false }
  }

  /// The same trigger, hidden from the rest of the desktop if it can be.
  package func consuming(_ consumes: Bool) -> Rule.Trigger {
    switch self {
    case .hotkey(let condition):
      .hotkey(
        HotkeyCondition(
          hotkey: condition.hotkey, consumes: consumes && condition.hotkey.isConsumable))
    case .gesture: self
    }
  }
}
