import GlissConfiguration
import GlissEvents
import GlissImport
import TestSupport
import Testing

/// What InputActions' configuration presses.
@Suite struct InputActionsImportTests {
  private func rules(_ type: String, _ inputs: [String]) throws -> String {
    var lines = ["touchpad:", "  gestures:", "    - type: \(type)", "      fingers: 3"]
    lines += ["      actions:", "        - on: end", "          input:"]
    lines += inputs.map { "            - \($0)" }
    return try ImportedTool.inputActions.imported(lines.joined(separator: "\n") + "\n").text
  }

  /// Lists of inputs, and what the rule presses or holds.
  @Test(
    arguments: [
      ("tap", ["keyboard: [ +leftctrl, v, -leftctrl ]"], "do: {keys: ctrl+v}"),
      ("tap", ["mouse: [ +middle, -middle ]"], "do: {keys: button2}"),
      (
        "swipe", ["keyboard: [ +leftctrl, +leftshift, +t, -t, -leftshift, -leftctrl ]"],
        "do: {keys: ctrl+shift+t}"
      ),
      (
        "swipe", ["keyboard: [ leftctrl+c ]", "keyboard: [ +leftalt, tab, -leftalt ]"],
        "do:\n      - {keys: ctrl+c}\n      - {keys: alt+tab}"
      ),
      (
        "swipe", ["keyboard: [ +leftctrl ]", "mouse: [ left ]", "keyboard: [ -leftctrl ]"],
        "do: {keys: ctrl+button1}"
      ),
      // it stays down
      ("swipe", ["keyboard: [ +leftalt, tab ]"], "hold: alt\n    do: {keys: tab}"),
    ] as [(String, [String], String)])
  func keysThatGoDownAndUpInAListAreChords(
    _ type: String, _ inputs: [String], _ expected: String
  ) throws {
    #expect(try rules(type, inputs).contains(expected))
  }

  /// A gesture's keys, and what its rule contains.
  @Test(
    arguments: [
      ("{type: swipe, fingers: 3, actions: [{command: a}]}", "consume: true"),
      ("{type: pinch, fingers: 3-4, actions: [{command: a}]}", "consume: true"),
      ("{type: swipe, fingers: 3, resume_timeout: 500, actions: [{command: a}]}", "linger: 500 ms"),
      (
        "{type: swipe, fingers: 3, actions: [{on: update, interval: '-', command: a}]}",
        "{every: 1 mm, back: {shell: a}}"
      ),
      (
        "{type: press, fingers: 3, actions: [{on: update, interval: 500, command: a}]}",
        "{every: 500 ms, forward: {shell: a}}"
      ),
      (
        "{type: swipe, fingers: 3, threshold: 50, actions: [{threshold: 100, command: a}]}",
        "travel: 2.54 mm"
      ),
      (
        "{type: tap, fingers: 3, conditions: $window_class matches ^(a|b.*c)$, actions: []}",
        "No rule"
      ),
      (
        "{type: tap, fingers: 3, conditions: $window_class matches ^(a|b)$, actions: [{command: x}]}",
        "application:\n      - a\n      - b\n"
      ),
      (
        "{type: swipe, conditions: $fingers between 3;4, actions: [{command: x}]}", "fingers: 3..4"
      ),
    ])
  func aGesturesKeysBecomeThoseOfARule(gesture: String, expected: String) throws {
    let text = "touchpad:\n  gestures:\n    - \(gesture)\n"
    #expect(try ImportedTool.inputActions.imported(text).text.contains(expected))
  }

  @Test(arguments: [
    "{type: swipe, fingers: 3, block_events: false, actions: [{command: a}]}",
    "{type: swipe, fingers: 2, actions: [{command: a}]}",
    "{type: tap, fingers: 3, actions: [{command: a}]}",
  ])
  func whatIsNotBlockedOrCannotBeIsNotConsumed(gesture: String) throws {
    let text = "touchpad:\n  gestures:\n    - \(gesture)\n"
    let imported = try ImportedTool.inputActions.imported(text)
    #expect(imported.rules.count == 1 && !imported.text.contains("consume"))
    #expect(imported.remarks.isEmpty == gesture.contains("block_events"))
  }

