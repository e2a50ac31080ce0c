import GlissEvents

/// A gesture from its beginning to its end.
struct WholeGesture: CustomStringConvertible {
  private(set) var events: [GestureEvent]

  private var first: GestureEvent { events[0] }
  private var last: GestureEvent { events[events.count - 1] }

  /// The gestures that `events` tell of, in the order they began; the last one may be without its end.
  static func all(in events: [GestureEvent]) -> [WholeGesture] {
    var gestures: [WholeGesture] = []
    for event in events {
      switch event.phase {
      case .began, .recognized: gestures.append(WholeGesture(events: [event]))
      case .changed, .ended, .cancelled:
        guard gestures.last?.first.kind == event.kind else { continue }
        gestures[gestures.count - 1].events.append(event)
      }
    }
    return gestures
  }

  /// What it is, without the numbers.
  var description: String {
    var words = ["\(first.kind.name) of \(first.fingers)", first.phase.name, last.phase.name]
    if last.count > 0 { words.append("count \(last.count)") }
    if let direction = last.direction { words.append(direction.name) }
    if let edge = last.edge { words.append("from \(edge.name)") }
    if last.isAfterTap { words.append("after a tap") }
    return words.joined(separator: ", ")
  }
}

extension WholeGesture {
  /// Two frames of the slowest pad (60 Hz), in ms: one that a decision may come later, and one of jitter.
  static let patience = 34.0

  /// What is not the same as in `recorded`; `nil` where all is.
  ///
  /// - Parameters:
  ///   - origin: the time of the first event, live.
  ///   - start: the time of the first event in the recording.
  ///   - patience: how far times may be apart, in ms.
  ///   - frames: how many frames of motion may be missing, or too many, at its end.
  func difference(
    from recorded: WholeGesture, live origin: EventTime, recorded start: EventTime,
    patience: Double = patience, frames: Double = 1
  ) -> String? {
    for (own, other) in [(first, recorded.first), (last, recorded.last)] {
      let late = (own.time - origin).milliseconds - (other.time - start).milliseconds
      if abs(late) > patience { return "\(own.phase.name) is \(late) ms late" }
    }
    func margin(_ rounding: Double, _ step: Double) -> Double { rounding + frames * step }
    let way = last.translation.millimetres - recorded.last.translation.millimetres
    // a unit of the coarsest pad, and a hundredth of what those numbers count in
    let stride = recorded.largestStep({ ($1 - $0).length }, \.translation.millimetres)
    if way.length > margin(0.1, stride) {
      return "it ends \(way.length) mm elsewhere"
    }
    let (growth, turn) = (last.scale - recorded.last.scale, last.rotation - recorded.last.rotation)
    if abs(growth) > margin(0.01, recorded.largestStep({ abs($1 - $0) }, \.scale)) {
      return "it ends \(growth) larger"
    }
    if abs(turn) > margin(0.01, recorded.largestStep({ abs($1 - $0) }, \.rotation)) {
      return "it ends \(turn) radians further"
    }
    return nil
  }

  /// How far it gets from one frame to the next at most. With the first change it makes up for all that was before.
  private func largestStep<Value>(
    _ distance: (Value, Value) -> Double, _ value: (GestureEvent) -> Value
  ) -> Double {
    let values = events.dropFirst().map(value)
    return zip(values, values.dropFirst()).map(distance).max() ?? 0
  }
}
