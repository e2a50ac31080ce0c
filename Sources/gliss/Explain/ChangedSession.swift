import Gliss

/// What another configuration decides on the same input, contact by contact, until it is asked for.
final class ChangedSession {
  let session: Session
  private let found = Found()
  private let explained: ExplainedSession

  init(_ session: Session) {
    self.session = session
    explained = ExplainedSession(session) { [found] stretch, _ in
      found.decisions[Contact(stretch), default: []] += stretch.decisions
    }
  }

  /// The input is over: what is left becomes known.
  func close() { explained.close() }

  /// What was decided on that contact, once; empty for one that this session did not see.
  func take(_ stretch: Stretch) -> [Decision] {
    found.decisions.removeValue(forKey: Contact(stretch)) ?? []
  }

  /// Both sessions were given the same devices in the same order, so that they number them alike.
  private struct Contact: Hashable {
    var device: DeviceID
    var start: EventTime

    init(_ stretch: Stretch) {
      device = stretch.device
      start = stretch.start
    }
  }

  private final class Found {
    var decisions: [Contact: [Decision]] = [:]
  }
}
