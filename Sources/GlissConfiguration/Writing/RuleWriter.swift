import GlissEvents
import GlissHotkeys

/// Writes rules as in a configuration file.
package enum RuleWriter {
  /// The lines of one rule, as an element of `gestures` or `hotkeys`.
  package static func lines(of rule: Rule) -> [String] { YamlText.map(entries(of: rule)).block }

  private static func entries(of rule: Rule) -> [YamlText.Entry] {
    var entries = Entries()
    entries.add("name", rule.name.map { .text($0) })
    var acts = "do"
    var starts = "begin"
    switch rule.trigger {
    case .gesture(let condition):
      condition.write(into: &entries)
      // the `do` of a hold acts when the hold begins
      if condition.actsAtBegin { (acts, starts) = ("end", "do") }
    case .hotkey(let condition):
      entries.add("hotkey", .text("\(condition.hotkey)"))
      if condition.consumes { entries.add("consume", .word("true")) }
    }
    entries.add("mode", rule.mode.map { .text($0) })
    entries.add("device", rule.device?.written)
    entries.add("application", rule.application?.written)
    if case .gesture(let condition) = rule.trigger {
      entries.add("settings", Self.settings(condition.settings))
      if condition.consumes { entries.add("consume", .word("true")) }
    }
    let reactions = rule.reactions
    entries.add("hold", ActionWriter.value(of: reactions.hold))
    entries.add("linger", reactions.linger.map { .word("\($0.written) ms") })
    entries.add(starts, ActionWriter.value(of: reactions.begin))
    entries.add("change", ActionWriter.value(of: reactions.change))
    if !reactions.steps.isEmpty {
      entries.add("steps", .list(reactions.steps.map { ActionWriter.value(of: $0) }))
    }
    entries.add(acts, ActionWriter.value(of: reactions.end))
    entries.add("cancel", ActionWriter.value(of: reactions.cancel))
    entries.add("release", ActionWriter.value(of: reactions.release))
    return entries.all
  }

  static func settings(_ changes: [SettingChange]) -> YamlText? {
    changes.isEmpty
      ? nil : .map(changes.map { YamlText.Entry(key: $0.name, value: .word($0.value.written)) })
  }
}

/// The entries of a mapping, in the order they are added.
struct Entries {
  private(set) var all: [YamlText.Entry] = []

  mutating func add(_ key: String, _ value: YamlText?) {
    if let value { all.append(YamlText.Entry(key: key, value: value)) }
  }
}

extension GestureCondition {
  /// Its entries in the file.
  var entries: [YamlText.Entry] {
    var entries = Entries()
    write(into: &entries)
    return entries.all
  }

  fileprivate func write(into entries: inout Entries) {
    entries.add("gesture", .word(kind.name))
    entries.add("fingers", fingers.map { .word($0.written) })
    entries.add("direction", sense.map { .word($0.word) })
    entries.add("edge", edge.map { .word($0.name) })
    entries.add("count", count.map { .word("\($0)") })
    entries.add("afterTap", isAfterTap.map { .word("\($0)") })
    entries.add("travel", travel?.written(unit: " mm"))
    entries.add("scale", scale?.written(unit: ""))
    entries.add("turn", turn?.written(unit: " deg"))
    entries.add("speed", speed?.written(unit: " mm/s"))
    entries.add("duration", duration?.written(unit: " ms"))
    entries.add("rest", rest?.written(unit: " ms"))
    entries.add(
      "modifiers",
      modifiers.map { .word($0.isEmpty ? "none" : $0.names.joined(separator: "+")) })
  }
}

extension ClosedRange<Int> {
  fileprivate var written: String {
    lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)..\(upperBound)"
  }
}

extension Bounds {
  /// At least, at most, or both; `nil` if there are no bounds.
  fileprivate func written(unit: String) -> YamlText? {
    switch (minimum, maximum) {
    case (nil, nil): nil
    case (let low?, nil): .word(low.written + (unit.isEmpty ? ".." : unit))
    case (nil, let high?): .word("..\(high.written)\(unit)")
    case (let low?, let high?): .word("\(low.written)..\(high.written)\(unit)")
    }
  }
}

