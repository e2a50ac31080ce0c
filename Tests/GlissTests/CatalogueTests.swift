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
    "Examples/Loops/Broker.swift",
    "Examples/NIO/Sources/example-nio/main.swift", "Examples/StrokeTests/ZoomTests.swift",
    "Tests/GlissTests/ReadmeTests.swift", "Tests/GlissTests/CatalogueTests.swift",
  ]

  /// Compiled and not run: it would type.
  private func pressKeys(beside devices: LiveDevices) throws {
    let keyboard = try UinputKeyboard(on: devices.loop, translator: XkbKeyTranslator())
    try keyboard.press(try Chord.chords(toPress: "alt+left"))

    try BrokerConnection().post(["alt+left", "super+k ; w", "super", "ctrl+wheelup"])
  }

  /// Compiled and not run: there is no desktop.
  private func followOnlyOwnWindow(_ devices: LiveDevices, into session: Session) throws {
    let watch = try FocusWatch(on: devices.loop)
    session.addLocalMonitor(matching: [.touch, .key, .pointer, .scroll]) { _ in
      watch.window?.pid == getpid() ? .pass : .swallow
    }
  }

  @Test func touchesAreInPoints() throws {
    let session = Session()
    var paths: [TouchID: [Vector2]] = [:]
    let token = session.addHandler(matching: .touch) { [unowned session] event in
      guard case .touch(let frame) = event, let device = session.device(frame.device)
      else { return }
      for touch in frame.touches {
        // in points, as with NSTouch; touch.position is in mm
        let (share, size) = (touch.normalizedPosition, device.points)
        paths[touch.id, default: []].append(Vector2(x: share.x * size.x, y: share.y * size.y))
      }
    }
    var recording = try Recording(
      path: ReadmeTests.root.appending(path: "recordings/demo/demo.yml").path)
    try recording.run(into: session)
    #expect(paths.count > 20 && paths.values.allSatisfy { $0.count > 1 })
    token.remove()
  }

  @Test func keysMayBeOnesOwn() throws {
    let session = Session()
    let board = session.add(Device(name: "keys", keys: [.leftControl, .leftAlt, .t]))
    var phases: [HotkeyEvent.Phase] = []
    try session.registerHotkey("ctrl+alt+t") { phases.append($0.phase) }
    var now = EventTime.zero
    for (key, value) in [(Key.leftControl, Int32(1)), (.leftAlt, 1), (.t, 1), (.t, 0)] {
      now = now + .milliseconds(10)
      session.process(.key(key, value, at: now), from: board)
      session.process(.report(at: now), from: board)
    }
    session.finish()
    #expect(phases == [.pressed, .released])
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
