import GlissEvents
import GlissGestures

/// Who is told what comes out of a session.
final class Outlet {
  @exclusivity(unchecked) private var handlers: [(mask: EventMask, handler: Session.Handler)] = []
  @exclusivity(unchecked) private var decisionHandlers: [(Decision) -> Void] = []
  /// What anybody wants to see.
  @exclusivity(unchecked) private(set) var mask: EventMask = []

  func add(_ handler: @escaping Session.Handler, matching mask: EventMask) {
    handlers.append((mask, handler))
    self.mask.formUnion(mask)
  }

  func add(_ handler: @escaping (Decision) -> Void) { decisionHandlers.append(handler) }

  /// Asked before anybody is told.
  let monitors = MonitorChain()

  /// What the local monitors leave of `event`; `nil` where nothing is.
  func screen(_ event: InputEvent) -> InputEvent? {
    monitors.mask.contains(event.mask) ? monitors.pass(event) : event
  }

  /// Tells what the local monitors leave of `event`.
  func deliver(_ event: InputEvent) {
    if let event = screen(event) { tell(event) }
  }

  /// Tells what the local monitors have seen.
  func tell(_ event: InputEvent) {
    let kind = event.mask
    for (mask, handler) in handlers where mask.contains(kind) { handler(event) }
  }

  func route(_ output: RecognizerOutput) {
    switch output {
    case .gesture(let gesture): deliver(InputEvent.gesture(gesture))
    case .decision(let decision):
      for handler in decisionHandlers { handler(decision) }
    }
  }
}