  @Test func actionsWithConditionsBecomeRulesOfTheirOwn() throws {
    let text = """
      touchpad:
        gestures:
          - type: swipe
            fingers: 3
            direction: left
            actions:
              - {conditions: $window_class == a, command: one}
              - {conditions: $cursor_shape == b, command: two}
              - {command: three}

      """
    let imported = try ImportedTool.inputActions.imported(text)
    #expect(imported.rules.map { $0.application?.only } == [["a"], nil])
    #expect(imported.remarks.map { "\($0)" }.filter { $0.contains("$cursor_shape") }.count == 1)
  }

  /// Gestures, what their rules contain, and what the remarks name.
  @Test(
    arguments: [
      // libinput's hold of one finger begins after 40 ms, ours after 900
      ("type: hold, fingers: 1, threshold: 1000", ["duration: 140 ms"], []),
      ("type: hold, fingers: 3, threshold: 400-700", ["duration: ..280 ms"], []),
      ("type: hold, fingers: 3, threshold: 100-400", [], ["threshold"]),
      (
        "type: tap, fingers: 3, conditions: '$window_class one_of [\"a, b\", c]'",
        ["- 'a, b'\n      - c\n"], []
      ),
      ("type: tap, fingers: 3-4, conditions: $fingers >= 4", ["fingers: 4\n"], []),
      ("type: tap, fingers: 3, conditions: $fingers >= 4", [], ["fingers"]),
      (
        "type: tap, keyboard_modifiers: [ctrl], conditions: $keyboard_modifiers == shift", [],
        ["keyboard_modifiers"]
      ),
      (
        "type: tap, keyboard_modifiers: [ctrl, shift], "
          + "conditions: $keyboard_modifiers contains shift", ["modifiers: shift+ctrl"], []
      ),
    ] as [(String, [String], [String])])
  func whatAStrokeMustBeIsTakenOver(_ keys: String, _ rule: [String], _ lost: [String]) throws {
    let imported = try ImportedTool.inputActions.imported(
      "touchpad:\n  gestures:\n    - {\(keys), actions: [{command: a}]}\n")
    #expect(rule.allSatisfy { imported.text.contains($0) }, "\(imported.text)")
    #expect(imported.rules.isEmpty == !lost.isEmpty)
    #expect(imported.remarks.filter(\.isLost).map(\.what) == lost, "\(imported.remarks)")
  }

  @Test func onlyInputActionsOwnVariablesAreLost() throws {
    let imported = try ImportedTool.inputActions.imported(
      """
      touchpad:
        gestures:
          - type: tap
            actions: [{command: 'a $fingerprint $HOME ${finger_1_pressure}'}, {command: $fingers}]

      """)
    #expect(imported.remarks.filter(\.isLost).map(\.what) == ["$finger_1_pressure", "$fingers"])
  }

  @Test func aWheelIsNotHeld() throws {
    let imported = try ImportedTool.inputActions.imported(
      """
      touchpad:
        gestures:
          - type: swipe
            fingers: 3
            actions:
              - on: begin
                input: [{keyboard: [ +wheelup, a ]}, {mouse: [ +wheel 0 1, wheel 0 1 ]}]

      """)
    #expect(imported.remarks.filter(\.isLost).map(\.what) == ["+wheelup", "+wheel 0 1"])
    #expect(imported.text.contains("{keys: a}") && imported.text.contains("{keys: wheeldown}"))
    #expect(Configuration.rules(of: imported.text).count == 1)
  }

