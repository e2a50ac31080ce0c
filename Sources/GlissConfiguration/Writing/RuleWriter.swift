import GlissEvents
import GlissHotkeys

/// Writes rules as in a configuration file.
package enum RuleWriter {
  /// The lines of one rule, as an element of `gestures` or `hotkeys`.
  package static func lines(of rule: Rule) -> [String] { YamlText.map(entries(of: rule)).block }

  private static func entries(of rule: Rule) -> [YamlText.Entry] {
    let trigger: [YamlText.Entry]
    var own: [YamlText.Entry] = []
    var (starts, acts) = ("begin", "do")
    switch rule.trigger {
    case .gesture(let condition):
      trigger = condition.entries
      own = YamlText.entries([
        "settings": settings(condition.settings), "consume": condition.consumes ? .yes : nil,
      ])
      // the `do` of a hold acts when the hold begins
      if condition.actsAtBegin { (starts, acts) = ("do", "end") }
    case .hotkey(let condition):
      trigger = YamlText.entries([
        "hotkey": .text("\(condition.hotkey)"), "consume": condition.consumes ? .yes : nil,
      ])
    }
    let scope = YamlText.entries([
      "mode": rule.mode.map { .text($0) }, "device": rule.device?.written,
      "application": rule.application?.written,
    ])
    let reactions = rule.reactions
    let steps = reactions.steps.map { ActionWriter.value(of: $0) }
    return YamlText.entries(["name": rule.name.map { .text($0) }]) + trigger + scope + own
      + YamlText.entries([
        "hold": ActionWriter.value(of: reactions.hold),
        "linger": reactions.linger.map { .word("\($0.written) ms") },
        starts: ActionWriter.value(of: reactions.begin),
        "change": ActionWriter.value(of: reactions.change),
        "steps": steps.isEmpty ? nil : .list(steps),
        acts: ActionWriter.value(of: reactions.end),
        "cancel": ActionWriter.value(of: reactions.cancel),
        "release": ActionWriter.value(of: reactions.release),
      ])
  }

  static func settings(_ changes: [SettingChange]) -> YamlText? {
    changes.isEmpty
      ? nil : .map(changes.map { YamlText.Entry(key: $0.name, value: .word($0.value.written)) })
  }
}

extension GestureCondition {
  /// Its entries in the file.
  var entries: [YamlText.Entry] {
    YamlText.entries([
      "gesture": .word(kind.name),
      "fingers": fingers.map { .word($0.written) },
      "direction": sense.map { .word($0.word) },
      "edge": edge.map { .word($0.name) },
      "count": count.map { .word("\($0)") },
      "afterTap": isAfterTap.map { .word("\($0)") },
      "travel": travel?.written(unit: " mm"),
      "scale": scale?.written(unit: ""),
      "turn": turn?.written(unit: " deg"),
      "speed": speed?.written(unit: " mm/s"),
      "duration": duration?.written(unit: " ms"),
      "rest": rest?.written(unit: " ms"),
      "modifiers": modifiers.map {
        .word($0.isEmpty ? "none" : $0.names.joined(separator: "+"))
      },
    ])
  }

  /// A rule for it on one line, as an element of `gestures`. Its action is a notification.
  package var line: String {
    let words = [kind.name, sense?.word ?? edge?.name].compactMap(\.self)
    let action: YamlText = ["notify": .text(words.joined(separator: " "))]
    return "- " + (YamlText.map(entries + YamlText.entries(["do": action])).inline ?? "")
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
    return [
      "only": written(only), "not": written(not), "title": written(titles),
      "window": window == .focused ? nil : .word(window.rawValue),
    ]
  }
}

extension DeviceMatch {
  var written: YamlText {
    [
      "name": name.map { .text($0) }, "id": vendorAndProduct.map { .text($0.written) },
      "kind": kind.map { .word($0.rawValue) },
    ]
  }
}

extension DeviceMatch.VendorAndProduct {
  /// As in the file: `04f3:0676`.
  package var written: String { "\(vendor.hex(4)):\(product.hex(4))" }
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
    [
      "every": .word(step.interval.written), "forward": value(of: step.forward),
      "back": value(of: step.back),
    ]
  }

  private static func value(of action: Action) -> YamlText {
    switch action.verb {
    case .run(let command): value(of: command)
    case .keys(let chords): ["keys": value(of: chords)]
    // what a rule holds is written with the rule
    case .hold, .letGo: [:]
    case .move(let factor): ["move": .word(factor.written)]
    case .mode(let name): ["mode": name.map { .text($0) } ?? .word("none")]
    case .turns(let turns): ["turns": .list(turns.compactMap(value(of:)))]
    case .notify(let summary, nil): ["notify": .text(summary)]
    case .notify(let summary, let body?):
      ["notify": ["title": .text(summary), "body": .text(body)]]
    case .emit(let emission):
      ["emit": ["to": .text(emission.path), "line": emission.line.map { .text($0) }]]
    case .desktop(.window(let action)): ["window": .word(action.rawValue)]
    case .desktop(.workspace(let target)): ["workspace": .word(target.word)]
    }
  }

  static func value(of chords: [Chord]) -> YamlText? {
    let texts = chords.map { YamlText.text($0.textToPress) }
    return texts.isEmpty ? nil : texts.count == 1 ? texts[0] : .row(texts)
  }

  private static func value(of command: Command) -> YamlText {
    let variables = command.environment.map {
      YamlText.Entry(key: $0.name, value: .text($0.value))
    }
    let (verb, program): (String, YamlText) =
      switch command.program {
      case .arguments(let arguments): ("run", .row(arguments.map { .text($0) }))
      case .shell(let text): ("shell", .text(text))
      }
    return [
      verb: program, "directory": command.folder.map { .text($0) },
      "environment": variables.isEmpty ? nil : .map(variables),
      "atOnce": command.atOnce.map { .word("\($0)") }, "time": command.time.written,
    ]
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
    ["running": .word("\(running)"), "time": milliseconds.map { .word("\($0) ms") }]
  }
}

extension DeviceProfile {
  fileprivate var written: YamlText {
    [
      "match": match.written, "application": application?.written,
      "settings": RuleWriter.settings(settings),
    ]
  }
}
