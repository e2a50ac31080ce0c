import GlissConfiguration

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

/// Dialogs by zenity, GNOME's and everyone's tool for scripts.
package struct ZenityDialog: DialogTool {
  private let programs: any DialogPrograms

  package init(_ programs: any DialogPrograms) { self.programs = programs }

  private static let title = "Global shortcuts"
  private static let changing = "Change keys…"
  /// Its exit statuses, as we ask for them: without this Escape would deny.
  private enum Status {
    static let cancel: Int32 = 1
    static let escape: Int32 = 5
    static let extra: Int32 = 6
  }
  /// The variables that set its exit statuses.
  static let environment = [
    "ZENITY_CANCEL=\(Status.cancel)", "ZENITY_ESC=\(Status.escape)", "ZENITY_EXTRA=\(Status.extra)",
    "ZENITY_ERROR=7", "ZENITY_TIMEOUT=8",
  ]

  /// Whether the dialog may be opened. Enter says no.
  func mayOpen(_ form: ConsentForm) -> Bool {
    let result = run(
      [
        "--question", "--default-cancel", "--text", Self.text(form.summary + "."), "--ok-label",
        "Choose…", "--cancel-label", "Not now",
      ], "")
    return result?.status == 0
  }

  package func choose(_ form: ConsentForm, problem: String?) -> DialogChoice {
    let lines = [problem, form.summary + ".", form.notes.joined(separator: "\n")].compactMap(\.self)
    let result = run(
      [
        "--list", "--checklist", "--text", Self.text(lines.joined(separator: "\n\n")),
        "--column", "", "--column", "", "--column", "Shortcut", "--column", "Keys", "--column",
        "Remarks", "--hide-column", "2", "--print-column", "2", "--separator", ",",
        "--ok-label", "Allow", "--cancel-label", "Don't allow", "--extra-button", Self.changing,
        "--width", "760", "--height", "420",
      ], Self.cells(of: form))
    guard let result else { return .later }
    let words = result.output.filter { $0 != "\n" }
    // an older zenity has one status for all buttons but the first
    if result.status == Status.extra || words == Self.changing { return pick(form) }
    switch result.status {
    case 0: return .allow(Set(words.split(separator: ",").compactMap { Int($0) }))
    case Status.cancel: return .deny
    case _: return .later
    }
  }

  /// A cell a line: nothing that an application sends can be taken for an option.
  static func cells(of form: ConsentForm) -> String {
    form.rows.indices.map { index in
      let row = form.rows[index]
      let remarks = form.remarks(on: index).joined(separator: "; ")
      return [
        row.isAllowed ? "TRUE" : "FALSE", "\(index)", row.name, row.trigger?.words ?? "–",
        remarks.isEmpty ? "–" : remarks,
      ].joined(separator: "\n") + "\n"
    }.joined()
  }

  private func pick(_ form: ConsentForm) -> DialogChoice {
    if form.rows.count == 1 { return .change(0) }
    let cells = form.rows.indices.map { index in
      "\(index)\n\(form.rows[index].name)\n\(form.rows[index].trigger?.words ?? "–")\n"
    }
    let result = run(
      [
        "--list", "--text", "Whose keys are to be changed?", "--column", "", "--column", "Shortcut",
        "--column", "Keys", "--hide-column", "1", "--print-column", "1", "--width", "560",
        "--height", "360",
      ], cells.joined())
    guard let result, result.status == 0,
      let index = Int(result.output.filter { $0 != "\n" }), form.rows.indices.contains(index)
    else { return .redrawn }
    return .change(index)
  }

  package func record(for row: ConsentForm.Row, problem: String?) -> String? {
    let text = row.prompt("Press the keys, or draw the stroke,", problem: problem)
    return programs.record(
      showing:
        arguments([
          "--progress", "--pulsate", "--auto-close", "--auto-kill", "--text", Self.text(text),
          "--cancel-label", "Type it",
        ]))
  }

  package func type(for row: ConsentForm.Row, problem: String?) -> String? {
    let text = row.prompt(
      "Type the keys, such as ctrl+alt+p, or hold 3 for three fingers,", problem: problem)
    let result = run(
      ["--entry", "--text", Self.entryText(text), "--entry-text", row.trigger?.text ?? ""], "")
    guard let result, result.status == 0 else { return nil }
    return result.output.filter { $0 != "\n" }
  }

  private func run(_ own: [String], _ input: String) -> DialogResult? {
    programs.run(arguments(own), input: input)
  }

  private func arguments(_ own: [String]) -> [String] {
    ["zenity", "--title", Self.title] + own
  }

  /// As zenity shows it unchanged: it reads markup, and before that the escapes of C.
  static func text(_ text: String) -> String { replaced(markup(text), ["\\": "\\\\"]) }

  /// The same for the text of an entry, in which an underscore marks a key.
  static func entryText(_ text: String) -> String { replaced(text, ["\\": "\\\\", "_": "__"]) }

  /// As Pango's markup shows it unchanged.
  static func markup(_ text: String) -> String {
    replaced(text, ["&": "&amp;", "<": "&lt;", ">": "&gt;"])
  }

  /// By scalars: a sign with a combining mark is another character, and still a sign to Pango.
  private static func replaced(_ text: String, _ signs: [Unicode.Scalar: String]) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let other = signs[scalar] { result += other.unicodeScalars } else { result.append(scalar) }
    }
    return String(result)
  }
}

extension DialogChoice {
  /// Nothing was chosen: the form is shown again.
  static let redrawn = DialogChoice.change(-1)
}

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
    programs.run(arguments(own), input: "")
  }

  /// Texts begin with words of ours, so none is taken for an option.
  private func arguments(_ own: [String]) -> [String] {
    ["kdialog", "--title", "Global shortcuts"] + own
  }
}

/// The form as lines of text, and commands of a letter or a number.
package struct TerminalDialog: DialogTool {
  private let write: (String) -> Void
  /// The next line; `nil` at the end of input.
  private let read: () -> String?

  private let programs: any DialogPrograms

  package init(
    _ programs: any DialogPrograms, write: @escaping (String) -> Void,
    read: @escaping () -> String?
  ) {
    self.programs = programs
    self.write = write
    self.read = read
  }

  package func choose(_ form: ConsentForm, problem: String?) -> DialogChoice {
    write("")
    write(form.summary + ":")
    write("")
    for index in form.rows.indices {
      write("  \(index + 1) [\(form.rows[index].isAllowed ? "x" : " ")] \(form.line(index))")
    }
    write("")
    for note in form.notes { write(note) }
    if let problem { write("! " + problem) }
    while true {
      write(
        "a: allow what is marked   d: don't allow   1-\(form.rows.count): change its keys   "
          + "-1: take its mark   q: decide later")
      guard let line = read() else { return .later }
      let word = line.filter { $0 != " " }.lowercased()
      switch word {
      case "a", "allow": return .allow(nil)
      case "d", "deny": return .deny
      case "q", "quit": return .later
      case _:
        guard let number = Int(word), number != 0,
          number.magnitude <= form.rows.count
        else { continue }
        return number < 0 ? .toggle(-number - 1) : .change(number - 1)
      }
    }
  }

  package func record(for row: ConsentForm.Row, problem: String?) -> String? {
    write(row.prompt("Press the keys, or draw the stroke,", problem: problem))
    return programs.record(showing: nil)
  }

  package func type(for row: ConsentForm.Row, problem: String?) -> String? {
    write(
      row.prompt(
        "Type the keys, such as ctrl+alt+p, or hold 3 for three fingers,", problem: problem))
    return read()
  }
}
