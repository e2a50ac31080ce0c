import GlissEvents
import GlissHotkeys
import GlissYaml

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
    let words = text.split(whereSeparator: \.isWhitespace)
    guard text.utf8.count <= 64, let first = words.first, let last = words.last else { return "" }
    let verb = first.hasSuffix(":") ? String(first.dropLast()) : String(first)
    if verbs.contains(verb) {
      let rest = text.dropFirst(first.count).drop { $0 == " " }
      let isLine = verb == "run" && !rest.isEmpty
      return "; write {\(isLine ? CommandLine(String(rest)).entry : "\(verb): …")}"
    }
    // as in “next workspace”; other verbs end commands, too, as in cargo run
    if words.count == 2, ["window", "workspace"].contains(last) { return "; write {\(last): …}" }
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

extension Form where Value == [Command.Variable] {
  static var environment: Form {
    let words = FormWords("variables with their values", "{LANG: C}")
    let text = Form<String>.text("a variable's value")
    return Form(
      words,
      schema: [
        "type": "object", "additionalProperties": text.schema(),
        "propertyNames": ["pattern": "^(?!GLISS_)[A-Za-z_][A-Za-z0-9_]*$"],
      ]
    ) { node, reader in
      guard !reader.isNothing(node) else {
        reader.expected(words, at: node)
        return nil
      }
      let entries = reader.entries(of: node, words, "a variable's name")
      return entries.map { variables($0, text, &reader) }
    }
  }

  private static func variables(
    _ entries: [Reader.Entry], _ text: Form<String>, _ reader: inout Reader
  ) -> [Command.Variable] {
    var variables: [Command.Variable] = []
    for (name, key, value) in entries {
      if !isName(name) {
        reader.report(
          "a variable's name has letters, digits and _, and begins with no digit", at: key)
      } else if name.hasPrefix("GLISS_") {
        reader.report("GLISS_ variables describe the gesture and cannot be set", at: key)
      }
      // an empty value is valid
      if reader.isNothing(value) {
        variables.append(Command.Variable(name: name, value: ""))
      } else if let text = text.read(value, &reader) {
        reader.warnOfVariable(in: text, at: value)
        variables.append(Command.Variable(name: name, value: text))
      }
    }
    return variables
  }

  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(0x30...0x39).contains(first) else { return false }
    return name.utf8.allSatisfy { $0.isLetterDigit(or: "_") }
  }
}

extension Reader {
  /// Warns of a variable in the value of another. A folder's at its beginning is replaced.
  fileprivate mutating func warnOfVariable(in value: String, at node: YamlNode) {
    let first = value.prefix { $0 != "/" }
    let isFolder = first == "$HOME" || first == "$XDG_RUNTIME_DIR"
    var rest = isFolder ? value.dropFirst(first.count) : value[...]
    while let sign = rest.firstIndex(of: "$") {
      rest = rest[sign...].dropFirst()
      let name = rest.drop { $0 == "{" }.prefix {
        $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")
      }
      // $$ is no variable of the environment, nor is $1
      if rest.first == "$" { rest = rest.dropFirst() }
      guard let letter = name.first, !letter.isNumber else { continue }
      report(
        "no shell replaces $\(name) here: write the whole value, or set the variable after shell:",
        at: node, severity: .warning)
      return
    }
  }
}
