import Foundation
import Testing

@Suite struct HouseTests {
  /// The repository's root.
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Swift files under `folder`, as paths from the root.
  static func files(under folder: String) throws -> [String] {
    let names = try FileManager.default.subpathsOfDirectory(
      atPath: root.appending(path: folder).path)
    return names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }
      .map { "\(folder)/\($0)" }.sorted()
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  @Test func noModuleImportsWhatStandsAboveIt() throws {
    let files = try Self.files(under: "Sources")
    #expect(files.count > 20, "the sources were not found")
    for path in files {
      let found = ImportRules.violations(in: try Self.text(of: path), at: path)
      #expect(found == [])
    }
  }

  /// Each line of the threat model's table names its tests, and these are there.
  @Test func theThreatModelsTableHasATestForEachLine() throws {
    let page = try Self.text(of: "docs/threat-model.md")
    let table = page.components(separatedBy: "\n| who attacks")[1].components(separatedBy: "\n\n")[
      0]
    let rows = table.split(separator: "\n").dropFirst(2)
    #expect(rows.count > 15)
    let tests = try Self.files(under: "Tests/AttackTests").map(Self.text(of:)).joined()
    for row in rows {
      let names = (row.split(separator: "|").last ?? "").split(separator: "`").filter {
        $0.allSatisfy(\.isLetter)
      }
      #expect(!names.isEmpty, "\(row)")
      for name in names { #expect(tests.contains("func \(name)("), "\(name)") }
    }
  }

  /// Of the names with a folder, as in `Arbiter/Weighing`, in the table that says where to start.
  @Test func architectureNamesOnlyWhatIsThere() throws {
    let page = try Self.text(of: "docs/architecture.md")
    let rows = page.components(separatedBy: "\n| to change |")[1].components(separatedBy: "\n\n")[0]
    var known: Set<String> = []
    for path in try Self.files(under: "Sources") {
      let parts = path.dropLast(".swift".count).split(separator: "/").dropFirst()
      for first in parts.indices {
        for end in first..<parts.endIndex {
          known.insert(parts[first...end].joined(separator: "/"))
        }
      }
    }
    let spans = rows.split(separator: "`", omittingEmptySubsequences: false)
    let names = spans.enumerated().filter { $0.offset % 2 == 1 }.map(\.element).filter {
      $0.contains("/") && $0.allSatisfy { $0.isLetter || $0 == "/" || $0 == "+" }
        && !$0.hasPrefix("Tests/") && !$0.hasPrefix("tools/")
    }
    #expect(names.count > 40)
    for name in names
    where !FileManager.default.fileExists(atPath: Self.root.path + "/Sources/\(name)") {
      #expect(known.contains(String(name)), "\(name)")
    }
  }

  @Test func theTableOfRulesNamesNoModuleAboveItself() {
    // What a module may import must be allowed no more than the module itself: no cycles.
    var order: [String] = []
    var waiting = ImportRules.allowed
    while !waiting.isEmpty {
      let ready = waiting.filter { $0.value.allSatisfy { waiting[$0] == nil } }
      if ready.isEmpty { break }
      order += ready.keys.sorted()
      for name in ready.keys { waiting[name] = nil }
    }
    #expect(waiting.isEmpty, "these import each other: \(waiting.keys.sorted())")
    #expect(order.first.map { $0.hasPrefix("Gliss") } == true)
  }

  @Test(arguments: ["Sources", "Tests", "tools"])
  func everyFileFitsInAHead(_ folder: String) throws {
    for path in try Self.files(under: folder) {
      let lines = Self.lineCount(of: try Self.text(of: path))
      #expect(lines <= 500, "\(path) has \(lines) lines")
    }
  }

  /// A last line counts whether or not it ends in a line feed.
  static func lineCount(of text: String) -> Int {
    let feeds = text.utf8.count { $0 == 0x0a }
    return text.isEmpty || text.utf8.last == 0x0a ? feeds : feeds + 1
  }

  @Test(arguments: [("", 0), ("a", 1), ("a\n", 1), ("a\nb", 2), ("a\n\n", 2), ("a\r\nb", 2)])
  func linesAreCountedWhetherOrNotTheLastOneEnds(_ text: String, _ count: Int) {
    #expect(Self.lineCount(of: text) == count)
  }

  @Test func eachKeyOfTheTableHasAConstant() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [Self.root.appending(path: "tools/keys").path, "--check"]
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "run tools/keys")
  }

  @Test func everySystemModuleIsNamedWithAC() throws {
    let maps = try FileManager.default.subpathsOfDirectory(
      atPath: Self.root.appending(path: "Sources").path
    ).filter { $0.hasSuffix("module.modulemap") }
    for path in maps { #expect(path.hasPrefix("C"), "\(path) is not the folder of a C module") }
  }
}

/// The rules must be able to fail.
@Suite struct ImportRuleTests {
  @Test(
    arguments: [
      ("GlissEvents", "import Foundation"),
      ("GlissEvents", "import Glibc"),
      ("GlissEvents", "import FoundationEssentials"),
      ("GlissGestures", "public import GlissSession"),
      ("GlissGestures", "@preconcurrency import Glibc"),
      ("GlissGestures", "import func Glibc.sin"),
      ("GlissGestures", "  import GlissRecordings"),
      ("GlissGestures", "let a = 1; import Foundation"),
      ("GlissSession", "@_exported public import GlissRecordings"),
      ("GlissRecordings", "import\tCYaml"),
      ("GlissSynthesis", "import GlissGestures"),
      ("GlissRecordings", "import Gliss"),
      ("GlissRecognition", "@_exported public import GlissDevices"),
      ("GlissRecordings", "import struct Foundation.Data"),
      ("gliss", "import CYaml"),
      ("Unheard", "import GlissEvents"),
    ])
  func aForbiddenImportIsFound(_ module: String, _ line: String) {
    #expect(ImportRules.violations(in: "// head\n\(line)\n", at: "Sources/\(module)/A.swift") != [])
  }

  @Test(
    arguments: [
      ("GlissGestures", "public import GlissEvents"),
      ("GlissYaml", "import CYaml"),
      ("GlissRecordings", "import Glibc"),
      ("GlissRecordings", "public import GlissSession"),
      ("Gliss", "@_exported public import GlissRecognition"),
      ("GlissRecognition", "@_exported public import GlissRecordings"),
      ("gliss", "import ArgumentParser"),
      ("GlissEvents", "// import Foundation"),
      ("GlissEvents", "/// They import Foundation."),
      ("GlissEvents", "let text = \"import Foundation\""),
    ])
  func anAllowedLinePasses(_ module: String, _ line: String) {
    #expect(ImportRules.violations(in: line, at: "Sources/\(module)/A.swift") == [])
  }

  @Test func aViolationNamesFileLineAndModule() {
    let found = ImportRules.violations(
      in: "\n\nimport Foundation\n", at: "Sources/GlissEvents/Time/EventTime.swift")
    #expect(
      found == [
        "Sources/GlissEvents/Time/EventTime.swift:3: GlissEvents must not import Foundation"
      ])
  }
}
