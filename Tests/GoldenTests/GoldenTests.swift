import Foundation
import GlissEvents
import GlissRecordings
import GlissSession
import GlissSynthesis
import Testing

/// Every recording in recordings/ replayed, against what it gave before.
///
/// `UPDATE_GOLDEN=1` writes down what it gives now instead.
@Suite struct GoldenTests {
  @Test(arguments: GoldenRecording.all + [.demonstration])
  func replaysAsBefore(recording: GoldenRecording) throws {
    let got = try recording.replayed()
    if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
      try Data(got.utf8).write(to: recording.expectedURL)
      return
    }
    let expected = try? String(contentsOf: recording.expectedURL, encoding: .utf8)
    guard let expected else {
      Issue.record("\(recording) has no .expected.jsonl: UPDATE_GOLDEN=1 tools/test writes it")
      return
    }
    if got != expected {
      Issue.record("\(recording) changed:\n\(SideBySide.text(expected: expected, got: got))")
    }
  }

  /// What is written down is right, not only what it was before.
  @Test(arguments: GoldenRecording.all) func isWhatItWasMeantToBe(recording: GoldenRecording) throws
  {
    let pad = try #require(Pad.named.first { $0.name == recording.folder }?.pad)
    let kind = try #require(TraceClass.named(recording.name))
    let truth = kind.trace(on: pad, index: 0, seed: 2026).truth
    let seen = try Recording(path: recording.url.path).gestures()
      .filter { !truth.tolerated.contains($0.kind) || truth.isExpected($0) }
    // taken back is as wrong as never meant, also where nothing else of it is seen
    for gesture in seen where gesture.phase == .cancelled {
      Issue.record("\(gesture.kind) of \(gesture.fingers) was cancelled")
    }
    let whole = seen.filter { $0.phase == .ended || $0.phase == .recognized }
    for gesture in whole { #expect(truth.isExpected(gesture), "\(gesture)") }
    #expect(Self.answers(truth).contains(whole.map(\.count)), "\(whole.map(\.count))")
  }

  /// The counts of the gestures that would be right, in their order: taps count up, all else comes once.
  private static func answers(_ truth: Truth) -> [[Int]] {
    if truth.expected.isEmpty { return [[]] }
    return truth.expected.map { answer in
      answer.kind == .tap ? Array(1...max(1, answer.count ?? 1)) : [0]
    }
  }

  @Test func thereAreEnoughRecordingsOfEveryPad() {
    #expect(GoldenRecording.all.count >= 40)
    for (name, _) in Pad.named {
      #expect(GoldenRecording.all.filter { $0.folder == name }.count >= 5, "\(name)")
    }
  }

  /// The recordings can be made again, and hold nothing else than what the model makes.
  @Test(arguments: GoldenRecording.all) func isWhatTheModelMakes(recording: GoldenRecording) throws
  {
    let pad = try #require(Pad.named.first { $0.name == recording.folder }?.pad)
    let kind = try #require(TraceClass.named(recording.name))
    let trace = kind.trace(on: pad, index: 0, seed: 2026)
    let made = RecordingWriter.bytes(of: trace.device, trace.events)
    let stored = [UInt8](try Data(contentsOf: recording.url))
    let isTheSame = made == stored
    #expect(isTheSame, "tools/synthesize --recordings recordings writes them again")
  }
}

extension Truth {
  /// Whether one of the right answers has this kind, as many fingers and this direction.
  fileprivate func isExpected(_ gesture: GestureEvent) -> Bool {
    expected.contains { answer in
      guard answer.kind == gesture.kind, answer.fingers == gesture.fingers else { return false }
      let way = Direction.ofFour(gesture.translationInMillimetres)
      if let directions = answer.directions, let way, !directions.contains(way) { return false }
      if let sign = answer.scaleSign, (gesture.scale > 1) != (sign > 0) { return false }
      if let sign = answer.rotationSign, (gesture.rotation > 0) != (sign > 0) { return false }
      return true
    }
  }
}

/// One recording of the set.
struct GoldenRecording: CustomTestStringConvertible, Sendable {
  var folder: String
  var name: String

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("recordings")

  static let all: [GoldenRecording] = Pad.named.flatMap { folder, _ -> [GoldenRecording] in
    let path = root.appendingPathComponent(folder).path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.filter { $0.hasSuffix(".yml") }.sorted().map {
      GoldenRecording(folder: folder, name: String($0.dropLast(4)))
    }
  }

  /// What `tools/demo` shows.
  static let demonstration = GoldenRecording(folder: "demo", name: "demo")

  var testDescription: String { "\(folder)/\(name)" }
  private var base: URL { Self.root.appendingPathComponent(folder).appendingPathComponent(name) }
  var url: URL { base.appendingPathExtension("yml") }
  var expectedURL: URL { base.appendingPathExtension("expected.jsonl") }

  /// The gestures of the recording, a JSON object a line.
  func replayed() throws -> String {
    var recording = try Recording(path: url.path)
    let device = recording.devices.first?.name ?? ""
    let session = Session()
    let lines = Lines(origin: recording.origin ?? .zero, file: "\(name).yml")
    session.addHandler(matching: .gesture) { event in
      lines.encoder.append(event, deviceName: device)
    }
    try recording.run(into: session)
    return String(decoding: lines.encoder.buffer.bytes, as: UTF8.self)
  }

  private final class Lines {
    var encoder: JSONLineEncoder
    init(origin: EventTime, file: String) { encoder = JSONLineEncoder(origin: origin, file: file) }
  }
}

/// Two outputs in two columns, with a mark where they differ.
enum SideBySide {
  static func text(expected: String, got: String) -> String {
    let left = expected.split(separator: "\n").map(short)
    let right = got.split(separator: "\n").map(short)
    let width = left.map(\.count).max() ?? 0
    let rows = (0..<max(left.count, right.count)).map { i -> String in
      let (a, b) = (i < left.count ? left[i] : "", i < right.count ? right[i] : "")
      let space = String(repeating: " ", count: width - a.count)
      return "\(a == b ? " " : "≠") \(a)\(space) | \(b)"
    }
    // around the first difference: a long gesture has hundreds of equal lines
    let first = rows.firstIndex { $0.hasPrefix("≠") } ?? 0
    let shown = rows[max(0, first - 3)..<min(rows.count, first + 25)]
    return (["  expected\(String(repeating: " ", count: max(0, width - 8))) | got"] + shown)
      .joined(separator: "\n")
  }

  /// A line without what is the same in all of them.
  private static func short(_ line: Substring) -> String {
    line.split(separator: ",").filter { part in
      !["\"file\"", "\"device\"", "\"kind\""].contains(where: part.hasPrefix)
    }.joined(separator: ",")
  }
}
