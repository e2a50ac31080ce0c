import GlissEvents

/// The life of a command from its start to its end, and when it has to come to that.
struct LifeMachine {
  enum Action: Hashable {
    /// Ask its process group to end.
    case terminate
    /// End its process group.
    case kill
  }

  private enum State {
    /// It may run until `due`, or as long as it likes.
    case running(due: EventTime?)
    /// It was asked to end, and is ended then.
    case ending(due: EventTime)
    /// It was ended, and its end is only to be heard of.
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

  /// Whether it ran longer than it may.
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

  /// The command itself has ended, and is not reaped yet: its group still has the number.
  mutating func exited() -> Action? {
    defer { state = .over }
    switch state {
    // what it has left behind was asked to end as well, and its number is free for others from now on
    case .ending: return .kill
    case .running, .killed, .over: return nil
    }
  }
}
