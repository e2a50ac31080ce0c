import Foundation
import GlissConfiguration
import GlissImport
import TestSupport
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
