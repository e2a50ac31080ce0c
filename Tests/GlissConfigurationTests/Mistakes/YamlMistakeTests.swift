import GlissConfiguration
import Testing

@Suite struct YamlMistakeTests {
  @Test(
    arguments: [
      ("gestures:\n\t- a", "2:1+1 a tab cannot indent: use spaces"),
      ("hotkeys: @a", "1:10+1 text cannot begin with @: put it in quotes"),
      ("hotkeys: %a", "1:10+1 text cannot begin with %: put it in quotes"),
      (
        "hotkeys:\n  - hotkey super+a\n    do: {}",
        "3:7+1 no key can stand here: keys of one mapping begin in the same column, and the line before needs a colon and a blank behind its key"
      ),
      (
        "hotkeys:\n  - hotkey:super+a\n    do:{run: [a]}",
        "3:8+1 put a blank after the colon"
      ),
      ("gestures:\n  - gesture:swipe", "2:13+1 put a blank after the colon"),
      (
        "gestures:\n  - gesture: tap\n    do:{mode: none}",
        "3:8+1 put a blank after the colon"
      ),
      (
        "gestures:\n  - {gesture: tap, do: {mode: none}}\n  -{gesture: hold, do: {mode: none}}",
        "3:4+1 put a blank after the dash"
      ),
      ("hotkeys:\n  - name: |\n      a\n    hotkey:f1\n", "4:12+1 put a blank after the colon"),
      ("hotkeys: [{hotkey: super+t, do:{mode: none}}]", "1:32+1 put a blank after the colon"),
      ("hotkeys: [{x:{a: b}}]", "1:13+1 not YAML: found unexpected ':'"),
      ("settings:\n  motion.floor:1\n", "2:16+1 put a blank after the colon"),
      (
        "hotkeys:\n  - {do: {shell: a: b}}",
        "2:19+1 a mapping in braces goes on with , or ends with }; in it, text with , { } [ ] or a colon and a blank needs quotes"
      ),
      (
        "gestures:\n\u{a0} - {gesture: tap, do: {mode: none}}\n",
        "2:1+1 a line is indented by spaces only; a no-break space (U+00A0) stands here: write a blank"
      ),
      (
        "gestures:\n  - gesture: tap\n  \u{2007} do: {mode: none}\n",
        "3:3+1 a line is indented by spaces only; a figure space (U+2007) stands here: write a blank"
      ),
      (
        "hotkeys:\n  - {hotkey: a: b\u{202f}c}",
        "2:15+1 a mapping in braces goes on with , or ends with }; in it, text with , { } [ ] or a colon and a blank needs quotes; a narrow no-break space (U+202F) stands in column 18: write a blank"
      ),
      ("gestures: [a", "2:1"),
      (
        "gestures: [\n  {gesture: tap},\nhotkeys: []",
        "4:1+1 a list in brackets goes on with , or ends with ]; what is open here begins in line 1"
      ),
      ("limits: {running: 1\nhotkeys: []", "2:8"),
      (
        "gestures:\n  - gesture: tap\n    fingers 3\n    do: {mode: none}\n",
        "3:5+1 a colon is missing: a key is followed by : and a blank"
      ), ("gestures: *a*", "1:13+1 text that begins with * or & needs quotes"),
      ("hotkeys: \"a", "1:10+1 a quote is opened and never closed"),
      ("hotkeys:\n  - hotkey: \"a\n  - b\n", "2:13+1 a quote is opened and never closed"),
      (
        "hotkeys: a: b",
        "1:11+1 a colon makes no key here: a key and its value in a line need braces, and text with a colon and a blank needs quotes"
      ),
      ("a: 1\n b: 2", "2:3"),
      ("- a\nb: c", "2:1"),
      ("limits:\n  running\n  time: 3 s", "3:7"),
      (
        "hotkeys: *x",
        "1:10+1 undefined alias: it stands for what &NAME marks before it; text that begins with * needs quotes"
      ),
      ("hotkeys: &x [*x]", "1:14+1 an alias cannot be part of what it stands for"),
      ("hotkeys: \"\\q\"", "1:"),
      ("hotkeys: \u{1}", "1:10+1 control characters are not allowed in the file"),
      (
        "hotkeys: []\n---\nhotkeys: []",
        "2:1+3 a second document begins here, and a file has one: put it into a file of its own"
      ),
      ("hotkeys: []\n...\nx", "3:1"),
      ("%YAML 3.0\n---\n", "1:1"),
      (
        String(repeating: "[", count: 100),
        "1:65+1 nested deeper than 64 levels, the most that gliss reads"
      ),
    ])
  func invalidYamlHasAPlace(_ yaml: String, _ expected: String) {
    let reading = read(yaml)
    #expect(reading.configuration == nil)
    #expect(reading.mistakes.count == 1, "\(reading.mistakes.text)")
    #expect(reading.mistakes.first?.short.hasPrefix(expected) == true, "\(reading.mistakes.text)")
  }

