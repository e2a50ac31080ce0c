import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissImport
import TestSupport
import Testing

/// What touchégg's actions are, one by one.
@Suite struct ToucheggImportTests {
  private static func imported(
    _ type: String, _ content: String, gesture: String = "SWIPE 3 LEFT"
  ) throws -> ImportedFile {
    try ImportedTool.touchegg.imported(
      "<touchégg><application name='All'>\(element(type, content, gesture))</application></touchégg>"
    )
  }

  private static func element(
    _ type: String, _ content: String, _ gesture: String = "SWIPE 3 LEFT"
  ) -> String {
    let words = gesture.split(separator: " ").map(String.init) + [""]
    return "<gesture type='\(words[0])' fingers='\(words[1])' direction='\(words[2])'>"
      + "<action type='\(type)'>\(content)</action></gesture>"
  }

  private static func chords(_ actions: [Action]) -> [String] {
    actions.flatMap { action in
      if case .keys(let chords) = action.verb { chords.map { "\($0)" } } else { ["?"] }
    }
  }

  /// Files of the first versions are no XML, and say so in a comment or in a section's name.
  @Test(arguments: ["# comment\n\n[THREE_FINGERS_TAP]\n", "\n[TWO_FINGERS_TAP]\naction=a\n"])
  func aFileOfTheFirstVersionsIsNamedAsOne(_ text: String) {
    let error = #expect(throws: Mistake.self) { try ImportedTool.touchegg.imported(text) }
    #expect(error?.message.contains("this is a file of touchégg 1 or older") == true)
  }

  // MARK: Applications

