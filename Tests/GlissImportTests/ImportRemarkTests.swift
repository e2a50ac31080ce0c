import GlissConfiguration
import GlissImport
import TestSupport
import Testing

/// What is said of what became different: all of it, once, and on one line.
@Suite struct ImportRemarkTests {
  /// Numbers that the other tool takes and we cannot say, and what stands in the rule.
  @Test(
    arguments: [
      ("swipe", "left", "update: {command: a, interval: 0.2}", "every: 2 mm", nil),
      ("swipe", "left", "update: {command: a, interval: 4}", "every: 40 mm", nil),
      (
        "swipe", "left", "update: {command: a, interval: 0.01}", "every: 2 mm",
        "interval 0.01: taken for 2 mm, the nearest that acts here"
      ),
      (
        "swipe", "left", "update: {command: a, interval: 200}", "every: 40 mm",
        "interval 200: taken for 40 mm, the nearest that acts here"
      ),
      (
        "pinch", "in", "update: {command: a, interval: 0.05}", "every: 2 %",
        "interval 0.05: taken for 2 %, the nearest that acts here"
      ),
      ("rotate", "clockwise", "update: {command: a, interval: 0.5}", "every: 7.5 deg", nil),
      (
        "rotate", "clockwise", "update: {command: a, interval: 10}", "every: 60 deg",
        "interval 10: taken for 60 deg, the nearest that acts here"
      ),
      (
        "swipe", "left", "command: a, threshold: 0.01", "speed: 1 mm/s",
        "threshold 0.01: taken for 1 mm/s, the nearest that acts here"
      ),
      ("swipe", "left", "command: a, threshold: 0.1", "speed: 6.4 mm/s", nil),
      (
        "swipe", "left", "command: a, threshold: 900", "speed: 10000 mm/s",
        "threshold 900: taken for 10000 mm/s, the nearest that acts here"
      ),
      (
        "pinch", "out", "command: a, threshold: 400", "scale: 100",
        "threshold 400: taken for 100, the nearest that acts here"
      ),
      (
        "pinch", "in", "command: a, threshold: 0.01", "scale: ..1",
        "threshold 0.01: taken for 1, the nearest that acts here"
      ),
      ("pinch", "in", "command: a, threshold: 0.5", "scale: ..0.87", nil),
      (
        "rotate", "clockwise", "command: a, threshold: 0.05", "turn: 1 deg",
        "threshold 0.05: taken for 1 deg, the nearest that acts here"
      ),
    ] as [(String, String, String, String, String?)])
  func aNumberOfFusumaIsTheSameOrReported(
    _ kind: String, _ direction: String, _ keys: String, _ written: String, _ remark: String?
  ) throws {
    let imported = try ImportedTool.fusuma.imported("\(kind):\n  3:\n    \(direction): {\(keys)}")
    #expect(imported.text.contains(written), "\(imported.text)")
    let told = imported.remarks.filter { $0.what != "update" }.map { "\($0.what): \($0.why)" }
    #expect(told == (remark.map { [$0] } ?? []))
    #expect(Configuration.rules(of: imported.text).count == 1)
  }

  /// Nearly every action of touchégg's own file has these, and nothing is done otherwise for them.
  @Test func animationsAreNotReported() throws {
    let look =
      "<animate>true</animate><color>auto</color><borderColor>auto</borderColor><cyclic>true</cyclic>"
      + "<animationPosition>auto</animationPosition><animation>A</animation>"
    let imported = try ImportedTool.touchegg.imported(
      "<touchégg><settings>\n<property name='color'>auto</property><property name='threshold'/>"
        + "</settings><application name='All'><gesture type='SWIPE' fingers='3' direction='UP'>"
        + "<action type='RUN_COMMAND'><command>a</command>\(look)</action></gesture>"
        + "</application></touchégg>")
    #expect(imported.rules.count == 1)
    #expect(imported.remarks.isEmpty)
  }

  /// In fusuma an action without keys acts with all modifiers that have no entry.
  @Test func fusumasActionBesideKeysIsReportedOnce() throws {
    let imported = try ImportedTool.fusuma.imported(
      """
      swipe:
        3:
          left: {command: a, keypress: {LEFTSHIFT: {command: b}}}
          right: {command: c, keypress: {LEFTSHIFT: {command: d}}}
      """)
    #expect(imported.rules.count == 4)
    #expect(imported.remarks.map { "\($0.place.line) \($0.what)" } == ["3 keypress"])
  }

