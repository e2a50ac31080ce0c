import Foundation
import Testing

/// `gliss check` and `gliss config`.
@Suite struct ConfigurationTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o700], ofItemAtPath: folder.url.path)
  }

  /// A run in which the user's own files lie in the folder.
  private func run(
    _ arguments: String..., input: String? = nil, desktop: String = "", path: String? = nil,
    layout: String? = nil
  ) throws -> Command {
    var environment = ["XDG_CONFIG_HOME": folder.url.path, "XDG_CURRENT_DESKTOP": desktop]
    environment["PATH"] = path
    environment["XKB_DEFAULT_LAYOUT"] = layout
    let process = try Command.process(arguments, environment: environment)
    return try Command.run(process, input: input.map { Data($0.utf8) })
  }

  private func write(_ text: String, as name: String, mode: Int = 0o600) throws {
    let place = folder.url.appending(path: "gliss/\(name)")
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    try Data(text.utf8).write(to: place)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: place.path)
  }

  @Test func theExampleIsRight() throws {
    let example = try run("config", "example")
    #expect(example.status == 0)
    let rules = example.output.replacing("do: {run: [foot], ", with: "do: {run: [/bin/no-foot], ")
      .replacing("directory: ~/src", with: "directory: ~")
      .replacing("directory: ~/notes", with: "directory: ~")
    let check = try run("check", "-", input: rules, path: "/nowhere")
    #expect(check.status == 0)
    #expect(
      check.errors.contains(
        "-:31:9: warning: rofi is not in the PATH\n"), "\(check.errors)")
    #expect(check.errors.contains("warning: /bin/no-foot is not there, or not executable\n"))
    #expect(check.errors.hasSuffix("\n8 warnings\n"), "\(check.errors)")
    #expect(check.output == "14 rules, 1 file\n")
  }

  @Test(arguments: [("us", [3, 5]), ("de", [5]), ("us,de", [5])])
  func charactersThatTheLayoutLacksAreReported(layout: String, lines: [Int]) throws {
    let rules = """
      hotkeys:
      - {hotkey: super+a, do: {shell: a}}
      - {hotkey: super+'ß', do: {shell: b}}
      - {hotkey: super+b, do: {shell: c}}
      - {hotkey: super+x; 'œ', do: {shell: d}}
      """
    let check = try run("check", "-", input: rules, layout: layout)
    #expect(check.status == 0)
    for line in 2...5 {
      let warning = "-:\(line):3: warning: keyboard layout '\(layout)' has no "
      #expect(check.errors.contains(warning) == lines.contains(line), "\(check.errors)")
    }
  }

  @Test func programsAreFoundAsTheAgentFindsThem() throws {
    try write("#!/bin/sh\n", as: "bin/own", mode: 0o755)
    let bin = folder.url.appending(path: "gliss/bin").path
    let rules = """
      gestures:
      - {gesture: tap, fingers: 3, do: {run: [own, a]}}
      - {gesture: tap, fingers: 4, do: {run: ./relative}}
      - {gesture: tap, fingers: 5, do: {shell: what shells find}}
      - {gesture: hold, fingers: 4, do: {run: [other], environment: {PATH: "/x:\(bin)"}}}
      - {gesture: hold, fingers: 3, do: {run: [own], environment: {PATH: /x}}}
      - {gesture: hold, fingers: 5, do: {run: [own], directory: /nowhere/deep}}
      - {gesture: hold, fingers: 2, do: {run: [own], directory: "~"}}

      """
    let check = try run("check", "-", input: rules, path: "/nowhere:\(bin)")
    #expect(check.errors.contains("-:5:35: warning: other is not in the PATH\n"), "\(check.errors)")
    #expect(check.errors.contains("-:6:35: warning: own is not in the PATH\n"), "\(check.errors)")
    #expect(
      check.errors.contains(
        "-:7:35: warning: /nowhere/deep is not a folder that commands can run in\n"),
      "\(check.errors)")
    #expect(check.errors.hasSuffix("\n3 warnings\n"), "\(check.errors)")
  }

  @Test(arguments: ["/dev", "/dev/full"]) func whatIsNoFileIsRefused(_ path: String) throws {
    let check = try run("check", path)
    #expect(check.status == 2 && check.errors == "gliss: \(path): not a file; name a file\n")
    #expect(try run("run", "--dry-run", "--config", path).errors == check.errors)
    #expect(try run("check", "/dev/null").status == 0)
  }

  @Test func whereNoRuleConsumesStrokesNoneMustBeTaken() throws {
    let idle = "no rule consumes a stroke; nothing to do\n"
    #expect(try run("take").output == idle)
    try write("gestures: [{gesture: tap, do: {mode: none}}]\n", as: "gliss.yaml")
    let status = try run("take", "status")
    #expect(status.status == 0 && status.output == idle, "\(status)")
    let json = try run("take", "status", "--format", "json")
    #expect(json.status == 0 && json.output.contains("no rule consumes"), "\(json)")
    for rules in ["gestures: [", "gestures: [{gesture: swipe, consume: true, do: {keys: a}}]"] {
      try write(rules, as: "gliss.yaml")
      let taking = try run("take", "status")
      #expect(taking.status == 1 && taking.output.contains("which desktop runs"), "\(taking)")
    }
  }

  @Test func aFileThatTheAgentWouldRefuseIsNamed() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Data("gestures: []\n".utf8), as: "loose.yaml")
    #expect(try Command.run("check", path).errors == "")
    #expect(chmod(path, 0o666) == 0)
    let command = try Command.run("check", path)
    #expect(command.status == 0)
    #expect(command.errors.contains("(mode 666)"), "\(command.errors)")
    #expect(command.errors.contains("'gliss run' refuses it"), "\(command.errors)")
  }

  /// It would otherwise make other folders than the one that is meant.
  @Test func anAdvisedCommandQuotesItsPath() throws {
    let path = folder.url.appending(path: "a b/x y.yaml").path
    let missing = try Command.run("run", "--dry-run", "--config", path, Command.demo)
    let there = "'\(folder.url.appending(path: "a b").path)'"
    #expect(missing.errors.contains("mkdir -p \(there) && "), "\(missing.errors)")
    #expect(missing.errors.contains("> '\(path)''"), "\(missing.errors)")
    let recording = try Command.run("run", "a b.yml")
    #expect(recording.errors.contains("gliss run --dry-run 'a b.yml'"), "\(recording.errors)")
  }

  @Test func onlyADryRunReadsRulesFromStandardInput() throws {
    let rules = "gestures: [{gesture: swipe, name: mine, fingers: 3, do: {run: [foot]}}]"
    let command = try Command.run(
      "run", "--dry-run", "--config", "-", Command.demo, input: Data(rules.utf8))
    #expect(command.status == 0, "\(command.errors)")
    #expect(command.output.contains("mine"), "\(command.output)")
    let wrong = try Command.run(
      "run", "--dry-run", "--config", "-", Command.demo,
      input: Data("include: gone.yaml\ngestures: [{swipe: 3}]".utf8))
    #expect(wrong.status == 2 && wrong.output == "", "\(wrong.output)")
    #expect(wrong.errors.contains("-:1:10: error: includes gone.yaml"), "\(wrong.errors)")
    #expect(wrong.errors.contains("-:2:13: error: swipe is a gesture"), "\(wrong.errors)")
    #expect(try Command.run("run", "--config", "-").errors.contains("unless with --dry-run"))
    #expect(try Command.run("run", "--dry-run", "--config", "-", "-").status == 2)
  }

  /// Also of a file that is named, whoever may write it.
  @Test func includedFilesAreChecked() throws {
    let file = folder.url.appending(path: "gliss/a.yaml").path
    try write("include: [b.yaml, c.yaml]", as: "a.yaml")
    try write("hotkeys: [{hotkey: super+f1, do: {run: [cat]}}]", as: "b.yaml", mode: 0o666)
    let missing = try run("check", file)
    #expect(missing.status == 2)
    #expect(missing.errors.contains("a.yaml:1:19: error: includes"), "\(missing.errors)")
    #expect(missing.errors.contains("c.yaml, which does not exist"), "\(missing.errors)")
    #expect(missing.errors.hasSuffix("1 mistake\n"), "\(missing.errors)")
    try write("", as: "c.yaml")
    #expect(try run("check", file).output == "1 rule, 3 files\n")
  }

  @Test func theSchemaIsJSON() throws {
    let schema = try run("config", "schema")
    #expect(schema.status == 0 && schema.errors == "")
    #expect(throws: Never.self) {
      try JSONSerialization.jsonObject(with: Data(schema.output.utf8))
    }
  }

  @Test func mistakesAreReportedWithTheirPlaceAndAPicture() throws {
    let check = try run(
      "check", "-", input: "gestures:\n\n- {gesture: swpe}\n- {gesture: tap, do: {runn: 漢}}\n")
    #expect(check.status == 2 && check.output == "")
    #expect(
      check.errors == """
        -:3:13: error: “swpe” is not a gesture; did you mean swipe?
          - {gesture: swpe}
                      ^~~~
        -:4:23: error: unknown key “runn” in an action; did you mean run?
          - {gesture: tap, do: {runn: 漢}}
                                ^~~~
        2 mistakes

        """)
  }

  @Test func gesturesTheDesktopAlsoActsOnCauseAWarning() throws {
    let rules = """
      gestures:
      - {gesture: swipe, fingers: 4, direction: up, do: {run: ls}}
      - {gesture: swipe, fingers: 5, direction: up, do: {run: ls}}

      """
    let check = try run("check", "-", input: rules, desktop: "KDE")
    #expect(check.status == 0 && check.output == "2 rules, 1 file\n")
    // it names the version of a KWin that is installed
    #expect(check.errors.hasPrefix("-:2:3: warning: KWin (KDE Plasma)"))
    #expect(check.errors.contains(" acts on this as well"))
    #expect(check.errors.hasSuffix("1 warning\n"))
    let elsewhere = try run("check", "-", input: rules)
    #expect(elsewhere.status == 0 && elsewhere.errors == "")
  }

  @Test func warningsAreNoMistakes() throws {
    let check = try run("check", "-", input: "hotkeys: [{hotkey: a, do: {run: ls}}]")
    #expect(check.status == 0)
    #expect(check.output == "1 rule, 1 file\n")
    #expect(check.errors.hasSuffix("1 warning\n"))
  }

  @Test func asJSONForPrograms() throws {
    let check = try run("check", "--format", "json", "-", input: "x: 1\nhotkeys: []")
    #expect(check.status == 2)
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(check.output.utf8)) as? [String: Any])
    #expect(object["right"] as? Bool == false)
    let mistakes = try #require(object["mistakes"] as? [[String: Any]])
    #expect(mistakes.count == 1 && mistakes[0]["line"] as? Int == 1)
  }

  @Test func theUsersFilesAreCheckedTogether() throws {
    try write("hotkeys: [{hotkey: super+a, do: {run: a}}]", as: "gliss.yaml")
    try write("hotkeys: [{hotkey: super+a, do: {run: a}}]", as: "gliss.d/a.yaml")
    let check = try run("check")
    #expect(check.status == 2)
    #expect(check.errors.contains("gliss.d/a.yaml:1:20: error: “super+a” has a rule already"))
    try write("hotkeys: [{hotkey: super+b, do: {run: a}}]", as: "gliss.d/a.yaml")
    #expect(try run("check").output == "2 rules, 2 files\n")
  }

  @Test func aFileThatIsNotThereIsSaidWithWhatMakesOne() throws {
    let check = try run("check")
    #expect(check.status == 2)
    let path = "\(folder.url.path)/gliss/gliss.yaml"
    #expect(check.errors.hasPrefix("gliss: \(path): there is no such file"))
    #expect(check.errors.contains("gliss config example > \(path)"))
    #expect(try run("check", "no-such-file").status == 2)
  }

  @Test func aFileThatOthersCanWriteIsRefusedByName() throws {
    try write("", as: "gliss.yaml", mode: 0o602)
    for command in [try run("check"), try run("config", "path")] {
      #expect(command.status == 2)
      #expect(command.errors.contains("gliss.yaml: others than its owner can write it (mode 602)"))
      #expect(command.errors.contains("chmod go-w"))
    }
  }

  @Test func pathsAreListedInTheirOrder() throws {
    try write("", as: "gliss.yaml")
    try write("", as: "gliss.d/a.yaml")
    let path = try run("config", "path")
    #expect(path.status == 0)
    #expect(
      path.lines.suffix(2) == [
        "\(folder.url.path)/gliss/gliss.yaml", "\(folder.url.path)/gliss/gliss.d/a.yaml",
      ])
    try write("include: c.yaml", as: "gliss.yaml")
    try write("", as: "c.yaml")
    #expect(
      try run("config", "path").lines.last == "\(folder.url.path)/gliss/c.yaml  (included)")
    try write("", as: "gliss.d/b.yml")
    #expect(
      try run("config", "path").lines.last
        == "\(folder.url.path)/gliss/gliss.d/b.yml  (not read: its name must end with .yaml)")
    try write("", as: "gliss.yml")
    let check = try run("check")
    #expect(check.status == 0)
    for name in ["gliss.yml", "gliss.d/b.yml"] {
      #expect(check.errors.contains("gliss/\(name): not read: its name must end with .yaml"))
    }
  }
}
