import GlissEvents
import GlissHotkeys
import GlissSynthesis
import TestSupport
import Testing

@testable import GlissConfiguration

/// What is written reads back to the same.
@Suite struct WritingTests {
  @Test func anyRulesReadBackToTheSame() {
    var random = Seed.source("writing")
    for round in 0..<300 {
      var rules: [Rule] = []
      for _ in 0..<4 { rules.append(.any(from: &random)) }
      rules = rules.filter { !$0.isOfHotkey } + rules.filter(\.isOfHotkey)
      let text = Self.text(of: rules)
      let reading = Configuration.read([
        ConfigurationText(name: "f", bytes: Array(text.utf8))
      ])
      // the same keys may be drawn twice
      let errors = reading.mistakes.filter {
        $0.severity == .error && !$0.message.hasSuffix("the other begins")
          && !$0.message.utf8.elementsEqual("".utf8) && !Self.isTaken($0.message)
      }
      #expect(errors.isEmpty, "\(Seed.advice), round \(round): \(errors)\n\(text)")
      guard let again = reading.configuration else { continue }
      #expect(again.rules.map(\.withoutPlaces) == rules, "\(Seed.advice), round \(round)\n\(text)")
    }
  }

  /// A file with these rules.
  private static func text(of rules: [Rule]) -> String {
    let sections: [(String, [Rule])] = [
      ("gestures", rules.filter { !$0.isOfHotkey }), ("hotkeys", rules.filter(\.isOfHotkey)),
    ]
    var lines: [String] = []
    for (title, section) in sections where !section.isEmpty {
      lines.append(title + ":")
      for rule in section { lines += RuleWriter.lines(of: rule).map { "  " + $0 } }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static func isTaken(_ message: String) -> Bool {
    message.contains("has a rule already") || message.contains("use the same keys")
  }

  @Test(
    arguments: [
      "", " ", "a", "a b", " a", "a ", "true", "No", "null", "~", "none", "5", "0x1f", "1e3", "-1",
      "5%-", "+5%", "@x", "%x", "&x", "*x", "!x", "|", ">", "? a", "- a", "# a", "a # b", "a: b",
      "a:b", ":", "a:", "[a]", "{a}", "a, b", "'", "''", "\"", "\\", "a\\b", "it's", "\"it's\"",
      "a\nb", "\n", "a\tb", "\u{1}", "\u{7f}", "\u{85}", "\u{2028}", "\u{feff}", "\u{fffe}",
      "\u{200d}",
      "ä ö ü", "😀", "---", "...", "--- a", "%YAML 1.2", "=", "<<", "12:30:45", "1_000", ".5",
      ".inf",
      "y", "2001-01-01", "$HOME/x", "a;b", "`x`",
    ])
  func anyTextReadsBackToTheSame(_ text: String) {
    let rule = Rule(
      name: text.isEmpty ? nil : text,
      trigger: .gesture(GestureCondition(kind: .tap)),
      reactions: Reactions(end: [
        Action(.run(Command(.arguments(["x", text]))), place: Rule.nowhere),
        Action(
          .run(Command(.shell(text + "x"), environment: [.init(name: "A", value: text)])),
          place: Rule.nowhere),
        Action(.notify(summary: text + "x", body: text), place: Rule.nowhere),
      ]), place: Rule.nowhere)
    #expect(Configuration.rules(of: Self.text(of: [rule])) == [rule])
  }

  /// Other YAML readers take these for numbers.
  @Test(arguments: [".inf", "+.Inf", ".NaN", "0b101", "+0b101", "0B1", "0o17", "0x1f"])
  func whatMayBeANumberIsQuoted(_ text: String) {
    #expect(YamlQuoting.scalar(text) == "'\(text)'")
  }

  @Test(arguments: [".info", "0c", "+b101", "b0b"])
  func otherWordsAreNotQuoted(_ text: String) { #expect(YamlQuoting.scalar(text) == text) }
}

extension Rule {
  static func any(from random: inout RandomSource) -> Rule {
    let reactions: Reactions
    let trigger: Trigger
    if random.chance(0.4) {
      let hotkey = Hotkey.any(from: &random)
      trigger = .hotkey(
        HotkeyCondition(hotkey: hotkey, consumes: hotkey.isConsumable && random.chance(0.5)))
      reactions = Reactions(
        end: Action.some(from: &random, atLeast: 1), release: Action.some(from: &random))
    } else {
      let condition = GestureCondition.any(from: &random)
      trigger = .gesture(condition)
      reactions = .any(of: condition.kind, from: &random)
    }
    return Rule(
      name: random.chance(0.5) ? .any(from: &random) : nil, trigger: trigger,
      mode: random.chance(0.2) ? "resize" : nil,
      device: random.chance(0.2) ? .any(from: &random) : nil,
      application: random.chance(0.2) ? .any(from: &random) : nil, reactions: reactions,
      place: nowhere)
  }
}

extension Reactions {
  fileprivate static func any(of kind: GestureKind, from random: inout RandomSource) -> Reactions {
    var reactions = Reactions(end: Action.some(from: &random, atLeast: 1))
    if kind == .tap { return reactions }
    reactions.begin = Action.some(from: &random)
    if kind != .hold { reactions.change = Action.some(from: &random) }
    reactions.cancel = Action.some(from: &random)
    if kind == .hold || random.chance(0.5) { return reactions }
    let number = random.tenths(10...500)
    let unit: Step.Interval.Unit =
      kind == .pinch ? .percent : kind == .rotate ? .degrees : .millimetres
    reactions.steps = [
      Step(
        interval: Step.Interval(number, unit), forward: Action.some(from: &random, atLeast: 1),
        back: Action.some(from: &random), place: Rule.nowhere)
    ]
    return reactions
  }
}

extension Action {
  fileprivate static func some(from random: inout RandomSource, atLeast least: Int = 0) -> [Action]
  {
    (0..<max(least, Int(random.uniform(0...3)))).map { _ in any(from: &random) }
  }

  private static func any(from random: inout RandomSource) -> Action {
    let verb: Verb =
      switch Int(random.uniform(0...8)) {
      case 0:
        .run(.any(.arguments(["x"] + [.any(from: &random), .any(from: &random)]), from: &random))
      case 1: .run(.any(.shell(.any(from: &random) + "x"), from: &random))
      case 2: .keys([.pressable(from: &random), .pressable(from: &random)])
      case 3: .mode(random.chance(0.5) ? "resize" : nil)
      case 4:
        .notify(
          summary: "x" + .any(from: &random), body: random.chance(0.5) ? .any(from: &random) : nil)
      case 5: .desktop(.window(random.pick(WindowAction.allCases)))
      case 6: .desktop(.workspace(random.pick([.next, .previous, .number(3)])))
      case _:
        .emit(
          Emission(
            path: "/" + .any(from: &random), line: random.chance(0.5) ? .any(from: &random) : nil))
      }
    return Action(verb, place: Rule.nowhere)
  }
}

extension Command {
  fileprivate static func any(_ program: Program, from random: inout RandomSource) -> Command {
    var command = Command(program)
    if random.chance(0.3) { command.folder = "/" + .any(from: &random) }
    if random.chance(0.3) {
      command.environment = [.init(name: "A_1", value: .any(from: &random))]
    }
    if random.chance(0.3) { command.atOnce = 3 }
    if random.chance(0.3) { command.time = random.chance(0.5) ? .endless : .milliseconds(1500) }
    return command
  }
}

extension GestureCondition {
  fileprivate static func any(from random: inout RandomSource) -> GestureCondition {
    let kind = GestureKind.allCases[Int(random.uniform(0...6.999))]
    var condition = GestureCondition(kind: kind)
    if kind != .drag, random.chance(0.7) { condition.fingers = 3...(random.chance(0.5) ? 3 : 3) }
    if random.chance(0.3) { condition.rest = .any(10...5000, from: &random) }
    if random.chance(0.3) { condition.modifiers = random.chance(0.5) ? [] : .leftAlt }
    if random.chance(0.2) { condition.settings = [.any(from: &random)] }
    let canConsume = [.swipe, .pinch, .rotate, .edgeSwipe].contains(kind)
    condition.consumes = canConsume && condition.fingers != nil && random.chance(0.5)
    switch kind {
    case .drag, .swipe, .edgeSwipe:
      if random.chance(0.7) {
        condition.sense = .towards(Direction.allCases[Int(random.uniform(0...7.999))])
      }
      if random.chance(0.5) { condition.travel = .any(1...500, from: &random) }
      if random.chance(0.5) { condition.speed = .any(1...500, from: &random) }
      if kind == .drag { condition.isAfterTap = false }
      if kind == .edgeSwipe { condition.edge = condition.sense == .towards(.down) ? .top : .bottom }
    case .pinch: condition.scale = Bounds(from: random.tenths(11...50))
    case .rotate:
      condition.sense = random.chance(0.5) ? .clockwise : .counterclockwise
      condition.turn = .any(1...300, from: &random)
    case .tap: condition.count = 2
    case .hold: condition.duration = .any(10...5000, from: &random)
    }
    return condition
  }
}

extension Bounds {
  fileprivate static func any(_ range: ClosedRange<Double>, from random: inout RandomSource)
    -> Bounds
  {
    let low = random.tenths(range.lowerBound * 10...range.upperBound * 10)
    switch Int(random.uniform(0...2.999)) {
    case 0: return Bounds(from: low)
    case 1: return Bounds(to: low)
    case _: return Bounds(from: low, to: low + 1)
    }
  }
}

extension RandomSource {
  /// A number with one decimal.
  fileprivate mutating func tenths(_ range: ClosedRange<Double>) -> Double {
    uniform(range).rounded() / 10
  }
}

extension Hotkey {
  fileprivate static func any(from random: inout RandomSource) -> Hotkey {
    if random.chance(0.1) {
      return Hotkey(tap: TappedModifier.allCases[Int(random.uniform(0...10.999))])
    }
    let activation = Activation.allCases[Int(random.uniform(0...2.999))]
    return Hotkey(
      .any(from: &random), then: random.chance(0.2) ? [.any(from: &random)] : [],
      activation: activation)
  }
}

extension Chord {
  fileprivate static func any(from random: inout RandomSource) -> Chord {
    let modifiers = ChordModifiers(rawValue: UInt16(random.uniform(0...0x7ff)))
    let scalars = Array("ä?'é+#:, ß[\"\\".unicodeScalars)
    return random.chance(0.7)
      ? Chord(modifiers, .key(Key(rawValue: UInt16(random.uniform(1...0x2ff)))))
      : Chord(modifiers, .symbol(scalars[Int(random.uniform(0...Double(scalars.count) - 0.001))]))
  }
}

extension SettingChange {
  fileprivate static func any(from random: inout RandomSource) -> SettingChange {
    SettingChange(name: "motion.floor", value: 0.5)
  }
}

extension ApplicationMatch {
  fileprivate static func any(from random: inout RandomSource) -> ApplicationMatch {
    func names(_ count: Int) -> [String] { (0..<count).map { _ in .any(from: &random) + "x" } }
    var match = ApplicationMatch(only: names(random.integer(0...2)))
    if random.chance(0.3) { match.not = names(random.integer(0...2)) }
    if random.chance(0.3) { match.titles = names(random.integer(0...2)) }
    if match == ApplicationMatch() { match.only = ["x"] }
    return match
  }
}

extension DeviceMatch {
  fileprivate static func any(from random: inout RandomSource) -> DeviceMatch {
    DeviceMatch(
      name: .any(from: &random) + "x",
      vendorAndProduct: random.chance(0.5) ? .init(vendor: 0x4f3, product: 0x9) : nil,
      kind: random.chance(0.5) ? .touchpad : nil)
  }
}

extension String {
  /// Up to eight characters of those that YAML, shells and terminals make something of.
  fileprivate static func any(from random: inout RandomSource) -> String {
    let alphabet = Array(
      "abc 019.,:;#'\"\\{}[]&*!|>%@`~?-+=<$\n\t\u{1}\u{85}\u{2028}\u{feff}äß😀".unicodeScalars)
    var text = String.UnicodeScalarView()
    for _ in 0..<Int(random.uniform(1...8)) {
      text.append(alphabet[Int(random.uniform(0...Double(alphabet.count) - 0.001))])
    }
    return String(text)
  }
}

extension Chord {
  fileprivate static func pressable(from random: inout RandomSource) -> Chord {
    while true {
      let chord = Chord.any(from: &random)
      if chord.obstacle == nil { return chord }
    }
  }
}