  /// The first gesture that fits counts.
  @Test func anApplicationWithItsOwnGestureIsExcludedBelow() throws {
    func imported(_ gestures: String...) throws -> ImportedFile {
      try ImportedTool.inputActions.imported(
        "touchpad:\n  gestures:\n" + gestures.map { "    - \($0)\n" }.joined())
    }
    let general = "{type: swipe, fingers: 3, direction: left, actions: [{command: a}]}"
    let own =
      "{type: swipe, fingers: 3, conditions: $window_class == b, actions: [{command: c}]}"
    let apart = try imported(own, general)
    #expect(apart.rules.map { $0.application?.not } == [[], ["b"]])
    #expect(apart.remarks.isEmpty)
    let both = try imported(general, own)
    #expect(both.rules.map { $0.application?.not } == [nil, []])
    #expect(both.remarks.count == 1 && both.remarks[0].why.contains("line 3"))
    let slow = "{type: swipe, fingers: 3, direction: left, speed: slow, actions: [{command: a}]}"
    let fast = "{type: swipe, fingers: 3, speed: fast, actions: [{command: a}]}"
    #expect(try imported(fast, slow).remarks.isEmpty)
    let sideways = "{type: swipe, fingers: 3, direction: left_right, actions: [{command: a}]}"
    #expect(try imported(sideways, sideways.replacing("a}", with: "b}")).remarks.count == 1)
  }

  @Test func aWheelHasAHotkeyForEachDirection() throws {
    let text = """
      mouse:
        gestures:
          - type: wheel
            direction: up_down
            conditions: $keyboard_modifiers == meta
            actions:
              - {on: update, interval: '+', command: down}
              - {on: update, interval: '-', command: up}
          - {type: press, mouse_buttons: [ extra8 ], actions: [{on: begin, command: a}]}
      keyboard:
        gestures:
          - type: shortcut
            shortcut: [ leftmeta, f9 ]
            actions: [{on: begin, command: a}, {on: update, interval: 100, command: a}]

      """
    let imported = try ImportedTool.inputActions.imported(text)
    let hotkeys = imported.rules.compactMap { rule in
      if case .hotkey(let condition) = rule.trigger { "\(condition.hotkey)" } else { nil }
    }
    #expect(hotkeys == ["super+wheeldown", "super+wheelup", "code:282", "repeat:super+f9"])
    #expect(imported.remarks.map(\.what) == ["interval"])
  }

  private func imported(_ device: String, _ gestures: String...) throws -> ImportedFile {
    try ImportedTool.inputActions.imported(
      "\(device):\n  gestures:\n" + gestures.map { "    - \($0)\n" }.joined())
  }

  @Test func aGroupsKeysAreThoseOfItsGestures() throws {
    let group = try imported(
      "touchpad",
      "{type: swipe, fingers: 4, threshold: 100, gestures: [{direction: up, actions: [{command: a}]}, {fingers: 3, direction: down, actions: [{command: b, threshold: 200}]}]}"
    )
    #expect(group.remarks.isEmpty)
    #expect(group.text.contains("fingers: 4\n    direction: up\n    travel: 2.54 mm"))
    #expect(group.text.contains("fingers: 3\n    direction: down\n    travel: 5.08 mm"))
  }

  /// An application keeps what its own gesture leaves.
  @Test(arguments: [
    ("direction: left", "direction: left_right"), ("fingers: 3", "fingers: 3-4"),
    ("speed: fast", "direction: any"), ("direction: up", "direction: any"),
  ])
  func aNarrowerGestureExcludesNothing(own: String, general: String) throws {
    let file = try imported(
      "touchpad", "{type: swipe, \(own), conditions: $window_class == b, actions: [{command: a}]}",
      "{type: swipe, \(general), actions: [{command: c}]}")
    #expect(file.rules.map { $0.application?.not ?? [] } == [[], []])
    #expect(file.remarks.contains { $0.why.contains("line 3") })
  }

  /// All conditions must hold.
  @Test(
    arguments: [
      ("['$window_class one_of [a, b]', $window_class == a]", ["a"]),
      ("[$window_class == a, {any: [$window_class == a, $window_class == b]}]", ["a"]),
      ("[$window_class == a, $window_class == b]", nil),
      ("[$window_class contains a, $window_class contains b]", nil),
      ("{any: [$window_class == a, $window_under_pointer_class == b]}", nil),
      ("{any: [$window_class == a, $window_class == b]}", ["a", "b"]),
      ("[{window_class: a|b}]", ["*a*", "*b*"]),
    ] as [(String, [String]?)])
  func conditionsAreNarrowedByEachOther(conditions: String, only: [String]?) throws {
    let file = try imported(
      "touchpad", "{type: tap, fingers: 3, conditions: \(conditions), actions: [{command: a}]}")
    #expect(file.rules.first?.application?.only == only)
  }

