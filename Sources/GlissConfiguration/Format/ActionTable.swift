import GlissEvents
import GlissHotkeys
import GlissYaml

struct ActionDraft {
  var verb: Action.Verb?
  /// How a command runs; what runs is in `verb`.
  var command = Command(.arguments([]))

  /// The verb, for a command with how it runs.
  fileprivate var whole: Action.Verb? {
    guard case .run(let given)? = verb else { return verb }
    var command = command
    command.program = given.program
    return .run(command)
  }
}

extension Form where Value == [Action] {
  static var actions: Form {
    let list = Form<[Action]>.oneOrMore(.action)
    return Form(
      FormWords("an action or a list of them", "{run: [foot]}", "{keys: super+left}"),
      schema: ["$ref": "#/$defs/actions"]
    ) { node, reader in
      let items = reader.yaml.items(of: node)
      let words = items.compactMap { reader.written($0) }
      if words.count == items.count, let advice = ActionTable.advice(for: words) {
        reader.report(
          "each item of this list must be an action: \(advice)", at: node)
        return nil
      }
      return list.read(node, &reader)
    }
  }
}

extension Form where Value == Action {
  static let action = Form.table(
    ActionTable.table, definition: "action", start: ActionDraft(), finish: ActionTable.finish)
}

enum ActionTable {
  /// What an action can do. Each action has exactly one of these.
  static let verbs = table.fields.map(\.name).filter { !companions.contains($0) }
  /// Keys that are only valid with a command.
  static let companions = ["directory", "environment", "atOnce", "time"]

  static let table = Table<ActionDraft>(
    name: "an action",
    fields: [
      Field("run", .arguments, "The program and its arguments; no shell sees them.") {
        $0.verb = .run(Command(.arguments($1)))
      },
      Field(
        "shell", .shellLine,
        "A line for `/bin/sh -c`. Values of the gesture are in its environment only."
      ) {
        $0.verb = .run(Command(.shell($1)))
      },
      Field(
        "keys", .pressed,
        "Chords that are pressed and released, one after the other (docs/hotkeys.md)."
      ) { $0.verb = .keys($1) },
      Field(
        "move", .quantity(.gain),
        "The pointer goes as the fingers do, this many times as far; for `change` only."
      ) { $0.verb = .move($1) },
      Field("mode", .mode, "The mode that is entered; `none` leaves it.") { $0.verb = .mode($1) },
      Field(
        "turns", .turns, "A list of actions: each time the next one, and then from the start."
      ) { $0.verb = .turns($1) },
      Field("notify", .notice, "A notification: its title, or `title` and `body`.") {
        $0.verb = .notify(summary: $1.summary, body: $1.body)
      },
      Field(
        "emit", .emission, "A line for a FIFO or a socket: `to` is its path, `line` the line."
      ) { $0.verb = .emit($1) },
      Field(
        "window", .choice("an action on windows", WindowAction.allCases.map { ($0.rawValue, $0) }),
        "What is done with the focused window (docs/focus.md)."
      ) { $0.verb = .desktop(.window($1)) },
      Field("workspace", .workspace, "The workspace that is shown (docs/focus.md).") {
        $0.verb = .desktop(.workspace($1))
      },
      Field(
        "directory", .folder, \.command.folder, "Where the command runs.",
        standard: "the home folder"),
      Field(
        "environment", .environment, \.command.environment,
        "Variables for the command, besides the agent's and GLISS_*."),
      Field(
        "atOnce", .integer("a number", 1...1000), \.command.atOnce,
        "How many commands of this action may run at a time; further ones are not started.",
        standard: "any"),
      Field(
        "time", .timeOrNone, "How long it may run before it is ended; `none`: without end.",
        standard: "`limits: time`"
      ) { $0.command.time = $1.map { .milliseconds($0) } ?? .endless },
    ])

  static func finish(_ draft: ActionDraft, _ given: Given, _ reader: inout Reader) -> Action? {
    if given.pairs.count == 1, let verb = draft.whole {
      return Action(verb, place: reader.place(of: given.node))
    }
    let said = given.pairs.filter { verbs.contains($0.name) }
    guard let first = said.first else {
      // an unknown key is reported already, and was probably meant as the verb
      guard !given.hasUnknown else { return nil }
      reader.report("an action needs one of \(String.list(verbs))", at: given.node)
      return nil
    }
    for extra in said.dropFirst() {
      reader.report(
        "an action does one thing, and this has \(first.name) too: write a list, as in"
          + " [{\(first.name): …}, {\(extra.name): …}]", at: extra.key)
    }
    let isCommand = said.contains { $0.name == "run" || $0.name == "shell" }
    for (name, key, _) in given.pairs where !isCommand && companions.contains(name) {
      reader.report("\(name) goes with run and shell, not with \(first.name)", at: key)
    }
    let place = reader.place(of: given.node)
    return draft.whole.map { Action($0, place: place) }
  }
}

