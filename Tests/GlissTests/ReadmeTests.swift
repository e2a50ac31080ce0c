import Foundation
import Gliss
import GlissSynthesis
import Testing

/// The README's examples are compiled here, run, and compared with what the README prints.
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

  @Test func theExampleOfDevicesRunsUntilItIsStopped() throws {
    let print = Printed()
    // README begins
    let devices = try LiveDevices()
    devices.eventKinds = .gesture
    devices.didRefuse = { refused in print(refused) }
    devices.didFindNone = { print("no touchpad yet: plug one in, or run 'gliss doctor'") }

    let session = Session()
    session.onGesture { gesture in
      if gesture.phase == .ended || gesture.kind == .tap {
        print(gesture.kind.name, gesture.fingers, gesture.translation.millimetres, gesture.scale)
      }
    }
    devices.stop()  // README does not: nobody is here to touch anything
    try devices.run(into: session)  // until devices.stop()
    // README ends
    #expect(!devices.loop.isStopping)
  }

  @Test func aSeatWithoutDevicesIsReportedOnce() throws {
    let devices = try LiveDevices(.seat("seat-of-nobody"))
    var found: [String] = []
    devices.didAdd = { _, _ in found.append("added") }
    devices.didFindNone = { [unowned devices] in
      found.append("none")
      devices.stop()
    }
    try devices.run(into: Session())
    #expect(found == ["none"])
  }

  @Test func theExampleOfARecordingSeesTheGesturesOfTheDemonstration() throws {
    #expect(FileManager.default.changeCurrentDirectoryPath(Self.root.path))
    let print = Printed()
    // README begins
    var recording = try Recording(path: "recordings/demo/demo.yml")
    let session = Session()
    session.onGesture { gesture in
      if gesture.phase == .began { print(gesture.kind.name) }
    }
    try recording.run(into: session)
    // README ends
    for kind in ["drag", "pinch", "rotate", "swipe"] { #expect(print.lines.contains(kind)) }
  }

  private func theExampleOfTheBroker() throws {
    // README begins
    let monitor = try GlobalEventMonitor(Scope(tier: .gesture, events: .gesture))
    try monitor.run { event in print(event) }
    // README ends
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["GLISS_SOCKET"] == nil))
  func theExampleOfTheBrokerSaysWhereNobodyListens() {
    guard !FileManager.default.fileExists(atPath: BrokerConnection.standardPath) else { return }
    #expect(throws: ClientError.self) { try theExampleOfTheBroker() }
  }

  @Test func theReadmePrintsTheExamplesAsTheyAreCompiled() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let printed = Self.parts(of: readme, from: "```swift", to: "```")
    let compiled = Self.parts(of: source, from: "    // README begins", to: "    // README ends")
    #expect(compiled.count == 3)
    for example in compiled {
      let lines = example.filter { !$0.contains("// README does not") }.map { $0.dropFirst(2) }
      #expect(printed.contains { $0 == Self.beginning + lines + Self.end })
    }
  }

  /// Each example is a whole program, which ends with a sentence: an error that leaves a program's top level is printed as a
  /// crash.
  private static let beginning: [Substring] = [
    "@preconcurrency import Glibc  // for stderr", "import Gliss", "", "do {",
  ]
  private static let end: [Substring] = [
    "} catch {", "  fputs(\"\\(error)\\n\", stderr)  // what is wrong, and what to do about it",
    "  exit(1)", "}",
  ]

  @Test func errorsOfTheExamplesAreSentencesWithAdvice() {
    #expect(throws: RecordingError.self) { _ = try Recording(path: "/no/such/file") }
    let texts = [
      "\(ClientError.noBroker(path: "/run/x", code: ENOENT))",
      "\(SystemError("/dev/input", "no such folder", advice: "mount it"))",
    ]
    #expect(
      texts == [
        "no broker is running: /run/x: No such file or directory; start it with 'sudo systemctl enable"
          + " --now glissd.socket' once it is installed (docs/install.md)",
        "/dev/input: no such folder; mount it",
      ])
  }

  @Test func aStrokeIsReplayedInThreeLines() {
    let pinch = Stroke.pinch(from: 20, to: 60).trace(on: .medium, seed: 1)
    let gestures = pinch.gestures()
    #expect(gestures.last?.kind == .pinch && gestures.last?.phase == .ended)
    #expect(abs((gestures.last?.scale ?? 0) - 3) < 0.3)
  }

  /// The lines between each `start` and the next `end`.
  static func parts(of text: String, from start: String, to end: String) -> [[Substring]] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    var parts: [[Substring]] = []
    while let index = lines.firstIndex(where: { $0 == start }) {
      lines = lines[(index + 1)...]
      parts.append(Array(lines.prefix { $0 != end }))
    }
    return parts
  }
}
