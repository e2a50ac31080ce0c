import GlissConfiguration
import GlissEvents
import GlissSession
import Testing

@testable import GlissAgent

/// Why presses of keys that rules name triggered none of them.
@Suite struct IdlePressTests {
  private static let rules = """
    hotkeys:
      - {hotkey: super+f1, do: {run: a}}
      - {hotkey: super+g;super+t, do: {run: a}}
      - {hotkey: super+r, do: {mode: resize}}
      - {hotkey: f2, mode: resize, do: {run: a}}
      - {hotkey: super+a, application: foot, do: {run: a}}
      - {hotkey: super+h, device: {kind: mouse}, do: {run: a}}
      - {hotkey: 'release:ctrl+f3', do: {run: a}}
      - {hotkey: 'tap:super', do: {run: a}}
      - {hotkey: super+shift+g, do: {run: a}}
      - {hotkey: super+g;super+y, application: foot, do: {run: a}}

    """

  private static let notKnown =
    "it is not known which application has the focus, rule asks for foot"

  private static func unfinished(_ last: String) -> String {
    "the sequence super+g ; super+\(last) was not completed"
  }

  /// Chords that are pressed one after the other, and what is reported: each rule's line and
  /// reasons.
  @Test(
    arguments: [
      ([[.leftSuper, .f1]], [:]),
      ([[.f1]], [2: ["pressed f1, rule asks for super+f1"]]),
      ([[.leftControl, .f1]], [2: ["pressed ctrl+f1, rule asks for super+f1"]]),
      ([[.leftSuper, .g], [.rightSuper, .t]], [:]),
      ([[.leftSuper, .g]], [3: [unfinished("t")], 11: [unfinished("y")]]),
      ([[.leftSuper, .g], [.leftSuper, .f1]], [3: [unfinished("t")], 11: [unfinished("y")]]),
      // the first one is broken by the second
      (
        [[.leftSuper, .g], [.leftSuper, .g], [.leftSuper, .t]],
        [
          3: [unfinished("t")], 11: [unfinished("y")],
        ]
      ),
      (
        [[.leftSuper, .g], [.leftSuper, .y]],
        [11: [notKnown]]
      ),
      ([[.leftSuper, .t]], [3: ["the rule asks for super+g right before"]]),
      ([[.f2]], [5: ["mode none, rule asks for resize"]]),
      ([[.leftSuper, .r], [.f2]], [:]),
      ([[.leftSuper, .r], [.escape], [.f2]], [5: ["mode none, rule asks for resize"]]),
      ([[.leftSuper, .a]], [6: [notKnown]]),
      // typing
      ([[.a], [.leftShift, .a], [.t], [.escape]], [:]),
      ([[.leftSuper, .h]], [7: ["device “keys”, rule asks for a mouse"]]),
      ([[.leftControl, .f3], [.leftSuper]], [:]),
    ] as [([[Key]], [Int: [String]])])
  func everyRuleOfTheKeyHasItsReason(_ chords: [[Key]], _ expected: [Int: [String]]) throws {
    let text = ConfigurationText(name: "f", bytes: Array(Self.rules.utf8))
    let run = DryRun(try #require(Configuration.read([text]).configuration))
    var left: [String] = []
    run.didLeaveMode = { left.append($0) }
    let keyboard = run.session.add(Device(name: "keys", keys: [.a, .leftSuper]))
    var time = EventTime.zero
    func set(_ key: Key, _ value: Int32) {
      time = time + .milliseconds(30)
      run.session.process(
        EvdevEvent(time: time, type: 1, code: key.rawValue, value: value), from: keyboard)
      run.session.process(EvdevEvent(time: time, type: 0, code: 0, value: 0), from: keyboard)
    }
    for chord in chords {
      for key in chord { set(key, 1) }
      for key in chord.reversed() { set(key, 0) }
    }
    // a sequence times out
    run.session.advance(to: time + .milliseconds(4000))
    let missed = run.takeIdlePresses().flatMap(\.missed)
    #expect(
      Dictionary(missed.map { ($0.rule.line, $0.reasons) }) { one, _ in one } == expected)
    #expect(run.takeIdlePresses().isEmpty)
    #expect(
      left == (chords.contains([.leftSuper, .r]) && chords.contains([.escape]) ? ["resize"] : []))
  }

  /// Not all chords can be told from the keys alone: turns of a wheel without modifiers, and chords
  /// of the same time.
  @Test func aSequenceThatActsIsComplete() throws {
    let rules = """
      hotkeys:
        - {hotkey: f5;wheelup;f6, do: {run: a}}
        - {hotkey: f7;f8;f9, do: {run: a}}

      """
    let text = ConfigurationText(name: "f", bytes: Array(rules.utf8))
    let run = DryRun(try #require(Configuration.read([text]).configuration))
    var acted: [Int] = []
    run.didActivate = { activation, _ in acted.append(activation.rule) }
    let keyboard = run.session.add(Device(name: "keys", keys: [.a, .leftSuper]))
    func press(_ key: Key, at time: EventTime) {
      for value: Int32 in [1, 0] {
        run.session.process(
          EvdevEvent(time: time, type: 1, code: key.rawValue, value: value), from: keyboard)
        run.session.process(EvdevEvent(time: time, type: 0, code: 0, value: 0), from: keyboard)
      }
    }
    let start = EventTime.zero
    press(.f5, at: start)
    run.session.process(
      ScrollEvent(
        time: start + .milliseconds(10), device: keyboard, source: .wheel,
        delta: Vector2(x: 0, y: -15)))
    press(.f6, at: start + .milliseconds(20))
    for key in [Key.f7, .f8, .f9] { press(key, at: start + .milliseconds(100)) }
    run.session.advance(to: start + .milliseconds(9000))
    #expect(acted == [0, 1])
    #expect(run.takeIdlePresses().isEmpty)
  }
}
