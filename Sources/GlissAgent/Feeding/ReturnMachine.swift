import GlissEvents

/// Whether the broker is there, and when to look for it again.
struct ReturnMachine {
  private enum State {
    case there
    /// It was looked for `failures` times without success. The next attempt is at `next`.
    case gone(next: EventTime, failures: Int)
  }

  /// A broker that restarts is back within a second.
  static let first = EventInterval.milliseconds(100)
  static let longest = EventInterval.milliseconds(30_000)

  private var state: State

  /// It has not been looked for yet.
  init(at time: EventTime) { state = .gone(next: time, failures: 0) }

  var isThere: Bool {
    switch state {
    case .there: true
    case .gone: false
    }
  }

  /// When to look for it.
  var deadline: EventTime? {
    switch state {
    case .there: nil
    case .gone(let next, _): next
    }
  }

  /// The broker is there.
  ///
  /// - Returns: whether it was gone before.
  mutating func found() -> Bool {
    defer { state = .there }
    return !isThere
  }

  /// The broker has gone, or is still not there.
  ///
  /// - Returns: whether this is new.
  mutating func missed(at time: EventTime) -> Bool {
    switch state {
    case .there:
      state = .gone(next: time + Self.first, failures: 1)
      return true
    case .gone(_, let failures):
      let factor = Double(1 << min(failures, 10))
      let wait = min(Self.longest, .milliseconds(Self.first.milliseconds * factor))
      state = .gone(next: time + wait, failures: failures + 1)
      return failures == 0
    }
  }
}
