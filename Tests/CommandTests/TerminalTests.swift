import Foundation
import Testing

private let canLendTerminals = FileManager.default.isExecutableFile(atPath: "/usr/bin/script")

/// What is different on a terminal; `script` lends one.
@Suite(.timeLimit(.minutes(15)), .enabled(if: canLendTerminals))
struct TerminalTests {

  /// What `gliss` writes to a terminal of that size.
  private func shown(
    _ arguments: String, columns: Int = 90, rows: Int = 34, environment: [String: String] = [:]
  ) throws -> String {
    let gliss = try Command.executable().path
    let process = try Command.process(
      [], environment: ["TERM": "xterm"].merging(environment) { $1 })
    process.executableURL = URL(filePath: "/usr/bin/script")
    process.arguments = [
      "-qec", "stty cols \(columns) rows \(rows); '\(gliss)' \(arguments)", "/dev/null",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }

  @Test func anAgentEndsWithItsTerminal() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    let gliss = try Command.executable().path
    let process = try Command.process(
      [], environment: ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path])
    process.executableURL = URL(filePath: "/usr/bin/script")
    // the inner shell outlives the terminal, to say how the agent ended
    process.arguments = [
      "-qec",
      "cd '\(folder.path)'; echo $$ >leader; (trap : HUP; '\(gliss)' run --devices 2>log; echo $? >ended; mv ended status); :",
      "/dev/null",
    ]
    process.standardOutput = Pipe()
    try process.run()
    let text = { (name: String) in
      (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
    }
    let wait = { (name: String, isSo: (String) -> Bool) in
      let end = ContinuousClock.now + .seconds(60)
      while !isSo(text(name)), ContinuousClock.now < end { usleep(20_000) }
      #expect(isSo(text(name)), "\(name): \(text(name))")
    }
    wait("log") { $0.contains("rules") || $0.contains("rule of") }
    kill(process.processIdentifier, SIGKILL)
    // with the shell that it belonged to the terminal is gone for whoever is in its foreground
    kill(try #require(pid_t(text("leader").filter(\.isNumber))), SIGKILL)
    wait("status") { $0 == "129\n" }
    #expect(text("log").hasSuffix("gliss: its terminal went away\n"))
    process.waitUntilExit()
  }

  private static let hidden = "\u{1b}[?25l"
  private static let restored = "\u{1b}[?25h"

  @Test func aTerminalGetsColour() throws {
    #expect(try shown("replay \(Command.demo)").contains("\u{1b}[32m"))
  }

  @Test(arguments: [["NO_COLOR": "1"], ["TERM": "dumb"]])
  func colourCanBeDeclined(_ environment: [String: String]) throws {
    let plain = try Command.run("replay", Command.demo)
    #expect(
      try shown("replay \(Command.demo)", columns: 120, environment: environment) == plain.output)
  }

  @Test func thePictureHidesTheCursorAndGivesItBack() throws {
    let output = try shown("replay --picture --speed 20 \(Command.demo)")
    #expect(output.contains("╭───"))
    #expect(output.contains("●"))
    let hidden = output.components(separatedBy: Self.hidden).count - 1
    #expect(hidden == 1)
    #expect(output.hasSuffix(Self.restored))
  }

  private static let slow = "gliss replay --picture --speed 0.2 \(Command.demo)"

  @Test func ctrlZGivesTheCursorBackAndFgDrawsThePictureAnew() throws {
    let terminal = try PseudoTerminal("\(Self.slow); echo stopped; fg >/dev/null; echo over $?")
    terminal.wait { $0.contains(Self.hidden) && $0.contains("●") }
    terminal.type("\u{1a}")
    // one wait, because all of it may come at once
    let text = terminal.wait {
      guard let stopped = $0.range(of: "stopped") else { return false }
      let after = $0[stopped.upperBound...]
      return after.contains(Self.hidden + "\u{1b}[2m╭") && after.contains("●")
    }
    let before = text[..<(try #require(text.range(of: "stopped")).lowerBound)]
    let restored = try #require(before.range(of: Self.restored + "\u{1b}[0m"))
    #expect(!before[restored.upperBound...].contains("●"))
    terminal.type("\u{3}")
    let end = terminal.wait { $0.contains("over 130") }
    #expect(end.contains(Self.restored))
  }

  @Test func aStoppedWatchGoesOn() throws {
    let terminal = try PseudoTerminal(
      "gliss watch --seat seat-of-nobody; echo stopped; kill -CONT %1; kill -INT %1; wait %1; echo over $?"
    )
    terminal.wait { $0.contains("Ctrl-C ends") }
    terminal.type("\u{1a}")
    terminal.wait { $0.contains("stopped") && $0.contains("over 0") }
  }

  @Test(arguments: ["\u{3}", "\u{1a}", "\u{1c}"])
  func chordsTypedForKeysAreNeitherShownNorRun(_ end: String) throws {
    let terminal = try PseudoTerminal(
      """
      ulimit -c 0
      gliss keys --seat seat-of-nobody; echo over; stty -a | grep -qw -- -echo || echo echoes
      read -t 0.1 rest; echo "rest '$rest'"; kill -9 %1 2>/dev/null; :
      """)
    terminal.wait { $0.contains("Ctrl-C ends") }
    terminal.type("rm -rf\n")
    terminal.type(end)
    let text = terminal.wait { $0.contains("rest '") }
    #expect(text.contains("echoes") && text.contains("rest ''"))
    #expect(!terminal.shown.contains("rm -rf"), "\(terminal.shown)")
  }

  @Test func aReplayFollowsTheWidthOfItsTerminal() throws {
    let terminal = try PseudoTerminal(Self.slow)
    terminal.wait { $0.contains("─╮") }
    terminal.resize(columns: 50, rows: 30)
    let text = terminal.wait {
      $0.contains("\u{1b}[H\u{1b}[J") && $0.hasSuffix("\r\n\u{1b}[?2026l")
    }
    let after = try #require(text.components(separatedBy: "\u{1b}[H\u{1b}[J").last)
    for line in after.split(separator: "\r\n") {
      #expect(line.replacing(/\u{1b}\[[0-9;?]*[A-Za-z]/, with: "").count <= 50, "\(line)")
    }
    terminal.type("\u{3}")
  }

  @Test func underThePictureTheTableIsTheSame() throws {
    let plain = try Command.run("replay", Command.demo)
    let output = try shown(
      "replay --picture --speed 20 \(Command.demo)", columns: 120,
      environment: ["NO_COLOR": "1"])
    for row in plain.lines { #expect(output.contains(row)) }
  }

  @Test(arguments: [(30, 34, "xterm"), (90, 8, "xterm"), (90, 34, "dumb")])
  func withoutRoomThePictureIsLines(_ columns: Int, _ rows: Int, _ name: String) throws {
    let output = try shown(
      "replay --picture --speed 100 \(Command.demo)", columns: columns, rows: rows,
      environment: ["TERM": name])
    #expect(!output.contains("╭"))
    #expect(!output.contains(Self.hidden))
    #expect(output.contains("pinch"))
  }

  @Test func intoAPipeThePictureIsLines() throws {
    let plain = try Command.run("replay", Command.demo)
    let picture = try Command.run("replay", "--picture", Command.demo)
    #expect(plain.output == picture.output)
  }
}
