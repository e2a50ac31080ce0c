package import Foundation
import Testing

/// The files of the repository.
package enum Repository {
  package static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// Compares a file with what it should be, or makes it that: UPDATE_GOLDEN=1.
  package static func expect(_ path: String, is text: String) throws {
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: root.appending(path: path))
    }
    #expect(
      try self.text(path) == text, "\(path) is not up to date: UPDATE_GOLDEN=1 tools/test tests")
  }
}
