import GlissEvents
import GlissHotkeys
import GlissYaml

/// An action as read, before it is checked.
struct ActionDraft {
  var program: Command.Program?
  var command = Command(.arguments([]))
  var keys: [Chord]?
  var mode: String??
  var notice: (summary: String, body: String?)?
  var emission: Emission?
}

extension Form where Value == [Action] {
  /// One action, or several in order.
  static var actions: Form {
    var form = Form<[Action]>.oneOrMore(.action)
    form.schema = { ["$ref": "#/$defs/actions"] }
    form.words = FormWords(
      what: "an action or a list of them", examples: ["{run: [foot]}", "{keys: super+left}"])
    return form
  }
}

extension Form where Value == Action {
  static let action = Form.table(
    { ActionTable.table }, schema: { ["$ref": "#/$defs/action"] }, start: { ActionDraft() },
    finish: ActionTable.finish)
}

enum ActionTable {
  /// What an action can do. Each action has exactly one of these.
  static let verbs = ["run", "shell", "keys", "mode", "notify", "emit"]
  /// Keys that are only valid with a command.
  static let companions = ["directory", "environment", "atOnce", "time"]

  static let table = Table<ActionDraft>(
    name: "an action",
    summary: "An action has one of the first six keys; the others go with `run` and `shell`.",
    fields: [
      Field("run", .arguments, "The program and its arguments, as they are: no shell sees them.") {
        $0.program = .arguments($1)
      },
      Field(
        "shell", .text("a line of shell", "\"notify-send hello\""),
        "A line for `/bin/sh -c`. Values of the gesture are in its environment only."
      ) {
        $0.program = .shell($1)
      },
      Field(
        "keys", .pressed,
        "Chords that are pressed and released, one after the other (docs/hotkeys.md)."
      ) { $0.keys = $1 },
      Field("mode", .mode, "The mode that is entered; `none` leaves it.") { $0.mode = .some($1) },
      Field("notify", .notice, "A notification: its title, or `title` and `body`.") {
        $0.notice = $1
      },
      Field(
        "emit", .emission, "A line for a FIFO or a socket: `to` is its path, `line` the line."
      ) { $0.emission = $1 },
      Field(
        "directory", .folder, "Where the command runs.",
        standard: "the home folder"
      ) { $0.command.folder = $1 },
      Field(
        "environment", .environment, "What its environment has besides the agent's and GLISS_*."
      ) { $0.command.environment = $1 },
      Field(
        "atOnce", .integer("a number", 1...1000),
        "How many that this action started may run at a time; what comes on top is left out.",
        standard: "any"
      ) { $0.command.atOnce = $1 },
      Field(
        "time", .timeOrNone, "How long it may run before it is ended; `none`: without end.",
        standard: "`limits: time`"
      ) { $0.command.time = $1.map { .milliseconds($0) } ?? .endless },
    ])

  static func finish(_ draft: ActionDraft, _ given: Given, _ reader: inout Reader) -> Action? {
    if given.pairs.count == 1, let verb = verb(of: draft) {
      return Action(verb, place: reader.place(of: given.node))
    }
    let said = given.pairs.filter { verbs.contains($0.name) }
    guard let first = said.first else {
      // an unknown key was meant as the verb, and is reported
      guard !given.hasUnknown else { return nil }
      reader.report("an action needs one of \(String.list(verbs))", at: given.node)
      return nil
    }
    for extra in said.dropFirst() {
      reader.report(
        "an action does one thing, and \(first.name) is there already: write a list, as in"
          + " [{\(first.name): …}, {\(extra.name): …}]", at: extra.key)
    }
    let isCommand = said.contains { $0.name == "run" || $0.name == "shell" }
    for (name, key, _) in given.pairs where !isCommand && companions.contains(name) {
      reader.report("\(name) goes with run and shell, not with \(first.name)", at: key)
    }
    let place = reader.place(of: given.node)
    return verb(of: draft).map { Action($0, place: place) }
  }

  private static func verb(of draft: ActionDraft) -> Action.Verb? {
    if let program = draft.program {
      var command = draft.command
      command.program = program
      return .run(command)
    }
    if let keys = draft.keys { return .keys(keys) }
    if let mode = draft.mode { return .mode(mode) }
    if let notice = draft.notice { return .notify(summary: notice.summary, body: notice.body) }
    return draft.emission.map { .emit($0) }
  }
}

extension Form where Value == StepTable.Read {
  static let step = Form.table(
    { StepTable.table }, schema: { StepTable.table.schema }, start: { StepTable.Draft() },
    finish: { draft, given, reader in
      if given.key("forward") == nil, given.key("back") == nil {
        reader.report("the step does nothing: give it forward or back", at: given.node)
      }
      guard let every = draft.every, let node = given.value("every") else { return nil }
      let step = Step(
        interval: every, forward: draft.forward, back: draft.back,
        place: reader.place(of: given.node))
      return StepTable.Read(step: step, interval: node)
    })
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
    name: "a step", summary: "Something that happens once for every so much of the way.",
    fields: [
      Field(
        "every", .interval,
        "From one step to the next: drags and swipes in mm, pinches in %, rotations in deg.",
        isRequired: true
      ) { $0.every = $1 },
      Field("forward", .actions, "Once for every step on, in the rule's direction.") {
        $0.forward = $1
      },
      Field("back", .actions, "Once for every step back.") { $0.back = $1 },
    ])
}

extension Form where Value == Step.Interval {
  /// The unit selects the kind of interval.
  static var interval: Form {
    let measures: [(Measure, @Sendable (Double) -> Step.Interval)] = [
      (.length, { .millimetres($0) }), (.percent, { .percent($0) }), (.turn, { .degrees($0) }),
    ]
    let forms = measures.map { Form<Double>.quantity($0.0) }
    let words = FormWords(
      what: "a length, share or angle with its unit", examples: ["10 mm", "10 %", "15 deg"])
    var form = Form(
      "",
      schema: {
        ["anyOf": .array(measures.map { $0.0.schema($0.0.valuePattern) })]
      }
    ) { node, reader in
      let text = reader.word(node) ?? ""
      let fitting = measures.firstIndex { measure, _ in
        measure.units.contains { text.hasSuffix($0.word) }
      }
      guard let fitting else {
        reader.expected(words, at: node)
        return nil
      }
      return forms[fitting].read(node, &reader).map(measures[fitting].1)
    }
    form.words = words
    return form
  }
}
