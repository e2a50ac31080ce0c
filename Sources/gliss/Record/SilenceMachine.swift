import Gliss

/// Detects, once, that the recorded devices have sent nothing: perhaps the wrong device was chosen.
struct SilenceMachine {
  /// The time allowed until the first event.
  static let patience = EventInterval.milliseconds(5000)

  private enum State {
    /// Nothing has come yet; reported at `due`.
    case silent(due: EventTime)
    /// Something has come, or the silence was reported.
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

  /// - Returns: Whether to report the silence now.
  mutating func advance(to time: EventTime) -> Bool {
    switch state {
    case .silent(let due) where time >= due:
      state = .over
      return true
    case .silent, .over: return false
    }
  }
}
