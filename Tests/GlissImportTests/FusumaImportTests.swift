import GlissConfiguration
import GlissEvents
import GlissHotkeys
import GlissImport
import TestSupport
import Testing

/// What fusuma looks up where, one by one.
@Suite struct FusumaImportTests {
  /// Fingers, direction, held keys and bounds of each rule, and what is done when; one a line. The
  /// usual speed of a swipe and its repetition are left out.
  private static func rules(_ imported: ImportedFile) -> [String] {
    imported.rules.map { rule in
      guard case .gesture(let condition) = rule.trigger, let fingers = condition.fingers else {
        return "?"
      }
      var words = ["\(fingers.lowerBound)-\(fingers.upperBound)"]
      switch condition.sense {
      case .towards(let direction)?: words.append("\(direction)")
      case let sense?: words.append("\(sense)")
      case nil: break
      }
      if let modifiers = condition.modifiers { words.append(modifiers.isEmpty ? "bare" : "held") }
      if let speed = condition.speed?.minimum, speed != 63.5 { words.append("\(speed)") }
      let moments: [(String, [Action])] = [
        ("begin", rule.reactions.begin), ("end", rule.reactions.end),
        ("cancel", rule.reactions.cancel), ("change", rule.reactions.change),
        ("on", rule.reactions.steps.filter { !$0.isRepetition }.flatMap(\.forward)),
        ("back", rule.reactions.steps.flatMap(\.back)),
      ]
      for (moment, actions) in moments {
        for action in actions { words.append("\(moment)=\(Self.word(action))") }
      }
      return words.joined(separator: " ")
    }
  }

  private static func word(_ action: Action) -> String {
    switch action.verb {
    case .run(let command):
      if case .shell(let text) = command.program { text } else { "?" }
    case .keys(let chords): chords.map { "\($0)" }.joined(separator: ",")
    case .move(let factor): "move \(factor)"
    case .hold, .letGo, .mode, .turns, .notify, .emit, .desktop: "?"
    }
  }

