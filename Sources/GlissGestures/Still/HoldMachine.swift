import GlissEvents

/// Recognizes holds: distinguishes fingers that lie still from fingers that tap or move.
///
/// A hold begins once the same fingers have lain still for the configured time. It ends when one
/// lifts or another lands. Motion before it begins rules it out; motion after that, or a gesture,
/// cancels it.
struct HoldMachine {
  enum Action: Equatable {
    case began(fingers: Int)
    case ended(fingers: Int)
    case cancelled(fingers: Int)
  }

  private enum State {
    /// No finger, or fingers that have already moved.
    case idle
    /// Fingers lie still and become a hold at `due`.
    case waiting(fingers: Int, due: EventTime)
    case holding(fingers: Int)
  }

  private let limits: GestureConfiguration.Hold
  private var state = State.idle

  init(_ limits: GestureConfiguration.Hold) { self.limits = limits }

  /// Whether a hold is under way.
  var isHolding: Bool { if case .holding = state { true } else { false } }

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? { if case .waiting(_, let due) = state { due } else { nil } }

  /// The number of participating fingers changed.
  mutating func fingersChanged(to count: Int, at time: EventTime) -> Action? {
    let due = time + .milliseconds(duration(of: count))
    defer { state = count == 0 ? .idle : .waiting(fingers: count, due: due) }
    guard case .holding(let fingers) = state else { return nil }
    return .ended(fingers: fingers)
  }

  /// How long this many fingers must lie still, in ms.
  func duration(of fingers: Int) -> Double {
    fingers == 1 ? limits.singleDuration : limits.duration
  }

  /// The farthest finger is this far from its position when the fingers last changed.
  mutating func moved(by millimetres: Double) -> Action? {
    millimetres > limits.movement ? fail() : nil
  }

  /// The fingers do something other than a hold.
  mutating func fail() -> Action? {
    defer { state = .idle }
    guard case .holding(let fingers) = state else { return nil }
    return .cancelled(fingers: fingers)
  }

  mutating func advance(to time: EventTime) -> Action? {
    guard case .waiting(let fingers, let due) = state, time >= due else { return nil }
    state = .holding(fingers: fingers)
    return .began(fingers: fingers)
  }
}
