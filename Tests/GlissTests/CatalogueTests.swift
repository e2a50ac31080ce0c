import Foundation
import Gliss
import Testing

/// The code of the DocC catalogue is that of the examples and tests, which are compiled and run.
@Suite struct CatalogueTests {
  private static let catalogue = ReadmeTests.root.appending(path: "Sources/Gliss/Gliss.docc")
  private static let compiled = [
    "Examples/ChosenHotkeys/main.swift", "Examples/Hotkeys/main.swift",
    "Examples/GlobalMonitor/main.swift",
    "Examples/LiveActor/main.swift", "Examples/ShortDrags/main.swift", "Examples/Zoom/main.swift",
    "Examples/Loops/Executor.swift", "Examples/Loops/Thread.swift", "Examples/Loops/Queue.swift",
    "Examples/NIO/Sources/example-nio/main.swift", "Examples/StrokeTests/ZoomTests.swift",
    "Tests/GlissTests/ReadmeTests.swift", "Tests/GlissTests/CatalogueTests.swift",
  ]

  /// Compiled and not run: it would type.
  private func pressKeys(beside devices: LiveDevices) throws {
    let keyboard = try UinputKeyboard(on: devices.loop, translator: XkbKeyTranslator())
    try keyboard.press(try Chord.chords(toPress: "alt+left"))

    try BrokerConnection().post(["alt+left", "super+k ; w", "super", "ctrl+wheelup"])
  }

  private static func text(of path: String) throws -> String {
    try String(contentsOf: ReadmeTests.root.appending(path: path), encoding: .utf8)
  }

  /// Lines without their indentation, which differs in an article.
  private static func lines(of text: some StringProtocol) -> [Substring.SubSequence] {
    Substring(text).split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.drop { $0 == " " }
    }
  }

  private static func contains(_ part: [Substring], in whole: [Substring]) -> Bool {
    !part.isEmpty && whole.indices.contains { whole[$0...].starts(with: part) }
  }

  @Test func eachBlockOfCodeIsCompiled() throws {
    let compiled = try Self.compiled.map { Self.lines(of: try Self.text(of: $0)) }
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.catalogue.path)
    var count = 0
    for name in names.sorted() {
      let article = try Self.text(of: "Sources/Gliss/Gliss.docc/\(name)")
      for block in ReadmeTests.parts(of: article, from: "```swift", to: "```") {
        count += 1
        let part = block.map { $0.drop { $0 == " " } }
        #expect(
          compiled.contains { Self.contains(part, in: $0) },
          "\(name): no example has \(block.first ?? "an empty block")")
      }
    }
    #expect(count >= 7)
  }

  @Test func pinchToZoomIsTheWholeExample() throws {
    let article = try Self.text(of: "Sources/Gliss/Gliss.docc/PinchToZoom.md")
    let block = ReadmeTests.parts(of: article, from: "```swift", to: "```").first ?? []
    #expect(block.joined(separator: "\n") + "\n" == (try Self.text(of: "Examples/Zoom/main.swift")))
  }

  /// The comparison must be able to fail.
  @Test func anotherLineIsNotFound() {
    let whole = Self.lines(of: "a\n  b\nc")
    #expect(Self.contains(Self.lines(of: "a\nb"), in: whole))
    #expect(!Self.contains(Self.lines(of: "a\nc"), in: whole))
    #expect(!Self.contains([], in: whole))
  }
}
