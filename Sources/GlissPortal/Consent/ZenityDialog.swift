import GlissConfiguration

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
  private static let environment = [
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
    programs.run(arguments(own), input: input, environment: Self.environment)
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
