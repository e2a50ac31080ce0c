import Foundation
import GlissEvents
import GlissRecordings
import GlissSession
import GlissSynthesis
import StrokeClasses
import TestSupport
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
    let made = RecordingWriter.bytes(of: RecordedDevice(trace.device), trace.events)
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
      let way = Direction.ofFour(gesture.translation.millimetres)
      if let directions = answer.directions, let way, !directions.contains(way) { return false }
      if let sign = answer.scaleSign, (gesture.scale > 1) != (sign > 0) { return false }
      if let sign = answer.rotationSign, (gesture.rotation > 0) != (sign > 0) { return false }
      return true
    }
  }
}
