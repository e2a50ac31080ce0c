import GlissEvents
import GlissHotkeys
import Testing

@testable import GlissConfiguration

@Suite struct RuleReadingTests {
  @Test(
    arguments: [
      ("firefox", ApplicationMatch(only: ["firefox"])),
      ("[firefox, chromium*]", ApplicationMatch(only: ["firefox", "chromium*"])),
      ("{not: gimp}", ApplicationMatch(not: ["gimp"])),
      (
        "{only: [a, b], not: c, title: [d, \"*e*\"]}",
        ApplicationMatch(only: ["a", "b"], not: ["c"], titles: ["d", "*e*"])
      ),
      ("{not: a, window: underPointer}", ApplicationMatch(not: ["a"], window: .underPointer)),
      ("{window: underPointer}", ApplicationMatch(window: .underPointer)),
      ("{only: a, window: focused}", ApplicationMatch(only: ["a"])),
    ])
  func anApplicationIsANameAListOrAMapping(_ text: String, _ expected: ApplicationMatch) throws {
    let rules = try configuration(
      """
      gestures:
        - {gesture: tap, application: \(text), do: {mode: none}}
      hotkeys:
        - {hotkey: super+t, application: \(text), do: {mode: none}}
      """
    ).rules
    #expect(rules.map(\.application) == [expected, expected])
  }

  @Test(
    arguments: [
      (["firefox"], [], [], true), (["FIRE*"], [], [], true), (["navigator"], [], [], true),
      (["gimp"], [], [], false), ([], ["gimp"], [], true), ([], ["gimp", "F?refox"], [], false),
      ([], ["Navigator"], [], false), ([], [], ["*gliss*"], true), ([], [], ["Gliss"], false),
      (["firefox"], [], ["*Gliss*"], true), (["firefox"], [], ["x", "y"], false),
      (["gimp"], [], ["*Gliss*"], false), (["a", "firefox"], ["b"], [], true),
    ] as [([String], [String], [String], Bool)])
  func anApplicationMatchesByAnyOfItsNames(
    _ only: [String], _ not: [String], _ titles: [String], _ fits: Bool
  ) {
    let match = ApplicationMatch(only: only, not: not, titles: titles)
    let names = ["firefox", "Navigator"].map(FoldedText.init)
    let title = FoldedText("About Gliss — Firefox")
    #expect(match.fits(names: names, title: title) == fits)
  }

  @Test(
    arguments: [
      ("gr?n", "GRÜN", true), ("?", "ü", true), ("??", "ü", false), ("*?", "ü", true),
      ("*??", "ü", false), ("ÜB*R", "über", true), ("*", "", true), ("?", "", false),
      ("*ü", "aü", true), ("?*ü?", "xüüy", true), ("*a*a*b", "aaaaaa", false), ("a**", "a", true),
      ("€?", "€€", true), ("?€", "€", false),
    ] as [(String, String, Bool)])
  func aQuestionMarkStandsForOneCharacter(_ pattern: String, _ text: String, _ fits: Bool) {
    #expect(FoldedText(text).fits(pattern) == fits)
  }

  @Test(arguments: [
    "", "# nothing\n", "---\n", "---\n...\n", "~\n", "gestures:\nhotkeys: []\n", "\u{feff}",
  ])
  func anEmptyFileIsAnEmptyConfiguration(_ text: String) throws {
    #expect(try configuration(text) == Configuration())
  }