  /// touchégg takes the last gesture for the application, or else the last one for All.
  @Test func aGestureIsForTheApplicationsThatHaveNoOtherOne() throws {
    func section(_ names: String, _ key: String, _ gesture: String = "SWIPE 3 LEFT") -> String {
      "<application name='\(names)'>\n"
        + Self.element("SEND_KEYS", "<keys>\(key)</keys>", gesture) + "</application>\n"
    }
    let imported = try ImportedTool.touchegg.imported(
      "<touchégg>" + section("All", "A") + section("Firefox, Gimp", "B") + section("gimp", "C")
        + section("Krita", "D", "SWIPE 3 RIGHT") + section("Inkscape", "E")
        + section("inkscape", "F") + section("", "G") + "</touchégg>")
    let rules = imported.parts.map {
      ($0.rule.application, Self.chords(Array($0.rule.reactions.actions)))
    }
    #expect(
      rules.map { $0.0 } == [
        ApplicationMatch(not: ["Firefox", "Gimp", "Inkscape"], window: .underPointer),
        ApplicationMatch(only: ["Firefox"], window: .underPointer),
        ApplicationMatch(only: ["Gimp"], window: .underPointer),
        ApplicationMatch(only: ["Krita"], window: .underPointer),
        ApplicationMatch(only: ["Inkscape"], window: .underPointer),
      ])
    #expect(rules.map { $0.1 } == [["a"], ["b"], ["c"], ["d"], ["f"]])
    #expect(
      imported.remarks.map { "\($0.place.line) \($0.what)" } == [
        "10 gesture SWIPE 3 LEFT", "13 application",
      ])
  }

  /// The desktop is asked only if there is a rule for an application.
  @Test func aGestureWithoutAnActionSwitchesOffTheOneForAll() throws {
    let imported = try ImportedTool.touchegg.imported(
      "<touchégg><application name='All'>\(Self.element("CLOSE_WINDOW", ""))</application>"
        + "<application name='gimp'><gesture type='SWIPE' fingers='3' direction='LEFT'/>"
        + "</application></touchégg>")
    #expect(imported.rules.map { $0.application?.not } == [["gimp"]])
    #expect(imported.remarks.allSatisfy { !$0.isLost })
  }

  @Test(arguments: [("", true), ("<on>begin</on>", true), ("<on>end</on>", false)])
  func aClickComesAtTheBeginningUnlessItSaysEnd(on: String, isAtBegin: Bool) throws {
    let reactions = try #require(
      Self.imported("MOUSE_CLICK", "<button>2</button>\(on)").rules.first
    ).reactions
    #expect(Self.chords(isAtBegin ? reactions.begin : reactions.end) == ["button2"])
    #expect((isAtBegin ? reactions.end : reactions.begin).isEmpty)
  }

  @Test func theFocusCountsIfThePointerIsUnknown() throws {
    func imported(_ name: String, asks: Bool) throws -> ImportedFile {
      try ImportedTool.touchegg.rules(
        in: ConfigurationText(
          name: "file",
          bytes: Array(
            ("<touchégg><application name='\(name)'>"
              + Self.element("SEND_KEYS", "<keys>A</keys>", "SWIPE 3 LEFT")
              + "</application></touchégg>").utf8)),
        options: ImportOptions(knowsPointer: {
          #expect(asks)
          return false
        }))
    }
    let firefox = try imported("Firefox", asks: true)
    #expect(firefox.parts.map(\.rule.application) == [ApplicationMatch(only: ["Firefox"])])
    #expect(firefox.remarks.map(\.what) == ["application Firefox"])
    #expect(try imported("All", asks: false).parts.map(\.rule.application) == [nil])
  }

  // MARK: Keys

  /// touchégg presses what stands in both lists one after the other, and lets go of it together.
  @Test(
    arguments: [
      ("Alt_L", "F4", ["alt+f4"]), ("Alt_L", "Shift_L+F4", ["alt+shift+f4"]),
      ("", "Control_L+Alt_L+Left", ["ctrl+alt+left"]), ("", "A+B", ["a", "b"]),
      ("Super_L", "A+Shift_L+B", ["super+a", "super+shift+b"]),
      ("Super_L", "", ["leftmeta"]), ("", "Super_L", ["leftmeta"]),
      ("Control_L", "Super_L", ["ctrl+leftmeta"]), ("Super_L", "Super_L", ["leftmeta"]),
      ("Control_L+Alt_L", "", ["ctrl+leftalt"]),
      ("Alt_L", "Tab+Shift_L", ["alt+tab", "alt+leftshift"]),
      ("Super_L+A", "B", ["super+a", "super+b"]), ("", "odiaeresis", ["'ö'"]),
      ("Control_L", "Odiaeresis", ["ctrl+'ö'"]), ("Control_L", "plus", ["ctrl+equal"]),
      ("", "U20AC", ["'€'"]),
    ])
  func modifiersGoWithTheKeysBehindThem(
    _ modifiers: String, _ keys: String, _ expected: [String]
  ) throws {
    let content = "<modifiers>\(modifiers)</modifiers><keys>\(keys)</keys>"
    let imported = try Self.imported("SEND_KEYS", content)
    #expect(imported.rules.flatMap { Self.chords($0.reactions.begin) } == expected)
    #expect(imported.remarks.count == (expected.count > 1 ? 1 : 0), "\(imported.remarks)")
    #expect(Configuration.rules(of: imported.text) == imported.rules.map(\.withoutPlaces))
  }

  @Test(arguments: ["NoSuchKey", "U000A", "U0001"]) func aKeyThatThereIsNotIsLost(_ key: String)
    throws
  {
    let imported = try Self.imported("SEND_KEYS", "<keys>\(key)</keys>")
    #expect(imported.parts.isEmpty)
    #expect(imported.remarks.map(\.what) == [key])
  }

  /// A switcher of windows closes when Alt comes up.
  @Test func modifiersAreHeldBetweenSteps() throws {
    let keys =
      "<modifiers>Alt_L</modifiers><keys>Tab</keys><decreaseKeys>Shift_L+Tab</decreaseKeys>"
    let rule = try #require(
      try Self.imported("SEND_KEYS", "<repeat>true</repeat>" + keys).rules.first)
    #expect(rule.reactions.hold.map(\.textToPress) == ["alt"])
    #expect(Self.chords(rule.reactions.steps[0].forward) == ["tab"])
    #expect(Self.chords(rule.reactions.steps[0].back) == ["shift+tab"])
    // once, at the beginning: it stays open until the fingers leave
    let once = try #require(try Self.imported("SEND_KEYS", keys).rules.first)
    #expect(once.reactions.hold.map(\.textToPress) == ["alt"])
    #expect(Self.chords(once.reactions.begin) == ["tab"])
    for other in ["<on>end</on>" + keys, "<modifiers>Alt_L</modifiers><keys>F4</keys>"] {
      let whole = try #require(try Self.imported("SEND_KEYS", other).rules.first)
      #expect(whole.reactions.hold.isEmpty)
    }
  }

  // MARK: When and where

  @Test(
    arguments: [
      ("begin", "begin"), ("end", "end"), ("begin-and-end", "begin end"), ("middle", "end"),
      ("Begin", "end"), ("", "end"),
    ])
  func actionsWithoutAMomentActAtTheEnd(_ on: String, _ moments: String) throws {
    let imported = try Self.imported("RUN_COMMAND", "<command>a</command><on>\(on)</on>")
    let reactions = try #require(imported.rules.first?.reactions)
    let found = [("begin", reactions.begin), ("end", reactions.end)].filter { !$0.1.isEmpty }
    #expect(found.map(\.0).joined(separator: " ") == moments)
    // it is the same in touchégg
    #expect(imported.remarks.isEmpty)
  }

  @Test(
    arguments: [("2", 25), ("15", 3.3), ("20", 3.3), ("1", 25), ("-3", 25), ("many", 5)]
      as [(String, Double)])
  func timesAreFrom2To15(_ times: String, _ millimetres: Double) throws {
    let imported = try Self.imported(
      "RUN_COMMAND", "<command>a</command><repeat>true</repeat><times>\(times)</times>")
    let intervals = imported.rules.flatMap(\.reactions.steps).map(\.interval)
    #expect(intervals == [.init(millimetres, .millimetres)])
    #expect(imported.remarks.isEmpty)
  }

  /// With natural scrolling, as nearly every touchpad has it.
  @Test(
    arguments: [
      ("SWIPE 4 UP", true), ("SWIPE 4 LEFT", true), ("SWIPE 4 DOWN", false),
      ("SWIPE 4 RIGHT", false), ("PINCH 4 IN", false), ("PINCH 4 OUT", false), ("TAP 4", false),
    ])
  func autoFollowsTheFingers(_ gesture: String, _ isNext: Bool) throws {
    for (direction, isNext) in [
      ("<direction>auto</direction>", isNext), ("", isNext), ("<direction>next</direction>", true),
      ("<direction>up</direction>", false),
    ] {
      let imported = try Self.imported("CHANGE_DESKTOP", direction, gesture: gesture)
      let verbs = imported.rules.flatMap(\.reactions.end).map(\.verb)
      #expect(verbs == [.desktop(.workspace(isNext ? .next : .previous))], "\(direction)")
    }
  }

  @Test(
    arguments: [
      ("CLOSE_WINDOW", "", WindowAction.close), ("MINIMIZE_WINDOW", "", .minimize),
      ("MAXIMIZE_RESTORE_WINDOW", "", .maximize), ("FULLSCREEN_WINDOW", "", .fullscreen),
      ("TILE_WINDOW", "<direction>right</direction>", .tileRight),
      ("TILE_WINDOW", "<direction>auto</direction>", .tileLeft), ("TILE_WINDOW", "", .tileLeft),
    ])
  func actionsOnWindowsBecomeRules(_ type: String, _ inner: String, _ action: WindowAction) throws {
    let imported = try Self.imported(type, inner, gesture: "SWIPE 3 LEFT")
    #expect(imported.rules.flatMap(\.reactions.end).map(\.verb) == [.desktop(.window(action))])
    // touchégg's window is another one
    #expect(imported.remarks.map(\.what) == [type])
  }

  /// Two fingers that tap on a touchpad are a click, and two that move scroll: touchégg has neither from there.
  @Test(
    arguments: [
      ("TAP 2", true), ("TAP 4", true), ("SWIPE 2 UP", true), ("SWIPE 3 UP", false),
      ("PINCH 2 IN", false), ("PINCH 3 OUT", false),
    ])
  func gesturesOfTouchscreensAreForTouchscreens(_ gesture: String, _ isForScreens: Bool) throws {
    for type in ["RUN_COMMAND", "MOUSE_CLICK"] {
      let imported = try Self.imported(type, "<command>a</command>", gesture: gesture)
      let kinds = imported.parts.map(\.rule.device?.kind)
      #expect(kinds == [isForScreens ? .touchscreen : nil])
    }
  }

  @Test func gesturesThatTurnBackEndToo() throws {
    let imported = try Self.imported(
      "RUN_COMMAND", "<command>a</command><on>begin-and-end</on>", gesture: "SWIPE 3 LEFT")
    let reactions = try #require(imported.rules.first).reactions
    #expect(reactions.begin.count == 1)
    #expect(reactions.end == reactions.begin && reactions.cancel == reactions.begin)
  }
}
