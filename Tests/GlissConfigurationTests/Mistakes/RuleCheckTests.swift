import Foundation
import GlissConfiguration
import Testing

/// What is wrong with rules of hotkeys, one in each line and separated by `|`. A rule without `do`
/// runs something.
func mistakes(ofHotkeys text: String) -> [String] {
  let yaml = text.split(separator: "|").map { rule in
    "- {hotkey: \(rule)" + (rule.contains("do:") ? "}" : ", do: {run: a}}")
  }
  let reading = read("hotkeys:\n" + yaml.joined(separator: "\n"))
  return reading.mistakes.map { mistake in
    var mistake = mistake
    mistake.place.line -= 1
    mistake.message = mistake.message.replacingOccurrences(of: "f:2:", with: "f:1:")
    return mistake.short
  }
}

/// What is wrong with rules together.
@Suite struct RuleCheckTests {
  static let cases: [(String, [String])] = [
    ("super+t|super+t", ["2:12+7 “super+t” has a rule already, at f:1:12"]),
    (
      "lsuper+t|release:super+t",
      [
        "2:12+15 “release:super+t” and “lsuper+t” at f:1:12 use the same keys, or one begins with the other"
      ]
    ),
    (
      "super+k ; super+w|super+k",
      [
        "2:12+7 “super+k” and “super+k ; super+w” at f:1:12 use the same keys, or one begins with the other"
      ]
    ),
    ("super+t|super+t, mode: m|super+k, do: {mode: m}|super+e, mode: m, do: {mode: none}", []),
    (
      "super+t|super+t, application: firefox",
      [
        "2:12+7 warning: the rule at f:1:12 has the same keys: both act in “firefox”; give that one application: {not: [firefox]}"
      ]
    ),
    (
      "super+t, application: [a, firefox]|super+t, application: {not: A}",
      [
        "1:12+7 warning: the rule at f:3:12 has the same keys: both act in “firefox”; give that one application: {not: [A, firefox]}"
      ]
    ),
    ("super+t, application: {not: firefox}|super+t, application: Firefox", []),
    // without it, nothing would act in the application's other windows
    ("super+t|super+t, application: {only: firefox, title: Mail}", []),
    ("super+k ; super+a|super+k ; super+b", []),
    (
      "a",
      [
        "1:12+1 warning: “a” could be typed or clicked: through the broker it needs a grant for raw keys"
      ]
    ),
    (
      "super+k ; w",
      [
        "1:12+11 warning: “super+k ; w” could be typed or clicked: through the broker it needs a grant for raw keys"
      ]
    ),
    ("tap:lsuper", []),
    ("f5|ctrl+a|playpause", []),
  ]

  @Test(arguments: cases)
  func hotkeysTogether(_ text: String, _ expected: [String]) {
    #expect(mistakes(ofHotkeys: text) == expected)
  }

