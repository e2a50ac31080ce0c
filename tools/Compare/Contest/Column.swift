import Foundation
import GlissEvents
import GlissSynthesis
import Scoring

/// What one side made of the strokes, class by class.
final class Column {
  let name: String
  private(set) var tallies: [String: Tally] = [:]

  init(_ name: String) { self.name = name }

  private var isLibinput: Bool { name == "libinput" }

  /// Scores what was printed against what was played.
  func score(_ lines: [Substring], _ played: [Played]) {
    let gestures = lines.compactMap(Self.gesture)
    for (index, stroke) in played.enumerated() {
      let end = index + 1 < played.count ? played[index + 1].start : EventTime(microseconds: .max)
      let collector = Collector()
      for gesture in gestures where gesture.time >= stroke.start && gesture.time < end {
        collector.take(gesture)
      }
      score(collector.outcomes, stroke)
    }
  }

  private func score(_ outcomes: [Outcome], _ stroke: Played) {
    let truth = stroke.trace.truth
    var outcomes = outcomes
    if isLibinput { Self.excuse(&outcomes, truth, stroke.trace) }
    var tally = tallies[truth.className] ?? Tally(truth.className)
    defer { tallies[truth.className] = tally }
    tally.count += 1
    if let fault = SyntheticScore.fault(outcomes, truth) {
      tally.wrong[fault, default: 0] += 1
      return
    }
    tally.clean += 1
    guard let decision = outcomes.first(where: \.isMotion), let onset = truth.strokeStart else {
      return
    }
    let origin = stroke.trace.events.first?.time ?? .zero
    let began = stroke.start + (onset - origin)
    tally.fromStart.append((decision.began - began).milliseconds)
  }

  /// Excuses differences in meaning: libinput begins a hold before anything else, has one gesture
  /// for pinching and turning, does not count taps, and reports button clicks like taps.
  private static func excuse(_ outcomes: inout [Outcome], _ truth: Truth, _ trace: Trace) {
    let hasClick = trace.events.contains {
      $0.type == .key && $0.code == Key.leftButton.rawValue && $0.value == 1
    }
    if hasClick { outcomes.removeAll { $0.kind == .tap || $0.last.isAfterTap } }
    let expectsHold = truth.expected.contains { $0.kind == .hold }
    if !expectsHold { outcomes.removeAll { $0.kind == .hold } }
    let expectsTurn = truth.expected.contains { $0.kind == .rotate }
    var taps = 0
    for index in outcomes.indices {
      if outcomes[index].kind == .pinch && expectsTurn { outcomes[index].kind = .rotate }
      if outcomes[index].kind == .tap {
        taps += 1
        outcomes[index].last.count = taps
      }
    }
  }

  /// Whether libinput has a word for what the class asks for.
  static func isInLibinput(_ truth: Truth) -> Bool {
    truth.expected.allSatisfy { $0.kind != .edgeSwipe && ($0.kind != .tap || $0.fingers <= 3) }
  }

  /// The gesture in a line of the one schema; the steps between its beginning and its end are not needed.
  private static func gesture(_ line: Substring) -> GestureEvent? {
    if line.contains("\"phase\":\"changed\"") { return nil }
    guard
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
      object["kind"] as? String == "gesture", let time = object["time"] as? Double,
      let kind = GestureKind.allCases.first(where: { $0.name == object["gesture"] as? String }),
      let phase = GesturePhase.allCases.first(where: { $0.name == object["phase"] as? String }),
      let fingers = object["fingers"] as? Int
    else { return nil }
    var event = GestureEvent(
      time: EventTime(microseconds: Int64((time * 1_000_000).rounded())),
      device: DeviceID(rawValue: 0), kind: kind, phase: phase, fingers: fingers)
    event.count = object["count"] as? Int ?? 0
    if let way = object["translation_mm"] as? [Double], way.count == 2 {
      event.translation.millimetres = Vector2(x: way[0], y: way[1])
    }
    event.scale = object["scale"] as? Double ?? 1
    event.rotation = object["rotation"] as? Double ?? 0
    event.isAfterTap = object["afterTap"] as? Bool ?? false
    event.edge = Edge.allCases.first { $0.name == object["edge"] as? String }
    return event
  }
}
