import Gliss

/// Listens to a session and reports each stretch of contact with its decisions, in order.
final class ExplainedSession {
  private let session: Session
  private let body: (Stretch, Device?) -> Void
  private var stretches = Stretches()

  init(_ session: Session, _ body: @escaping (Stretch, Device?) -> Void) {
    self.session = session
    self.body = body
    session.addHandler(matching: .touch) { [unowned self] event in
      stretches.note(event)
      settle(by: event.time)
    }
    session.addDecisionHandler { [unowned self] decision in stretches.note(decision) }
  }

  /// The input has ended: reports what is left.
  func close() { settle(by: nil) }

  private func settle(by time: EventTime?) {
    for stretch in stretches.settled(by: time) { body(stretch, session.device(stretch.device)) }
  }
}
