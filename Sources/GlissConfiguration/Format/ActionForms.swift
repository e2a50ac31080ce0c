import GlissEvents
import GlissHotkeys
import GlissYaml

extension Form where Value == [String] {
  /// A program and its arguments. A single word is a program without arguments.
  static var arguments: Form {
    let words = FormWords(
      "a program and its arguments in a list", "[firefox, --new-window]", "foot")
    let argument = Form<String>.text("an argument")
    let program: JSON = ["type": "string", "pattern": "^[^ \\t]+$"]
    return Form(
      words,
      schema: [
        "anyOf": [program, ["type": "array", "minItems": 1, "items": argument.schema()]]
      ]
    ) { node, reader in
      if reader.yaml.isSequence(node) {
        let items = reader.yaml.items(of: node)
        guard let first = items.first else {
          reader.report("the list is empty: a program's name comes first", at: node)
          return nil
        }
        var arguments: [String] = []
        for item in items {
          guard let text = argument.read(item, &reader) else { continue }
          if item == first, text.isEmpty {
            reader.report("a program's name comes first", at: first)
          }
          arguments.append(text)
        }
        reader.warnOfLine(arguments, at: first)
        for item in items { reader.warnOfVariable(at: item) }
        return arguments.count == items.count ? arguments : nil
      }
      guard reader.word(node) != nil, let text = argument.read(node, &reader), !text.isEmpty else {
        reader.expected(words, at: node)
        return nil
      }
      guard !text.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a }) else {
        reader.report(
          "run takes a list, as in \(text.asWords); write a line for the shell after shell:",
          at: node)
        return nil
      }
      reader.warnOfVariable(at: node)
      return [text]
    }
  }
}

extension Reader {
  /// Warns of a variable that no shell will replace.
  fileprivate mutating func warnOfVariable(at node: YamlNode) {
    guard let text = word(node), text.first == "$", text.dropFirst().first?.isLetter == true else {
      return
    }
    let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard name != "HOME", name != "XDG_RUNTIME_DIR" else { return }
    report(
      "no shell replaces $\(name) here: shell: has variables", at: node, severity: .warning)
  }

  /// Warns if a list's only item looks like a whole command line. A path may contain blanks.
  fileprivate mutating func warnOfLine(_ arguments: [String], at node: YamlNode) {
    guard arguments.count == 1, let line = arguments.first, line.utf8.contains(0x20),
      !line.utf8.contains(UInt8(ascii: "/"))
    else { return }
    report(
      "this is the name of one program, with its blanks; a program and its arguments are"
        + " \(line.asWords)", at: node, severity: .warning)
  }
}

extension String {
  /// The text's words as a list, or an example if they do not fit on a line.
  fileprivate var asWords: String {
    let words = split(separator: " " as Character).joined(separator: ", ")
    return words.utf8.count > 60 ? "[program, argument, …]" : "[\(words)]"
  }
}