  @Test func rulesForTheSameGestureAreWarnedOf() {
    let reading = read(
      """
      gestures:
      - {gesture: swipe, fingers: 3, do: {run: a}}
      - {gesture: swipe, fingers: 4, do: {run: a}}
      - {gesture: swipe, fingers: 3, do: {run: b}}
      """)
    #expect(
      reading.mistakes.map(\.short) == [
        "4:13+5 warning: the rule at f:2:13 waits for the same gesture: both act"
      ])
    #expect(reading.configuration?.rules.count == 3)
  }

  @Test(
    arguments: [
      ("fingers: 3..4|fingers: 3", "waits for the same gesture of 3 fingers: both act"),
      ("fingers: 3|direction: left", nil), ("fingers: 3|fingers: 4", nil),
      ("application: Firefox|application: firefox", "waits for the same gesture: both act"),
      ("application: [a, b]|application: [b, A]", "waits for the same gesture: both act"),
      (
        "direction: left|hold: button1",
        "waits for the same gesture in one direction: both act; give this one a direction, too"
      ),
      (
        "travel: 9 mm|travel: 9 mm, direction: left, begin: {mode: none}",
        "waits for the same gesture in one direction: both act; give this one a direction, too"
      ),
      ("direction: left|fingers: 3..5", nil), ("travel: 9 mm|direction: left, hold: alt", nil),
    ] as [(String, String?)])
  func rulesThatShareAGestureAreWarnedOf(_ rules: String, _ expected: String?) {
    let yaml = rules.split(separator: "|").map { "- {gesture: swipe, do: {run: a}, \($0)}\n" }
    let reading = read("gestures:\n" + yaml.joined())
    #expect(reading.configuration?.rules.count == 2)
    #expect(reading.mistakes.count == (expected == nil ? 0 : 1), "\(reading.mistakes.text)")
    #expect(reading.mistakes.allSatisfy { $0.message.hasSuffix(expected ?? "") })
  }

  /// A held modifier and what is done with it may be two rules, as the import makes them.
  @Test(
    arguments: [
      ("hold: lctrl", "direction: in, steps: {every: 10 %, forward: {keys: wheelup}}", 0),
      ("direction: in, steps: {every: 10 %, forward: {keys: wheelup}}", "hold: lctrl", 0),
      ("fingers: 2..3, hold: super+shift", "fingers: 2, do: {run: a}", 0),
      ("hold: button1", "direction: in, do: {run: a}", 1),
      ("hold: lctrl, do: {run: a}", "direction: in, do: {run: a}", 1),
      ("hold: lctrl", "steps: {every: 10 %, forward: {keys: wheelup}}", 0),
      ("hold: lctrl", "hold: super", 1),
      ("fingers: 2..3, hold: lctrl", "fingers: 2, hold: super", 1),
      ("fingers: 2..3, hold: super+a", "fingers: 2, do: {run: a}", 1),
    ])
  func aRuleThatOnlyHoldsModifiersIsMeant(_ one: String, _ other: String, _ warnings: Int) {
    let yaml = [one, other].map { "- {gesture: pinch, \($0)}\n" }.joined()
    let reading = read("gestures:\n" + yaml)
    #expect(reading.configuration?.rules.count == 2)
    #expect(reading.mistakes.count == warnings, "\(reading.mistakes.text)")
  }

  @Test func aRuleThatOnlyHoldsModifiersHidesNoOther() {
    let rules = ["do: {run: a}", "hold: lctrl", "do: {run: b}"]
    let yaml = rules.map { "- {gesture: swipe, fingers: 3, \($0)}\n" }.joined()
    let mistakes = read("gestures:\n" + yaml).mistakes
    #expect(mistakes.map(\.place.line) == [4], "\(mistakes.text)")
  }

  @Test(arguments: [
    (
      "super+{a-z}", "super+{a-z}",
      "“super+a” has a rule already, at f:2:12; the same goes for “super+b”, “super+c”, “super+d”, “super+e” and 21 more"
    ),
    (
      "super+{a,b}", "super+{a,b}",
      "“super+a” has a rule already, at f:2:12; the same goes for “super+b”"
    ),
    (
      "super+{a,b} ; f1", "super+{a,b}",
      "“super+a” and “super+a ; f1” at f:2:12 use the same keys, or one begins with the other; the same goes for “super+b”"
    ),
  ])
  func theConflictsOfAGroupAreOneMistake(_ one: String, _ other: String, _ expected: String) {
    let reading = read(
      """
      hotkeys:
      - {hotkey: "\(one)", do: {run: a}}
      - {hotkey: "\(other)", do: {run: b}}
      """)
    #expect(reading.mistakes.map(\.message) == [expected])
  }

  @Test(
    arguments: [
      ("run: [curl, -d, '{}']", 0), ("notify: '{}'", 1),
      ("run: [find, -exec, touch, '{}', ;]", 0), ("turns: [{notify: '{}'}, {keys: f1}]", 1),
      ("emit: {to: ~/a, line: '{}'}", 1),
      ("run: [echo, 'a{}']", 0), ("shell: '{}'", 0),
    ])
  func bracesWithoutAGroupAreWarnedOf(_ action: String, _ warnings: Int) {
    let reading = read("hotkeys: [{hotkey: super+t, do: {\(action)}}]")
    #expect(reading.mistakes.count == warnings)
    #expect(reading.mistakes.allSatisfy { $0.message.hasPrefix("the hotkey has no group") })
    #expect(reading.configuration != nil)
  }

  @Test(arguments: [("keyboard", 1), ("mouse", 1), ("touchpad", 0)])
  func settingsOfADeviceWithoutGesturesAreWarnedOf(_ kind: String, _ warnings: Int) {
    let reading = read("devices: [{match: {kind: \(kind)}, settings: {motion.floor: 1}}]")
    #expect(reading.mistakes.count == warnings && reading.configuration != nil)
    #expect(reading.mistakes.allSatisfy { $0.message.contains("makes no gestures") })
  }

  @Test(arguments: ["\" \"", "\"\\t\""]) func aLineOfShellIsNotBlank(_ line: String) {
    let reading = read("gestures: [{gesture: tap, do: {shell: \(line)}}]")
    #expect(reading.mistakes.map(\.message) == ["a line of shell cannot be empty"])
  }

  @Test func anUnknownKeyOfADeviceIsTheOnlyMistake() {
    let messages = read("gestures: [{gesture: tap, device: {xyzzy: a}, do: {run: a}}]").mistakes
      .map(\.message)
    #expect(messages == ["unknown key “xyzzy” in a device; its keys are name, id and kind"])
  }

  @Test(arguments: [
    (
      "[foot -e vi]",
      [
        "1:38+10 warning: this is the name of one program, with its blanks: write run: [foot, -e, vi]"
      ]
    ),
    ("[foot, -e vi]", []), ("[/opt/my apps/foot]", []), ("[foot]", []), ("foot", []),
  ])
  func aWholeCommandLineIsNoProgram(_ run: String, _ expected: [String]) {
    let reading = read("gestures: [{gesture: tap, do: {run: \(run)}}]")
    #expect(reading.mistakes.map(\.short) == expected)
    #expect(reading.configuration != nil)
  }

  @Test(
    arguments: [
      (
        "tap, do: {keys: [alt, left]}",
        "alt is released before the next is pressed; did you mean alt+left?"
      ),
      (
        "tap, do: {keys: [ctrl, alt, t]}",
        "ctrl is released before the next is pressed; did you mean ctrl+alt+t?"
      ),
      ("tap, do: {keys: [super, super]}", nil), ("tap, do: {keys: [super+a, left]}", nil),
      ("tap, do: {run: [a, '&&', c]}", "no shell reads && here: write the line after shell:"),
      ("tap, do: {run: [find, -exec, touch, '{}', ;]}", nil),
      ("tap, do: {run: [test, 1, '<', 2]}", nil), ("tap, modifiers: lalt, do: {run: a}", nil),
      ("tap, do: {keys: [super, super+t]}", nil),
      (
        "tap, modifiers: lsuper+rsuper, do: {run: a}",
        "the two sides are not told apart here: write super"
      ),
      (
        "tap, application: '/a | b/', do: {run: a}",
        "in a name only * and ? stand for other characters: write ['*a*', '*b*']"
      ),
      ("tap, do: {run: [sh, -c, 'a > c']}", nil),
      ("tap, do: {run: [a, '>', /tmp/x]}", "no shell reads > here: write the line after shell:"),
      ("tap, do: {run: [a, '<', ./x]}", "no shell reads < here: write the line after shell:"),
      ("tap, do: {run: [a, 2>, ~/x]}", "no shell reads 2> here: write the line after shell:"),
      ("tap, do: {run: [a, 2>&1]}", "no shell reads 2>&1 here: write the line after shell:"),
      ("tap, do: {run: [expr, 1, '>', 2]}", nil),
      ("tap, do: {run: [/usr/bin/grep, '>', ~/x]}", nil),
      ("tap, do: {run: [test, a, '<', $HOME/b]}", nil),
      ("tap, do: {run: [grep, a, '|', b]}", "no shell reads | here: write the line after shell:"),
      ("tap, do: {run: [sort, a, '&&', b]}", "no shell reads && here: write the line after shell:"),
      ("tap, do: {run: [test, a, '&&', b]}", "no shell reads && here: write the line after shell:"),
      ("tap, do: {run: [find, b, 2>&1]}", "no shell reads 2>&1 here: write the line after shell:"),
      ("tap, do: {run: [grep, '|', a]}", nil), ("tap, do: {run: [expr, a, '|', b]}", nil),
      ("tap, do: {run: [/usr/bin/cut, -d, '|', -f1, /tmp/x]}", nil),
      ("tap, do: {run: [wtype, '|']}", nil), ("tap, do: {run: [notify-send, '>>']}", nil),
      ("tap, do: {run: [a, 2, '|b']}", nil),
      ("tap, do: {run: [echo, a, '|', b]}", "no shell reads | here: write the line after shell:"),
      (
        "tap, application: [.*firefox.*], do: {run: a}",
        "in a name only * and ? stand for other characters: write '*firefox*'"
      ),
      (
        "tap, application: ^firefox$, do: {run: a}",
        "in a name only * and ? stand for other characters: write firefox"
      ),
      (
        "tap, application: {not: ^fire}, do: {run: a}",
        "in a name only * and ? stand for other characters: write 'fire*'"
      ),
      (
        "tap, application: firefox.desktop, do: {run: a}",
        "a name has no .desktop at its end: write firefox"
      ),
      (
        "tap, application: ' firefox', do: {run: a}",
        "blanks at the ends of a name count: write firefox"
      ),
      ("tap, application: [org.gnome.*, org.telegram.desktop], do: {run: a}", nil),
      (
        "tap, application: {only: Firefox, not: fire*}, do: {run: a}",
        "this leaves no application: not excludes all of them"
      ),
      (
        "tap, application: {not: '*'}, do: {run: a}",
        "not: * excludes every application"
      ),
      ("tap, application: {only: [a, b], not: a}, do: {run: a}", nil),
      ("tap, application: {only: a*, not: 'a?'}, do: {run: a}", nil),
      (
        "tap, application: 'a|b', do: {run: a}",
        "in a name only * and ? stand for other characters: write [a, b]"
      ),
      (
        "tap, application: '!a', do: {run: a}",
        "in a name only * and ? stand for other characters: write not, as in {not: gimp}"
      ),
      (
        "tap, application: /a/, do: {run: a}",
        "in a name only * and ? stand for other characters: write '*a*'"
      ),
      (
        "tap, modifiers: lsuper+shift, do: {run: a}",
        "the two sides are not told apart here: write shift+super"
      ),
      ("tap, modifiers: super+altgr, do: {run: a}", nil),
      (
        "tap, do: {run: a, environment: {PATH: '~/bin:$PATH'}}",
        "no shell replaces $PATH here: write the whole value, or set the variable after shell:"
      ),
      (
        "tap, do: {shell: a, environment: {A: '$HOME/x:${PATH}'}}",
        "no shell replaces $PATH here: write the whole value, or set the variable after shell:"
      ),
      ("tap, do: {run: a, environment: {A: $HOME/x, B: $XDG_RUNTIME_DIR, C: ~/x}}", nil),
      ("tap, do: {run: a, environment: {A: $1, B: '$$A', C: $(a), D: a$, E: $.}}", nil),
      (
        "tap, device: {kind: mouse}, do: {run: a}",
        "a mouse makes no gestures, so this rule never acts: leave out device"
      ),
      ("tap, device: {kind: touchscreen}, do: {run: a}", nil),
      (
        "pinch, change: {keys: ctrl+0}",
        "these keys are pressed at every motion; steps press them at intervals, as in steps: {every: 10 %, forward: …}"
      ),
      (
        "swipe, phase: change, do: {keys: f1}",
        "these keys are pressed at every motion; steps press them at intervals, as in steps: {every: 10 mm, forward: …}"
      ),
      ("pinch, change: {notify: a}", nil),
    ] as [(String, String?)])
  func aRuleThatDoesSomethingElseIsWarnedOf(_ rule: String, _ expected: String?) {
    let reading = read("gestures: [{gesture: \(rule)}]")
    #expect(reading.mistakes.map(\.message) == [expected].compactMap(\.self))
    #expect(reading.configuration != nil)
  }

  /// The advice on a regular expression is a name, or is general.
  @Test(
    arguments: [
      ("^[Ff]irefox$", nil), ("^.+fox$", nil), ("^(a)(b)$", nil), ("^$", nil), ("^", nil),
      ("^(firefox|chromium)$", "[firefox, chromium]"), ("^(firefox|[Cc]hromium)$", nil),
      ("/^(a|b)$/", "[a, b]"), ("/^firefox$/", "firefox"), ("/^a/", "'a*'"),
      ("/^gimp|inkscape/", "['gimp*', '*inkscape*']"), ("/^(a|b)/", "['a*', 'b*']"),
      ("/^a|b|c$/", "['a*', '*b*', '*c']"),
      ("/a$/", "'*a'"), ("/colou?r/", nil), ("/^a+$/", nil), ("a|b+", nil),
      ("^(firefox)$", "firefox"),
      ("^org\\.gnome\\..*$", "'org.gnome.*'"), ("^.*$", "'*'"),
    ] as [(String, String?)])
  func theAdviceOnAPatternIsAName(_ pattern: String, _ expected: String?) {
    let reading = read("gestures: [{gesture: tap, application: '\(pattern)', do: {run: a}}]")
    let advice = expected.map { ": write \($0)" } ?? ", as in \"org.gnome.*\""
    #expect(
      reading.mistakes.map(\.message) == [
        "in a name only * and ? stand for other characters\(advice)"
      ])
  }

  @Test(arguments: [("super+t", true), ("super+button2", false)])
  func aTouchpadHasNoKeys(_ hotkey: String, _ isWarned: Bool) {
    let reading = read("hotkeys: [{hotkey: \(hotkey), device: {kind: touchpad}, do: {run: a}}]")
    #expect(
      reading.mistakes.contains { $0.message.hasPrefix("a touchpad has no keys") } == isWarned)
  }

  /// A keyboard with a pointer is one, too.
  @Test(arguments: [
    ("super+t", "", true), ("super+button2", "", false), ("code:30", "", false),
    ("super+wheelup", "", false), ("volumeup", "", false), ("super+t", ", name: K400*", false),
    ("super+t", ", id: 046d:404d", false),
  ])
  func aMouseHasNoLetters(_ hotkey: String, _ more: String, _ isWarned: Bool) {
    let reading = read(
      "hotkeys: [{hotkey: \(hotkey), device: {kind: mouse\(more)}, do: {run: a}}]")
    let expected = "hardly any mouse has this key: leave out device, or give it a name"
    #expect(reading.configuration != nil)
    #expect(reading.mistakes.contains { $0.message == expected } == isWarned)
  }

  /// In a list it is surely one.
  @Test(arguments: [
    ("\"a, b\"", 1), ("{only: \"a, b\"}", 1), ("{not: \"a, b\"}", 1), ("[\"a, b\"]", 0),
    ("[a, b]", 0), ("{title: \"a, b\"}", 0),
  ])
  func severalApplicationsAreAList(_ names: String, _ warnings: Int) {
    let reading = read("gestures: [{gesture: tap, application: \(names), do: {run: a}}]")
    let expected = "this is one name with a comma; several are a list, as in [firefox, chromium]"
    #expect(reading.mistakes.map(\.message) == Array(repeating: expected, count: warnings))
    #expect(reading.configuration?.rules.count == 1)
  }

  @Test(arguments: ["^firefox, chromium$", "a,b.desktop"])
  func aCommaIsReportedBesideOtherAdvice(_ name: String) {
    let reading = read("gestures: [{gesture: tap, application: '\(name)', do: {run: a}}]")
    #expect(reading.mistakes.count == 2)
    #expect(reading.mistakes.contains { $0.message.hasPrefix("this is one name with a comma; ") })
  }

  @Test(arguments: [1, 4, 5, 26]) func manyHotkeysThatCouldBeTypedAreCounted(_ count: Int) {
    let keys = (0..<count).map { String(Unicode.Scalar(UInt8(97 + $0))) }
    let rules = keys.map { "- {hotkey: \($0), do: {run: a}}\n" }.joined()
    let typed = read("hotkeys:\n\(rules)").mistakes.map(\.short)
    #expect(typed.count == (count > 4 ? 3 : count))
    #expect(typed.allSatisfy { $0.contains("could be typed") })
    let rest = "4:12+1 warning: this and \(count - 3) more hotkeys below could be typed or clicked"
    #expect(count <= 4 || typed.last == rest)
  }

  @Test func aUsersRuleComesInThePlaceOfAllOfTheSystemThatWaitForTheSame() {
    let rule = "gestures: [{gesture: tap, fingers: 3, do: {run: a}}, {gesture: hold, do: {run: a}}]"
    let system = ["s1", "s2", "s3"].map {
      ConfigurationText(name: $0, bytes: Array(rule.utf8), isSystem: true)
    }
    let own = ConfigurationText(
      name: "u", bytes: Array("gestures: [{gesture: tap, fingers: 3, do: {run: b}}]".utf8))
    let reading = Configuration.read(system + [own])
    #expect(reading.configuration?.rules.map(\.place.file) == ["s1", "s2", "s3", "u"])
    #expect(reading.configuration?.rules.count { $0.place.file == "u" } == 1)
  }

  @Test func filesAreAddedToEachOther() {
    let texts = [
      "settings: {motion.floor: 1}\nlimits: {running: 5, time: 1 s}\nhotkeys: [{hotkey: super+a, do: {run: a}}]",
      "settings: {motion.floor: 2}\nlimits: {time: none}\nhotkeys: [{hotkey: super+b, do: {run: a}}]",
    ].enumerated().map { ConfigurationText(name: "f\($0)", bytes: Array($1.utf8)) }
    let reading = Configuration.read(texts)
    #expect(reading.mistakes == [])
    #expect(reading.configuration?.settings.map(\.value) == [1, 2])
    #expect(reading.configuration?.limits == CommandLimits(running: 5))
    #expect(reading.configuration?.rules.map(\.place.file) == ["f0", "f1"])
  }

  @Test func mistakesStandInTheOrderOfTheFiles() {
    let texts = ["z", "a"].map {
      ConfigurationText(
        name: $0, bytes: Array("hotkeys: [{hotkey: super+a, do: {run: a}}]\nx: 1\ny: 1".utf8))
    }
    let places = Configuration.read(texts).mistakes.map { "\($0.place)" }
    #expect(places == ["z:2:1", "z:3:1", "a:1:20", "a:2:1", "a:3:1"])
  }

  /// The system's rules give way to the user's.
  @Test func theUsersRuleComesInTheSystemsPlace() {
    let system = ConfigurationText(
      name: "s",
      bytes: Array(
        """
        gestures: [{gesture: tap, do: {run: s}}, {gesture: hold, do: {run: s}}]
        hotkeys: [{hotkey: super+k ; super+a, do: {run: s}}, {hotkey: super+k ; super+b, do: {run: s}},
          {hotkey: super+c, do: {run: s}}]
        """.utf8), isSystem: true)
    let user = ConfigurationText(
      name: "u",
      bytes: Array(
        "gestures: [{gesture: tap, do: {run: u}}]\nhotkeys: [{hotkey: super+k, do: {run: u}}]".utf8)
    )
    let reading = Configuration.read([system, user])
    #expect(reading.mistakes == [])
    #expect(
      reading.configuration?.rules.map { "\($0.place)" } == ["s:1:42", "s:3:3", "u:1:12", "u:2:11"])
  }

  /// It does so as well where the two are for different applications, as their keys collide in all.
  @Test(
    arguments: [
      ("application: firefox, ", ["u:1:11"], []), ("", ["u:1:11"], []),
      ("application: a, mode: m, ", ["s:1:11", "s:2:3", "u:1:11"], [""]),
    ] as [(String, [String], [String])])
  func theUsersRuleComesInTheSystemsPlaceInAllApplications(
    condition: String, places: [String], mistakes: [String]
  ) {
    let system = ConfigurationText(
      name: "s",
      bytes: Array(
        """
        hotkeys: [{hotkey: super+k ; super+a, application: gimp, do: {run: s}},
          {hotkey: super+k ; super+a, application: krita, do: {run: s}}]
        """.utf8), isSystem: true)
    let user = ConfigurationText(
      name: "u", bytes: Array("hotkeys: [{hotkey: super+k, \(condition)do: {run: u}}]".utf8))
    let reading = Configuration.read([system, user])
    #expect(reading.mistakes.count == mistakes.count)
    #expect(reading.configuration?.rules.map { "\($0.place)" } == places)
  }

  @Test func veryManyMistakesAreNotAllReported() {
    let rules = [String](repeating: "- {hotkey: super+a, do: {run: a}}", count: 5000)
    let reading = read("hotkeys:\n" + rules.joined(separator: "\n") + "\nx: 1\n")
    #expect(reading.mistakes.count == 1001)
    let unknown = (0..<5000).map { "k\($0): 1" }
    #expect(read(unknown.joined(separator: "\n")).mistakes.count == 1000)
  }

  @Test func warningsTakeNoErrorsPlace() {
    let rule = "- {hotkey: super+a, application: \"a, b\", do: {run: a}}\n"
    let reading = read(
      "hotkeys:\n- {hotkey: super+}\n" + String(repeating: rule, count: 1200))
    #expect(reading.configuration == nil)
    #expect(reading.mistakes.count { $0.severity == .error } > 2)
    #expect(reading.mistakes.count { $0.severity == .warning } == 1000)
  }
}
