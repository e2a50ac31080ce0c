import GlissConfiguration

/// Prints mistakes in configuration files on standard error.
enum MistakePrinter {
  /// Prints all mistakes and their number; prints nothing if there are none.
  static func print(_ mistakes: [Mistake]) {
    if mistakes.isEmpty { return }
    let terminal = Terminal(Output.diagnostics.descriptor)
    var text = ""
    for mistake in mistakes {
      let lines = mistake.lines
      for (index, line) in lines.enumerated() {
        let isMark = index == 2
        let style = mistake.severity == .error ? Style.red : .yellow
        text += (isMark ? style(line, on: terminal) : line) + "\n"
      }
    }
    Output.diagnostics.write(line: text + mistakes.summary)
  }
}
