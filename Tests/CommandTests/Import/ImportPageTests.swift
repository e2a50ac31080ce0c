import Foundation
import Testing

/// The pages for those who come from another tool: their commands are run, and give what the pages show.
@Suite struct ImportPageTests {
  static let tools = ["touchegg", "fusuma", "libinput-gestures", "inputactions", "sxhkd", "swhkd"]

  @Test(arguments: tools) func thePageIsTrue(_ tool: String) throws {
    let url = Command.root.appending(path: "docs/from-\(tool).md")
    let page = try String(contentsOf: url, encoding: .utf8)
    var blocks = page.components(separatedBy: "\n```")
    // text, block, text, block …, each block with the rest of its first line
    try #require(blocks.count >= 8)
    let commands = Self.body(blocks[1]).split(separator: "\n").map(String.init)
    let source = Self.body(blocks[3]) + "\n"
    let home = try TemporaryFolder()
    let path = try #require(page.firstMatch(of: /reads `~\/([^`]+)`/)?.output.1)
    let file = home.url.appending(path: String(path))
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try source.write(to: file, atomically: true, encoding: .utf8)

    #expect(commands.last == "systemctl --user enable --now gliss")
    try #require(commands.count == 3)
    var said: [String] = []
    for line in commands.dropLast() {
      let done = try Self.shell(line, home: home.url.path)
      #expect(done.status == 0, "\(line): \(done.errors)")
      said.append(done.errors)
    }
    let rules = try String(
      contentsOf: home.url.appending(path: ".config/gliss/gliss.d/\(tool).yaml"), encoding: .utf8)
    // the rules, what import says, and what check says where it does
    let shown = ([rules] + said.filter { !$0.isEmpty }).map {
      $0.replacingOccurrences(of: home.url.path, with: "~").trimmingCharacters(in: .newlines)
    }
    try #require(blocks.count == 5 + 2 * shown.count)
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      for (index, text) in shown.enumerated() {
        blocks[5 + 2 * index] = (index == 0 ? "yaml\n" : "\n") + text
      }
      try blocks.joined(separator: "\n```").write(to: url, atomically: true, encoding: .utf8)
    }
    for (index, text) in shown.enumerated() {
      #expect(Self.body(blocks[5 + 2 * index]) == text)
    }
  }

  /// A block without the rest of the line that opens it.
  private static func body(_ block: String) -> String {
    String(block[(block.firstIndex(of: "\n").map { block.index(after: $0) } ?? block.endIndex)...])
  }

  private static func shell(_ line: String, home: String) throws -> Command {
    let folder = try Command.executable().deletingLastPathComponent().path
    let process = try Command.process(
      [], environment: ["PATH": "\(folder):/usr/bin:/bin", "HOME": home])
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", line]
    return try Command.run(process)
  }
}

@Suite struct ImportCommandTests {
  @Test func aFileIsReadFromStandardInput() throws {
    let done = try Command.run(
      "import", "sxhkd", "-", input: Data("super + x\n  true\n".utf8))
    #expect(done.status == 0)
    #expect(done.output.contains("  - hotkey: repeat:super+x\n"))
    #expect(done.errors == "gliss: 1 rule\n")
  }

  @Test func anotherToolsFileIsRefusedInOneLine() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("<touchégg>\n  <settings/>\n</touchégg>\n", as: "its.conf")
    let done = try Command.run("import", "sxhkd", file)
    #expect(done.status == 2)
    #expect(done.output.isEmpty)
    #expect(
      done.errors
        == "gliss: \(file):1:1: not a file of sxhkd: no line of it is a hotkey; it looks like one of touchegg: gliss import touchegg \(file)\n"
    )
    let fusuma = "swipe:\n  3:\n    left: {command: foot}\n"
    let given = try Command.run("import", "touchegg", "-", input: Data(fusuma.utf8))
    #expect(given.status == 2)
    #expect(given.errors.hasSuffix("; it looks like one of fusuma: gliss import fusuma -\n"))
  }

  /// Keys of the others are places, and their pages say so.
  @Test(arguments: ["touchegg", "fusuma"]) func onlySxhkdHasCharacters(_ tool: String) throws {
    let done = try Command.run("import", tool, "--by-character", "-")
    #expect(done.status == 2)
    #expect(done.errors.contains("are for sxhkd only"))
    #expect(try Command.run("import", "--help").output.contains("For sxhkd only: "))
    let page = try String(
      contentsOf: Command.root.appending(path: "docs/from-\(tool).md"), encoding: .utf8)
    #expect(page.contains("US\n  keyboard") || page.contains("US keyboard"))
  }

  @Test func tabsAreNoForeignSigns() throws {
    let done = try Command.run(
      "import", "libinput-gestures", "-",
      input: Data("gesture swipe left\t3\n".utf8))
    #expect(done.status == 0)
    #expect(done.errors.contains("swipe left 3: "))
  }

  @Test func unreadableInputIsReportedWithItsPlace() throws {
    let done = try Command.run("import", "touchegg", "-", input: Data("<touchégg>\n<x>".utf8))
    #expect(done.status == 2)
    #expect(done.output.isEmpty)
    #expect(done.errors.hasPrefix("gliss: standard input:2:1: "))
  }

  @Test func strictMindsWhatIsLost() throws {
    let text = Data("any + x\n  true\n".utf8)
    #expect(try Command.run("import", "sxhkd", "-", input: text).status == 0)
    let done = try Command.run("import", "--strict", "sxhkd", "-", input: text)
    #expect(done.status == 2)
    #expect(done.errors.contains("standard input:1:1: any: "))
  }

  @Test(
    arguments: [
      ["import", "i3"], ["import"], ["import", "swhkd", "--by-character", "-"],
      ["import", "fusuma", "/nowhere"], ["import", "sxhkd"],
    ])
  func badUsageSaysWhatIsExpected(_ arguments: [String]) throws {
    let done = try Command.run(arguments)
    #expect(done.status == 2)
    #expect(done.output.isEmpty && !done.errors.isEmpty)
  }

  @Test func aSwhkdrcIncludesFiles() throws {
    let folder = try TemporaryFolder()
    let other = try folder.write("super + y\n  true\n", as: "other")
    let done = try Command.run(
      "import", "swhkd", "-", input: Data("include \(other)\nsuper + x\n  true\n".utf8))
    #expect(done.output.contains("super+y") && done.output.contains("super+x"))
  }

  @Test func aFileIsReadOnceHoweverItIsNamedAndAPipeIsNotWaitedFor() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    let file = try folder.write("", as: "swhkdrc")
    let other = folder.url.appending(path: "other").path
    try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: file)
    _ = try folder.write(
      "include \(file)\ninclude \(other)\ninclude \(pipe)\nsuper + y\n  true\n", as: "swhkdrc")
    let done = try Command.shell("cd \(folder.url.path) && timeout 20 gliss import swhkd swhkdrc")
    #expect(done.status == 0)
    #expect(done.output.components(separatedBy: "super+y").count == 2, "\(done.output)")
    #expect(done.errors.components(separatedBy: "it is read already").count == 3, "\(done.errors)")
    #expect(done.errors.contains("include \(pipe): the file cannot be read"), "\(done.errors)")
  }
}
