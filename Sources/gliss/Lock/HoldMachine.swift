import Gliss

/// Whether the lock is held, and if not, when to try again.
struct HoldMachine {
  private enum State {
    case held
    /// Retried at `next`, after `failures` failed attempts.
    case lost(next: EventTime, failures: Int)
  }

  /// What to report to the user.
  enum Notice: Hashable {
    case lost
    case regained
    /// The first attempt since the loss has failed.
    case stillLost
  }

  /// A restarted broker is back within a second.
  private static let first = EventInterval.milliseconds(100)
  private static let longest = EventInterval.milliseconds(2000)

  private var state: State

  /// - Parameter time: When it was lost; `nil` if it is held.
  init(lostAt time: EventTime?) {
    state = time.map { .lost(next: $0 + Self.first, failures: 1) } ?? .held
  }

  /// When to try again.
  var deadline: EventTime? {
    switch state {
    case .held: nil
    case .lost(let next, _): next
    }
  }

  /// The broker has ended the hold. It is retried at once.
  mutating func lose(at time: EventTime) -> Notice? {
    switch state {
    case .held:
      state = .lost(next: time, failures: 0)
      return .lost
    case .lost: return nil
    }
  }

  mutating func regain() -> Notice? {
    switch state {
    case .held: return nil
    case .lost:
      state = .held
      return .regained
    }
  }

  mutating func fail(at time: EventTime) -> Notice? {
    switch state {
    case .held: return nil
    case .lost(_, let failures):
      let wait = min(Self.longest, .milliseconds(100 * Double(1 << min(failures, 5))))
      state = .lost(next: time + wait, failures: failures + 1)
      return failures == 0 ? .stillLost : nil
    }
  }
}
