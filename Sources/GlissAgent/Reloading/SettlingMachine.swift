import GlissEvents

/// Waits until changes have settled: an editor writes more than once, and tools that link files
/// replace many.
struct SettlingMachine {
  private enum State {
    case still
    /// The first change came at `since`. If no other comes, they have settled at `due`.
    case moving(since: EventTime, due: EventTime)
  }

  /// How long nothing must change.
  static let quiet = EventInterval.milliseconds(50)
  /// The longest wait.
  static let longest = EventInterval.milliseconds(1000)

  private var state = State.still

  /// When ``advance(to:)`` must be called.
  var deadline: EventTime? {
    switch state {
    case .still: nil
    case .moving(let since, let due): min(due, since + Self.longest)
    }
  }

  mutating func changed(at time: EventTime) {
    switch state {
    case .still: state = .moving(since: time, due: time + Self.quiet)
    case .moving(let since, _): state = .moving(since: since, due: time + Self.quiet)
    }
  }

  /// - Returns: whether changes have just settled.
  mutating func advance(to time: EventTime) -> Bool {
    guard let deadline, deadline <= time else { return false }
    state = .still
    return true
  }
}
