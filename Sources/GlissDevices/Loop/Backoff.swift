package import GlissEvents

/// Whether a service such as the broker is there, and when to try it again: the wait doubles with
/// each miss, up to a limit.
package struct Backoff {
  /// A service that restarts is back within a second.
  private static let shortest = EventInterval.milliseconds(100)

  private let first: EventInterval
  private let longest: EventInterval
  /// When to try it; `nil` while it is there.
  package private(set) var deadline: EventTime?
  private var misses = 0

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
    deadline = time
  }

  package var isThere: Bool { deadline == nil }

  /// It is there.
  ///
  /// - Returns: whether it was gone before.
  package mutating func found() -> Bool {
    defer { (deadline, misses) = (nil, 0) }
    return deadline != nil
  }

  /// It has gone, or is still not there.
  ///
  /// - Returns: how many misses came before this one; 0 for the first.
  package mutating func missed(at time: EventTime) -> Int {
    defer { misses += 1 }
    let doubled = EventInterval.milliseconds(
      Self.shortest.milliseconds * Double(1 << min(misses, 10)))
    deadline = time + (misses == 0 ? first : min(longest, doubled))
    return misses
  }
}