  @Test(
    arguments: [
      ("{none: [$window_class == a, $window_class == b]}", ["a", "b"]),
      ("[{none: [$window_class == a]}, {none: [$window_class == b]}]", ["a", "b"]),
      ("{none: [$window_class == a, $fingers == 3]}", nil),
      ("{none: ['!$window_class == a']}", nil),
      ("{none: [$window_title == a]}", nil),
    ] as [(String, [String]?)])
  func whereNoneMayHoldApplicationsAreExcluded(conditions: String, not: [String]?) throws {
    let file = try imported(
      "touchpad", "{type: tap, fingers: 3, conditions: \(conditions), actions: [{command: a}]}")
    #expect(file.rules.first?.application?.not == not)
    #expect(file.rules.isEmpty == (not == nil))
  }

  @Test func titlesAreWhole() throws {
    let file = try imported(
      "touchpad",
      #"{type: tap, fingers: 3, conditions: "$window_title == Hello, it's", actions: [{command: a}]}"#
    )
    #expect(file.rules.first?.application?.titles == ["Hello, it's"])
  }

  /// Rules that `gliss check` would refuse are left out.
  @Test(arguments: [
    "{type: swipe, threshold: 200-100, actions: [{command: a}]}",
    "{type: swipe, threshold: 100, actions: [{threshold: 10-50, command: a}]}",
    "{type: hold, actions: [{on: update, interval: -500, command: a}]}",
    "{type: swipe, actions: [{on: tick, interval: -500, command: a}]}",
    "{type: swipe, fingers: 1-2, actions: [{command: a}]}",
    "{type: press, fingers: 2, actions: [{on: update, input: [{mouse: [move_by_delta]}]}]}",
  ])
  func whatMakesNoRuleIsARemark(gesture: String) throws {
    let file = try imported("touchpad", gesture)
    #expect(file.rules.isEmpty && file.remarks.contains(where: { $0.isLost }))
  }

  /// InputActions counts clockwise as positive.
  @Test func clockwiseIsForward() throws {
    let file = try imported(
      "touchpad",
      "{type: rotate, fingers: 2, actions: [{on: update, interval: 10, command: a}]}")
    #expect(file.rules[0].reactions.steps.map(\.back.count) == [1])
    let clockwise = try imported(
      "touchpad",
      "{type: rotate, direction: clockwise, actions: [{on: update, interval: 10, command: a}]}")
    #expect(clockwise.rules[0].reactions.steps.map(\.forward.count) == [1])
  }

  @Test func theFirstOfEqualHotkeysCountsInItsApplication() throws {
    func hotkey(_ conditions: String, _ command: String) -> String {
      "{type: shortcut, shortcut: [rightctrl, f9], \(conditions) actions: [{on: begin, command: \(command)}]}"
    }
    let (own, general) = (hotkey("conditions: $window_class == b,", "a"), hotkey("", "b"))
    let apart = try imported("keyboard", own, general)
    #expect(apart.rules.map { $0.application?.not ?? [] } == [[], ["b"]])
    #expect(apart.remarks.isEmpty && apart.text.contains("hotkey: rctrl+f9"))
    #expect(try imported("keyboard", general, own).remarks.map(\.what) == ["rctrl+f9"])
  }

  /// A file in which only one of them repeats is invalid.
  @Test func equalKeysRepeatInAllApplicationsOrNone() throws {
    let file = try imported(
      "keyboard",
      "{type: shortcut, shortcut: [leftmeta, a], conditions: $window_class == b, actions: [{on: update, command: a}]}",
      "{type: shortcut, shortcut: [leftmeta, a], actions: [{on: begin, command: b}]}")
    #expect(file.text.matches(of: /- hotkey: repeat:super\+a/).count == 2)
    #expect(Configuration.rules(of: file.text).count == 2)
  }

