import Foundation
import GlissConfiguration
import Testing

@Suite struct ImportFixtureTests {
  @Test(arguments: ImportFixture.all) func becomesWhatIsWrittenDown(_ fixture: ImportFixture) throws
  {
    let imported = try fixture.imported()
    try fixture.expect(imported.text, in: "yaml")
    try fixture.expect(imported.remarks.map { "\($0)\n" }.joined(), in: "remarks")
  }

  @Test(arguments: ImportFixture.all)
  func readsBackToTheSameRules(_ fixture: ImportFixture) throws {
    let imported = try fixture.imported()
    let rules = imported.rules.map(\.withoutPlaces)
    #expect(!rules.isEmpty)
    let ordered = rules.filter { !$0.isOfHotkey } + rules.filter(\.isOfHotkey)
    #expect(Configuration.rules(of: imported.text) == ordered)
  }

  /// Whoever takes the number sign away has a rule that is right.
  @Test(arguments: ImportFixture.all) func proposalsAreRules(_ fixture: ImportFixture) throws {
    let imported = try fixture.imported()
    var text = ""
    for line in imported.text.split(separator: "\n", omittingEmptySubsequences: false) {
      let isRule = line.hasPrefix("  #- ") || line.hasPrefix("  #  ")
      text += (isRule ? "  " + line.dropFirst(3) : line) + "\n"
    }
    #expect(Configuration.rules(of: text).count == imported.parts.count)
  }

  /// What would do something ends as a rule or as a remark.
  @Test(arguments: ImportFixture.all) func nothingIsDropped(_ fixture: ImportFixture) throws {
    let imported = try fixture.imported()
    #expect(imported.forgotten(in: try fixture.text) == [])
  }

  /// Each tenth of each fixture alone, and with lines out of order: still nothing is dropped, and what comes out is right.
  @Test(arguments: ImportFixture.all) func neitherInAnyPartOfIt(_ fixture: ImportFixture) throws {
    let lines = try fixture.text.split(separator: "\n", omittingEmptySubsequences: false)
    var checked = 0
    for start in lines.indices {
      for length in [1, 2, 5, 20] {
        var part = lines[start..<min(start + length, lines.count)].joined(separator: "\n") + "\n"
        if fixture.tool == .touchegg {
          part = "<touchégg><application name='All'>" + part + "</application></touchégg>"
        }
        guard let imported = try? fixture.tool.imported(part, name: fixture.name) else { continue }
        checked += 1
        #expect(imported.forgotten(in: part) == [], "\(part)")
        #expect(Configuration.rules(of: imported.text).count == imported.rules.count, "\(part)")
      }
    }
    #expect(checked > 0)
  }
}

extension Rule {
  var isOfHotkey: Bool {
    if case .hotkey = trigger { true } else { false }
  }
}

extension ImportedFile {
  /// The lines of the imported text that would do something, and of which nothing is said.
  func forgotten(in text: String) -> [String] {
    var told: Set<Int> = []
    for part in parts where part.sources.contains(where: { $0.file == name }) {
      told.formUnion(part.sources.filter { $0.file == name }.map(\.number))
    }
    told.formUnion(remarks.filter { $0.place.file == name }.map(\.place.line))
    switch tool {
    case .touchegg: return ToucheggTags.forgotten(in: text, told)
    case .fusuma: return FusumaEntries.forgotten(in: text, told)
    case .sxhkd, .swhkd, .libinputGestures: break
    }
    told.formUnion(continuing(text, told))
    var forgotten: [String] = []
    // a command belongs to the hotkey above it, an action to its gesture
    var isOwnerTold = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where tool.does(line) {
      if tool.isOwned(line) {
        if !isOwnerTold, !told.contains(index + 1) { forgotten.append("\(index + 1): \(line)") }
        // the next one is nobody's, but for what goes on
        if !line.hasSuffix("\\") { isOwnerTold = false }
      } else {
        isOwnerTold = told.contains(index + 1)
        if !isOwnerTold { forgotten.append("\(index + 1): \(line)") }
      }
    }
    return forgotten
  }
}

extension ImportedFile {
  /// The lines that go on a comment behind blanks, or a word of swhkd that is told: a backslash ends the line above.
  private func continuing(_ text: String, _ told: Set<Int>) -> Set<Int> {
    let words = ["include", "ignore", "mode", "endmode"]
    var lines: Set<Int> = []
    var goesOn = false
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    where tool != .libinputGestures && line.first != "#" {
      let bare = line.trimmingCharacters(in: .whitespaces)
      let word = bare.split(whereSeparator: \.isWhitespace).first.map(String.init) ?? ""
      if goesOn { lines.insert(index + 1) }
      let isWhole =
        goesOn || bare.first == "#"
        || tool == .swhkd && words.contains(word) && told.contains(index + 1)
      goesOn = isWhole && bare.hasSuffix("\\")
    }
    return lines
  }
}

extension ImportedTool {
  /// Whether a line belongs to the one above it that stands on its own.
  fileprivate func isOwned(_ line: Substring) -> Bool {
    switch self {
    case .sxhkd, .swhkd: line.first?.isWhitespace ?? false
    case .touchegg, .fusuma, .libinputGestures: false
    }
  }

  /// Whether a line would do something.
  fileprivate func does(_ line: Substring) -> Bool {
    let bare = line.trimmingCharacters(in: .whitespaces)
    switch self {
    case .sxhkd, .libinputGestures: return !bare.isEmpty && line.first != "#" && bare.first != "#"
    case .swhkd:
      let isFrame = bare.hasPrefix("mode ") || bare == "endmode" || bare.hasPrefix("include ")
      return !bare.isEmpty && bare.first != "#" && !isFrame
    case .touchegg, .fusuma: return false
    }
  }
}
