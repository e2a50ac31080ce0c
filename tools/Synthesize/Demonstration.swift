import Foundation
import GlissEvents
import GlissRecordings
import GlissSynthesis

/// One recording with a stroke of every kind, one after the other: what `tools/demo` shows.
enum Demonstration {
  private static let seed: UInt64 = 1
  /// From the end of one stroke to the first finger of the next.
  private static let pause = EventInterval.milliseconds(550)

  private static let strokes: [Stroke] = [
    .drag(by: Vector2(x: 6, y: -30)),
    .drag(by: Vector2(x: 0, y: 24)).with { $0.convergence = 0.12 },
    .pinch(from: 18, to: 58),
    .pinch(from: 52, to: 24, anchor: .thumb),
    .rotate(by: 50),
    .swipe(fingers: 3, direction: .left),
    .swipe(fingers: 4, direction: .up, distance: 22),
    .tap(fingers: 2, count: 2),
    .hold(fingers: 2),
    .edgeSwipe(.right),
    .tapAndDrag(by: Vector2(x: 25, y: 8)),
  ]

  static func write(to path: String) throws {
    let pad = Pad.medium
    var events: [EvdevEvent] = []
    var slot: Int32 = 0
    for (index, stroke) in strokes.enumerated() {
      let trace = stroke.trace(on: pad, seed: seed + UInt64(index))
      guard let first = trace.events.first?.time else { continue }
      let start = (events.last?.time ?? .zero) + (index == 0 ? .zero : pause)
      // every trace takes slot 0 to be in force, which the one before may have left
      if slot != 0 { events.append(.absolute(.slot, 0, at: start)) }
      slot = 0
      for var event in trace.events {
        event.time = start + (event.time - first)
        if event.type == .absolute, event.code == AbsoluteAxis.slot.rawValue { slot = event.value }
        events.append(event)
      }
    }
    let bytes = RecordingWriter.bytes(of: RecordedDevice(pad.device), events)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }
}
