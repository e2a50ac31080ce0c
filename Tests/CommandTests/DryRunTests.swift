import Foundation
import Testing

/// `gliss run --dry-run` on recordings, as a process.
@Suite struct DryRunTests {
  private static let rules = """
    gestures:
      - name: back
        gesture: swipe
        fingers: 3
        direction: left
        travel: 20 mm
        do: {keys: alt+left}
      - name: far
        gesture: swipe
        fingers: 3
        travel: 80 mm
        do: {run: [foot, -e, top]}
      - name: volume
        gesture: swipe
        fingers: 4
        direction: up
        steps:
          - every: 10 mm
            forward: {shell: "volume up"}
      - name: fine
        gesture: pinch
        direction: in
        settings: {motion.floor: 1}
        do: {mode: small}
      - gesture: rotate
        mode: small
        do: {notify: turned}
    """

  /// - Parameter chords: keys as they are numbered, for a recording of a keyboard. Each chord is
  ///   pressed and released.
  private func dryRun(
    _ arguments: String..., rules: String = rules, under command: String = "",
    pressing chords: [[Int]] = []
  ) throws -> Command {
    let folder = FileManager.default.temporaryDirectory.appending(path: "gliss-dry-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "my.yaml")
    try Data(rules.utf8).write(to: file)
    var words = ["\(command) gliss run --dry-run --config \(file.path)"] + arguments
    if !chords.isEmpty {
      let recording = folder.appending(path: "keys.evemu")
      try Data(Self.recording(of: chords).utf8).write(to: recording)
      words.append(recording.path)
    }
    let line = words.joined(separator: " ")
    return try Command.shell(line)
  }

  private static func recording(of chords: [[Int]]) -> String {
    let bits = String(repeating: " ff", count: 7)
    var lines = ["N: keys", "B: 01 fe\(bits)", "B: 01 ff\(bits)"]
    for chord in chords {
      for (key, value) in chord.map({ ($0, 1) }) + chord.reversed().map({ ($0, 0) }) {
        let time = "0.\(lines.count + 100_000)"
        lines.append("E: \(time) 0001 \(String(key, radix: 16)) \(value)")
        lines.append("E: \(time) 0000 0000 0")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  @Test func aSequenceThatActsHasAnEffect() throws {
    let rules = """
      hotkeys:
        - {hotkey: super+k;w, do: {run: [x]}}
        - {hotkey: super+shift+k, do: {run: [y]}}
      """
    let whole = try dryRun(rules: rules, pressing: [[125, 37], [17]])
    #expect(whole.lines.last == "  1 activation, 0 strokes", "\(whole.output)")
    let broken = try dryRun(rules: rules, pressing: [[125, 37], [30]])
    #expect(broken.lines.last == "  0 activations, 0 strokes; without effect: 1")
    #expect(
      broken.output.contains("my.yaml:2: the sequence super+k ; w was not completed\n"),
      "\(broken.output)")
    // 'gliss check' says more, so that no number would be right
    #expect(whole.errors.contains("gliss: there are warnings: 'gliss check "), "\(whole.errors)")
  }

  @Test func ofActionsInTurnOnlyTheNextIsShown() throws {
    let rules = "hotkeys: [{hotkey: f1, do: {turns: [{notify: a}, {notify: b}]}}]"
    let run = try dryRun(rules: rules, pressing: [[59], [59], [59]])
    let lines = run.lines.filter { $0.hasSuffix(" in turn)") }
    let deeds = ["“a” (1 of 2 in turn)", "“b” (2 of 2 in turn)", "“a” (1 of 2 in turn)"]
    #expect(
      lines.count == 3 && zip(lines, deeds).allSatisfy { $0.hasSuffix("  notify \($1)") },
      "\(run.output)")
  }

  @Test func escapeLeavesAModeForCertainWhereDevicesAreRead() throws {
    let rules = """
      hotkeys:
        - {hotkey: f1, do: {mode: m}}
        - {hotkey: f2, mode: m, do: {run: [x]}}
      """
    let words = "Escape leaves the mode m"
    let run = try dryRun(rules: rules, pressing: [[59], [1]])
    #expect(
      run.output.contains("\(words), if gliss reads the keyboards itself\n"), "\(run.output)")
    let sure = try dryRun("--devices", rules: rules, pressing: [[59], [1]])
    #expect(sure.output.contains("\(words)\n"), "\(sure.output)")
  }

  @Test func aRecordingOfKeysAloneIsForKeys() throws {
    let rules = "gestures: [{gesture: pinch, do: {run: [x]}}]"
    let run = try dryRun(rules: rules, pressing: [[30]])
    #expect(run.output.contains("to see what was pressed: gliss keys "), "\(run.output)")
    #expect(!run.output.contains("gliss explain"))
  }

  @Test(arguments: ["INT", "TERM"])
  func withoutARecordingWhatIsDoneNowIsTriedOutUntilASignal(_ signal: String) throws {
    let run = try dryRun(under: "timeout --preserve-status --signal \(signal) --kill-after 60 3")
    #expect(run.errors.contains("gliss: make your gestures; Ctrl-C ends it\n"), "\(run.errors)")
    #expect(run.status == 0)
    // where there are devices, nothing is missing
    let hasDevices = FileManager.default.fileExists(atPath: "/dev/input")
    #expect(run.errors.contains("'gliss doctor' says what there is") != hasDevices, "\(run.errors)")
  }

  @Test func theRulesOfKeysFitTheStrokesTheyAreOf() throws {
    let keys = try Command.run("keys", Command.demo)
    #expect(keys.status == 0 && keys.lines.count > 10)
    let run = try dryRun(
      Command.demo, rules: "gestures:\n" + Set(keys.lines).map { "  \($0)\n" }.joined())
    #expect(run.status == 0 && !run.output.contains("without effect"), "\(run.output)")
    let first = try Command.run("keys", "--count", "1", "--format", "jsonl", Command.demo)
    let several = try Command.run("keys", "--count", "3", Command.demo, Command.demo)
    #expect(several.lines.count == 3 && several.lines == Array(keys.lines.prefix(3)))
    #expect(first.lines.count == 1 && first.output.contains(#""kind":"gesture""#))
  }

  @Test func keysReportsARecordingWithoutStrokes() throws {
    let pointing = "recordings/small-pad/pointing.yml"
    let command = try Command.run("keys", pointing, Command.demo)
    #expect(command.status == 0 && command.lines.count > 10)
    #expect(command.errors == "gliss: \(pointing): it has no chord and no stroke\n")
  }

  @Test func keysSaysWhatToDoWhereNothingCanBeRead() throws {
    let command = try Command.run("keys", "--device", "/dev/null")
    #expect(command.status == 1 && command.errors.contains("gliss doctor"), "\(command.errors)")
  }

  @Test func aModeMayBeEnteredAtFirst() throws {
    let rules = "gestures: [{gesture: pinch, mode: m, do: {run: [x]}}]\n"
    #expect(try !dryRun(Command.demo, rules: rules).output.contains("run x"))
    #expect(try dryRun("--mode", "m", Command.demo, rules: rules).output.contains("run x"))
    let none = try dryRun("--mode", "none", Command.demo, rules: rules)
    #expect(none.status == 0 && !none.output.contains("run x"), "\(none.errors)")
    let unknown = try dryRun("--mode", "n", Command.demo, rules: rules)
    #expect(unknown.status == 2 && unknown.errors.contains("no rule is for the mode n"))
  }

  /// A recording of a touchpad has no keys.
  @Test func modifiersMayBeHeld() throws {
    let rules = "gestures: [{gesture: pinch, modifiers: super+shift, do: {run: [x]}}]\n"
    let without = try dryRun(Command.demo, rules: rules)
    #expect(!without.output.contains("run x"))
    #expect(without.output.contains("--modifiers shift+super"), "\(without.output)")
    #expect(
      try dryRun("--modifiers", "shift+super", Command.demo, rules: rules).output.contains("run x"))
    #expect(
      try !dryRun("--modifiers", "none", Command.demo, rules: rules).output.contains("run x"))
    let unknown = try dryRun("--modifiers", "supr", Command.demo, rules: rules)
    #expect(unknown.status == 2 && unknown.errors.contains("unknown modifier “supr”"))
  }

  @Test func aRecordingShowsWhatWouldBeDoneAndWhyOtherStrokesCameToNothing() throws {
    let run = try dryRun(Command.demo)
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.lines.map(String.init)
    #expect(
      lines.prefix(4) == [
        "recordings/demo/demo.yml",
        "    0.436  drag up with 2 fingers, 32 mm, lifted at 3 mm/s",
        "             no rule applies to it",
        "    1.336  drag down with 2 fingers, 24.6 mm, lifted at 2 mm/s",
      ], "\(run.output)")
    #expect(lines.contains("    3.178  fine (my.yaml:20)         end          mode small"))
    #expect(lines.contains("    4.001  my.yaml:25                end          notify “turned”"))
    let times = lines.compactMap { Double($0.prefix(9).trimmingCharacters(in: .whitespaces)) }
    #expect(times.count == 13 && times == times.sorted())
    #expect(lines.last == "  2 activations, 13 strokes; without effect: 11")
    #expect(
      run.output.contains(
        "missed  back (my.yaml:2): mode small, rule asks for none\n"), "\(run.output)")
  }

  @Test func aModeThatIsLeftLetsTheOthersAct() throws {
    let rules = Self.rules.replacingOccurrences(of: "mode: small}", with: "mode: none}")
    let run = try dryRun(Command.demo, rules: rules)
    #expect(run.output.contains("back (my.yaml:2)          end          keys alt+left"))
    #expect(
      run.output.contains(
        "volume (my.yaml:13)       forward      shell: volume up"), "\(run.output)")
    // a rule for the same motion
    #expect(
      run.output.contains("missed  far (my.yaml:8): travel 31.4 mm, rule asks for ≥ 80 mm\n"))
    #expect(!run.output.contains("went left, rule asks for up"))
    #expect(run.output.contains("fired   back (my.yaml:2): begin, end\n"), "\(run.output)")
    #expect(!run.output.contains("engaged"))
  }

  @Test func aRuleThatLingersEndsAfterItsStroke() throws {
    let rules = """
      gestures:
        - {gesture: swipe, fingers: 3, linger: 500 ms, do: {run: [x]}}
        - {gesture: swipe, fingers: 3, travel: 80 mm, do: {run: [far]}}
      """
    let run = try dryRun(Command.demo, rules: rules)
    let times = run.lines.compactMap {
      Double($0.prefix(9).trimmingCharacters(in: .whitespaces))
    }
    #expect(times == times.sorted() && run.output.contains("run x"), "\(run.output)")
  }

  @Test func eachLineOfJSONIsAnObject() throws {
    let run = try dryRun("--format jsonl", Command.demo)
    for line in run.lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["file"] as? String == Command.demo)
      #expect(["activation", "stroke", "press"].contains(object?["kind"] as? String))
    }
    #expect(run.lines.allSatisfy { $0.contains(/^\{"time":[0-9]+\.[0-9]{6},/) })
  }

  @Test func aProgramSeesWhichStrokeFiredWhichRule() throws {
    let run = try dryRun("--format jsonl", Command.demo)
    let objects = try run.lines.map {
      try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    func rule(_ object: [String: Any]) -> [String: Any] { object["rule"] as? [String: Any] ?? [:] }
    func isFine(_ object: [String: Any]) -> Bool { rule(object)["name"] as? String == "fine" }
    let fine = try #require(
      objects.first { $0["kind"] as? String == "activation" && isFine($0) })
    #expect(fine["device"] as? String == "Gliss Medium Pad" && fine["place"] == nil)
    let strokes = objects.filter { $0["kind"] as? String == "stroke" }
    #expect(strokes.count == 13)
    let pinch = try #require(
      strokes.first {
        ($0["fired"] as? [[String: Any]])?.contains(where: isFine) == true
      })
    #expect(pinch["gesture"] as? String == "pinch" && pinch["stroke"] == nil)
    #expect((pinch["what"] as? String)?.hasPrefix("pinch in with 2 fingers") == true)
    let fired = try #require((pinch["fired"] as? [[String: Any]])?.first)
    #expect(rule(fine)["file"] as? String == rule(fired)["file"] as? String)
    for object in [fine, fired] {
      #expect(rule(object)["line"] as? Int == 20 && rule(object)["column"] is Int)
    }
    #expect(fired["actions"] == nil)
  }

  @Test func rulesMayComeFromAPipe() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("gestures: [{gesture: pinch, do: {run: [x]}}]\n", as: "my.yaml")
    for way in ["--config <(cat '\(file)') DEMO", "--config /dev/stdin DEMO < <(cat '\(file)')"] {
      let run = try Command.shell(
        "gliss run --dry-run " + way.replacing("DEMO", with: Command.demo))
      #expect(run.status == 0 && run.output.contains("run x"), "\(way): \(run.errors)")
    }
  }

  @Test(arguments: [
    ("settings: {motion.floor: 1}\n", 1),
    ("devices: [{match: {kind: touchpad}, settings: {motion.floor: 1}}]\n", 1), ("", 0),
  ])
  func settingsAreSaidToNeedTheDevices(_ settings: String, _ count: Int) throws {
    let rules = settings + "gestures: [{gesture: pinch, do: {run: [x]}}]\n"
    let run = try dryRun(Command.demo, Command.demo, rules: rules)
    #expect(run.status == 0, "\(run.errors)")
    let said = run.errors.split(separator: "\n").filter {
      $0.hasPrefix("gliss: settings: ") && $0.contains("'gliss run --devices'")
    }
    #expect(said.count == count, "\(run.errors)")
  }

  @Test func badRulesAndRecordingsAreSaid() throws {
    let bad = try dryRun(
      Command.demo, rules: "gestures: [{gesture: swipe, fingres: 3, do: {keys: a}}]")
    #expect(bad.status == 2)
    #expect(bad.errors.contains("my.yaml:1:"))
    #expect(bad.output == "")
    let missing = try dryRun("nowhere.yml", Command.demo)
    #expect(missing.status == 2)
    #expect(missing.output.contains("2 activations"))
    #expect(try Command.shell("gliss run \(Command.demo)").status == 2)
  }
}
