package import Gliss

/// The way of a decoded frame: tracker, recognizer, handler.
package struct FrameRoute {
  private var tracker: TouchTracker
  private var recognizer: GestureRecognizer
  private let handler: (RecognizerOutput) -> Void

  package init(for device: Device, handler: @escaping (RecognizerOutput) -> Void) {
    tracker = TouchTracker(for: device)
    recognizer = GestureRecognizer(for: device)
    self.handler = handler
  }

  /// One round of the workload's frames.
  package mutating func run(_ workload: Workload) {
    for index in workload.frames.indices {
      tracker.process(workload.frames[index])
      recognizer.process(tracker.frame)
      for output in recognizer.outputs.indices { handler(recognizer.outputs[output]) }
    }
  }
}

/// The way of an event: a session, perhaps a monitor that looks on, and one handler for what `mask` names.
package struct SessionRoute {
  private let session: Session
  private let device: DeviceID

  package init(
    for device: Device, matching mask: EventMask = .gesture, isMonitored: Bool = false,
    handler: @escaping Session.Handler
  ) {
    session = Session()
    if isMonitored { session.addLocalMonitor { _ in .pass } }
    self.device = session.add(device)
    session.addHandler(matching: mask, handler)
  }

  /// One round of the workload's events.
  package func run(_ workload: Workload) {
    for event in workload.events { session.process(event, from: device) }
  }
}

/// What a handler does at the least: it looks at what it is given.
package final class Counter {
  package private(set) var count = 0
  private var last = EventTime.zero

  package init() {}

  package func note(_ time: EventTime) {
    count += 1
    last = max(last, time)
  }

  package func reset() { count = 0 }
}
