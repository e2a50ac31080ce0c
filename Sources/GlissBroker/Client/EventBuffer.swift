import GlissEvents

/// Events between the thread that reads them and the task that takes them: one waits for the other, and what the reader
/// has met at its end comes after all events.
struct EventBuffer<Taker: Sendable>: Sendable {
  private enum State {
    /// Events that nobody has taken yet, the oldest first.
    case filled([GlobalEvent], next: Int)
    /// Somebody waits for the next one.
    case awaited(Taker)
    /// Nothing more comes; the rest is still there.
    case ending([GlobalEvent], next: Int, ClientError?)
    case over
  }

  enum Taking {
    case event(GlobalEvent)
    /// The taker waits.
    case wait
    case end(ClientError?)
  }

  private var state = State.filled([], next: 0)

  /// The next event is there.
  ///
  /// - Returns: who waits for it.
  mutating func offer(_ event: GlobalEvent) -> Taker? {
    switch state {
    case .filled(var events, let next):
      // not in two places at once: the array grows where it is
      state = .over
      events.append(event)
      state = .filled(events, next: next)
      return nil
    case .awaited(let taker):
      state = .filled([], next: 0)
      return taker
    case .ending, .over: return nil
    }
  }

  /// Nothing more comes.
  ///
  /// - Returns: who waits for it.
  mutating func end(_ error: ClientError?) -> Taker? {
    switch state {
    case .filled(let events, let next):
      state = .ending(events, next: next, error)
      return nil
    case .awaited(let taker):
      state = .over
      return taker
    case .ending, .over: return nil
    }
  }

  /// Somebody takes the next event, or waits for it. Who has waited before him waits no longer.
  mutating func take(_ taker: Taker) -> (Taking, dismissed: Taker?) {
    switch state {
    case .filled(let events, let next) where next < events.count:
      state = Self.rest(events, next + 1)
      return (.event(events[next]), nil)
    case .filled:
      state = .awaited(taker)
      return (.wait, nil)
    case .awaited(let other):
      state = .awaited(taker)
      return (.wait, other)
    case .ending(let events, let next, let error) where next < events.count:
      state = .ending(events, next: next + 1, error)
      return (.event(events[next]), nil)
    case .ending(_, _, let error):
      state = .over
      return (.end(error), nil)
    case .over: return (.end(nil), nil)
    }
  }

  private static func rest(_ events: [GlobalEvent], _ next: Int) -> State {
    next == events.count ? .filled([], next: 0) : .filled(events, next: next)
  }
}