  /// Tapped and pressed, the same key acts twice.
  @Test func aTappedModifierIsComparedWithAPressedOne() throws {
    func modifier(_ keys: String) -> String { "{type: shortcut, shortcut: [leftmeta], \(keys)}" }
    let press = modifier("actions: [{on: begin, command: b}]")
    let both = try imported("keyboard", modifier("actions: [{command: a}]"), press)
    #expect(both.remarks.map(\.what) == ["tap:lsuper", "leftmeta"])
    #expect(both.remarks.last?.why.contains("line 3") == true)
    let apart = try imported(
      "keyboard", modifier("conditions: $window_class == b, actions: [{command: a}]"), press)
    #expect(apart.rules.map { $0.application?.not ?? [] } == [[], ["b"]])
    #expect(apart.remarks.map(\.what) == ["tap:lsuper"])
  }

  /// All of them would have to be compared with each other.
  @Test(arguments: [
    ("touchpad", "type: swipe, fingers: 3, direction: left", 250, "gestures"),
    ("keyboard", "type: shortcut, shortcut: [leftmeta, a]", 200, "super+a"),
  ])
  func moreOfOneKindThanAnyoneHasAreNotCompared(
    _ device: String, _ keys: String, _ rules: Int, _ remark: String
  ) throws {
    let file = try ImportedTool.inputActions.imported(
      (1...250).reduce("\(device):\n  gestures:\n") {
        $0
          + "    - {\(keys), conditions: $window_class == a\($1), actions: [{on: begin, command: b}]}\n"
      })
    #expect(file.rules.count == rules)
    #expect(Set(file.remarks.map(\.what)) == [remark])
    #expect(file.remarks.count == max(1, 250 - rules))
  }

  /// A left key is either one, so the right one is another hotkey's.
  @Test func sidesDoNotShareKeys() throws {
    let file = try imported(
      "keyboard",
      "{type: shortcut, shortcut: [rightctrl, f9], conditions: $window_class == a, actions: [{on: begin, command: a}]}",
      "{type: shortcut, shortcut: [leftctrl, f9], actions: [{on: begin, command: b}]}")
    #expect(Configuration.rules(of: file.text).count == 1 && file.remarks.map(\.isLost) == [true])
  }

  @Test func actionsOfOneHotkeyAllAct() throws {
    let file = try imported(
      "keyboard",
      "{type: shortcut, shortcut: [leftctrl, t], actions: [{on: begin, conditions: $window_class == b, command: a}, {on: begin, command: c}]}"
    )
    #expect(file.rules.map { $0.application?.not ?? [] } == [[], []] && file.remarks.isEmpty)
  }

  @Test func aConditionKeepsItsWindow() throws {
    let file = try imported(
      "touchpad",
      "{type: tap, fingers: 3, conditions: $window_under_class == b, actions: [{command: a}]}",
      "{type: tap, fingers: 3, conditions: $window_class != c, actions: [{command: d}]}")
    #expect(file.rules.map { $0.application?.window } == [.underPointer, .focused])
  }

  @Test func hotkeysMoveNoPointer() throws {
    let file = try imported(
      "mouse",
      "{type: press, mouse_buttons: [back], actions: [{on: update, input: [{mouse: [move_by_delta]}]}]}"
    )
    #expect(file.rules.isEmpty && file.remarks.count == 1)
  }

  @Test func aWheelNeitherHoldsNorBegins() throws {
    let file = try imported(
      "mouse",
      "{type: wheel, direction: up, actions: [{on: begin, input: [{keyboard: [+leftalt]}]}, {on: update, input: [{keyboard: [tab]}]}]}"
    )
    #expect(file.remarks.count == 1 && file.remarks[0].isLost)
  }

