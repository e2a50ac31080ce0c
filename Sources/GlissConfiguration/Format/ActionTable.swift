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
      reader.report("an action needs one of \(String.list(verbs))", at: given.node)
      return nil
    }
    for extra in said.dropFirst() {
      reader.report(
        "an action does one thing, and \(first.name) is there already: write a list, as in"
          + " [{\(first.name): …}, {\(extra.name): …}]", at: extra.key)
    }
    let isCommand = said.contains { $0.name == "run" || $0.name == "shell" }
    for (name, _, key, _) in given.pairs where !isCommand && companions.contains(name) {
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
