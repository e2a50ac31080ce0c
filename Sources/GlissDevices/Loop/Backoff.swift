package import GlissEvents

/// Whether a service such as the broker is there, and when to try it again: the wait doubles with
/// each miss, up to a limit.
package struct Backoff {
  private enum State {
    case there
    /// It was tried `misses` times without success. The next attempt is at `next`.
    case gone(next: EventTime, misses: Int)
  }

  /// A service that restarts is back within a second.
  private static let shortest = EventInterval.milliseconds(100)

  private let first: EventInterval
  private let longest: EventInterval
  private var state: State

  /// It has not been tried yet.
  ///
  /// - Parameters:
  ///   - first: the wait after the first miss.
  ///   - longest: the longest wait.
  package init(
    at time: EventTime, first: EventInterval = .milliseconds(100), longest: EventInterval
  ) {
    self.first = first
    self.longest = longest
    state = .gone(next: time, misses: 0)
  }

  package var isThere: Bool {
    switch state {
    case .there: true
    case .gone: false
    }
  }

  /// When to try it.
  package var deadline: EventTime? {
    switch state {
    case .there: nil
    case .gone(let next, _): next
    }
  }

  /// It is there.
  ///
  /// - Returns: whether it was gone before.
  package mutating func found() -> Bool {
    defer { state = .there }
    return !isThere
  }

  /// It has gone, or is still not there.
  ///
  /// - Returns: how many misses came before this one; 0 for the first.
  package mutating func missed(at time: EventTime) -> Int {
    let misses =
      switch state {
      case .there: 0
      case .gone(_, let misses): misses
      }
    let doubled = EventInterval.milliseconds(
      Self.shortest.milliseconds * Double(1 << min(misses, 10)))
    let wait = misses == 0 ? first : min(longest, doubled)
    state = .gone(next: time + wait, misses: misses + 1)
    return misses
  }
}
