package import GlissEvents
package import GlissGestures
import GlissSession

/// One gesture as it came out of a session, from its first event to its last.
package struct Outcome {
  package var kind: GestureKind
  package var fingers: Int
  package var began: EventTime
  package var last: GestureEvent
  package var isOpen: Bool

  package var wasCancelled: Bool { last.phase == .cancelled }
  package var direction: Direction? { Direction.ofFour(last.translation.millimetres) }
  package var scaleSign: Int { last.scale > 1 ? 1 : last.scale < 1 ? -1 : 0 }
  package var rotationSign: Int { last.rotation > 0 ? 1 : last.rotation < 0 ? -1 : 0 }

  /// Motion that was taken for a gesture, as against contact alone.
  package var isMotion: Bool {
    switch kind {
    case .drag, .pinch, .rotate, .swipe, .edgeSwipe: true
    case .tap, .hold: false
    }
  }

  /// A few letters for tallies: the kind, and how it ended where that was not well.
  package var word: String {
    wasCancelled ? "\(kind.name) cancelled" : isOpen ? "\(kind.name) open" : kind.name
  }

  /// All that tells the outcome apart, for a line of its own.
  package var description: String {
    var text = "\(word) of \(fingers)"
    switch kind {
    case .drag, .swipe:
      let t = last.translation.millimetres
      text += " \(direction?.name ?? "nowhere") (\(t.x.fixed(1)), \(t.y.fixed(1)) mm)"
      if last.isAfterTap { text += " after a tap" }
    case .pinch: text += " ×\(last.scale.fixed(2))"
    case .rotate: text += " \((last.rotation * 180 / .pi).fixed(0))°"
    case .tap: text += " no. \(last.count)"
    case .edgeSwipe: text += " from \(last.edge?.name ?? "nowhere")"
    case .hold: break
    }
    return text + " at \((Double(began.microseconds) / 1000).fixed(0)) ms"
  }
}

/// Replays events through a session and collects what comes out.
package func outcomes(
  of events: [EvdevEvent], on device: Device,
  configuration: GestureConfiguration = GestureConfiguration()
) -> [Outcome] {
  let session = Session(configuration: configuration)
  let collector = Collector()
  session.addHandler(matching: .gesture) { event in
    if case .gesture(let gesture) = event { collector.take(gesture) }
  }
  let id = session.add(device)
  let origin = events.first?.time ?? .zero
  for event in events {
    // times count from the trace's first event, so that reports can be read beside it
    var shifted = event
    shifted.time = EventTime(microseconds: (event.time - origin).microseconds)
    // a live loop sleeps until the deadline; a replay lets the time pass before what comes after it
    if let deadline = session.deadline, deadline <= shifted.time { session.advance(to: deadline) }
    session.process(shifted, from: id)
  }
  session.finish()
  return collector.outcomes
}

/// Gathers the events of gestures into gestures.
package final class Collector {
  package private(set) var outcomes: [Outcome] = []

  package init() {}

  package func take(_ event: GestureEvent) {
    let isNew = event.phase == .began || event.phase == .recognized
    let isOpen = event.phase == .began || event.phase == .changed
    let open = isNew ? nil : outcomes.lastIndex { $0.isOpen && $0.kind == event.kind }
    if let open {
      outcomes[open].last = event
      outcomes[open].isOpen = isOpen
    } else {
      outcomes.append(
        Outcome(
          kind: event.kind, fingers: event.fingers, began: event.time, last: event,
          isOpen: event.phase == .began))
    }
  }
}

extension Double {
  /// With so many decimals; a dash for what is not a number.
  package func shown(_ places: Int) -> String { isFinite ? fixed(places) : "–" }
}