  @Test(
    arguments: [
      // each key is looked for by itself: a threshold alone takes no command's place
      (
        "swipe:\n  3:\n    left: {threshold: 0.5}\n  left: {command: a, threshold: 2}",
        ["3-3 left 31.8 begin=a", "4-5 left 127.0 begin=a"]
      ),
      (
        "swipe:\n  4:\n    left: {begin: {command: b}}\n  left: {command: a}",
        ["4-4 left begin=b", "3-5 left begin=a"]
      ),
      (
        "swipe:\n  4:\n    left: {command: b}\n  left: {command: a}",
        ["4-4 left begin=b", "3-3 left begin=a", "5-5 left begin=a"]
      ),
      // blank is something, nothing is not
      (
        "swipe:\n  4:\n    left: {command: ''}\n  left: {command: a}",
        ["3-3 left begin=a", "5-5 left begin=a"]
      ),
      ("swipe:\n  4:\n    left: {command: }\n  left: {command: a}", ["3-5 left begin=a"]),
      // a moment needs no direction
      (
        "swipe:\n  3:\n    begin: {command: a}\n    update: {command: b}\n    end: {command: c}",
        ["3-3 begin=a begin=b end=c on=b back=b"]
      ),
      (
        "swipe:\n  3:\n    update: {command: b}\n    end: {command: c}\n    begin: {command: a}",
        ["3-3 begin=a begin=b end=c on=b back=b"]
      ),
      // what is done at every motion, and what goes back in the same stroke
      ("swipe:\n  3:\n    update: {command: a, interval: 0.01}", ["3-3 change=a"]),
      ("swipe:\n  3:\n    left: {update: {command: a}}", ["3-3 left begin=a on=a"]),
      (
        "swipe:\n  3:\n    left: {update: {command: a}}\n    right: {update: {command: b}}",
        ["3-3 left begin=a on=a back=b", "3-3 right begin=b on=b back=a"]
      ),
      (
        "pinch:\n  2:\n    in: {update: {command: a}}\n    update: {command: b}",
        ["2-2 inward begin=a on=a back=b", "2-2 outward begin=b on=b back=a"]
      ),
      (
        "rotate:\n  2:\n    clockwise: {update: {command: a}}\n    counterclockwise: {update: {command: ''}}",
        ["2-2 clockwise begin=a on=a"]
      ),
      (
        "swipe:\n  3:\n    left: {update: {command: a}}\n    right: {update: {command: 'b $move_x'}}",
        ["3-3 left begin=a on=a"]
      ),
      // what gets each motion gets nothing here
      (
        "swipe:\n  3:\n    left: {command: a}\n    begin: {command: b}\n    update: {command: 'c $move_x'}\n    end: {command: d}\n  4:\n    begin: {command: e}",
        ["3-3 left begin=a", "3-3 begin=b end=d", "4-4 begin=e"]
      ),
      (
        "swipe:\n  3:\n    begin: {command: b}\n    left: {update: {command: 'c $move_x'}}\n  4:\n    end: {command: d}",
        ["3-3 begin=b", "4-4 end=d"]
      ),
      (
        "swipe:\n  3:\n    left: {update: {command: a}}\n    update: {command: 'c $move_x'}",
        ["3-3 left begin=a on=a"]
      ),
      (
        "pinch:\n  2:\n    update: {command: 'c ${zoom}'}\n    cancelled: {command: d}",
        ["2-2 cancel=d"]
      ),
      // a hold is not updated, and a tap has one moment
      ("hold:\n  4: {update: {command: a}, begin: {command: b}}", ["4-4 begin=b"]),
      ("tap:\n  3: {command: a}\n  2: {sendkey: A}", ["3-3 end=a", "2-2 end=a"]),
      ("tap:\n  3: {begin: {command: a}, command: b}\n  left: {command: c}", ["3-3 end=b"]),
      (
        "pinch:\n  2:\n    out: {end: {command: b}}\n    end: {command: a}",
        ["2-2 outward end=b", "2-2 inward end=a"]
      ),
      ("swipe:\n  cancelled: {command: a}", ["3-5 cancel=a"]),
      // the keys come last, and what is special is special with and without them
      (
        "swipe:\n  3:\n    left: {command: a, keypress: {LEFTSHIFT: {command: b}}}",
        ["3-3 left bare begin=a", "3-3 left held begin=b"]
      ),
      (
        "swipe:\n  3:\n    left: {keypress: {LEFTSHIFT: {command: b}}}\n  left: {command: a}",
        ["3-3 left held begin=b", "3-3 left bare begin=a", "4-5 left begin=a"]
      ),
      (
        "swipe:\n  3:\n    left: {command: b}\n  left: {keypress: {LEFTSHIFT: {command: a}}}",
        ["3-3 left begin=b", "4-5 left held begin=a"]
      ),
      // one of several acts
      ("swipe:\n  3:\n    left: {sendkey: A, command: b}", ["3-3 left begin=b"]),
      // what is written behind << counts more, what is written before it less
      (
        "swipe:\n  3:\n    left: &l {command: a, threshold: 2}\n    right:\n      <<: *l\n      command: b",
        ["3-3 left 127.0 begin=a", "3-3 right 127.0 begin=b"]
      ),
      (
        "swipe:\n  3:\n    left: &l {command: a}\n    right:\n      command: b\n      <<: *l",
        ["3-3 left begin=a", "3-3 right begin=a"]
      ),
      (
        "swipe:\n  3: &t\n    left: {command: a}\n    up: {command: b}\n  4:\n    <<: *t\n    up: {command: c}",
        ["3-3 left begin=a", "3-3 up begin=b", "4-4 left begin=a", "4-4 up begin=c"]
      ),
      (
        "swipe:\n  3:\n    left:\n      <<: [{command: a}, {command: b, threshold: 2}]",
        ["3-3 left 127.0 begin=a"]
      ),
      (
        "x: &x\n  3:\n    left: {command: a}\nswipe: *x\n", ["3-3 left begin=a"]
      ),
    ] as [(String, [String])])
  func referencedBindingsAreBound(_ text: String, _ expected: [String]) throws {
    let imported = try ImportedTool.fusuma.imported(text)
    #expect(Self.rules(imported) == expected, "\(imported.remarks)")
    #expect(imported.forgotten(in: text) == [])
    #expect(Configuration.rules(of: imported.text).count == expected.count)
  }