extension Form where Value == [[Action]] {
  /// Actions that take turns. The table of actions contains this form, so the form looks that table
  /// up only when it reads.
  static var turns: Form {
    let words = FormWords("a list of two or more actions", "[{keys: f1}, {keys: f2}]")
    return Form(
      words, schema: ["type": "array", "minItems": 2, "items": ["$ref": "#/$defs/actions"]]
    ) { node, reader in
      let items = reader.yaml.items(of: node)
      guard items.count > 1 else {
        if items.isEmpty {
          reader.expected(words, at: node)
        } else {
          reader.report("turns needs two or more actions, and this list has one", at: node)
        }
        return nil
      }
      return items.compactMap { Form<[Action]>.actions.read($0, &reader) }
    }
  }
}

extension Form where Value == StepTable.Read {
  static let step = Form.table(StepTable.table, start: StepTable.Draft()) {
    draft, given, reader in
    if given.key("forward") == nil, given.key("back") == nil, !given.hasUnknown {
      reader.report("the step does nothing: give it forward or back", at: given.node)
    }
    guard let every = draft.every, let node = given.value("every") else { return nil }
    let step = Step(
      interval: every, forward: draft.forward, back: draft.back,
      place: reader.place(of: given.node))
    return StepTable.Read(step: step, interval: node)
  }
}

enum StepTable {
  /// A step, and the place of its interval, which is not valid for every kind of gesture.
  struct Read {
    var step: Step
    var interval: YamlNode
  }

  struct Draft {
    var every: Step.Interval?
    var forward: [Action] = []
    var back: [Action] = []
  }

  static let table = Table<Draft>(
    name: "a step",
    fields: [
      Field(
        "every", .interval, \.every,
        "From one step to the next: drags and swipes in mm, pinches in %, rotations in deg; or a time.",
        isRequired: true),
      Field("forward", .actions, \.forward, "Once for every step on, in the rule's direction."),
      Field("back", .actions, \.back, "Once for every step back."),
    ])
}

extension Form where Value == Step.Interval {
  static var interval: Form {
    let measures: [(Measure, Step.Interval.Unit, use: String)] = [
      (.length, .millimetres, "drags and swipes"), (.percent, .percent, "pinches"),
      (.turn, .degrees, "rotations"), (.period, .milliseconds, "any gesture"),
    ]
    return scalar(
      FormWords("a length, share, angle or time with its unit", "10 mm", "10 %", "15 deg", "0.5 s"),
      schema: ["anyOf": .array(measures.map { $0.0.schema($0.0.valuePattern) })]
    ) { text throws(FormProblem) in
      for (measure, unit, _) in measures
      where measure.units.contains(where: { text.hasSuffix($0.word) }) {
        return try measure.quantity(text).map { Step.Interval($0, unit) }
      }
      let (numbers, unit) = Measure.parts(of: text)
      if unit.isEmpty, let number = Double(numbers) {
        let written = measures.compactMap { measure, unit, use -> String? in
          // 0.1 is a tenth, too
          let isTenth = unit == .percent && number < 1
          guard measure.range.contains(isTenth ? number * 100 : number) else { return nil }
          let text = isTenth ? (number * 100).trimmed(3) : String(numbers)
          return "\(text) \(measure.units[0].word) for \(use)"
        }
        if !written.isEmpty {
          throw FormProblem(message: "the unit is missing: write \(String.list(written))")
        }
      }
      let units = measures.flatMap { $0.0.units.map(\.word) }
      if let ours = OtherWords.converted(numbers, unit, to: units) {
        let isValid = measures.contains { (try? $0.0.quantity(ours)) != nil }
        if isValid {
          throw FormProblem(message: "“\(unit)” is not a unit of a step: write \(ours)")
        }
      }
      return nil
    }
  }
}

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
        guard arguments.count == items.count else { return nil }
        for (index, text) in arguments.enumerated() {
          switch text.utf8.first {
          case UInt8(ascii: "$"): reader.warnOfVariable(at: items[index])
          // no other sign of a shell begins so
          case UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "2"),
            UInt8(ascii: "<"):
            reader.warnOfOperator(at: index, of: items)
          case _: break
          }
        }
        return arguments
      }
      guard reader.word(node) != nil, let text = argument.read(node, &reader), !text.isEmpty else {
        reader.expected(words, at: node)
        return nil
      }
      guard !text.utf8.contains(where: { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a }) else {
        let line = (reader.written(node) ?? text).trimmed
        reader.report(
          CommandLine(line).words == nil
            ? "only a shell understands this: write \(CommandLine(line).entry)"
            : "run takes a list: write \(CommandLine(line).entry)", at: node)
        return nil
      }
      reader.warnOfVariable(at: node)
      return [text]
    }
  }
}