  @Test func everyConditionOfAGestureIsRead() throws {
    let rule = try configuration(
      """
      gestures:
        - name: back
          gesture: swipe
          fingers: 3..4
          direction: upLeft
          travel: 20..80 mm
          speed: 200 mm/s
          rest: 0.3 s
          modifiers: super+shift
          mode: resize
          device: {name: "ELAN*", id: "04F3:0676", kind: touchpad}
          settings: {motion.floor: 1.2}
          do: {mode: none}
      """
    ).rules[0]
    #expect(rule.name == "back")
    #expect(rule.mode == "resize")
    #expect(rule.place == Place(file: "f", line: 2, column: 5))
    #expect(
      rule.device
        == DeviceMatch(
          name: "ELAN*",
          vendorAndProduct: .init(vendor: 0x04f3, product: 0x0676), kind: .touchpad))
    #expect(
      rule.trigger
        == .gesture(
          GestureCondition(
            kind: .swipe, fingers: 3...4, sense: .towards(.upLeft),
            travel: Bounds(from: 20, to: 80), speed: Bounds(from: 200), rest: Bounds(from: 300),
            modifiers: [.leftSuper, .rightSuper, .leftShift, .rightShift],
            settings: [
              SettingChange(name: "motion.floor", value: 1.2)
            ])))
    #expect(rule.reactions.end.map(\.verb) == [.mode(nil)])
  }

  @Test(
    arguments: [
      (
        "gesture: pinch, direction: in, scale: ..0.7",
        GestureCondition(kind: .pinch, sense: .inward, scale: Bounds(to: 0.7))
      ),
      (
        "gesture: pinch, direction: out, scale: 1.5",
        GestureCondition(kind: .pinch, sense: .outward, scale: Bounds(from: 1.5))
      ),
      ("gesture: pinch, scale: 1.5..", GestureCondition(kind: .pinch, scale: Bounds(from: 1.5))),
      (
        "gesture: rotate, direction: counterclockwise, turn: 30°",
        GestureCondition(kind: .rotate, sense: .counterclockwise, turn: Bounds(from: 30))
      ),
      ("gesture: rotate, turn: ..90 deg", GestureCondition(kind: .rotate, turn: Bounds(to: 90))),
      (
        "gesture: tap, fingers: 2, count: 2", GestureCondition(kind: .tap, fingers: 2...2, count: 2)
      ),
      (
        "gesture: hold, duration: 0.5..1 s",
        GestureCondition(kind: .hold, duration: Bounds(from: 500, to: 1000))
      ),
      (
        "gesture: hold, duration: ..500 ms",
        GestureCondition(kind: .hold, duration: Bounds(to: 500))
      ),
      ("gesture: drag, afterTap: true", GestureCondition(kind: .drag, isAfterTap: true)),
      (
        "gesture: drag, fingers: 1, afterTap: true",
        GestureCondition(kind: .drag, fingers: 1...1, isAfterTap: true)
      ),
      (
        "gesture: edgeSwipe, edge: left, direction: right",
        GestureCondition(kind: .edgeSwipe, sense: .towards(.right), edge: .left)
      ),
      ("gesture: drag, modifiers: none, mode: none", GestureCondition(kind: .drag, modifiers: [])),
      (
        "gesture: drag, modifiers: CTRL + altgr",
        GestureCondition(kind: .drag, modifiers: [.leftControl, .rightControl, .rightAlt])
      ),
    ])
  func conditionsOfEachKind(_ text: String, _ condition: GestureCondition) throws {
    let read = try configuration("gestures: [{\(text), do: {mode: x}}]")
    #expect(read.gesture == condition)
    #expect(read.rules.first?.mode == nil)
  }

  @Test(
    arguments: [
      ("swipe", "", \Reactions.end), ("pinch", "", \Reactions.end), ("tap", "", \Reactions.end),
      ("hold", "", \Reactions.begin), ("hold, duration: ..1 s", "", \Reactions.end),
      ("hold", "phase: end, ", \Reactions.end),
      ("drag", "phase: begin, ", \Reactions.begin), ("drag", "phase: change, ", \Reactions.change),
      ("drag", "phase: cancel, ", \Reactions.cancel),
    ] as [(String, String, any KeyPath<Reactions, [Action]> & Sendable)])
  func doActsAtItsMoment(
    _ kind: String, _ phase: String, _ moment: any KeyPath<Reactions, [Action]> & Sendable
  ) throws {
    let rule = try configuration("gestures: [{gesture: \(kind), \(phase)do: {mode: x}}]").rules[0]
    #expect(all(rule.reactions).map(\.verb) == [.mode("x")])
    #expect(rule.reactions[keyPath: moment].map(\.verb) == [.mode("x")])
  }

  @Test func momentsAndStepsEachHaveActions() throws {
    let reactions = try configuration(
      """
      gestures:
        - gesture: pinch
          begin: {notify: a}
          change: {notify: b}
          end: [{notify: c}, {notify: {title: d, body: e}}]
          cancel: {notify: f}
          steps:
            - {every: 10 %, forward: {notify: g}}
            - {every: 2.5%, back: {notify: h}}
      """
    ).rules[0].reactions
    #expect(reactions.begin.map(\.verb) == [.notify(summary: "a", body: nil)])
    #expect(reactions.change.map(\.verb) == [.notify(summary: "b", body: nil)])
    #expect(
      reactions.end.map(\.verb) == [
        .notify(summary: "c", body: nil), .notify(summary: "d", body: "e"),
      ])
    #expect(reactions.cancel.map(\.verb) == [.notify(summary: "f", body: nil)])
    #expect(reactions.steps.map(\.interval) == [.init(10, .percent), .init(2.5, .percent)])
    #expect(reactions.steps[0].forward.count == 1 && reactions.steps[1].back.count == 1)
    #expect(reactions.steps[1].place == Place(file: "f", line: 9, column: 9))
  }

  @Test(
    arguments: [
      ("drag", "10 mm", .init(10, .millimetres)), ("swipe", "0.5mm", .init(0.5, .millimetres)),
      ("edgeSwipe", "5 mm", .init(5, .millimetres)), ("rotate", "15 deg", .init(15, .degrees)),
      ("rotate", "15°", .init(15, .degrees)), ("pinch", "5 %", .init(5, .percent)),
    ] as [(String, String, Step.Interval)])
  func stepsOfEachKind(_ kind: String, _ text: String, _ interval: Step.Interval) throws {
    let read = try configuration(
      "gestures: [{gesture: \(kind), steps: {every: \(text), forward: {mode: x}}}]")
    #expect(read.rules[0].reactions.steps.map(\.interval) == [interval])
  }

  @Test(
    arguments: [
      ("{run: foot}", [.run(Command(.arguments(["foot"])))]),
      (
        "{run: [a, \"b c\", 5, yes, ~/x]}",
        [.run(Command(.arguments(["a", "b c", "5", "yes", "~/x"])))]
      ),
      ("{run: [a, \"\"]}", [.run(Command(.arguments(["a", ""])))]),
      ("{shell: \"a | b\"}", [.run(Command(.shell("a | b")))]),
      (
        "{shell: a, directory: ~/x, environment: {A: b, _C1: \"\", D: }, atOnce: 1, time: 1.5 min}",
        [
          .run(
            Command(
              .shell("a"), folder: "~/x",
              environment: [
                .init(name: "A", value: "b"), .init(name: "_C1", value: ""),
                .init(name: "D", value: ""),
              ], atOnce: 1, time: .milliseconds(90_000)))
        ]
      ),
      (
        "{run: a, environment: {null: x}}",
        [.run(Command(.arguments(["a"]), environment: [.init(name: "null", value: "x")]))]
      ),
      ("{run: a, time: none}", [.run(Command(.arguments(["a"]), time: .endless))]),
      ("{run: a, directory: ~}", [.run(Command(.arguments(["a"]), folder: "~"))]),
      ("{run: a, directory: null}", [.run(Command(.arguments(["a"]), folder: "~"))]),
      ("{run: a, directory: }", [.run(Command(.arguments(["a"]), folder: "~"))]),
      ("{keys: super+left}", [.keys([chord("super+left")])]),
      ("{keys: [super+k, \"a ; 'ö'\"]}", [.keys([chord("super+k"), chord("a"), chord("'ö'")])]),
      ("{keys: 1}", [.keys([chord("1")])]),
      ("{mode: x_1-Y}", [.mode("x_1-Y")]), ("{mode: none}", [.mode(nil)]),
      ("{notify: hello}", [.notify(summary: "hello", body: nil)]),
      ("{window: close}", [.desktop(.window(.close))]),
      ("{window: tile-left}", [.desktop(.window(.tileLeft))]),
      (
        "[{workspace: next}, {workspace: previous}]",
        [.desktop(.workspace(.next)), .desktop(.workspace(.previous))]
      ),
      ("{workspace: 12}", [.desktop(.workspace(.number(12)))]),
      ("{emit: {to: /run/x, line: y}}", [.emit(Emission(path: "/run/x", line: "y"))]),
      (
        "{emit: {to: $XDG_RUNTIME_DIR/x}}", [.emit(Emission(path: "$XDG_RUNTIME_DIR/x", line: nil))]
      ),
      ("[{run: a}, {mode: b}]", [.run(Command(.arguments(["a"]))), .mode("b")]),
    ] as [(String, [Action.Verb])])
  func actions(_ text: String, _ verbs: [Action.Verb]) throws {
    #expect(try configuration("gestures: [{gesture: tap, do: \(text)}]").verbs == verbs)
    #expect(try configuration("hotkeys: [{hotkey: super+x, do: \(text)}]").verbs == verbs)
  }

  @Test func aHotkeyIsRead() throws {
    let rule = try configuration(
      """
      hotkeys:
        - {name: n, hotkey: release:super+t, consume: true, mode: m, device: {kind: keyboard},
           do: {run: a}, release: {run: b}}
      """
    ).rules[0]
    #expect(
      rule.trigger
        == .hotkey(HotkeyCondition(hotkey: try Hotkey("release:super+t"), consumes: true)))
    #expect(rule.name == "n" && rule.mode == "m" && rule.device == DeviceMatch(kind: .keyboard))
    #expect(rule.reactions.end.count == 1 && rule.reactions.release.count == 1)
    #expect(try configuration("hotkeys: [{hotkey: 1, do: {run: a}}]").hotkey?.consumes == false)
  }

  @Test func commonSettingsAreRead() throws {
    let read = try configuration(
      """
      settings: {motion.floor: 1.2, typing.disables: false}
      limits: {running: 3, time: 30 s}
      devices:
        - match: {name: "ELAN*"}
          settings: {drag.gain: 1.5}
      """)
    #expect(read.settings.map(\.name) == ["motion.floor", "typing.disables"])
    #expect(read.settings.map(\.value) == [1.2, 0])
    #expect(read.limits == CommandLimits(running: 3, milliseconds: 30_000))
    #expect(read.profiles.map(\.match) == [DeviceMatch(name: "ELAN*")])
    #expect(read.profiles.first?.settings.map(\.value) == [1.5])
  }
}

private func chord(_ text: String) -> Chord {
  guard let chord = try? Hotkey(text).chords.first else { fatalError("\(text) is not a chord") }
  return chord
}

private func all(_ reactions: Reactions) -> [Action] {
  reactions.begin + reactions.change + reactions.end + reactions.cancel + reactions.release
}
