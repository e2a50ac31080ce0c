public import GlissEvents
public import GlissGestures

/// Feeds a ``Session``: a recording, devices, another process.
public protocol Source {
  /// The errors of this kind of source.
  associatedtype Failure: Error

  /// Delivers everything to `session`, in order of time, and ends with ``Session/finish()``.
  mutating func run(into session: Session) throws(Failure)
}

extension Source {
  /// All gestures of this source, as a new session recognizes them; useful in tests.
  ///
  /// - Throws: what ``run(into:)`` throws.
  public consuming func gestures(
    _ configuration: GestureConfiguration = GestureConfiguration()
  ) throws(Failure) -> [GestureEvent] {
    var gestures: [GestureEvent] = []
    let session = Session(configuration: configuration)
    session.addHandler(matching: .gesture) { event in
      if case .gesture(let gesture) = event { gestures.append(gesture) }
    }
    var source = self
    try source.run(into: session)
    return gestures
  }
}
