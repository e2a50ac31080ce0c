import ArgumentParser
import Foundation
import Testing

@testable import gliss_cli

/// What is printed where the locale has no UTF-8.
@Suite(.timeLimit(.minutes(15))) struct CharsetTests {
  @Test(
    arguments: [
      ([:], .ascii), (["LANG": "C"], .ascii), (["LANG": "POSIX"], .ascii),
      (["LANG": "de_DE"], .ascii), (["LANG": "de_DE.ISO-8859-1"], .ascii),
      (["LANG": "C.UTF-8"], .utf8), (["LANG": "en_US.utf8"], .utf8),
      (["LANG": "de_DE.UTF-8@euro"], .utf8),
      (["LANG": "C.UTF-8", "LC_CTYPE": "C"], .ascii),
      (["LANG": "C", "LC_CTYPE": "C.UTF-8"], .utf8),
      (["LANG": "C.UTF-8", "LC_CTYPE": "C.UTF-8", "LC_ALL": "C"], .ascii),
      (["LC_CTYPE": "C", "LC_ALL": "C.UTF-8"], .utf8),
      (["LANG": "C.UTF-8", "LC_CTYPE": "", "LC_ALL": ""], .utf8),
    ] as [([String: String], Charset)])
  func theFirstVariableThatIsSetDecides(_ environment: [String: String], _ charset: Charset) {
    #expect(Charset { environment[$0] } == charset)
  }

  @Test func ourTextIsASCIIAndForeignTextHasQuestionMarks() {
    #expect(
      Charset.ascii.text("╭─╮ 50°, 3.10×, “5 µs” … Größe 鍵盤 e\u{301} 🇪🇺")
        == "+-+ 50 deg, 3.10x, \"5 us\" ... Gr??e ?? ? ?")
    #expect(Charset.utf8.text("╭ 50° Größe") == "╭ 50° Größe")
    #expect(Charset.ascii.width(of: "50°…") == 9)
  }

  /// Runs `gliss` in the locale C.
  private func run(_ arguments: [String]) throws -> Command {
    try Command.run(try Command.process(arguments, environment: ["LC_ALL": "C"]))
  }

  private func expectASCII(_ command: Command, _ arguments: [String]) {
    for text in [command.output, command.errors] {
      let strange = text.unicodeScalars.filter { !$0.isASCII }
      #expect(strange.isEmpty, "\(arguments): \(String(String.UnicodeScalarView(strange)))")
    }
  }

  private func files(_ folder: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: Command.root.appending(path: "recordings/\(folder)").path
    ).filter { $0.hasSuffix(".yml") }.map { "recordings/\(folder)/\($0)" }
  }

  /// The demonstration, of a pad that is called so.
  private func recording(of name: String, in folder: TemporaryFolder) throws -> String {
    let text = try String(contentsOf: Command.root.appending(path: Command.demo), encoding: .utf8)
    let renamed = text.replacing("Gliss Medium Pad", with: name)
    try #require(renamed != text)
    return try folder.write(renamed, as: "größe.yml")
  }

  @Test func rowsAndTablesAndErrorsAreASCII() throws {
    let folder = try TemporaryFolder()
    let named = try recording(of: "Prüfpad 触摸板 ×1", in: folder)
    let rules = try folder.write(
      """
      gestures:
        - {name: "Zurück – “alles”", gesture: swipe, fingers: 3, direction: left, do: {run: [größe]}}
        - {gesture: zwick°, fingers: 2, do: {run: [ü]}}
      """, as: "fälsch.yaml")
    let good = try folder.write(
      "gestures: [{name: größe, gesture: pinch, steps: [{every: 10 %, forward: {notify: ü}}]}]",
      as: "gut.yaml")
    let recordings = try files("demo") + files("large-pad") + [named]
    let commands: [[String]] = [
      ["replay", "--events", "all"] + recordings, ["replay", "größe.yml"],
      ["explain", "--set", "motion.floor=0.4"] + recordings, ["thresholds"],
      ["check", rules], ["check", good], ["run", "--dry-run", "--config", good] + recordings,
      ["run", "--dry-run", "--config", rules, named], ["devices", "--all"], ["doctor"],
      ["status"], ["why"], ["config", "example"], ["config", "path"],
      ["bögus"], ["replay", "--speed", "schnell°", named], ["watch", "--layout", "ü"],
      ["watch", "--seat", "plätze", "--duration", "0.1"], ["import", "größe"],
      ["--generate-completion-script", "zsh"],
    ]
    for arguments in commands { expectASCII(try run(arguments), arguments) }
    let rows = try run(["replay", named])
    #expect(rows.output.contains("gr??e.yml - Pr?fpad ??? x1, 105 x 66 mm"))
    #expect(rows.output.contains("50 deg counterclockwise"))
  }

  @Test func helpIsASCII() throws {
    func all(_ command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
      [path]
        + command.configuration.subcommands.flatMap {
          all($0, path + [$0.configuration.commandName ?? ""])
        }
    }
    for path in all(GlissCommand.self, []) {
      expectASCII(try run(path + ["--help"]), path)
    }
  }

  @Test func jsonStaysUTF8() throws {
    let folder = try TemporaryFolder()
    let command = try run([
      "replay", "--format", "jsonl", try recording(of: "Prüfpad", in: folder),
    ])
    #expect(command.lines.first?.contains("Prüfpad") == true)
  }

  @Test func picturesAreASCIIAndFit() throws {
    let terminal = try PseudoTerminal(
      "gliss replay --picture --speed 20 \(Command.demo); echo over $?", columns: 60,
      environment: ["LC_ALL": "C"])
    terminal.wait { $0.contains("over 0") }
    #expect(terminal.shown.utf8.allSatisfy { $0 < 0x80 })
    #expect(terminal.shown.contains("+-----") && terminal.shown.contains("O"))
    for line in terminal.shown.split(separator: "\r\n") {
      let seen = line.replacing(/\u{1b}\[[0-9;?]*[A-Za-z]/, with: "")
      #expect(seen.count <= 60, "\(line)")
    }
  }
}
