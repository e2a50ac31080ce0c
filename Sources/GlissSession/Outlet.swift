import GlissEvents
import GlissGestures

/// Who is told what comes out of a session.
final class Outlet {
  private var handlers: [(mask: EventMask, handler: Session.Handler)] = []
  private var decisionHandlers: [(Decision) -> Void] = []
  /// What anybody wants to see.
  private(set) var mask: EventMask = []

  func add(_ handler: @escaping Session.Handler, matching mask: EventMask) {
    handlers.append((mask, handler))
    self.mask.formUnion(mask)
  }

  func add(_ handler: @escaping (Decision) -> Void) { decisionHandlers.append(handler) }

  func deliver(_ event: InputEvent) {
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
