import Gliss

/// Notices, once, that nothing has come from what is recorded: another device may have been meant.
struct SilenceMachine {
  /// So long anybody may take to begin.
  static let patience = EventInterval.milliseconds(5000)

  private enum State {
    /// Nothing has come; at `due` it is said so.
    case silent(due: EventTime)
    /// Something has come, or it has been said.
    case over
  }

  private var state: State

  init(from start: EventTime) { state = .silent(due: start + Self.patience) }

  /// When ``advance(to:)`` must be called if nothing comes first.
  var deadline: EventTime? {
    switch state {
    case .silent(let due): due
    case .over: nil
    }
  }

  mutating func hear() { state = .over }

  /// - Returns: whether it is to be said now.
  mutating func advance(to time: EventTime) -> Bool {
    switch state {
    case .silent(let due) where time >= due:
      state = .over
      return true
    case .silent, .over: return false
    }
  }
}
