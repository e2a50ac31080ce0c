import GlissEvents
import Testing

@testable import GlissAgent

/// What reports call the files of rules.
@Suite struct FileNamesTests {
  @Test(
    arguments: [
      (["/etc/gliss/gliss.yaml"], ["gliss.yaml"]),
      (
        ["/etc/gliss/gliss.yaml", "/home/a/.config/gliss/gliss.yaml"],
        [
          "etc/gliss/gliss.yaml", ".config/gliss/gliss.yaml",
        ]
      ),
      (
        ["/r/inc/gliss.yaml", "/r/inc/sub/gliss.yaml", "/r/my.yaml"],
        [
          "inc/gliss.yaml", "sub/gliss.yaml", "my.yaml",
        ]
      ),
      (["/a/b.yaml", "/c/a/b.yaml", "-"], ["/a/b.yaml", "c/a/b.yaml", "-"]),
    ] as [([String], [String])])
  func foldersDistinguishFilesOfTheSameName(_ paths: [String], _ expected: [String]) {
    let files = FileNames(paths + paths)
    #expect(paths.map { files[$0] } == expected)
    #expect(files["/of/no/rule.yaml"] == "rule.yaml")
  }

  /// The other file has a rule that may act next.
  @Test func aReportDistinguishesItsFilesFromThoseOfOtherRules() {
    let paths = ["/etc/gliss/gliss.yaml", "/home/a/.config/gliss/gliss.yaml"]
    let files = WhyReport([:]).files(among: paths)
    #expect(paths.map { files[$0] } == ["etc/gliss/gliss.yaml", ".config/gliss/gliss.yaml"])
  }
}