extension Form where Value == String? {
  /// A mode's name, or none.
  static var mode: Form {
    .scalar(
      FormWords("a mode's name (letters, digits, - and _), or none", "resize"),
      schema: ["type": "string", "pattern": "^[A-Za-z0-9_-]{1,32}$"]
    ) { name in
      guard (1...32).contains(name.utf8.count),
        name.utf8.allSatisfy({ $0.isLetterDigit(or: "-_") })
      else { return nil }
      return .some(name == "none" ? nil : name)
    }
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
      guard reader.yaml.isMapping(node) else {
        reader.expected(words, at: node)
        return nil
      }
      return variables(node, text, &reader)
    }
  }

  private static func variables(
    _ node: YamlNode, _ text: Form<String>, _ reader: inout Reader
  ) -> [Command.Variable] {
    var known: Set<String> = []
    var variables: [Command.Variable] = []
    for (key, value) in reader.yaml.pairs(of: node) {
      let name = reader.yaml.text(key) ?? ""
      if !isName(name) {
        reader.report("a variable's name has letters, digits and _, as in LANG", at: key)
      } else if name.hasPrefix("GLISS_") {
        reader.report("GLISS_ variables describe the gesture and cannot be set", at: key)
      } else if !known.insert(name).inserted {
        reader.report("duplicate key \(name)", at: key)
      }
      // an empty value is valid
      if reader.isNothing(value) {
        variables.append(Command.Variable(name: name, value: ""))
      } else if let text = text.read(value, &reader) {
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

extension Form where Value == (summary: String, body: String?) {
  static var notice: Form {
    let title = Form<String>.text("a title", "Volume")
    let table = Table<(title: String?, body: String?)>(
      name: "a notification",
      fields: [
        Field("title", title, "Its first line.", isRequired: true) { $0.title = $1 },
        Field("body", .text("a text", "up"), "The text below.") { $0.body = $1 },
      ])
    let mapping = Form.table(table, start: (nil, nil)) { notice, _, _ in
      notice.title.map { ($0, notice.body) }
    }
    return Form(
      FormWords("a title, or title and body", "Volume", "{title: Volume, body: up}"),
      schema: ["anyOf": [title.schema(), mapping.schema()]]
    ) { node, reader in
      reader.yaml.isMapping(node)
        ? mapping.read(node, &reader) : title.read(node, &reader).map { ($0, nil) }
    }
  }
}

extension Form where Value == WindowAction {
  static var windowAction: Form {
    .choice("an action on windows", WindowAction.allCases.map { ($0.rawValue, $0) })
  }
}

extension Form where Value == WorkspaceTarget {
  static var workspace: Form {
    let numbers = WorkspaceTarget.numbers
    return .scalar(
      FormWords(
        "next, previous, or a number from \(numbers.lowerBound) to \(numbers.upperBound)", "next",
        "3"),
      schema: [
        "anyOf": [
          ["enum": ["next", "previous"]], Form<Int>.integer("a number", numbers).schema(),
        ]
      ]
    ) { WorkspaceTarget(word: $0) }
  }
}

extension Form where Value == Emission {
  static var emission: Form {
    let table = Table<Emission>(
      name: "emit",
      fields: [
        Field("to", .path, \.path, "An existing FIFO or stream socket.", isRequired: true),
        Field(
          "line", .text("a line", "volume up"), \.line, "What is written, and a line feed.",
          standard: "the event as JSON"),
      ])
    var form = Form.table(table, start: Emission(path: "")) { emission, _, _ in
      emission.path.isEmpty ? nil : emission
    }
    form.words = FormWords("to and line", "{to: $XDG_RUNTIME_DIR/bar.fifo, line: volume up}")
    return form
  }
}

extension Form where Value == String {
  /// A path of a file.
  static var path: Form { path(of: "a path", "~/.cache/bar.fifo", orNull: false) }

  /// A folder. YAML's null also means the home folder.
  static var folder: Form { path(of: "a folder", "~/src", orNull: true) }

  /// A path from the root or from a folder that has a name.
  private static func path(of what: String, _ example: String, orNull: Bool) -> Form {
    let words = FormWords("\(what) from /, ~, $HOME or $XDG_RUNTIME_DIR on", example)
    let text = Form.text(words.what)
    return Form(
      words,
      schema: [
        "type": orNull ? ["string", "null"] : "string",
        "pattern": "^(/|(~|\\$HOME|\\$XDG_RUNTIME_DIR)(/|$))",
      ]
    ) { node, reader in
      if orNull, reader.yaml.text(node) == "~" { return "~" }
      guard let path = text.read(node, &reader) else { return nil }
      let first = path.prefix { $0 != "/" }
      if ["", "~", "$HOME", "$XDG_RUNTIME_DIR"].contains(first), !path.isEmpty { return path }
      reader.expected(words, at: node)
      return nil
    }
  }
}
