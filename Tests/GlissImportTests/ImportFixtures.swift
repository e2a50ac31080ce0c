import Foundation
import GlissConfiguration
import GlissImport
import Testing

/// Files in the style of other tools' documentation, and what becomes of them.
///
/// `UPDATE_GOLDEN=1` writes down what it is now.
struct ImportFixture: Sendable, CustomTestStringConvertible {
  let tool: ImportedTool
  let name: String

  static let all = [
    ImportFixture(tool: .touchegg, name: "touchegg.conf"),
    ImportFixture(tool: .fusuma, name: "fusuma.yml"),
    ImportFixture(tool: .libinputGestures, name: "libinput-gestures.conf"),
    ImportFixture(tool: .inputActions, name: "inputactions.yaml"),
    ImportFixture(tool: .sxhkd, name: "sxhkdrc"),
    ImportFixture(tool: .swhkd, name: "swhkdrc"),
  ]

  var testDescription: String { name }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Fixtures")

  var text: String {
    get throws { try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8) }
  }

  func imported() throws -> ImportedFile { try tool.imported(text, name: name) }

  /// Compares with what was written down.
  func expect(_ text: String, in suffix: String) throws {
    let golden = Self.folder.appending(path: "\(name).\(suffix)")
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try text.write(to: golden, atomically: true, encoding: .utf8)
    }
    let expected = try String(contentsOf: golden, encoding: .utf8)
    #expect(text == expected, "\(golden.lastPathComponent)")
  }
}

extension ImportedTool {
  /// What becomes of `text`; files that it includes lie among the fixtures.
  func imported(
    _ text: String, name: String = "file", byCharacter: Bool = false
  ) throws -> ImportedFile {
    let folder = ImportFixture.folder
    let options = ImportOptions(byCharacter: byCharacter) { path in
      guard path == "/etc/swhkd/common" else { return nil }
      let file = folder.appending(path: "swhkd-common")
      guard let data = try? Data(contentsOf: file) else { return nil }
      return ConfigurationText(name: path, bytes: Array(data))
    }
    return try rules(
      in: ConfigurationText(name: name, bytes: Array(text.utf8)), options: options)
  }
}