  /// What is at fault, and what to write instead.
  @Test(
    arguments: [
      (.sxhkd, "a\n  b\n{\n  x\n", "3:1: {: a chord is missing here; nothing is bound"),
      (
        .sxhkd, "super + {F1-F3}\n  x\n",
        "1:10: F1-F3: a range has single characters; write F{1-3}"
      ),
      (
        .sxhkd, "super + {F9-F12}\n  x\n",
        "1:10: F9-F12: a range has single characters; write each of the keys"
      ),
      (
        .sxhkd, "super + @\n  x\n",
        "1:9: @: sxhkd expects a key right after it, so it binds nothing"
      ),
      (
        .sxhkd, "{a,b}\n  {x}\n",
        "1:1: {a,b}: 2 hotkeys and 1 command do not pair; as in sxhkd the rest is left out"
      ),
      (
        .sxhkd, "super + a\n  x}y\n",
        "2:3: x}y: its braces stand for nothing, or for more than 4096 texts"
      ),
      (.swhkd, "unbind super + x\na\n  b\n", "1:1: unbind super + x: unknown;"),
      (
        .fusuma, "hold:\n  3:\n    sendkey: {LEFTCTRL+A: 1}\n",
        "3:14: sendkey: a key was expected"
      ),
      (
        .fusuma, "hold:\n  3:\n    command: [a, b]\n",
        "3:5: command: one text was expected, not a list"
      ),
    ] as [(ImportedTool, String, String)])
  func aRemarkNamesWhatIsWrong(_ tool: ImportedTool, _ text: String, _ expected: String) throws {
    let imported = try tool.imported(text)
    let told = imported.remarks.map { "\($0)" }
    #expect(told.contains { $0.hasPrefix("file:" + expected) }, "\(told)")
    #expect(imported.forgotten(in: text) == [])
  }

  /// Its default is not.
  @Test(arguments: [("20", 0), ("35", 1)])
  func anotherThresholdIsReported(_ value: String, _ count: Int) throws {
    let imported = try ImportedTool.touchegg.imported(
      "<touchégg><settings><property name='action_execute_threshold'>\(value)</property></settings>"
        + "</touchégg>")
    #expect(imported.remarks.count == count)
  }

  private static func click(_ content: String) throws -> ImportedFile {
    try ImportedTool.touchegg.imported(
      "<touchégg><application name='All'><gesture type='SWIPE' direction='UP' fingers='3'>"
        + "<action type='MOUSE_CLICK'>\(content)</action></gesture></application></touchégg>")
  }

  @Test func aMissingButtonIsReported() throws {
    let imported = try Self.click("<button>20</button>")
    #expect(imported.remarks.map(\.what) == ["MOUSE_CLICK 20"])
    #expect(imported.parts.isEmpty)
  }

  @Test(arguments: [("begin", "begin:"), ("end", "do:")])
  func aClickIsPressedWhereItWas(_ on: String, _ key: String) throws {
    let text = try Self.click("<on>\(on)</on><button>3</button>").text
    #expect(text.contains("\n    \(key) {keys: button3}"), "\(text)")
  }

  @Test(
    arguments: [
      (
        "context:\n  thumbsense: true\nswipe:\n  3:\n    left: {command: a}\nplugin: {x: 1}\n",
        ["1:1"]
      ),
      ("context: {plugin_defaults: x}\nplugin:\n  inputs: {x: 1}\n", ["1:1"]),
      (
        "hold:\n  3: {command: a}\n---\ncontext: {application: a, remap: b}\nhold:\n  3: {command: b}\n---\ncontext: c\n",
        ["4:1", "8:1"]
      ),
    ] as [(String, [String])])
  func aContextOfFusumaIsOneLine(_ text: String, _ places: [String]) throws {
    let imported = try ImportedTool.fusuma.imported(text)
    #expect(imported.remarks.map { "\($0.place.line):\($0.place.column)" } == places)
    #expect(imported.remarks.allSatisfy { $0.isLost && $0.what == "context" })
    #expect(imported.forgotten(in: text) == [])
  }

