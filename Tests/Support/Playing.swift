package import GlissEvents
import GlissSession

extension Ledger {
  /// What a session makes of the events of one device, from the first to the end of the input.
  package static func play(
    _ events: some Sequence<EvdevEvent>, on device: Device, until end: EventTime? = nil
  ) -> Ledger {
    let (session, ledger) = (Session(), Ledger())
    ledger.follow(session)
    let id = session.add(device)
    for event in events { session.process(event, from: id) }
    if let end { session.advance(to: end) }
    session.finish()
    ledger.close()
    return ledger
  }
}
