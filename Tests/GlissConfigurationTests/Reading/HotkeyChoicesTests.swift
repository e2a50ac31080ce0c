import GlissHotkeys
import Testing

@testable import GlissConfiguration

/// Rules with several hotkeys.
@Suite struct HotkeyChoicesTests {
  /// The rules as `hotkey: action`.
  private static func rules(_ hotkey: String, _ action: String) throws -> [String] {
    let reading = read("hotkeys: [{hotkey: \(hotkey), do: \(action)}]")
    return try #require(reading.configuration).rules.map { rule in
      guard case .hotkey(let condition) = rule.trigger else { return "?" }
      let texts = rule.reactions.end.map { action in
        switch action.verb {
        case .run(let command): command.text + (command.folder.map { " in \($0)" } ?? "")
        case .notify(let summary, let body): "\(summary)|\(body ?? "")"
        case .emit(let emission): "\(emission.line ?? "") to \(emission.path)"
        case .keys, .hold, .letGo, .move, .mode, .turns, .desktop: "?"
        }
      }
      return "\(condition.hotkey): \(texts.joined(separator: " "))"
    }
  }

  @Test(arguments: [
    ("[super+t, super+enter]", ["super+t: x {}", "super+enter: x {}"]),
    ("'super+{1-3,0}'", ["super+1: x 1", "super+2: x 2", "super+3: x 3", "super+0: x 0"]),
    ("'super+{h=west, l = east}'", ["super+h: x west", "super+l: x east"]),
    (#""super+{h\t=\twest,\tl}""#, ["super+h: x west", "super+l: x l"]),
    (#""super+{'='=x, ',' =y,'+'}""#, ["super+'=': x x", "super+',': x y", "super+'+': x '+'"]),
    (#""super+{'=',a}""#, ["super+'=': x '='", "super+a: x a"]),
    (#""super+{'}'=x,a}""#, ["super+'}': x x", "super+a: x a"]),
    ("'super+{=,-=less}'", ["super+equal: x =", "super+minus: x less"]),
    ("'alt+{f9-f11}'", ["alt+f9: x f9", "alt+f10: x f10", "alt+f11: x f11"]),
    (
      "['super+{a-c}', super+x]", ["super+a: x a", "super+b: x b", "super+c: x c", "super+x: x {}"]
    ),
    ("'super+{k ; }w'", ["super+k ; w: x k ;"]),
    (#""super+'{' ; super+'}'""#, ["super+'{' ; super+'}': x {}"]),
  ])
  func eachIsARule(_ hotkey: String, _ expected: [String]) throws {
    #expect(try Self.rules(hotkey, "{run: [x, '{}']}") == expected)
  }

  @Test(arguments: [
    ("{shell: 'a {} {{}} ${B} {a,b} {'}", "super+1: a 1 {1} ${B} {a,b} {"),
    ("{shell: a, environment: {B: 'x{}'}}", "super+1: a x1"),
    ("{notify: {title: 'n {}', body: '{}'}}", "super+1: n 1|1"),
    ("{emit: {to: '/a/{}', line: '{}{}'}}", "super+1: 11 to /a/1"),
    ("{run: [x], directory: '~/{}'}", "super+1: x in ~/1"),
    ("[{run: ['{}']}, {mode: m}]", "super+1: 1 ?"),
  ])
  func theValueStandsInCommandsAndTexts(_ action: String, _ expected: String) throws {
    #expect(try Self.rules("'super+{1}'", action) == [expected])
  }

  @Test func theValueIsAKeyAModeOrAWorkspace() {
    let rules =
      read(
        "hotkeys: [{hotkey: 'super+{1,3}', do: [{workspace: '{}'}, {keys: 'alt+{}'}, {mode: 'm{}'}]}]"
      )
      .configuration?.rules ?? []
    let written =
      read("hotkeys: [{hotkey: super+3, do: [{workspace: 3}, {keys: alt+3}, {mode: m3}]}]")
      .configuration?.rules ?? []
    #expect(rules.count == 2 && written.count == 1)
    #expect(rules.last?.reactions.end.map(\.verb) == written.last?.reactions.end.map(\.verb))
  }

  /// A warning stops nothing, and is for the first member alone.
  @Test(arguments: [
    ("[ls, $FOO, '{}']", "no shell replaces"), ("['ls {}']", "one program"),
  ])
  func aWarningLosesNoRule(_ command: String, _ warning: String) {
    let reading = read("hotkeys: [{hotkey: 'super+{1-3}', do: {run: \(command)}}]")
    #expect(reading.configuration?.rules.count == 3)
    #expect(
      reading.mistakes.count == 1 && reading.mistakes[0].message.contains(warning),
      "\(reading.mistakes.map(\.message))")
  }

  /// The text that has `{}` may be in any quotes or none.
  @Test func noValueHasAZeroByte() {
    let reading = read(#"hotkeys: [{hotkey: "super+{a=\0,b}", do: {run: [echo, '{}']}}]"#)
    #expect(reading.configuration == nil)
    #expect(reading.mistakes.map(\.message) == ["a zero byte cannot stand in an argument"])
  }

  /// `{}` in a hotkey is a mistake of its own.
  @Test func hotkeysAreNotFilled() {
    let messages =
      read("hotkeys: [{hotkey: ['super+{1-3}', 'alt+{}'], do: {run: [ls, '{}']}}]").mistakes
      .map(\.message)
    #expect(messages.count == 1 && messages[0].contains("needs one group"), "\(messages)")
  }

  /// Two members may be the same key.
  @Test func eachMemberHasItsOwnRule() {
    let rules =
      read("hotkeys: [{hotkey: 'super+{1=esc,2=escape,3=f1}', do: {keys: '{}'}}]").configuration?
      .rules ?? []
    let verb = rules.last?.reactions.end.first.map { "\($0.verb)" }
    #expect(rules.count == 3 && verb?.contains("f1") == true, "\(verb ?? "")")
  }

  /// The rule is read once for each member.
  @Test func aMistakeIsReportedOnceForAllMembers() {
    let messages =
      read("hotkeys: [{hotkey: 'super+{1-9}', do: {keys: 'altt+{}'}}]").mistakes.map(\.message)
    #expect(messages == ["unknown modifier “altt”; did you mean alt?"], "\(messages)")
  }

  @Test func aHotkeyWithoutAGroupIsNotFilled() throws {
    func warnings(_ action: String) -> [String] {
      read("hotkeys: [{hotkey: ['super+{a,b}', super+x], do: {run: [\(action)]}}]").mistakes
        .map(\.message)
    }
    let unfilled = warnings("'{}'")
    #expect(unfilled.count == 1 && unfilled[0].hasPrefix("“super+x” has no group in braces"))
    #expect(warnings("x").isEmpty)
  }

  @Test(arguments: [
    "super+{}", "super+{a,}", "super+{0-64}", "{super,alt}+{a,b}", "super+{a,aa}", "super+{9-1}",
    "super+{a-9}", "super+{1-99999999999999999999}", "super+{f1-f999}",
  ])
  func anInvalidGroupIsAMistakeAtItsPlace(_ hotkey: String) {
    let reading = read("hotkeys: [{hotkey: '\(hotkey)', do: {run: [x]}}]")
    #expect(reading.configuration == nil)
    #expect(reading.mistakes.allSatisfy { $0.short.hasPrefix("1:20+") })
  }

  @Test(arguments: [("super+{'1'-'9'}", true), ("super+{а-в}", true), ("super+{nokey}", false)])
  func anotherRangeIsToldWhatARangeIs(_ hotkey: String, _ isRange: Bool) {
    let messages =
      read("hotkeys: [{hotkey: \"\(hotkey)\", do: {run: [x]}}]").mistakes.map(\.message)
    #expect(messages.count == 1, "\(messages)")
    #expect(messages.first?.hasSuffix("a-f (of a to z), 1-9 or f1-f12") == isRange)
  }

  @Test(arguments: [("super+{a,b", true), ("super+{1-", true), ("supr+{", false)])
  func aGroupWithoutItsEndIsNamed(_ hotkey: String, _ isGroup: Bool) {
    let messages = read("hotkeys: [{hotkey: '\(hotkey)', do: {run: [x]}}]").mistakes.map(\.message)
    #expect(messages.count == 1)
    #expect(messages.first?.contains("needs one group") == isGroup)
  }
}

extension Command {
  fileprivate var text: String {
    let values = environment.map { " " + $0.value }.joined()
    return switch program {
    case .arguments(let arguments): arguments.joined(separator: " ") + values
    case .shell(let text): text + values
    }
  }
}