  /// A threshold counts both ways, and a bound of the scale only one.
  @Test func aPinchInAnyDirectionHasABoundForEach() throws {
    let file = try imported(
      "touchpad",
      "{type: pinch, fingers: 3, direction: any, threshold: 0.2, actions: [{on: update, interval: 0.1, command: out}, {on: update, interval: -0.1, command: in}, {command: end}]}"
    )
    #expect(file.remarks.isEmpty)
    for text in [
      "direction: out\n    scale: 1.2..\n", "direction: in\n    scale: ..0.8\n",
      "{every: 10 %, forward: {shell: out}, back: {shell: in}}",
      "{every: 10 %, forward: {shell: in}, back: {shell: out}}",
    ] {
      #expect(file.text.contains(text), "\(file.text)")
    }
    #expect(file.rules.map(\.reactions.end.count) == [1, 1])
    let free = try imported("touchpad", "{type: pinch, fingers: 3, actions: [{command: end}]}")
    #expect(free.rules.count == 1)
  }

  /// Shortcuts and buttons, and what their rules contain.
  @Test(
    arguments: [
      ("keyboard", "shortcut: [leftmeta, a], actions: [{command: x}]", "release: {shell: x}"),
      ("mouse", "mouse_buttons: [back], actions: [{on: end, command: x}]", "release: {shell: x}"),
      (
        "keyboard", "shortcut: [leftmeta], actions: [{command: x}]",
        "hotkey: tap:lsuper\n    do: {shell: x}"
      ),
      ("keyboard", "shortcut: [leftmeta], actions: [{on: begin, command: x}]", "do: {shell: x}"),
    ])
  func whatEndsActsOnTheRelease(_ device: String, _ keys: String, _ expected: String) throws {
    let type = device == "mouse" ? "press" : "shortcut"
    let file = try imported(device, "{type: \(type), \(keys)}")
    #expect(file.text.contains(expected), "\(file.text)")
    #expect(expected.contains("release:") != file.text.contains("do:"))
    #expect(file.remarks.isEmpty != file.text.contains("tap:"))
    #expect(Configuration.rules(of: file.text).count == 1)
  }

  /// A hotkey would act on every press.
  @Test(arguments: [
    ("keyboard", "shortcut: [leftmeta, a], threshold: 500, actions: [{on: begin, command: x}]"),
    ("keyboard", "shortcut: [leftmeta, a], actions: [{on: begin, threshold: 500, command: x}]"),
    ("mouse", "mouse_buttons: [back], threshold: 400, actions: [{on: begin, command: x}]"),
  ])
  func aLongPressIsLeftOut(_ device: String, _ keys: String) throws {
    let type = device == "mouse" ? "press" : "shortcut"
    let file = try imported(device, "{type: \(type), \(keys)}")
    #expect(file.rules.isEmpty)
    #expect(file.remarks.filter(\.isLost).map(\.what) == ["threshold"])
  }

  /// Actions with a limit, and whether it is lost.
  @Test(arguments: [
    ("on: begin, limit: 1", false), ("limit: 1", false), ("on: update, limit: 1", true),
    ("on: update, limit: 0", false),
  ])
  func aLimitCountsDuringTheGesture(_ keys: String, _ isLost: Bool) throws {
    let file = try imported(
      "touchpad", "{type: swipe, fingers: 3, actions: [{\(keys), command: x}]}")
    #expect(file.rules.count == 1)
    #expect(file.remarks.map(\.what) == (isLost ? ["limit"] : []))
  }

  @Test func textIsNotTyped() throws {
    let file = try imported(
      "touchpad",
      "{type: swipe, fingers: 3, actions: [{input: [{keyboard: [{text: hello}]}]}]}")
    #expect(file.remarks.map { "\($0.what): \($0.why)" } == ["text: Gliss does not type text"])
  }

  @Test func aConditionIsReportedWhereItStands() throws {
    let file = try ImportedTool.inputActions.imported(
      """
      touchpad:
        gestures:
          - type: tap
            conditions: $cursor_shape == a
            actions: [{command: x}]
          - type: tap
            actions:
              - command: x
                conditions: $cursor_shape == b

      """)
    #expect(file.remarks.map(\.place.line) == [4, 9])
  }

  @Test func aTapActsAtItsBeginningAndEndOnly() throws {
    let text = """
      touchpad:
        gestures:
          - {type: tap, fingers: 4, actions: [{on: cancel, command: foo}]}

      """
    let imported = try ImportedTool.inputActions.imported(text)
    #expect(imported.rules.isEmpty && imported.remarks.count == 1)
  }
}
