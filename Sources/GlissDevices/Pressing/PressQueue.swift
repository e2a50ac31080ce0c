import GlissEvents

/// Chords waiting to be pressed, one after the other, no faster than a desktop reads them.
///
/// The kernel keeps 64 events for each reader of a keyboard and drops the rest. A chord has up to
/// 36.
struct PressQueue {
  private enum State {
    /// Nothing waits. A new chord is not pressed before `since`.
    case idle(since: EventTime)
    /// The first chord is pressed at `due`.
    case waiting([[KeyStroke]], due: EventTime)
  }

  /// The most chords that may wait.
  static let capacity = 256
  /// The time between two chords.
  static let interval = EventInterval.milliseconds(5)

  private var state: State

  /// - Parameter ready: When the keyboard is ready; nobody reads it before that.
  init(ready: EventTime) { state = .idle(since: ready) }

  /// When ``next(at:)`` returns the next chord.
  var deadline: EventTime? {
    switch state {
    case .idle: nil
    case .waiting(_, let due): due
    }
  }

  /// Adds all `chords`, or returns false and adds none if there are too many.
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

  /// Removes all waiting chords.
  mutating func forget() {
    switch state {
    case .waiting(_, let due): state = .idle(since: due)
    case .idle: break
    }
  }

  /// The chord to press now; `nil` if there is none.
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