  @Test(
    arguments: [
      // a number that no rule uses changes nothing
      ("swipe:\n  3:\n    left: {threshold: 2}\nthreshold:\n  pinch: 1", []),
      ("swipe:\n  3:\n    left: {command: a, interval: 2}", []),
      ("tap:\n  3: {command: a, threshold: 2}\nthreshold: {tap: 3}", []),
      ("swipe:\n  3:\n    left: {command: a, threshold: x}", ["3:35"]),
      ("interval:\n  swipe: 2\nswipe:\n  3:\n    left: {update: {command: a}}", ["5:21"]),
      ("swipe:\n  3:\n    left: {interval: 2, update: {command: a}}", ["3:34"]),
      ("swipe:\n  3:\n    left: {update: {command: a, interval: 2}}", ["3:21"]),
      (
        "swipe:\n  3:\n    left: {update: {command: a}}\n    right: {update: {command: b}}",
        ["3:21"]
      ),
      ("hold:\n  4: {update: {command: a}}", ["2:7"]),
      ("tap:\n  3: {end: {command: a}}", ["2:7"]),
      ("swipe:\n  3:\n    left: {sendkey: A, clearmodifiers: true}", ["3:24"]),
      ("swipe:\n  3:\n    update: {command: 'm $move_x'}", ["3:14"]),
      ("swipe:\n  3:\n    left: {command: 'm $move_x'}", ["3:12"]),
      ("swipe:\n  3:\n    left: {command: 'm ${zoom}'}", ["3:12"]),
      ("swipe:\n  3:\n    left: {command: 'm zoom $z'}", []),
      ("swipe:\n  3:\n    left: {sendkey: A, command: b}", ["3:12"]),
      ("swipe:\n  <<: 3", ["2:3"]), ("swipe:\n  <<: [{3: a}, b]", ["2:3"]),
      ("swipe:\n  3:\n    left: {command: b, <<: {command: a}}", ["3:12"]),
      ("swipe:\n  3:\n    left: &l {command: a}\n    up:\n      command: b\n      <<: *l", ["5:7"]),
      ("swipe:\n  3:\n    left: &l {command: a}\n    up:\n      <<: *l\n      command: b", []),
      ("swipe:\n  3:\n    left:\n      command: a\n      <<: {}", []),
      // two documents cover the applications of a third
      (
        "context: {application: A}\ntap: {3: {command: a}}\n---\ncontext: {application: B}\n"
          + "tap: {3: {command: b}}\n---\ncontext: {application: [A, B]}\ntap: {3: {command: c}}",
        ["8:11"]
      ),
      // what aliases take is told of where it stands, the rest of it as lost
      ("x: &x\n  left: {command: a}\n  foo: 1\nswipe:\n  3: *x", ["1:1", "3:3"]),
      ("x: &x\n  left: {command: a}\ny: *x\nhold:\n", ["1:1", "3:1", "4:1"]),
      ("x: &x\n  left: {command: a}\ny:\n  4: *x\nhold:\n", ["1:1", "3:1", "5:1"]),
    ] as [(String, [String])])
  func uselessEntriesAreReported(_ text: String, _ places: [String]) throws {
    let imported = try ImportedTool.fusuma.imported(text)
    let told = imported.remarks.map { "\($0.place.line):\($0.place.column)" }
    var once: [String] = []
    for place in told where once.last != place { once.append(place) }
    #expect(once == places, "\(imported.remarks)")
    #expect(imported.forgotten(in: text) == [])
  }

