public import GlissSession

/// Plays a synthesized stroke into a session like a recording.
extension Trace: Source {
  public func run(into session: Session) {
    let id = session.add(device)
    for event in events { session.process(event, from: id) }
    session.finish()
  }
}
