import GlissEvents
import GlissHotkeys
import GlissYaml

/// An action as read, before it is checked.
struct ActionDraft {
  var program: Command.Program?
  var command = Command(.arguments([]))
  var keys: [Chord]?
  var move: Double?
  var mode: String??
  var turns: [[Action]]?
  var notice: (summary: String, body: String?)?
  var emission: Emission?
  var desktop: DesktopAction?
}

extension Form where Value == [Action] {
  /// One action, or several in order.
  static var actions: Form {
    let list = Form<[Action]>.oneOrMore(.action)
    return Form(
      FormWords("an action or a list of them", "{run: [foot]}", "{keys: super+left}"),
      schema: ["$ref": "#/$defs/actions"], read: list.read)
  }
}

extension Form where Value == Action {
  static let action = Form.table(
    ActionTable.table, definition: "action", start: ActionDraft(), finish: ActionTable.finish)
}

enum ActionTable {
  /// What an action can do. Each action has exactly one of these.
  static let verbs = [
    "run", "shell", "keys", "move", "mode", "turns", "notify", "emit", "window", "workspace",
  ]
  /// Keys that are only valid with a command.
  static let companions = ["directory", "environment", "atOnce", "time"]

  static let table = Table<ActionDraft>(
    name: "an action",
    fields: [
      Field("run", .arguments, "The program and its arguments; no shell sees them.") {
        $0.program = .arguments($1)
      },
      Field(
        "shell", .text("a line of shell", "\"notify-send hello\""),
        "A line for `/bin/sh -c`. Values of the gesture are in its environment only."
      ) {
        $0.program = .shell($1)
      },
      Field(
        "keys", .joined(.chords), \.keys,
        "Chords that are pressed and released, one after the other (docs/hotkeys.md)."),
      Field(
        "move", .quantity(.gain), \.move,
        "The pointer goes as the fingers do, this many times as far; for `change` only."),
      Field("mode", .mode, \.mode, "The mode that is entered; `none` leaves it."),
      Field(
        "turns", .turns, \.turns,
        "A list of actions: each time the next one, and then from the start."),
      Field("notify", .notice, \.notice, "A notification: its title, or `title` and `body`."),
      Field(
        "emit", .emission, \.emission,
        "A line for a FIFO or a socket: `to` is its path, `line` the line."),
      Field("window", .windowAction, "What is done with the focused window (docs/focus.md).") {
        $0.desktop = .window($1)
      },
      Field("workspace", .workspace, "The workspace that is shown (docs/focus.md).") {
        $0.desktop = .workspace($1)
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
    if given.pairs.count == 1, let verb = verb(of: draft) {
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
    return verb(of: draft).map { Action($0, place: place) }
  }

  private static func verb(of draft: ActionDraft) -> Action.Verb? {
    if let program = draft.program {
      var command = draft.command
      command.program = program
      return .run(command)
    }
    if let keys = draft.keys { return .keys(keys) }
    if let factor = draft.move { return .move(factor) }
    if let mode = draft.mode { return .mode(mode) }
    if let turns = draft.turns { return .turns(turns) }
    if let notice = draft.notice { return .notify(summary: notice.summary, body: notice.body) }
    if let emission = draft.emission { return .emit(emission) }
    return draft.desktop.map { .desktop($0) }
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
      let items = reader.yaml.isSequence(node) ? reader.yaml.items(of: node) : []
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
    if given.key("forward") == nil, given.key("back") == nil {
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
  /// The unit selects the kind of interval.
  static var interval: Form {
    let measures: [(Measure, @Sendable (Double) -> Step.Interval)] = [
      (.length, { .millimetres($0) }), (.percent, { .percent($0) }), (.turn, { .degrees($0) }),
      (.period, { .milliseconds($0) }),
    ]
    return scalar(
      FormWords("a length, share, angle or time with its unit", "10 mm", "10 %", "15 deg", "0.5 s"),
      schema: ["anyOf": .array(measures.map { $0.0.schema($0.0.valuePattern) })]
    ) { text throws(FormProblem) in
      for (measure, interval) in measures
      where measure.units.contains(where: { text.hasSuffix($0.word) }) {
        return try measure.quantity(text).map(interval)
      }
      return nil
    }
  }
}