extension Reader {
  fileprivate mutating func warnOfVariable(at node: YamlNode) {
    guard let text = word(node), text.first == "$", text.dropFirst().first?.isLetter == true else {
      return
    }
    let name = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    guard name != "HOME", name != "XDG_RUNTIME_DIR" else { return }
    report("no shell replaces $\(name) here: shell: has variables", at: node, severity: .warning)
  }

  /// Programs that look for such a sign or split at it: it is the first argument, or an option's.
  private static let takers: Set<Substring> = [
    "grep", "rg", "sed", "awk", "jq", "find", "cut", "tr", "sort", "paste", "column",
  ]
  /// Programs that type or show any sign. `echo` and `printf` are not among them: with these a
  /// shell's line is meant.
  private static let showers: Set<Substring> = [
    "wtype", "ydotool", "xdotool", "dotool", "notify-send", "tmux",
  ]
  /// Programs that have the signs of one character as operators.
  private static let comparers: Set<Substring> = ["expr", "test", "["]

  fileprivate mutating func warnOfOperator(at index: Int, of items: [YamlNode]) {
    guard let text = written(items[index]) else { return }
    // other signs are arguments of many programs, except before a path
    let next = items.dropFirst(index + 1).first.flatMap { written($0)?.first }
    let isBeforePath = next.map { "/~$.".contains($0) } ?? false
    guard
      ["|", ">>", "&", "&&", "||", "2>&1"].contains(text)
        || isBeforePath && [">", "2>", "<"].contains(text),
      !takes(text, at: index, of: items)
    else { return }
    report(
      "no shell reads \(text) here: write the line after shell:", at: items[index],
      severity: .warning)
  }

  private func takes(_ text: String, at index: Int, of items: [YamlNode]) -> Bool {
    let program = written(items[0])?.split(separator: "/").last ?? ""
    let isOptions = index > 0 && written(items[index - 1])?.hasPrefix("-") == true
    return Self.showers.contains(program)
      || Self.comparers.contains(program) && text.utf8.count == 1
      || Self.takers.contains(program) && (index == 1 || isOptions)
  }

  /// Warns if a list's only item looks like a whole command line. A path may contain blanks.
  fileprivate mutating func warnOfLine(_ arguments: [String], at node: YamlNode) {
    guard arguments.count == 1, let line = arguments.first, line.utf8.contains(0x20),
      !line.utf8.contains(UInt8(ascii: "/"))
    else { return }
    let entry = CommandLine(written(node) ?? line).entry
    report(
      "this is the name of one program, with its blanks: write \(entry)",
      at: node, severity: .warning)
  }
}

extension Form where Value == String? {
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

extension Form where Value == WorkspaceTarget {
  static var workspace: Form {
    let numbers = WorkspaceTarget.numbers
    return .scalar(
      FormWords(
        "next, previous, or a number from \(numbers.lowerBound) to \(numbers.upperBound)", "next",
        "3"),
      schema: [
        "anyOf": [
          ["enum": ["next", "previous", "{}"]], Form<Int>.integer("a number", numbers).schema(),
        ]
      ]
    ) { word throws(FormProblem) in
      let words = ["prev": "previous", "-1": "previous", "+1": "next"]
      if let ours = words[word] {
        throw FormProblem(message: "\(word.excerpt) is not a workspace: write \(ours)")
      }
      return WorkspaceTarget(word: word)
    }
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
  static var shellLine: Form {
    let line = Form.text("a line of shell", "\"notify-send hello\"").filled
    return Form(line.words, schema: line.schema()) { node, reader in
      guard reader.yaml.isSequence(node) else { return line.read(node, &reader) }
      reader.expected(line.words, at: node, "; run takes a list")
      return nil
    }
  }

  static var path: Form { path(of: "a path", "~/.cache/bar.fifo", orNull: false) }

  /// A folder. YAML's null, such as `~` alone, means the home folder.
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
      if orNull, reader.isNothing(node) { return "~" }
      guard let path = text.read(node, &reader) else { return nil }
      let first = path.prefix { $0 != "/" }
      if ["", "~", "$HOME", "$XDG_RUNTIME_DIR"].contains(first), !path.isEmpty { return path }
      reader.expected(words, at: node)
      return nil
    }
  }
}
