import ArgumentParser
import Foundation
import Testing

@testable import gliss_cli

/// Every command that README and docs/ show: each is understood as it is written, and those that need
/// no device, broker or root are run as they are written.
@Suite struct DocumentedCommandTests {
  struct Shown: Sendable, CustomStringConvertible {
    var page: String
    var line: String
    var description: String { "\(page): \(line)" }
  }

  static let pages: [String] = {
    let names =
      (try? FileManager.default.contentsOfDirectory(
        atPath: Command.root.appending(path: "docs").path)) ?? []
    return ["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
  }()

  /// The blocks of a language in a page.
  static func blocks(_ language: String, in page: String) -> [String] {
    let text =
      (try? String(contentsOf: Command.root.appending(path: page), encoding: .utf8)) ?? ""
    var blocks: [String] = []
    var block: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if let open = block {
        if line.hasPrefix("```") {
          blocks.append(open.joined(separator: "\n"))
          block = nil
        } else {
          block?.append(line)
        }
      } else if line == "```\(language)" {
        block = []
      }
    }
    return blocks
  }

  static let shown: [Shown] = pages.flatMap { page in
    blocks("sh", in: page).flatMap { $0.split(separator: "\n") }.compactMap { line in
      let command = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
      let text = command.trimmingCharacters(in: .whitespaces)
      let bare = text.hasPrefix("sudo ") ? String(text.dropFirst(5)) : text
      return bare.hasPrefix("gliss ") ? Shown(page: page, line: bare) : nil
    }
  }

  @Test func thereAreSome() { #expect(Self.shown.count > 40) }

  @Test(arguments: shown) func isUnderstood(_ shown: Shown) throws {
    // what a shell does itself is no part of the command
    let command = shown.line.split { "|>".contains($0) }[0]
    let words = command.split(separator: " ").map { $0.filter { $0 != "\"" } }
    #expect(UnknownCommand.message(in: Array(words.dropFirst())) == nil)
    do {
      _ = try GlissCommand.parseAsRoot(Array(words.dropFirst()))
    } catch {
      Issue.record("\(GlissCommand.message(for: error))")
    }
  }

  /// Those that are run: what they need is a recording or nothing.
  private static let offline = [
    "replay", "explain", "plot", "thresholds", "run --dry-run", "config example", "keys mine.yml",
  ]

  static let runnable = shown.filter { shown in
    offline.contains { shown.line.hasPrefix("gliss \($0)") }
      && !shown.line.contains("--picture") && !shown.line.contains(".png")
  }

  @Test(arguments: runnable) func runs(_ shown: Shown) throws {
    let folder = try TemporaryFolder()
    let pinch = Command.root.appending(path: "recordings/small-pad/pinch-in-symmetric.yml").path
    // what the pages call the reader's own files
    let line = """
      set -o pipefail; cd '\(folder.url.path)' && export HOME="$PWD" XDG_CONFIG_HOME="$PWD/.config" \
      && mkdir -p .config/gliss && gliss config example >.config/gliss/gliss.yaml \
      && ln -s '\(Command.root.path)/recordings' recordings && ln -s '\(pinch)' mine.yml \
      && ln -s '\(pinch)' before.yml && ln -s '\(pinch)' after.yml \
      && printf 'N: pad\\nI: 0003 0001 0001 0001\\nA: 00 0 1000 0 0 10\\nA: 01 0 600 0 0 10\\n' >pad.desc \
      && printf 'E: 0.000000 0003 0000 500\\nE: 0.000000 0000 0000 0\\n' >strokes.events \
      && \(shown.line)
      """
    let command = try Command.shell(line)
    #expect(command.status == 0, "\(command.errors)")
  }

  @Test func enoughAreRun() { #expect(Self.runnable.count >= 10) }

  /// Rules that are shown are rules.
  @Test(arguments: blocks("yaml", in: "docs/rules.md")) func rulesAreWithoutMistakes(
    _ rules: String
  ) throws {
    let process = try Command.process(["check", "-"])
    let command = try Command.run(process, input: Data(rules.utf8))
    #expect(command.status == 0, "\(command.output)\(command.errors)")
  }
}

/// Pictures in docs/ are what `gliss plot` draws.
@Suite struct DocumentedPictureTests {
  @Test(
    arguments: [
      ("pinch", "small-pad/pinch-in-symmetric"), ("anchored", "medium-pad/pinch-in-anchored"),
    ])
  func areUpToDate(_ picture: String, _ recording: String) throws {
    let command = try Command.run("plot", "recordings/\(recording).yml")
    let path = Command.root.appending(path: "docs/pictures/\(picture).svg")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(command.output.utf8).write(to: path)
    }
    let kept = try String(contentsOf: path, encoding: .utf8)
    #expect(
      kept == command.output, "\(picture).svg is not up to date: UPDATE_GOLDEN=1 tools/test tests")
  }
}
