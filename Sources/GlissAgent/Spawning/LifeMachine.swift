import GlissEvents

/// The life of a command, from its start to its end, and when it must end.
struct LifeMachine {
  enum Action: Hashable {
    /// Ask its process group to end.
    case terminate
    /// Kill its process group.
    case kill
  }

  private enum State {
    /// It may run until `due`, or without limit.
    case running(due: EventTime?)
    /// It was asked to end, and is killed at `due`.
    case ending(due: EventTime)
    /// It was killed, and its end is not reported yet.
    case killed
    case over
  }

  /// From SIGTERM to SIGKILL.
  static let grace = EventInterval.milliseconds(2000)

  private var state: State

  /// - Parameter limit: how long it may run.
  init(startedAt time: EventTime, limit: EventInterval?) {
    state = .running(due: limit.map { time + $0 })
  }

  /// When ``advance(to:)`` must be called.
  var deadline: EventTime? {
    switch state {
    case .running(let due): due
    case .ending(let due): due
    case .killed, .over: nil
    }
  }

  /// Whether it was ended for exceeding its time limit.
  var wasLate: Bool {
    switch state {
    case .running, .over: false
    case .ending, .killed: true
    }
  }

  mutating func advance(to time: EventTime) -> Action? {
    switch state {
    case .running(let due?) where due <= time:
      state = .ending(due: time + Self.grace)
      return .terminate
    case .ending(let due) where due <= time:
      state = .killed
      return .kill
    case .running, .ending, .killed, .over: return nil
    }
  }

  /// The command itself has ended and is not reaped yet, so its group's id is still valid.
  mutating func exited() -> Action? {
    defer { state = .over }
    switch state {
    // the rest of its group was asked to end too; kill it now, because its id may be reused later
    case .ending: return .kill
    case .running, .killed, .over: return nil
    }
  }
}