  /// What an escape stands for can be what no file may have.
  @Test(
    arguments: [
      #"left: {command: "a\0b"}"#, #"left: {workspace: "ne\x00xt"}"#, #"left: {sendkey: "A\0"}"#,
      #"left: {command: a}, up: {sendkey: A, clearmodifiers: "\0"}"#,
    ])
  func anEscapedNULIsLost(_ entries: String) throws {
    let text = """
      swipe:
        3: {\(entries), down: {command: b}}
      plugin:
        filters: {libinput_device_filter: {keep_device_names: "A\\0B"}}
      """
    let imported = try ImportedTool.fusuma.imported(text)
    let reading = Configuration.read([
      ConfigurationText(name: "ours", bytes: Array(imported.text.utf8))
    ])
    #expect(reading.mistakes.filter { $0.severity == .error } == [], "\(imported.text)")
    #expect(reading.configuration?.rules.count == imported.rules.count)
    #expect(imported.rules.count >= 1 && imported.remarks.count >= 2, "\(imported.remarks)")
    #expect(imported.forgotten(in: text) == [])
  }

  /// fusuma does a swipe's command again while the fingers go as fast.
  @Test func aSwipeRepeatsByTime() throws {
    let imported = try ImportedTool.fusuma.imported(
      "swipe:\n  3:\n    left: {command: a, threshold: 0.5, interval: 2}\ninterval: {swipe: 0.5}\n")
    let rule = try #require(imported.rules.first)
    #expect(rule.reactions.steps.map(\.interval) == [.init(600, .milliseconds)])
    #expect(rule.reactions.steps.first?.forward == rule.reactions.begin)
    guard case .gesture(let condition) = rule.trigger else { return }
    #expect(condition.speed == Bounds(from: 31.8))
  }

  @Test(arguments: [
    "xdotool mousemove_relative -- $move_x, $move_y", "ydotool mousemove -x $move_x -y $move_y",
  ])
  func aDragHoldsAndMoves(_ motion: String) throws {
    let imported = try ImportedTool.fusuma.imported(
      """
      swipe:
        3:
          begin: {command: xdotool mousedown 1}
          update: {command: "\(motion)", accel: 2}
          end: {command: xdotool mouseup 1}
        4:
          begin: {command: "xdotool keydown alt key Tab"}
          left: {update: {command: xdotool key Tab}}
          end: {command: xdotool keyup alt, keypress: {LEFTSHIFT: {command: a}}}
      """)
    let all = imported.rules.map(\.reactions)
    #expect(all.map { $0.hold.map(\.textToPress) } == [["button1"], ["alt"], [], []])
    #expect(all[0].change.map(\.verb) == [.move(2)])
    #expect(all[0].begin.isEmpty && all[0].end.isEmpty)
    #expect(imported.remarks.allSatisfy { $0.what == "update" })
  }

  @Test(arguments: [
    ("workspace: next", DesktopAction.workspace(.next)), ("workspace: prev", .workspace(.previous)),
    ("window: {fullscreen: toggle}", .window(.fullscreen)), ("window: close", .window(.close)),
  ])
  func windowsAndWorkspacesAreActions(_ entry: String, _ action: DesktopAction) throws {
    let imported = try ImportedTool.fusuma.imported("swipe:\n  3:\n    left: {\(entry)}\n")
    #expect(imported.rules.first?.reactions.begin.map(\.verb) == [.desktop(action)])
  }

  /// `window: fullscreen` toggles, and in a long stroke it would toggle back.
  @Test(arguments: ["add", "remove"]) func invalidTogglesAreLost(_ how: String) throws {
    let imported = try ImportedTool.fusuma.imported(
      "swipe:\n  3:\n    left: {window: {fullscreen: \(how)}}\n")
    #expect(imported.rules.isEmpty)
    #expect(imported.remarks.map(\.isLost) == [true])
  }

