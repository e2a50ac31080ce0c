import Gliss
import GlissSynthesis
import Testing

/// What an app's own test looks like: a hand that never tires.
@Suite struct ZoomTests {
  @Test(arguments: [(20.0, 60.0), (60.0, 20.0)])
  func aPinchZooms(from start: Double, to end: Double) {
    let gestures = Stroke.pinch(from: start, to: end).trace(on: .medium, seed: 1).gestures()
    let pinch = gestures.last { $0.kind == .pinch }
    #expect(pinch?.phase == .ended)
    #expect(abs((pinch?.scale ?? 0) / (end / start) - 1) < 0.2)
  }

  @Test func aTapDoesNotZoom() {
    let gestures = Stroke.tap(fingers: 2).trace(on: .medium, seed: 1).gestures()
    #expect(gestures.map(\.kind) == [.tap])
  }
}
