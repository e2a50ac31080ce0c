import GlissConfiguration
import GlissEvents

/// A rule whose gesture has ended. Its end waits, because the fingers may land again and go on.
struct LingeringRule: Sendable {
  /// What is emitted if they do not.
  private(set) var end: Activation
  let patience: EventInterval
  /// When it ends; `nil` while the fingers rest on the pad.
  private(set) var due: EventTime?

  init(end: Activation, patience: EventInterval) {
    self.end = end
    self.patience = patience
    due = end.time + patience
  }

  mutating func wait(from time: EventTime) { due = time + patience }

  /// Whether the fingers have landed again and rest: they may go on later.
  mutating func rests(in gesture: GestureEvent) -> Bool {
    guard gesture.kind == .hold, case .gesture(let last) = end.cause,
      last.fingers == gesture.fingers
    else { return false }
    due = nil
    return true
  }

  func ended(at time: EventTime) -> Activation {
    var end = end
    end.time = time
    return end
  }
}
