package import GlissEvents
import GlissHotkeys

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
      let settings = condition.settings.map {
        (key: $0.name, value: YamlText.word($0.value.written))
      }
      own = YamlText.entries([
        "settings": settings.isEmpty ? nil : .map(settings),
        "consume": condition.consumes ? .word("true") : nil,
      ])
      // the `do` of a hold acts when the hold begins
      if condition.actsAtBegin { (starts, acts) = ("do", "end") }
    case .hotkey(let condition):
      trigger = YamlText.entries([
        "hotkey": .text("\(condition.hotkey)"), "consume": condition.consumes ? .word("true") : nil,
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
}

extension GestureCondition {
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
      "modifiers": modifiers.map { .word($0.spoken) },
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

extension Modifiers {
  package var spoken: String { isEmpty ? "none" : names.joined(separator: "+") }
}

extension Bounds {
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

enum ActionWriter {
  static func value(of actions: [Action]) -> YamlText? {
    switch actions.count {
    case 0: nil
    case 1: value(of: actions[0])
    case _: .list(actions.map { value(of: $0) })
    }
  }

  static func value(of step: Step) -> YamlText {
    [
      "every": .word("\(step.interval.length.written) \(step.interval.unit.rawValue)"),
      "forward": value(of: step.forward), "back": value(of: step.back),
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
    let variables = command.environment.map { (key: $0.name, value: YamlText.text($0.value)) }
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

extension Command.Time {
  fileprivate var written: YamlText? {
    switch self {
    case .standard: nil
    case .milliseconds(let milliseconds): .word("\(milliseconds) ms")
    case .endless: .word("none")
    }
  }
}

/// A value to be written to a YAML file. A dictionary literal is a mapping in that order.
indirect enum YamlText: ExpressibleByDictionaryLiteral {
  /// Written as it is: a number with its unit, or a known word.
  case word(String)
  /// Any text, quoted if necessary.
  case text(String)
  /// A list on one line.
  case row([YamlText])
  case map([Entry])
  /// A list with one element per line.
  case list([YamlText])

  typealias Entry = (key: String, value: YamlText)

  init(dictionaryLiteral pairs: (String, YamlText?)...) {
    self = .map(pairs.compactMap { key, value in value.map { (key: key, value: $0) } })
  }

  /// The entries of a mapping. Those without a value are left out.
  static func entries(_ pairs: KeyValuePairs<String, YamlText?>) -> [Entry] {
    pairs.compactMap { key, value in value.map { (key: key, value: $0) } }
  }

  /// The widest line before a mapping is split over several.
  private static let width = 100

  /// `key: value`, on as many lines as needed.
  func lines(key: String) -> [String] {
    if let line = line(besides: key.count + 2) { return ["\(key): \(line)"] }
    return [key + ":"] + body.map { "  " + $0 }
  }

  /// The lines of a list's element, with its dash.
  var element: [String] { line(besides: 6).map { ["- " + $0] } ?? block }

  /// The lines of a list's element, with each entry on its own line, however short.
  var block: [String] {
    body.isEmpty ? ["- []"] : body.enumerated().map { ($0 == 0 ? "- " : "  ") + $1 }
  }

  /// The value on one line, if that is not a mapping that needs more than there is room for.
  private func line(besides indent: Int) -> String? {
    if case .map = self, let inline, inline.utf8.count + indent > Self.width { return nil }
    return inline
  }

  /// The entries of a mapping or list, each on its own lines.
  private var body: [String] {
    switch self {
    case .map(let entries): entries.flatMap { $0.value.lines(key: $0.key) }
    case .list(let elements): elements.flatMap(\.element)
    case .word, .text, .row: []
    }
  }

  /// On one line; `nil` for a list with a line per element.
  var inline: String? {
    switch self {
    case .word(let word): return word
    case .text(let text): return YamlQuoting.scalar(text)
    case .row(let elements):
      let parts = elements.compactMap(\.inline)
      return parts.count == elements.count ? "[" + parts.joined(separator: ", ") + "]" : nil
    case .map(let entries):
      let parts = entries.compactMap { entry in entry.value.inline.map { "\(entry.key): \($0)" } }
      return parts.count == entries.count ? "{" + parts.joined(separator: ", ") + "}" : nil
    case .list: return nil
    }
  }
}

/// Quotes text as a YAML scalar that every reader reads as the same text.
package enum YamlQuoting {
  /// Unquoted if that is safe everywhere, otherwise in single quotes, otherwise in double quotes.
  static func scalar(_ text: String) -> String {
    if isPlain(text) { return text }
    let scalars = text.unicodeScalars
    let quotes = scalars.count { $0 == "'" }
    let others = scalars.count { $0 == "\"" || $0 == "\\" }
    guard scalars.allSatisfy(standsAsItself), quotes <= others else {
      return "\"\(scalars.map(escaped).joined())\""
    }
    return "'\(scalars.map { $0 == "'" ? "''" : String($0) }.joined())'"
  }

  /// The same for the item of a list on one line, where dashes and numbers are safe, too.
  static func item(_ text: String) -> String {
    let rest = String(text.drop { $0 == "-" })
    let isNumber = !rest.isEmpty && rest.allSatisfy { $0.isASCII && $0.isNumber }
    return isNumber || isPlain(rest) ? text : scalar(text)
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\"", "\\": return "\\\(scalar)"
    case "\n": return "\\n"
    case "\t": return "\\t"
    case _ where standsAsItself(scalar): return String(scalar)
    case _:
      let (letter, width) =
        scalar.value < 0x100 ? ("x", 2) : scalar.value < 0x10000 ? ("u", 4) : ("U", 8)
      return "\\\(letter)\(scalar.value.hex(width))"
    }
  }

  /// Whether it is not a line end, is visible, and is allowed in YAML.
  package static func standsAsItself(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
    // YAML has no U+FFFE and U+FFFF
    case _: scalar.value & 0xffff_fffe != 0xfffe
    }
  }

  /// Words that readers take for something other than text.
  private static let reserved: Set<String> = [
    "true", "false", "yes", "no", "on", "off", "null", "none", "y", "n",
  ]

  private static func isPlain(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    let isWord = { (byte: UInt8) in byte.isLetter || byte == UInt8(ascii: "%") }
    let word = text.lowercased()
    let number = word.first == "+" ? word.dropFirst() : word[...]
    guard let first = bytes.first, bytes.last != UInt8(ascii: " "),
      first.isLetterDigit(or: "/_.+"), !reserved.contains(word),
      // it may be a number or a time
      "/_".utf8.contains(first) || bytes.contains(where: isWord),
      Double(text) == nil, number != ".inf", number != ".nan",
      !["0x", "0o", "0b"].contains(where: { number.hasPrefix($0) })
    else { return false }
    return zip(bytes, bytes.dropFirst() + [0]).allSatisfy { byte, next in
      byte.isLetterDigit(or: "_-+./%=@~$; ") || byte == UInt8(ascii: ":") && isWord(next)
    }
  }
}

extension FixedWidthInteger {
  /// In hexadecimal, with `width` digits, which must be enough.
  func hex(_ width: Int) -> String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: width - digits.utf8.count) + digits
  }
}

extension Double {
  /// With up to six decimals, without trailing zeros.
  package var written: String { trimmed(6) }
}
