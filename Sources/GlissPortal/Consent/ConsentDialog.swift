/// Asks the user with one tool until they have decided.
package enum ConsentDialog {
  package static func ask(_ form: ConsentForm, with tool: some DialogTool) -> ConsentAnswer {
    var form = form
    var problem: String?
    while true {
      switch tool.choose(form, problem: problem) {
      case .allow(let picked):
        problem = nil
        for index in form.rows.indices {
          if let picked { form.allow(picked.contains(index), index) }
          if picked?.contains(index) ?? false, !form.rows[index].isAllowed {
            problem =
              "“\(form.rows[index].name)”: " + form.remarks(on: index).joined(separator: ", ")
          }
        }
        if problem == nil { return form.agreement }
      case .deny: return form.denial
      case .later: return .later
      case .toggle(let index):
        problem = nil
        form.allow(!form.rows[index].isAllowed, index)
        if form.rows[index].trigger == nil { problem = change(&form, index, tool) }
      case .change(let index): problem = change(&form, index, tool)
      }
    }
  }

  /// - Returns: what went wrong.
  private static func change(
    _ form: inout ConsentForm, _ index: Int, _ tool: some DialogTool
  ) -> String? {
    guard form.rows.indices.contains(index) else { return nil }
    var problem: String?
    var mayRecord = true
    while true {
      var text: String?
      if mayRecord {
        text = tool.record(for: form.rows[index], problem: problem)
        mayRecord = text != nil
      }
      guard let given = text ?? tool.type(for: form.rows[index], problem: problem),
        given.contains(where: { $0 != " " })
      else { return nil }
      do throws(ConsentForm.Refusal) {
        try form.choose(given, for: index)
        return nil
      } catch {
        problem = "“\(given)”: \(error.message)"
      }
    }
  }
}

/// What the user chose in a dialog.
package enum DialogChoice: Hashable, Sendable {
  /// The form as it is, or only the rows that were picked.
  case allow(Set<Int>?)
  case deny
  /// Nothing is decided.
  case later
  case change(Int)
  case toggle(Int)
}

/// One way to show a form: a program that draws dialogs, or a terminal.
package protocol DialogTool {
  func choose(_ form: ConsentForm, problem: String?) -> DialogChoice
  /// Waits for keys or a stroke.
  ///
  /// - Returns: what was pressed; `nil` if nothing can be recorded, or the user prefers to type it.
  func record(for row: ConsentForm.Row, problem: String?) -> String?
  /// Lets the user type the trigger; `nil` if they went back.
  func type(for row: ConsentForm.Row, problem: String?) -> String?
}

extension ConsentForm {
  /// A row on one line: what it does, its keys, and what is to be known about it.
  func line(_ index: Int) -> String {
    let row = rows[index]
    let keys = row.trigger?.words ?? "no keys yet"
    let remarks = remarks(on: index)
    return "\(row.name): \(keys)"
      + (remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))")
  }
}

extension ConsentForm.Row {
  /// What is asked for when its keys are changed.
  func prompt(_ instruction: String, problem: String?) -> String {
    (problem.map { "\($0)\n\n" } ?? "") + "\(instruction) for “\(name)”."
      + (preferred.isEmpty ? "" : "\nThe application would like \(preferred).")
  }
}
