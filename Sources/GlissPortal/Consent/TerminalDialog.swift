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
