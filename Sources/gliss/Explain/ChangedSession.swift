import Gliss

/// Collects what another configuration decides on the same input, contact by contact, until it is
/// taken.
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

  /// The input has ended: settles the remaining decisions.
  func close() { explained.close() }

  /// Removes and returns the decisions on that contact; empty if this session did not see it.
  func take(_ stretch: Stretch) -> [Decision] {
    found.decisions.removeValue(forKey: Contact(stretch)) ?? []
  }

  /// Both sessions get the same devices in the same order, so their numbers match.
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
