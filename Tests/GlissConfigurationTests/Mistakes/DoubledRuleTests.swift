import GlissConfiguration
import Testing

/// Rules that act together with a rule for all applications, devices or modifiers.
@Suite struct DoubledRuleTests {
  private static func device(_ hotkey: String) -> String {
    "warning: “\(hotkey)” has device: through the broker, which does not name the keyboard, it never acts"
  }

  static let hotkeys: [(String, [String])] = [
    (
      "super+t|super+t, device: {kind: keyboard}",
      [
        "2:12+7 warning: the rule at f:1:12 has the same keys: both act for this device; give that one a device, too",
        "2:12+7 \(device("super+t"))",
      ]
    ),
    (
      "super+t|lsuper+t, device: {kind: keyboard}",
      [
        "2:12+8 “lsuper+t” and “super+t” at f:1:12 use the same keys, or one begins with the other; other applications or devices do not change that: write the same hotkey in both",
        "2:12+8 \(device("lsuper+t"))",
      ]
    ),
    (
      "super+t, device: {kind: keyboard}|super+t, device: {name: x}",
      ["1:12+7 \(device("super+t"))", "2:12+7 \(device("super+t"))"]
    ),
    // it needs no grant, because it is not registered
    ("a, device: {kind: keyboard}", ["1:12+1 \(device("a"))"]),
  ]

  @Test(arguments: hotkeys)
  func hotkeysOfDevices(_ text: String, _ expected: [String]) {
    #expect(mistakes(ofHotkeys: text) == expected)
  }

  @Test(
    arguments: [
      (
        "fingers: 3|fingers: 3, application: firefox",
        "2:13: both act in “firefox”; give that one application: {not: [firefox]}"
      ),
      (
        "application: [a, firefox]|fingers: 3..5, application: {not: A}",
        "3:13: both act in “firefox”; give that one application: {not: [A, firefox]}"
      ),
      (
        "consume: true|application: {only: a, window: underPointer}",
        "2:13: both act in “a”; give that one application: {not: [a], window: underPointer}"
      ),
      (
        "direction: left|direction: left, device: {kind: touchpad}",
        "2:13: both act for this device; give that one a device, too"
      ),
      (
        "direction: left|direction: left, modifiers: super",
        "2:13: both act with super held; give that one modifiers: none"
      ),
      // in firefox both act only with Super held
      (
        "direction: left|direction: left, modifiers: super, application: firefox",
        "2:13: both act with super held; give that one modifiers: none"
      ),
      (
        "direction: left|direction: left, device: {kind: touchpad}, application: firefox",
        "2:13: both act for this device; give that one a device, too"
      ),
      // a rule with exceptions does not hide the one for all
      (
        "fingers: 3|fingers: 3, application: {not: a}|fingers: 3, application: a",
        "2:13: both act in “a”; give that one application: {not: [a]}"
      ),
      (
        "fingers: 3|fingers: 3, application: {not: b, window: underPointer}|fingers: 3, application: a",
        "2:13: both act in “a”; give that one application: {not: [a]}"
      ),
      ("application: {not: firefox}|application: Firefox", nil),
      ("device: {kind: touchpad}, application: {not: a}|application: a", nil),
      ("application: {not: a}|device: {kind: touchpad}, application: a", nil),
      ("fingers: 3|fingers: 4, application: firefox", nil),
      ("direction: left|application: {only: a, title: b}, direction: left", nil),
      ("modifiers: none|modifiers: super", nil), ("mode: none|mode: m, modifiers: super", nil),
      ("device: {kind: touchpad}|device: {kind: touchscreen}", nil),
    ] as [(String, String?)])
  func gesturesForAllAndForSome(_ rules: String, _ expected: String?) {
    let yaml = rules.split(separator: "|").map { "- {gesture: swipe, do: {run: a}, \($0)}\n" }
    let reading = read("gestures:\n" + yaml.joined())
    #expect(reading.configuration?.rules.count == yaml.count)
    let found = reading.mistakes.map(\.message).filter { $0.contains("both act") }
    let messages = expected.map { text in
      let parts = text.split(separator: ": ", maxSplits: 1)
      return "the rule at f:\(parts[0]) waits for the same gesture: \(parts[1])"
    }
    #expect(found == [messages].compactMap(\.self))
  }

  /// What holds modifiers is there for the other rule.
  @Test func aGestureThatOnlyHoldsModifiersDoublesNothing() {
    let reading = read(
      "gestures: [{gesture: pinch, hold: lctrl}, {gesture: pinch, modifiers: alt, do: {run: a}}]")
    #expect(reading.configuration?.rules.count == 2 && reading.mistakes == [])
  }

  @Test func aHotkeyThatOnlyHoldsModifiersActsAsWell() {
    let reading = read(
      """
      hotkeys:
      - {hotkey: f1, hold: lctrl}
      - {hotkey: f1, application: firefox, do: {run: a}}
      """)
    #expect(reading.configuration?.rules.count == 2)
    #expect(
      reading.mistakes.map(\.message).filter { $0.contains("both act") } == [
        "the rule at f:2:12 has the same keys: both act in “firefox”; give that one application: {not: [firefox]}"
      ])
  }

  @Test func manyHotkeysOfADeviceAreCounted() {
    let found = mistakes(ofHotkeys: "\"super+{1-9}\", device: {kind: keyboard}")
    #expect(
      found == [
        "1:12+13 \(Self.device("super+1"))", "1:12+13 \(Self.device("super+2"))",
        "1:12+13 warning: this and 6 more hotkeys below have device",
      ])
  }

  /// 234 hotkeys, and some more.
  @Test(
    arguments: [
      ("a-v", []),
      (
        "a-z",
        [
          "10:12+22 warning: this is hotkey 257 of 260: the broker takes at most 256, so through it not all act"
        ]
      ),
    ] as [(String, [String])])
  func theBrokerTakesSoManyHotkeys(_ last: String, _ expected: [String]) {
    let modifiers = [
      "super", "super+shift", "super+ctrl", "super+alt", "super+shift+ctrl", "super+shift+alt",
      "super+ctrl+alt", "super+shift+ctrl+alt", "ctrl+alt",
    ]
    let rules = modifiers.map { "\"\($0)+{a-z}\"" } + ["\"ctrl+alt+shift+{\(last)}\""]
    #expect(mistakes(ofHotkeys: rules.joined(separator: "|")) == expected)
  }
}