extension ApplicationMatch {
  fileprivate var written: YamlText {
    func written(_ texts: [String]) -> YamlText? {
      texts.count == 1 ? .text(texts[0]) : texts.isEmpty ? nil : .list(texts.map { .text($0) })
    }
    if not.isEmpty, titles.isEmpty, window == .focused, let names = written(only) { return names }
    var entries = Entries()
    entries.add("only", written(only))
    entries.add("not", written(not))
    entries.add("title", written(titles))
    entries.add("window", window == .focused ? nil : .word(window.rawValue))
    return .map(entries.all)
  }
}

extension DeviceMatch {
  var written: YamlText {
    var entries = Entries()
    entries.add("name", name.map { .text($0) })
    entries.add("id", vendorAndProduct.map { .text($0.written) })
    entries.add("kind", kind.map { .word($0.rawValue) })
    return .map(entries.all)
  }
}

extension DeviceMatch.VendorAndProduct {
  /// As in the file: `04f3:0676`.
  package var written: String { Self.hex(vendor) + ":" + Self.hex(product) }

  private static func hex(_ number: UInt16) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 4 - digits.utf8.count) + digits
  }
}

extension GestureCondition {
  /// A rule for it on one line, as an element of `gestures`. Its action is a notification.
  package var line: String {
    var entries = Entries()
    write(into: &entries)
    let words = [kind.name, sense?.word ?? edge?.name].compactMap(\.self)
    let action = YamlText.map([.init(key: "notify", value: .text(words.joined(separator: " ")))])
    entries.add("do", action)
    return "- " + (YamlText.map(entries.all).inline ?? "")
  }
}

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
    case .keys(let chords): entries.add("keys", value(of: chords))
    // what a rule holds is written with the rule
    case .hold, .letGo: break
    case .move(let factor): entries.add("move", .word(factor.written))
    case .mode(let name): entries.add("mode", name.map { .text($0) } ?? .word("none"))
    case .turns(let turns): entries.add("turns", .list(turns.compactMap(value(of:))))
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
    case .desktop(.window(let action)): entries.add("window", .word(action.rawValue))
    case .desktop(.workspace(let target)): entries.add("workspace", .word(target.word))
    }
    return .map(entries.all)
  }

  static func value(of chords: [Chord]) -> YamlText? {
    let texts = chords.map { YamlText.text($0.textToPress) }
    return texts.isEmpty ? nil : texts.count == 1 ? texts[0] : .row(texts)
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
    case .milliseconds(let time): time.written + " ms"
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

extension Configuration {
  /// One file that reads back as the same configuration: settings, limits, devices, and the rules,
  /// gestures first.
  package var text: String {
    var lines: [String] = []
    if let changes = RuleWriter.settings(settings) { lines += changes.lines(key: "settings") }
    if limits != CommandLimits() { lines += limits.written.lines(key: "limits") }
    if !profiles.isEmpty { lines += YamlText.list(profiles.map(\.written)).lines(key: "devices") }
    let sections: [(String, [Rule])] = [
      ("gestures", rules.filter { !$0.isHotkey }), ("hotkeys", rules.filter(\.isHotkey)),
    ]
    for (title, section) in sections where !section.isEmpty {
      lines.append(title + ":")
      lines += section.flatMap(RuleWriter.lines).map { "  " + $0 }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}

extension CommandLimits {
  fileprivate var written: YamlText {
    var entries = Entries()
    entries.add("running", .word("\(running)"))
    entries.add("time", milliseconds.map { .word("\($0) ms") })
    return .map(entries.all)
  }
}

extension DeviceProfile {
  fileprivate var written: YamlText {
    var entries = Entries()
    entries.add("match", match.written)
    entries.add("application", application?.written)
    entries.add("settings", RuleWriter.settings(settings))
    return .map(entries.all)
  }
}
