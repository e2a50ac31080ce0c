import GlissEvents
import Testing

/// A gesture as one value, and as one line.
@Suite struct GestureShapeTests {
  private func event(
    _ kind: GestureKind, _ phase: GesturePhase, of fingers: Int,
    _ change: (inout GestureEvent) -> Void = { _ in }
  ) -> GestureEvent {
    var event = GestureEvent(
      time: .zero, device: DeviceID(rawValue: 1), kind: kind, phase: phase, fingers: fingers)
    change(&event)
    return event
  }

  @Test func eachKindHasItsWords() {
    let events: [(GestureEvent, GestureShape, String)] = [
      (
        event(.drag, .changed, of: 2) { $0.translation.millimetres = Vector2(x: 3.04, y: -0.01) },
        .drag(Translation(millimetres: Vector2(x: 3.04, y: -0.01), points: .zero)),
        "drag of 2 changed, right 3.0 mm"
      ),
      (
        event(.pinch, .changed, of: 2) { $0.scale = 1.236 }, .pinch(1.236),
        "pinch of 2 changed, out to 1.24×"
      ),
      (
        event(.rotate, .ended, of: 2) { $0.rotation = -.pi / 2 }, .rotate(-.pi / 2),
        "rotate of 2 ended, 90° clockwise"
      ),
      (
        event(.swipe, .ended, of: 3) { $0.direction = .left }, .swipe(.left),
        "swipe of 3 ended, left"
      ),
      (event(.swipe, .began, of: 4), .swipe(nil), "swipe of 4 began"),
      (event(.tap, .recognized, of: 1) { $0.count = 1 }, .tap(1), "tap of 1 recognized"),
      (
        event(.tap, .recognized, of: 2) { $0.count = 2 }, .tap(2),
        "tap of 2 recognized, double"
      ),
      (event(.hold, .cancelled, of: 3), .hold, "hold of 3 cancelled"),
      (
        event(.edgeSwipe, .began, of: 1) {
          $0.edge = .top; $0.direction = .down
        },
        .edgeSwipe(.top, .down), "edgeSwipe of 1 began, from the top edge, down"
      ),
    ]
    for (event, shape, line) in events {
      #expect(event.shape == shape)
      #expect("\(event)" == line)
    }
    #expect(Set(events.map { $0.0.kind }) == Set(GestureKind.allCases))
  }

  /// As an app writes it.
  @Test func itIsSwitchedOverInOnePlace() {
    func meaning(_ event: GestureEvent) -> String {
      switch (event.phase, event.shape) {
      case (.ended, .swipe(.left)): "back"
      case (.changed, .pinch(let scale)) where scale > 1: "zoom in"
      default: "nothing"
      }
    }
    #expect(meaning(event(.swipe, .ended, of: 3) { $0.direction = .left }) == "back")
    #expect(meaning(event(.swipe, .ended, of: 3) { $0.direction = .right }) == "nothing")
    #expect(meaning(event(.pinch, .changed, of: 2) { $0.scale = 2 }) == "zoom in")
    #expect(meaning(event(.swipe, .ended, of: 3)) == "nothing")
  }
}
