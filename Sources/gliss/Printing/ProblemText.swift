import Gliss

/// Splits a one-line problem from the broker or agent, `FINDING; ADVICE: COMMAND && COMMAND`, for
/// reading: the finding, the advice, and each command on its own line.
struct ProblemText {
  private(set) var finding: String
  private(set) var advice: [Finding.Advice] = []

  /// The beginnings of commands.
  private static let programs = ["sudo ", "gliss ", "systemctl "]

  init(_ text: String) {
    advice = Self.sentences(of: text)
    finding = advice.first?.text ?? ""
    if advice.first?.commands.isEmpty ?? true {
      advice = Array(advice.dropFirst())
    } else {
      advice[0].text = ""
    }
  }

  /// For `gliss status`: the finding after a word, and the advice below it.
  func lines(_ word: String, on terminal: Terminal) -> [String] {
    let margin = 9
    var lines = finding.printable.wrapped(margin: margin, on: terminal)
    if let first = lines.first { lines[0] = word.padded(margin) + first.dropFirst(margin) }
    return lines.map { Style.red($0, on: terminal) }
      + advice.flatMap { Self.lines($0, margin: margin, on: terminal) }
  }

  /// The lines below a finding. Commands are not wrapped, so that they can be copied.
  static func lines(_ advice: Finding.Advice, margin: Int, on terminal: Terminal) -> [String] {
    let space = String(repeating: " ", count: margin + 2)
    return advice.text.printable.wrapped(margin: margin, on: terminal)
      .map { Style.dim($0, on: terminal) } + advice.commands.map { space + $0.printable }
  }

  /// The parts between semicolons, each with the commands at its end.
  private static func sentences(of text: String) -> [Finding.Advice] {
    var found: [Finding.Advice] = []
    var rest = text[...]
    while !rest.isEmpty {
      let sentence = rest.prefix(upTo: end(of: rest, "; "))
      let command = programs.compactMap { sentence.firstRange(of: ": " + $0) }.min {
        $0.lowerBound < $1.lowerBound
      }
      guard let command else {
        found.append(.init(String(sentence)))
        rest = rest[sentence.endIndex...].dropFirst(2)
        continue
      }
      // quoted text in a command belongs to it
      let start = rest.index(command.lowerBound, offsetBy: 2)
      let commands = rest[start...].prefix(upTo: end(of: rest[start...], "; ", quotes: true))
      found.append(.init(String(rest[..<command.lowerBound]) + ":", commands: parts(of: commands)))
      rest = rest[commands.endIndex...].dropFirst(2)
    }
    return found
  }

  private static func parts(of commands: Substring) -> [String] {
    var found: [String] = []
    var rest = commands
    while !rest.isEmpty {
      let command = rest.prefix(upTo: end(of: rest, " && ", quotes: true))
      found.append(String(command))
      rest = rest[command.endIndex...].dropFirst(4)
    }
    return found
  }

  /// The position of the next `separator`, or the end. With `quotes`, skips separators in quotes.
  private static func end(
    of text: Substring, _ separator: String, quotes: Bool = false
  ) -> Substring.Index {
    var isQuoted = false
    return text.indices.first { index in
      if quotes, text[index] == "'" { isQuoted.toggle() }
      return !isQuoted && text[index...].hasPrefix(separator)
    } ?? text.endIndex
  }
}
