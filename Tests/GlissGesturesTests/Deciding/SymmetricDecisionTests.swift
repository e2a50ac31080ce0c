import GlissEvents
import Mapping
import Testing

/// A hand is a hand, whichever it is and however it lies.
@Suite struct SymmetricDecisionTests {
  /// At least 20 mm above the lower edge.
  private static let setting = StrokeSetting().with {
    $0.separation = 15; $0.length = 7
  }

  @Test(
    arguments: [(true, 0), (false, 90), (false, 180), (true, 90), (true, 180)] as [(Bool, Double)])
  func aMirroredOrTurnedHandMakesTheMirroredGestures(isMirrored: Bool, turn: Double) {
    for stroke in Maps.strokes(Self.setting) {
      let other = stroke.with {
        $0.isMirrored = isMirrored; $0.turn = turn
      }
      #expect(other.fits && other.aboveLowerEdge >= 20)
      let expected = stroke.plan.gestures().map { Numbers($0) { other.seen($0) } }
      let found = other.plan.gestures().map { Numbers($0, isMirrored: isMirrored) { $0 } }
      #expect(found == expected, "\(stroke.text(without: []))")
    }
  }

  /// A gesture's numbers, which a mirrored one has too; rounded, since turning rounds.
  private struct Numbers: Equatable {
    var kind: GestureKind
    var phase: GesturePhase
    var time: EventTime
    var scale: Double
    var rotation: Double
    var translation: Vector2

    init(_ gesture: GestureEvent, isMirrored: Bool = false, _ seen: (Vector2) -> Vector2) {
      func rounded(_ value: Double) -> Double { (value * 1e6).rounded() / 1e6 }
      kind = gesture.kind
      phase = gesture.phase
      time = gesture.time
      scale = rounded(gesture.scale)
      rotation = rounded(isMirrored ? -gesture.rotation : gesture.rotation)
      let way = seen(gesture.translation.millimetres)
      translation = Vector2(x: rounded(way.x), y: rounded(way.y))
    }
  }
}