  /// libyaml's own message and place stay, because the line before may as well be text.
  @Test(
    arguments: [
      (
        "hotkeys:\n  - hotkey:super+t\n    do: {mode: none}", "3:7+1 no key can stand",
        "is a blank missing after the colon in line 2?"
      ),
      (
        "gestures:\n  -gesture: tap\n    do: {mode: none}", "3:7+1 no key can stand",
        "is a blank missing after the dash in line 2?"
      ),
      (
        "hotkeys:\n  - do:\n      shell: |\n        a\n        \u{a0}b\n   a: 1",
        "6:4+1 a list goes on", nil
      ),
      (
        "hotkeys:\n  - do:\n      shell: |\n        name:x\n   a: 1", "5:4+1 a list goes on",
        "is a blank missing after the colon in line 4?"
      ),
      ("hotkeys:\n  - hotkey:\n    - release:f1\n   do: {mode: none}", "4:4+1 a list goes on", nil),
      (
        "hotkeys:\n  - hotkey:\n    - release:f1 # b\n   do: {mode: none}",
        "4:4+1 a list goes on", nil
      ),
      (
        "hotkeys:\n  - hotkey:\n    - release:super+{a,b}\n   do: {mode: none}",
        "4:4+1 a list goes on", nil
      ),
      // within quotes, and in the same line behind them
      ("hotkeys:\n  - name: \"a\n    do:x\n    b\\q\"", "4:", nil),
      ("hotkeys:\n  - name: \"a\n    do:\\q\"", "3:8+1 invalid escape", nil),
      ("hotkeys:\n  - name: 'a\n      do:x' b", "3:13+1 a key was expected", nil),
    ] as [(String, String, String?)])
  func aBlankMayBeMissingInTheLineBefore(_ yaml: String, _ start: String, _ question: String?) {
    let mistakes = read(yaml).mistakes.map(\.short)
    #expect(mistakes.count == 1)
    #expect(mistakes.first?.hasPrefix(start) == true, "\(mistakes)")
    #expect(mistakes.first?.hasSuffix(question.map { "; or \($0)" } ?? "") == true, "\(mistakes)")
    #expect(mistakes.first?.hasSuffix("?") == (question != nil), "\(mistakes)")
  }

  @Test(
    arguments: [[0xff], [0x61, 0x3a, 0x20, 0xc3, 0x28], [0xff, 0xfe, 0x61, 0x00]] as [[UInt8]])
  func invalidUTF8IsReported(_ bytes: [UInt8]) {
    let reading = Configuration.read([ConfigurationText(name: "f", bytes: bytes)])
    #expect(
      reading.mistakes.map(\.message) == ["this is not UTF-8: save the file as UTF-8"])
    #expect(reading.mistakes.map(\.place.line) == [1])
  }

  @Test func aliasesStandForValues() throws {
    let read = try configuration(
      """
      gestures:
        - {gesture: tap, fingers: 2, device: &pad {kind: touchpad}, do: &louder {run: [a]}}
        - {gesture: tap, fingers: 3, device: *pad, do: [*louder, *louder]}
      """)
    #expect(read.rules[1].device == DeviceMatch(kind: .touchpad))
    #expect(read.rules[1].reactions.end.count == 2)
  }

  @Test func aMistakeThatAliasesRepeatIsReportedOnce() {
    let reading = read(
      "gestures:\n- {gesture: tap, do: &a {rum: b}}\n- {gesture: hold, do: [*a, *a]}")
    #expect(reading.mistakes.filter { $0.severity == .error }.map(\.place.column) == [26])
  }

  @Test func aliasesThatStandForMillionsAreRefused() {
    var yaml = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    for level in 1..<30 {
      let inner = [String](repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
      yaml += "a\(level): &a\(level) [\(inner)]\n"
    }
    let reading = read(yaml)
    #expect(reading.configuration == nil)
    #expect(reading.mistakes.map(\.place.line) == [5])
    #expect(reading.mistakes.first?.message.contains("aliases stand for more than") == true)
  }

  @Test func manyAnchorsAreReported() {
    // a search of all anchors for each would take minutes
    let count = 50_000
    let anchors = (0..<count).map { "&a\($0) x" }.joined(separator: ", ")
    let reading = read("hotkeys: [\(anchors), *a\(count - 1)]")
    #expect(reading.configuration == nil)
    #expect(reading.mistakes.allSatisfy { $0.place.line == 1 })
  }

  @Test func aFileThatIsTooLargeIsNotRead() {
    let bytes = [UInt8](repeating: UInt8(ascii: "#"), count: Configuration.largestFile + 1)
    let reading = Configuration.read([ConfigurationText(name: "f", bytes: bytes)])
    #expect(reading.mistakes.map(\.message) == ["the file is larger than 8 MB"])
  }

  @Test func linesAreCountedAsEditorsDo() {
    #expect(read("\r\n# ö\r\n  x: 1").mistakes.map(\.short).first?.hasPrefix("3:3+1") == true)
    #expect(read("\u{feff}x: 1").mistakes.map(\.short).first?.hasPrefix("1:1+1") == true)
    #expect(read("\u{feff}x: 1").mistakes.first?.source == "x: 1")
  }
}
