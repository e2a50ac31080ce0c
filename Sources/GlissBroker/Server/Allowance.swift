import GlissEvents

/// Limits the time that the broker spends on users other than root and the one at the seat, and on sandboxes: a quarter of
/// one processor.
///
/// A process that is always busy is given the processor late. One that rests is given it at once when a key comes.
struct Allowance {
  /// The longest they may have it without a rest.
  static let stretch = EventInterval.milliseconds(1)
  /// They get one part of the time out of so many.
  static let parts: Int64 = 4

  private enum State {
    /// They have had `spent` since `began`.
    case open(began: EventTime, spent: EventInterval)
    case resting(until: EventTime)
  }

  private var state = State.open(began: EventTime(microseconds: 0), spent: .zero)

  /// Until when they have to wait; `nil` if they need not.
  func rest(at time: EventTime) -> EventTime? {
    switch state {
    case .open: nil
    case .resting(let end): time < end ? end : nil
    }
  }

  /// Counts the time from `start` to `end` as spent on them.
  mutating func spend(from start: EventTime, to end: EventTime) {
    let cost = (end - start).microseconds
    switch state {
    case .resting(let until) where start < until:
      // what was begun before the rest
      state = .resting(until: until + EventInterval(microseconds: cost * Self.parts))
    case .open(let began, let spent) where start - began < Self.period:
      open(began, EventInterval(microseconds: spent.microseconds + cost))
    case .open, .resting: open(start, EventInterval(microseconds: cost))
    }
  }

  private mutating func open(_ began: EventTime, _ spent: EventInterval) {
    state =
      spent < Self.stretch
      ? .open(began: began, spent: spent)
      : .resting(until: began + EventInterval(microseconds: spent.microseconds * Self.parts))
  }

  private static let period = EventInterval(microseconds: stretch.microseconds * parts)
}