  @Test func aFileOfFusumaHasAtMost100Documents() throws {
    let document = "---\nhold:\n  3: {command: a}\n"
    #expect(
      throws: Never.self,
      performing: { try ImportedTool.fusuma.imported(String(repeating: document, count: 100)) })
    #expect(throws: Mistake.self) {
      try ImportedTool.fusuma.imported(String(repeating: document, count: 101))
    }
  }

  @Test(
    arguments: [
      ("edge:\n  3:\n    command: a\n  4:\n    command: b\nhold: {2: {command: c}}\n", "edge"),
      ("hold:\n  3:\n    window: {move: prev}\n", "window"),
      ("hold:\n  3:\n    scroll: fast\n", "scroll: fast"), ("hold:\n  3:\n    scroll:\n", "scroll"),
    ])
  func aKeyOfFusumaIsLostAsAWhole(_ text: String, _ expected: String) throws {
    let lost = try ImportedTool.fusuma.imported(text).remarks.filter(\.isLost)
    #expect(lost.map(\.what) == [expected])
  }

  /// Of source text there is one line to be read, whatever it has.
  @Test(
    arguments: [
      (ImportedTool.libinputGestures, "gesture swipe left\t3\ntimeout\t1", "swipe left 3"),
      (.libinputGestures, "gesture\tswipe\tup\t9\tcmd\ta\n", "9"),
      (.libinputGestures, "device a\nno\tword", "no word"),
      (.sxhkd, "super + x\n  a\n  \t; a\tb\n", "; a b"), (.sxhkd, "super +\tx\n", "super + x"),
      (.fusuma, "hold:\n  3:\n    scroll: |\n      one\n        two\n", "scroll: one ⏎ two"),
      (
        .touchegg, "<touchégg>\n  one\n\n  two\r\n  <settings/></touchégg>", "one ⏎ two"
      ),
    ])
  func sourceTextIsOnOneLine(_ tool: ImportedTool, _ text: String, _ expected: String) throws {
    let imported = try tool.imported(text)
    #expect(imported.remarks.contains { $0.what == expected }, "\(imported.remarks)")
    for remark in imported.remarks {
      #expect(!"\(remark)".contains { $0 == "\t" || $0.isNewline })
    }
  }

  /// Lines of libinput-gestures, and those that are lost.
  @Test(
    arguments: [
      // at 480 ms the second one acts, before a hold begins here
      (["gesture hold on 3 a", "gesture hold on+0.3 3 b"], [1]),
      (["gesture hold on 3 a", "gesture hold on+0.5 3 b"], []),
      (["gesture hold on 2 a", "gesture hold on+0.5 2 b"], [1]),
      (["gesture swipe up 3 _internal -wc 2 ws_up"], [1]),
      (["gesture swipe up 3 _internal -c2 ws_up", "gesture swipe up 4 _internal -w ws_up"], [1]),
      (
        ["gesture swipe up 3 _internal -c 1 ws_up", "gesture swipe up 4 _internal --co=3 ws_up"],
        [2]
      ),
    ] as [([String], [Int])])
  func aLineWithoutEquivalentIsLost(_ lines: [String], _ lost: [Int]) throws {
    let imported = try ImportedTool.libinputGestures.imported(lines.joined(separator: "\n") + "\n")
    #expect(imported.remarks.filter(\.isLost).map(\.place.line) == lost, "\(imported.remarks)")
    #expect(imported.rules.count == lines.count - lost.count)
  }

  /// However many modes end, the one below them is known.
  @Test(arguments: [(8, "m2"), (9, "m1"), (10, nil)]) func aModeBelowManyIsFound(
    _ ended: Int, _ mode: String?
  ) throws {
    let escapes = [String](repeating: "@escape", count: ended).joined(separator: " && ")
    let modes = (1...10).map { level in
      "mode m\(level)\nx\n  \(level < 10 ? "@enter m\(level + 1)" : escapes)\nendmode\n"
    }
    let imported = try ImportedTool.swhkd.imported("super + x\n  @enter m1\n" + modes.joined())
    let last = imported.rules.last?.reactions.end.last?.verb
    #expect(last == .mode(mode))
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
  }

  /// Each mode of a long chain comes before the one that enters it, and many enter the first.
  @Test func manyModesBelowManyAreFound() throws {
    let chain = (1...400).reversed().map { level in
      "mode m\(level) oneoff\nx\n  \(level < 400 ? "@enter m\(level + 1)" : "a")\nendmode\n"
    }
    let starts = (1...400).map { "mode s\($0)\nx\n  @enter m1\nendmode\n" }
    let imported = try ImportedTool.swhkd.imported((chain + starts).joined())
    #expect(imported.remarks.map(\.what) == ["mode m400"])
  }

  /// The braces of a command may have a part of the words that enter and leave modes.
  @Test func modesInBracesAreFound() throws {
    let imported = try ImportedTool.swhkd.imported(
      "mode n\n{x,y}\n  @{enter m,escape}\nendmode\nmode m\nx\n  @escape\nendmode\n")
    #expect(imported.rules.last?.reactions.end.last?.verb == .mode("n"))
  }

  /// Each turn of the cycle ends one mode more than it enters, and below there is never one.
  @Test func aCycleThatEndsMoreModesHasNoneBelow() throws {
    let imported = try ImportedTool.swhkd.imported(
      """
      super + x
        @enter m
      mode m
      x
        @escape && @escape && @enter m
      y
        @escape
      endmode

      """)
    #expect(imported.rules.last?.reactions.end.last?.verb == .mode(nil))
    #expect(imported.remarks.isEmpty, "\(imported.remarks)")
  }
}
