import GlissConfiguration

/// Dialogs by KDE's kdialog.
package struct KDialogDialog: DialogTool {
  private let programs: any DialogPrograms

  package init(_ programs: any DialogPrograms) { self.programs = programs }

  private enum Tag {
    static let allow = "allow"
    static let deny = "deny"
  }

  /// One menu: to allow, to deny, and a line for each shortcut, which opens what can be done with it.
  package func choose(_ form: ConsentForm, problem: String?) -> DialogChoice {
    let lines = [problem, form.summary + ".", form.notes.joined(separator: "\n")].compactMap(\.self)
    // what comes first may be chosen, and Enter takes it: that allows nothing yet
    var items = form.rows.indices.flatMap { index in
      ["\(index)", (form.rows[index].isAllowed ? "☑ " : "☐ ") + form.line(index)]
    }
    items += [Tag.allow, "Allow those that are marked", Tag.deny, "Don't allow any"]
    guard let result = run(["--menu", lines.joined(separator: "\n\n")] + items),
      result.status == 0
    else { return .later }
    let tag = result.output.filter { $0 != "\n" }
    switch tag {
    case Tag.allow: return .allow(nil)
    case Tag.deny: return .deny
    case _:
      guard let index = Int(tag), form.rows.indices.contains(index) else { return .later }
      return change(form, index)
    }
  }

  private func change(_ form: ConsentForm, _ index: Int) -> DialogChoice {
    let mark = form.rows[index].isAllowed ? "Don't allow it" : "Allow it"
    let result = run(["--menu", "• " + form.line(index), "keys", "Change its keys…", "mark", mark])
    guard let result, result.status == 0 else { return .redrawn }
    return result.output.contains("mark") ? .toggle(index) : .change(index)
  }

  package func record(for row: ConsentForm.Row, problem: String?) -> String? {
    let text = row.prompt("Press the keys, or draw the stroke,", problem: problem)
    return programs.record(
      showing: arguments(["--msgbox", text, "--ok-label", "Type it"]))
  }

  package func type(for row: ConsentForm.Row, problem: String?) -> String? {
    let text = row.prompt(
      "Type the keys, such as ctrl+alt+p, or hold 3 for three fingers,", problem: problem)
    guard let result = run(["--inputbox", text, row.trigger?.text ?? ""]), result.status == 0 else {
      return nil
    }
    return result.output.filter { $0 != "\n" }
  }

  private func run(_ own: [String]) -> DialogResult? {
    programs.run(arguments(own), input: "", environment: [])
  }

  /// Texts begin with words of ours, so none is taken for an option.
  private func arguments(_ own: [String]) -> [String] {
    ["kdialog", "--title", "Global shortcuts"] + own
  }
}
