import Foundation
import Testing

/// docs/broker.md, followed by somebody who types what it says and compares.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct BrokerPageTests {
  /// A command, and what the page shows below it.
  private struct Step {
    var command: String
    var shown: [String] = []
  }

  private static func steps() throws -> [Step] {
    let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "docs/broker.md")
    var steps: [Step] = []
    for block in try String(contentsOf: page, encoding: .utf8)
      .components(separatedBy: "```console\n").dropFirst()
    {
      for line in block.components(separatedBy: "```")[0].split(separator: "\n") {
        if line.hasPrefix("$ ") {
          steps.append(Step(command: String(line.dropFirst(2))))
        } else {
          steps[steps.count - 1].shown.append(String(line))
        }
      }
    }
    return steps
  }

  /// Whether `line` is what the page shows, where `…` may be anything.
  private static func matches(_ line: String, _ shown: String) -> Bool {
    var rest = line[...]
    let parts = shown.components(separatedBy: "…")
    guard rest.hasPrefix(parts[0]) else { return false }
    rest = rest.dropFirst(parts[0].count)
    for part in parts.dropFirst() where !part.isEmpty {
      guard let found = rest.range(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return parts.count > 1 || rest.isEmpty
  }

  /// Somebody at a terminal, who may be root with sudo.
  private func type(_ command: String, in house: House) throws -> Player {
    let isRoot = command.hasPrefix("sudo ")
    let home = house.folder.appending(path: "home")
    return try Player(
      [
        "/usr/bin/env", "HOME=\(home.path)", "PATH=\(house.folder.path):/usr/bin:/bin",
        "USER=\(Theatre.user)", "GLISS_SOCKET=\(house.socket)", "NO_COLOR=1", "LC_ALL=C.UTF-8",
        "/bin/sh", "-c", isRoot ? String(command.dropFirst(5)) : command,
      ], uid: isRoot ? nil : Theatre.user, hearsErrors: true)
  }

  @Test func theExamplesOfThePageAreTrue() throws {
    let house = try House()
    try FileManager.default.createDirectory(
      at: house.folder.appending(path: "home"), withIntermediateDirectories: true,
      attributes: [.ownerAccountID: Theatre.user])
    let steps = try Self.steps()
    #expect(steps.count > 10)
    var behind: Player?
    for step in steps {
      if step.command.hasSuffix(" &") {
        let player = try type("exec " + step.command.dropLast(2), in: house)
        for line in step.shown { try player.hear(line) { Self.matches($0, line) } }
        behind = player
        continue
      }
      let player = try type(step.command, in: house)
      _ = try player.end()
      // the page is about the system's broker, whose socket nothing names
      var said = player.said.map { $0.replacing(" --socket \(house.socket)", with: "") }[...]
      for line in step.shown {
        if let index = said.firstIndex(where: { Self.matches($0, line) }) {
          said = said[(index + 1)...]
        } else {
          // what runs behind writes to the same terminal
          let other = try #require(behind, "\(step.command): no '\(line)' in \(player.said)")
          try other.hear("\(line), after \(step.command)") { Self.matches($0, line) }
        }
      }
    }
    #expect(try behind?.end() == 1)
  }
}
