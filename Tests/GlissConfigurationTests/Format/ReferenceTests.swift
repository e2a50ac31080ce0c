import Foundation
import GlissEvents
import TestSupport
import Testing

@testable import GlissConfiguration

/// docs/configuration.md has a table of keys for every mapping, made of what reads it.
@Suite struct ReferenceTests {
  private static let page = "docs/configuration.md"

  private static let tables: [(name: String, rows: [String])] = [
    ("FileTable", rows(FileTable.table)), ("LimitsTable", rows(LimitsTable.table)),
    ("ProfileTable", rows(ProfileTable.table)), ("DeviceTable", rows(DeviceTable.table)),
    ("ApplicationTable", rows(ApplicationTable.table)),
    ("GestureTable", rows(GestureTable.table, goesWith: KindRules.kinds)),
    ("StepTable", rows(StepTable.table)), ("HotkeyRuleTable", rows(HotkeyRuleTable.table)),
    ("ActionTable", rows(ActionTable.table)),
  ]

  @Test func everyKeyIsInThePage() throws {
    var text = try Repository.text(Self.page)
    for (name, rows) in Self.tables {
      let mark = "<!-- keys: \(name) -->\n"
      let start = try #require(text.range(of: mark), "the page has no place for \(name)")
      let end = try #require(
        text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex))
      text.replaceSubrange(
        start.upperBound..<end.lowerBound, with: rows.map { $0 + "\n" }.joined())
    }
    try Repository.expect(Self.page, is: text)
  }

  /// What stands in the page as YAML is right.
  @Test func itsExamplesAreRight() throws {
    let text = try Repository.text(Self.page)
    let blocks = text.components(separatedBy: "```yaml\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
    #expect(blocks.count > 2)
    for block in blocks {
      if block.hasPrefix("do:") {
        for line in block.split(separator: "\n") {
          _ = try configuration("gestures:\n- gesture: tap\n  \(line)\n")
        }
      } else {
        _ = try configuration(block)
      }
    }
  }

  private static func rows<Target>(
    _ table: Table<Target>, goesWith kinds: ((String) -> [GestureKind]?)? = nil
  ) -> [String] {
    let hasKinds = kinds != nil
    var rows = [
      "| key | what it does | what it takes | without it |" + (hasKinds ? " goes with |" : ""),
      "|---|---|---|---|" + (hasKinds ? "---|" : ""),
    ]
    for field in table.fields {
      let without = field.isRequired ? "it must be there" : field.standard ?? ""
      var row = "| `\(field.name)` | \(field.summary) | \(takes(field.words)) | \(without) |"
      if let kinds {
        let words = kinds(field.name)?.map(\.name).joined(separator: ", ") ?? "all"
        row += " \(words) |"
      }
      rows.append(row.replacingOccurrences(of: "|  |", with: "| |"))
    }
    return rows
  }

  private static func takes(_ words: FormWords) -> String {
    guard !words.examples.isEmpty else { return words.what }
    return words.what + ": " + words.examples.map { "`\($0)`" }.joined(separator: ", ")
  }
}
