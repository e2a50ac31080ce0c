import Foundation
import Gliss
import Testing

/// The README's example is compiled here, run, and compared with what the README prints.
@Suite struct ReadmeTests {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Counts what the example would have printed.
  private final class Printed {
    var lines: [String] = []
    func callAsFunction(_ items: Any...) {
      lines.append(items.map { "\($0)" }.joined(separator: " "))
    }
  }

  @Test func theExampleSeesTheGesturesOfTheDemonstration() throws {
    #expect(FileManager.default.changeCurrentDirectoryPath(Self.root.path))
    let print = Printed()
    // README begins
    var recording = try Recording(path: "recordings/demo/demo.yml")
    let session = Session()
    session.addHandler(matching: .gesture) { event in
      if case .gesture(let gesture) = event, gesture.phase == .ended || gesture.kind == .tap {
        print(gesture.kind.name, gesture.fingers, gesture.translationInMillimetres, gesture.scale)
      }
    }
    try recording.run(into: session)
    // README ends
    #expect(print.lines.contains { $0.hasPrefix("drag 2") })
    #expect(print.lines.contains { $0.hasPrefix("pinch 2") })
    #expect(print.lines.contains { $0.hasPrefix("tap 1") })
  }

  @Test func theReadmePrintsTheExampleAsItIsCompiled() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let printed = Self.lines(of: readme, from: "```swift", to: "```").drop { $0 != "" }.dropFirst()
    let compiled = Self.lines(of: source, from: "    // README begins", to: "    // README ends")
    #expect(!compiled.isEmpty)
    #expect(Array(printed) == compiled.map { String($0.dropFirst(4)) })
  }

  @Test func aStrokeIsReplayedInThreeLines() {
    let pinch = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)
    let gestures = pinch.gestures()
    #expect(gestures.last?.kind == .pinch && gestures.last?.phase == .ended)
    #expect(abs((gestures.last?.scale ?? 0) - 3) < 0.3)
  }

  /// The lines between the first `start` and the next `end`.
  private static func lines(of text: String, from start: String, to end: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    return Array(lines.drop { $0 != start }.dropFirst().prefix { $0 != end })
  }
}
