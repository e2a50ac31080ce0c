import ArgumentParser
import Foundation
import Testing

@testable import gliss_cli

/// The commands that messages advise, found in the sources: each can be copied whole.
@Suite struct AdviceTests {
  private struct Advised {
    var place: String
    var command: String
  }

  private static let programs: Set<Substring> = [
    "gliss", "sudo", "systemctl", "systemd-machine-id-setup", "sg", "echo", "tee", "udevadm",
    "modprobe", "usermod", "gpasswd", "groupadd", "libinput", "systemd-hwdb", "install", "env",
  ]

  /// What is filled in behind a blank of its own, or not at all.
  private static let additions = ["(once)", "(socket)", "repeated)"]

  /// What stands between single quotes and begins with `gliss`, `sudo` or `systemctl`; what ends a text behind a colon;
  /// and the lists of commands of a finding.
  private static func commands(in literal: Substring, isList: Bool) -> [String] {
    let quoted = literal.matches(of: /'((?:gliss|sudo|systemctl) [^']*)'/).map { String($0.1) }
    // a string that has begun may go on in the next one
    let last = literal.matches(of: /: ((?:gliss|sudo|systemctl) [^';]*[^';+ ])$/).map {
      String($0.1)
    }
    let isCommand = isList && programs.contains(literal.prefix { $0 != " " })
    return quoted + last + (isCommand ? [String(literal)] : [])
  }

  private static func advised() throws -> [Advised] {
    let sources = Command.root.appending(path: "Sources")
    let names = try FileManager.default.subpathsOfDirectory(atPath: sources.path).sorted()
    var found: [Advised] = []
    for name in names where name.hasSuffix(".swift") {
      let text = try String(contentsOf: sources.appending(path: name), encoding: .utf8)
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() where !line.contains("///") {
        // what is filled in is a number, a name or a path
        let filled = line.replacing(/\\#?\((?:[^()]|\([^()]*\))*\)/) { match in
          match.output.contains("rawValue") && line.contains("gliss import")
            ? "sxhkd" : Self.additions.contains { match.output.contains($0) } ? "" : "1"
        }
        for literal in filled.matches(of: /"([^"]*)"/) {
          for command in commands(in: literal.1, isList: line.contains("commands:")) {
            found.append(Advised(place: "\(name):\(index + 1)", command: command))
          }
        }
      }
    }
    return found
  }

  @Test func everyCommandThatIsAdvisedCanBeRunAsItStands() throws {
    let advised = try Self.advised()
    #expect(advised.count > 50, "the sources were not found")
    for found in advised {
      for part in found.command.components(separatedBy: " && ") {
        // a shell's pipes and redirections are no arguments
        var words = part.prefix { !"|<>".contains($0) }.split(separator: " ")
        if words.first == "sudo" { words.removeFirst() }
        let comment = Comment(rawValue: "\(found.place): \(found.command)")
        let last = part.last ?? " "
        #expect(!".,;:".contains(last), comment)
        #expect(!part.contains(", then"), comment)
        #expect(words.first.map(Self.programs.contains) ?? false, comment)
        guard words.first == "gliss", words.count > 1 else { continue }
        #expect(throws: Never.self, comment) {
          _ = try GlissCommand.parseAsRoot(words.dropFirst().map(String.init))
        }
      }
    }
  }
}
