import GlissEvents

/// Chords that wait to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for a reader of a keyboard and drops what is more; a chord has up to 36.
struct PressQueue {
  private enum State {
    /// Nothing is to be pressed before that time, and nothing waits.
    case idle(since: EventTime)
    /// The first is pressed when its time has come.
    case waiting([[KeyStroke]], due: EventTime)
  }

  /// The most that wait.
  static let capacity = 256
  /// From one chord to the next.
  static let interval = EventInterval.milliseconds(5)

  private var state: State

  /// - Parameter ready: nobody reads what is pressed before.
  init(ready: EventTime) { state = .idle(since: ready) }

  /// When ``next(at:)`` has something.
  var deadline: EventTime? {
    switch state {
    case .idle: nil
    case .waiting(_, let due): due
    }
  }

  /// Adds all of `chords`, or none where they are too many.
  mutating func add(_ chords: [[KeyStroke]], at time: EventTime) -> Bool {
    if chords.isEmpty { return true }
    switch state {
    case .idle(let since): state = .waiting(chords, due: max(since, time))
    case .waiting(let waiting, let due):
      guard waiting.count + chords.count <= Self.capacity else { return false }
      state = .waiting(waiting + chords, due: due)
    }
    return true
  }

  /// Nothing waits any more.
  mutating func forget() {
    switch state {
    case .waiting(_, let due): state = .idle(since: due)
    case .idle: break
    }
  }

  /// What is to be pressed now; `nil` where nothing is.
  mutating func next(at time: EventTime) -> [KeyStroke]? {
    switch state {
    case .waiting(let waiting, let due) where due <= time:
      let rest = Array(waiting.dropFirst())
      let next = time + Self.interval
      state = rest.isEmpty ? .idle(since: next) : .waiting(rest, due: next)
      return waiting.first
    case .waiting, .idle: return nil
    }
  }
}
