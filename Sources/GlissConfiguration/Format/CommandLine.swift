import GlissEvents
import GlissHotkeys

/// A line that a shell would run, for advice on what to write in its place.
struct CommandLine {
  let text: String
  /// The program and its arguments; `nil` if only a shell can run the line.
  let words: [String]?

  init(_ text: String) {
    self.text = text
    words = Self.words(text[...])
  }

  /// An entry of an action that runs it: `run: [foot, -e, vi]` or `shell: 'a | b'`.
  var entry: String {
    guard let words else { return Self.short("shell: \(YamlQuoting.scalar(text))") ?? "shell: …" }
    return Self.short("run: \(Self.list(words))") ?? "run: [program, argument, …]"
  }

  /// The list as written in the file.
  static func list(_ words: [String]) -> String {
    "[" + words.map(YamlQuoting.item).joined(separator: ", ") + "]"
  }

  private static func short(_ entry: String) -> String? { entry.utf8.count > 100 ? nil : entry }

  private static let operators = Set<Character>("|&;<>$`*?[]()\n")

  private static func words(_ text: Substring) -> [String]? {
    var words: [String] = []
    var word: String?
    var rest = text
    while let sign = rest.popFirst() {
      if sign == " " || sign == "\t" {
        if let word { words.append(word) }
        word = nil
      } else if sign == "'" || sign == "\"", let end = rest.firstIndex(of: sign) {
        let quoted = rest[..<end]
        if sign == "\"", quoted.contains(where: { "$`\\".contains($0) }) { return nil }
        // run would replace what the quotes protect
        if word == nil, quoted.hasPrefix("~") || quoted.hasPrefix("$") { return nil }
        word = (word ?? "") + quoted
        rest = rest[end...].dropFirst()
      } else if word == nil, sign == "#" || sign == "~" && !rest.hasPrefix("/") {
        return nil
      } else if sign == "'" || sign == "\"" || sign == "\\" && rest.isEmpty {
        // it goes on in a line that is not there
        return nil
      } else if operators.contains(sign) {
        // these two begin a path for run as well
        let isFolder = word == nil && ["HOME/", "XDG_RUNTIME_DIR/"].contains(where: rest.hasPrefix)
        guard sign == "$", isFolder else { return nil }
        word = "$"
      } else {
        word = (word ?? "") + String(sign == "\\" ? rest.removeFirst() : sign)
      }
    }
    if let word { words.append(word) }
    // a variable that is set for the command
    let name = words.first?.firstIndex(of: "=").flatMap { words.first?[..<$0] } ?? ""
    let isVariable = !name.isEmpty && name.utf8.allSatisfy { $0.isLetterDigit(or: "_") }
    return words.isEmpty || isVariable ? nil : words
  }
}

extension ActionTable {
  /// What to write in place of an action that is only text, as the end of a sentence.
  static func advice(for text: String) -> String {
    guard text.utf8.count <= 64, let first = text.split(whereSeparator: \.isWhitespace).first else {
      return ""
    }
    let verb = first.hasSuffix(":") ? String(first.dropLast()) : String(first)
    if verbs.contains(verb) {
      let rest = text.dropFirst(first.count).drop { $0 == " " }
      let isLine = verb == "run" && !rest.isEmpty
      return "; write {\(isLine ? CommandLine(String(rest)).entry : "\(verb): …")}"
    }
    if let keys = keys(text) { return "; write {keys: \(YamlQuoting.item(keys))}" }
    return "; write {\(CommandLine(text).entry)}"
  }

  /// What to write instead of a list of words; `nil` if they do not look like one command.
  static func advice(for words: [String]) -> String? {
    guard let first = words.first, let sign = first.first, sign.isLetter || "/~".contains(sign),
      !verbs.contains(first), !first.contains(where: \.isWhitespace)
    else { return nil }
    let areKeys =
      words.contains { keys($0) != nil }
      && words.allSatisfy { (try? Chord.chords(toPress: $0)) != nil }
    let list = CommandLine.list(words)
    return list.utf8.count > 100 ? nil : "write {\(areKeys ? "keys" : "run"): \(list)}"
  }

  /// The keys that a text names. A single character may as well be a program.
  private static func keys(_ text: String) -> String? {
    guard text.count > 1 else { return nil }
    if (try? Chord.chords(toPress: text)) != nil { return text }
    return Keysyms.triggerToPress(text).map { Chord([], $0).description }
  }
}
