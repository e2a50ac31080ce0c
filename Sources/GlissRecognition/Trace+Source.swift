public import GlissSession
public import GlissSynthesis

/// A synthesized stroke plays into a session like a recording of it.
extension Trace: Source {
  public func run(into session: Session) {
    let id = session.add(device)
    for event in events { session.process(event, from: id) }
    session.finish()
  }
}
