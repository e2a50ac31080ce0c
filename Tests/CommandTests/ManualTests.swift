import Foundation
import Testing

/// The manual pages, made from what the programs and docs/configuration.md say.
@Suite struct ManualTests {
  @Test func noMarkOfMarkdownIsLeftAndCodeStandsApart() throws {
    let folder = try TemporaryFolder()
    let gliss = try Command.executable()
    let process = try Command.process([])
    process.executableURL = URL(filePath: "/usr/bin/python3")
    let daemon = gliss.deletingLastPathComponent().appending(path: "glissd").path
    process.arguments = ["tools/manual", gliss.path, daemon, folder.url.path]
    let command = try Command.run(process)
    #expect(command.status == 0, "\(command.errors)")
    let pages = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(Set(pages).isSuperset(of: ["gliss.1", "gliss-replay.1", "gliss.yaml.5", "glissd.8"]))
    for page in pages {
      let text = try folder.text(page)
      for mark in ["<!--", "<!\\-\\-", "**", "`", "]("] {
        #expect(!text.contains(mark), "\(page): \(mark)")
      }
      // one `*` is part of a name; a word between two was to be stressed
      let stressed = text.matches(of: /[ (]\*\w[^*]*\w\*[ ,.)]/).map(\.output)
      #expect(stressed.isEmpty, "\(page): \(stressed)")
      // what follows code begins with a request, and so stands apart from it
      #expect(!text.contains(/\n\.fi\n[^.]/), "\(page)")
    }
  }
}
