import Foundation
import Testing

/// What is built beside the tests.
enum Built {
  static func gliss() throws -> URL { try program("gliss") }

  /// It lies beside the test program.
  static func program(_ name: String) throws -> URL {
    var folder = URL(filePath: CommandLine.arguments[0])
    for _ in 0..<5 {
      folder.deleteLastPathComponent()
      let file = folder.appending(path: name)
      if FileManager.default.isExecutableFile(atPath: file.path) { return file }
    }
    return try #require(nil, "\(name) is not built")
  }
}
