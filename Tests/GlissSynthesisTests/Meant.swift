import GlissEvents
import StrokeClasses
import Testing

@testable import GlissSynthesis

/// What the hand of a class' trace means to do, and what it does.
struct Meant {
  var pad: Pad
  var plan: Plan
  var performed: Plan
  var truth: Truth

  init(_ kind: TraceClass, index: Int) {
    let drawn = kind.drawn(on: kind.pads[index % kind.pads.count], index: index, seed: 17)
    var random = RandomSource(seed: drawn.seed, name: "stroke")
    pad = drawn.pad
    plan = Choreography(stroke: drawn.stroke, pad: drawn.pad).plan(using: &random)
    performed = plan
    performed.perform(drawn.stroke.options.motor, using: &random)
    truth = kind.trace(index: index, seed: 17).truth
  }

  static func some(of name: String) throws -> [Meant] {
    let kind = try #require(TraceClass.named(name))
    return (0..<60).map { Meant(kind, index: $0) }
  }

  /// How far each finger goes.
  var ways: [Vector2] { plan.fingers.map { $0.position(at: $0.lifting) - $0.start } }

  /// How far two fingers go along their line, seen from the first to the second, without what they drift alike.
  func waysApart() throws -> (Double, Double) {
    let (a, b) = (plan.fingers[0], plan.fingers[1])
    let unit = (b.start - a.start) * (1 / (b.start - a.start).length)
    // of a pinch the first move is the pinch, the second the drift
    func way(_ finger: FingerPlan) throws -> Double {
      let move = try #require(finger.moves.first)
      return move.displacement(from: finger.start, at: move.begin + move.duration).dot(unit)
    }
    return (try way(a), try way(b))
  }

  /// How far the middle of a pinch drifts.
  func drift() throws -> Double {
    guard let finger = plan.fingers.first, finger.moves.count > 1 else { return 0 }
    let move = finger.moves[1]
    return move.displacement(from: finger.start, at: move.begin + move.duration).length
  }

  /// How far a finger of a pinch goes without the drift.
  func travel() throws -> Double {
    let ways = try waysApart()
    return (abs(ways.0) + abs(ways.1)) / 2
  }
}
