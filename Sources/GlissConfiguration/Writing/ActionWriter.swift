import GlissHotkeys

/// Writes actions as in a configuration file.
enum ActionWriter {
  /// One action, or a list of them; `nil` if there are none.
  static func value(of actions: [Action]) -> YamlText? {
    switch actions.count {
    case 0: nil
    case 1: value(of: actions[0])
    case _: .list(actions.map { value(of: $0) })
    }
  }

  static func value(of step: Step) -> YamlText {
    var entries = Entries()
    entries.add("every", .word(step.interval.written))
    entries.add("forward", value(of: step.forward))
    entries.add("back", value(of: step.back))
    return .map(entries.all)
  }

  private static func value(of action: Action) -> YamlText {
    var entries = Entries()
    switch action.verb {
    case .run(let command): write(command, into: &entries)
    case .keys(let chords):
      let texts = chords.map { YamlText.text("\($0)") }
      entries.add("keys", texts.count == 1 ? texts[0] : .row(texts))
    case .mode(let name): entries.add("mode", name.map { .text($0) } ?? .word("none"))
    case .notify(let summary, nil): entries.add("notify", .text(summary))
    case .notify(let summary, let body?):
      var members = Entries()
      members.add("title", .text(summary))
      members.add("body", .text(body))
      entries.add("notify", .map(members.all))
    case .emit(let emission):
      var members = Entries()
      members.add("to", .text(emission.path))
      members.add("line", emission.line.map { .text($0) })
      entries.add("emit", .map(members.all))
    }
    return .map(entries.all)
  }

  private static func write(_ command: Command, into entries: inout Entries) {
    switch command.program {
    case .arguments(let arguments): entries.add("run", .row(arguments.map { .text($0) }))
    case .shell(let text): entries.add("shell", .text(text))
    }
    entries.add("directory", command.folder.map { .text($0) })
    if !command.environment.isEmpty {
      entries.add(
        "environment",
        .map(
          command.environment.map { YamlText.Entry(key: $0.name, value: .text($0.value)) }))
    }
    entries.add("atOnce", command.atOnce.map { .word("\($0)") })
    entries.add("time", command.time.written)
  }
}

extension Step.Interval {
  fileprivate var written: String {
    switch self {
    case .millimetres(let way): way.written + " mm"
    case .percent(let share): share.written + " %"
    case .degrees(let angle): angle.written + " deg"
    }
  }
}

extension Command.Time {
  /// `nil` if nothing needs to be written.
  fileprivate var written: YamlText? {
    switch self {
    case .standard: nil
    case .milliseconds(let milliseconds): .word("\(milliseconds) ms")
    case .endless: .word("none")
    }
  }
}
