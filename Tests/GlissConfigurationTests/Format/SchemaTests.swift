import Foundation
import GlissConfiguration
import GlissEvents
import TestSupport
import Testing

@Suite struct SchemaTests {
  @Test func itIsJSON() throws {
    let json = try JSON(
      parsing: Array(ConfigurationSchema.text.utf8),
      limits: .init(bytes: 1 << 20, depth: 32, values: 100_000))
    #expect(json["$defs"]?["gesture"]?["properties"]?["fingers"] != nil)
  }
}

/// What a validator says that is not ours.
@Suite(
  .enabled(
    if: Validator.isThere,
    "python3 or its packages jsonschema and ruamel.yaml are missing: tools/test packages"))
struct ValidatorTests {
  @Test func itAcceptsTheExample() throws {
    let example = String(decoding: ConfigurationExample.bytes, as: UTF8.self)
    #expect(try Validator.accepts([example]) == [true])
  }

  @Test func itAcceptsWhatIsRead() throws {
    let right = [
      "", "gestures: []", "settings: {motion.floor: 1, typing.disables: true}",
      "limits: {time: none, running: 3}",
      "gestures: [{gesture: pinch, direction: in, scale: ..0.5, do: {run: a}}]",
      "gestures: [{gesture: pinch, scale: 1.5, fingers: 2..3, begin: [{run: [a, 5, true]}]}]",
      "gestures: [{gesture: rotate, turn: 30 deg, steps: {every: 15°, back: {mode: none}}}]",
      "gestures: [{gesture: drag, afterTap: true, travel: 2..3 mm, phase: change, do: {keys: [a, b]}}]",
      "gestures: [{gesture: tap, count: 2, mode: x, do: {emit: {to: ~/x}}}]",
      "gestures: [{gesture: hold, duration: 0.5 s, device: {id: 04f3:0676}, do: {notify: {title: a}}}]",
      "gestures: [{gesture: hold, do: {run: a, directory: ~, time: 1 h, environment: {A: 1}}}]",
      "hotkeys: [{hotkey: 1, do: {run: a}}, {hotkey: super+a, release: {shell: a b}}]",
      "devices: [{match: {kind: mouse}, settings: {drag.gain: 2}}]",
    ]
    for text in right { _ = try configuration(text) }
    #expect(try Validator.accepts(right) == right.map { _ in true })
  }

  /// What only we see: the grammar of hotkeys, what is said twice, bounds in the wrong order, and numbers behind units.
  private static let unseen = [
    "duplicate key", "wrong order", "unknown modifier", "unknown key",
    "is a key: it must be the last",
    "is not a modifier", "a modifier is missing", "hold takes one chord",
    "a key is missing",
    "repeats a modifier", "“+” or “;” is missing", "is not a chord", "cannot be held",
    "are over at once",
    "this key cannot be pressed", "zero byte",
    "a drag of one finger", "a drag after a tap", "becomes smaller", "becomes larger",
    "needs an upper bound", "is always larger", "does not go left", "does not go down",
    "SysRq with Alt",
    "cannot be kept from the desktop", "act at the same moment", "the step does nothing",
    "is out of range", "the steps of a ", "move goes with change", "repeat needs do",
    "steps in time only go forward", "a number is expected", "“+1” is not a workspace",
    "a program's name comes first", "a hold does not move",
  ]

  @Test func itRejectsWhatIsWrong() throws {
    let cases =
      MistakeTests.keys + MistakeTests.conditions + MistakeTests.settings + MistakeTests.actions
      + MistakeTests.hotkeys
    let verdicts = try Validator.accepts(cases.map(\.0))
    for ((yaml, message), isAccepted) in zip(cases, verdicts) where isAccepted {
      #expect(Self.unseen.contains { message.contains($0) }, "the schema accepts \(yaml)")
    }
    #expect(verdicts.count { !$0 } > cases.count / 2)
  }
}

/// Python's jsonschema, and a YAML that is YAML 1.2.
enum Validator {
  private static let packages = Repository.root.appending(path: ".build/python").path

  static let isThere = ["jsonschema", "ruamel", "referencing"].allSatisfy {
    FileManager.default.fileExists(atPath: "\(packages)/\($0)")
  }

  private static let program = """
    import io, json, sys
    import jsonschema
    from ruamel.yaml import YAML
    schema, texts = json.load(sys.stdin)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    def accepts(text):
      try:
        return validator.is_valid(YAML(typ="safe", pure=True).load(io.StringIO(text)))
      except Exception:
        return False
    print(json.dumps([accepts(text) for text in texts]))
    """

  static func accepts(_ texts: [String]) throws -> [Bool] {
    let schema = try JSONSerialization.jsonObject(with: Data(ConfigurationSchema.text.utf8))
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-c", program]
    process.environment = ["PYTHONPATH": packages, "LANG": "C.UTF-8"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    let request = try JSONSerialization.data(withJSONObject: [schema, texts])
    // the answer is short and comes last: neither waits for the other
    try input.fileHandleForWriting.write(contentsOf: request)
    try input.fileHandleForWriting.close()
    let answer = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return try #require(JSONSerialization.jsonObject(with: answer) as? [Bool])
  }
}