  /// fusuma looks at the order in which modifiers were pressed, and does one of the two.
  @Test func equalRulesAreOne() throws {
    let imported = try ImportedTool.fusuma.imported(
      """
      hold:
        3:
          keypress:
            LEFTSHIFT+LEFTCTRL: {command: a}
            LEFTCTRL+LEFTSHIFT: {command: a}
      """)
    #expect(imported.rules.count == 1)
    #expect(imported.parts.first?.sources.map(\.number).contains(5) == true)
  }

  // MARK: Applications

  /// What each rule is for, and what it does.
  private static func applications(_ text: String) throws -> [String] {
    let imported = try ImportedTool.fusuma.imported(text)
    #expect(imported.forgotten(in: text) == [])
    return imported.rules.map { rule in
      let match = rule.application
      let words = (match?.only ?? []) + (match?.not ?? []).map { "-" + $0 }
      var reactions = rule.reactions
      reactions.steps.removeAll(where: \.isRepetition)
      let actions = reactions.actions.map(word)
      return (words + actions).joined(separator: " ")
    }
  }

  /// fusuma takes an entry without a context first, and then those of contexts in order.
  @Test(
    arguments: [
      ("context: {application: b}\nswipe: {3: {left: {command: z}}}", ["b z"]),
      ("context: {application: [b, c]}\nswipe: {3: {left: {command: z}}}", ["b c z"]),
      (
        "swipe: {3: {left: {command: a}}}\n---\ncontext: {application: b}\nswipe: {3: {left: {command: x}, right: {command: z}}}",
        ["a", "b z"]
      ),
      (
        "swipe: {left: {command: a}}\n---\ncontext: {application: b}\nswipe: {3: {left: {command: x}}, 4: {right: {command: z}}}",
        ["a", "b z"]
      ),
      (
        "context: {application: b}\nhold: {3: {command: y}}\n---\ncontext: {application: b}\nhold: {3: {command: x}, 4: {command: z}}",
        ["b y", "b z"]
      ),
      (
        "context: {application: b}\nhold: {3: {command: y}}\n---\ncontext: {application: c}\nhold: {3: {command: z}}",
        ["b y", "c z"]
      ),
    ] as [(String, [String])])
  func aContextBecomesRulesForItsApplications(_ text: String, _ expected: [String]) throws {
    #expect(try Self.applications(text) == expected)
  }

  /// In the older form an application's entry comes before that of Global.
  @Test(
    arguments: [
      (
        "application:\n  Global:\n    hold: {3: {command: a}, 4: {command: y}}\n  b:\n    hold: {3: {command: z}}",
        ["-b a", "y", "b z"]
      ),
      (
        "application:\n  b: {hold: {3: {command: z}}}\n  global: {hold: {3: {command: a}}}",
        ["-b a", "b z"]
      ),
      (
        "application:\n  b: {hold: {3: {command: y}}}\n  c: {hold: {3: {command: z}}}\nhold: {3: {command: a}}",
        ["-b -c a", "b y", "c z"]
      ),
      ("application:\n  b: {hold: {3: {command: y}}}", ["b y"]),
    ] as [(String, [String])])
  func anApplicationsSectionComesBeforeGlobal(_ text: String, _ expected: [String]) throws {
    #expect(try Self.applications(text) == expected)
  }

  /// A context has the thresholds that stand outside, too.
  @Test func aContextHasTheThresholdsOfAllApplications() throws {
    let imported = try ImportedTool.fusuma.imported(
      "threshold: {swipe: 2}\n---\ncontext: {application: b}\nswipe: {3: {left: {command: a}}}")
    let other = try ImportedTool.fusuma.imported(
      "threshold: {swipe: 2}\nswipe: {3: {left: {command: a}}}")
    #expect(imported.rules.map(\.trigger) == other.rules.map(\.trigger))
    #expect(imported.rules.map(\.application) == [ApplicationMatch(only: ["b"])])
  }
}

extension Step {
  fileprivate var isRepetition: Bool { interval.unit == .milliseconds }
}
