import GlissConfiguration
import GlissImport
import TestSupport
import Testing

/// What stands where the other tool does not look for it is told, with the line.
@Suite struct StrayImportTests {
  @Test(
    arguments: [
      ("swipe: 3", [1], 0), ("swipe: [3, {left: {command: a}}]", [1], 0), ("swipe:", [1], 0),
      ("swipe:\n  3: left", [2], 0), ("swipe:\n  3:\n  - left:\n      command: a", [2], 0),
      ("swipe:\n  3:\n    left: {command: a}\n    left: {command: b}", [3], 1),
      ("swipe:\n  3:\n    left:\n      command: a\n      command: b", [4], 1),
      ("swipe:\n  3:\n    left: {command: a}\nswipe:\n  4:\n    left: {command: b}", [1], 1),
      ("swipe:\n  3:\n    left: {begin: a}", [3], 0),
      ("swipe:\n  3:\n    left:\n      begin: {command: a}\n      begin: {command: b}", [4], 1),
      ("hold:\n  3: a", [2], 0), ("hold:\n  3: [a]", [2], 0),
      ("swipe:\n  3:\n    left:\n      command: [a, b]", [4], 0),
      ("swipe:\n  3:\n    left:\n      command: ~", [4], 0),
      ("swipe:\n  3:\n    left:\n      command: {a: b}", [4], 0),
      ("swipe:\n  3:\n    left:\n      sendkey: {a: b}", [4], 0),
      ("swipe:\n  3:\n    left:\n      sendkey: [[A]]", [4], 0),
      ("swipe:\n  3:\n    left:\n      workspace: [next]", [4], 0),
      ("swipe:\n  3:\n    left:\n      keypress: LEFTSHIFT", [4], 0),
      (
        "swipe:\n  3:\n    left:\n      keypress: {LEFTSHIFT: {keypress: {LEFTALT: {command: a}}}}",
        [4], 0
      ),
      ("swipe:\n  2:\n    left:\n      command: a", [4], 0), ("threshold: 3", [1], 0),
      ("rotate:\n  1:\n    clockwise:\n      command: a", [4], 0),
      ("pinch:\n  1:\n    in:\n      command: a", [4], 0),
      ("threshold: {swipe: {command: a}}", [1], 0), ("interval: [1]", [1], 0),
      ("tap:\n  3:\n    - command: a", [2], 0),
      ("edge:\n  3:\n    - command: a\nhold:", [1, 4], 0),
      ("? {command: a}\n: b\nhold:", [1, 3], 0),
      ("application: Global", [1], 0), ("application:\n  Global: 3", [2], 0),
      ("swipe:\n---\nhold: 3", [1, 3], 0), ("swipe:\n...\n---\nhold: 3", [1, 4], 0),
      ("--- {swipe: 3}", [1], 0),
    ] as [(String, [Int], Int)])
  func ofFusuma(_ text: String, _ lines: [Int], _ rules: Int) throws {
    try expect(.fusuma, text, lines, rules)
  }

  @Test func ofSwhkd() throws {
    try expect(.swhkd, "mode m\na\n  x\nendmode b\nc\n  y\n", [4], 2)
  }

  private static let act = "<action type='RUN_COMMAND'><command>a</command></action>"
  private static func gesture(_ content: String, _ direction: String = "UP") -> String {
    "<gesture type='SWIPE' fingers='3' direction='\(direction)'>\n\(content)\n</gesture>"
  }
  private static func all(_ content: String) -> String {
    "<touchégg><application name='All'>\n\(content)\n</application></touchégg>"
  }

  @Test(
    arguments: [
      (all(gesture(act)), [], 1),
      (all(gesture(act + "\n" + act)), [4], 1),
      (all(gesture("<x/>\n" + act)), [3], 1),
      (all(gesture("text\n" + act)), [2], 1),
      (
        all(
          gesture(
            "<action type='RUN_COMMAND'><command>a</command>\n\(gesture(act, "LEFT"))</action>")),
        [4], 1
      ),
      (all(act), [2], 0),
      (
        all(
          gesture("<action type='RUN_COMMAND'><command>a</command>\n<comand>b</comand></action>")),
        [4], 1
      ),
      (
        all(gesture("<action type='RUN_COMMAND'><command>a</command>\n<keys>b</keys></action>")),
        [], 1
      ),
      (
        all(
          gesture("<action type='RUN_COMMAND'><command>a</command>\n<command>b</command></action>")),
        [3], 1
      ),
      (all(gesture("<action type='RUN_COMMAND'>echo<command>a</command></action>")), [3], 1),
      (all(gesture("<action type='RUN_COMMAND'><command>a\n<x>b</x></command></action>")), [4], 1),
      (all("text"), [1], 0),
      ("<touchégg>\n" + gesture(act) + "</touchégg>", [2], 0),
      ("<touchégg>\ntext</touchégg>", [1], 0),
      (
        "<touchégg><settings>\n<x/>\n<property name='color'>a<y/></property></settings></touchégg>",
        [2, 3], 0
      ),
      ("<touchégg\nversion='2'><application name='All'/></touchégg>", [1], 0),
      (
        "<touchégg><settings\na='b'><property name='color'\nunit='c'/></settings></touchégg>",
        [1, 2], 0
      ),
      (
        "<touchégg><application name='All'\nclass='x'>\(gesture(act))</application></touchégg>",
        [1], 1
      ),
      (
        all(
          "<gesture type='SWIPE' fingers='3'\nspeed='2' direction='UP'><action type='RUN_COMMAND'\non='end'><command\na='b'>a</command></action></gesture>"
        ), [2, 3, 4], 1
      ),
      (all("<gesture type='TAP' fingers='3' direction='UP'>\(act)</gesture>"), [], 1),
      (
        all(
          gesture(
            "<action type='RUN_COMMAND'><command>a</command><animation>MAXIMIZE</animation></action>"
          )),
        [], 1
      ),
      (
        "<touchégg><application name='One'>\n\(gesture("<x/>\n" + act))</application></touchégg>",
        [3], 1
      ),
    ] as [(String, [Int], Int)])
  func ofTouchegg(_ text: String, _ lines: [Int], _ rules: Int) throws {
    try expect(.touchegg, text, lines, rules)
  }

  private func expect(_ tool: ImportedTool, _ text: String, _ lines: [Int], _ rules: Int) throws {
    let imported = try tool.imported(text)
    #expect(Set(imported.remarks.map(\.place.line)).sorted() == lines, "\(imported.remarks)")
    #expect(imported.rules.count == rules, "\(imported.text)")
    #expect(imported.forgotten(in: text) == [])
    #expect(Configuration.rules(of: imported.text).count == rules)
  }

  /// Inward pinches end at an upper bound: a lower one would hold from the start.
  @Test(arguments: [("in", Bounds(to: 0.77)), ("out", Bounds(from: 1.3))])
  func aPinchHasTheBoundThatItReaches(_ direction: String, _ scale: Bounds) throws {
    let text = "pinch:\n  2:\n    \(direction): {command: a, threshold: 1}"
    let rules = try ImportedTool.fusuma.imported(text).rules
    guard case .gesture(let condition)? = rules.first?.trigger else {
      Issue.record("no rule")
      return
    }
    #expect(condition.scale == scale)
  }
}
