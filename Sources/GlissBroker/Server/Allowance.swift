import GlissEvents

/// A group of clients with a limited share of the broker's time. Other clients have no limit.
enum Payer: Hashable, Sendable {
  /// Clients on a user's own socket whose confinement is not known yet.
  case arrivals
  /// Users other than root and the one at the seat, sandboxes, and clients on the public socket.
  case others

  /// The payer for a new connection to that user's socket, or to the public one, until it is
  /// admitted.
  init?(atSocketOf user: UInt32?) {
    switch user {
    case nil: self = .others
    case 0?: return nil
    case _?: self = .arrivals
    }
  }
}

/// Charges work to its payer.
final class Meter {
  private let now: () -> EventTime
  private var arrivals = Allowance()
  private var others = Allowance()
  /// Whether the current work is already being accounted for, with or without a payer.
  private var isCharging = false

  init(now: @escaping () -> EventTime) { self.now = now }

  /// Until when they have to wait; `nil` if they need not.
  func rest(of payer: Payer?) -> EventTime? {
    switch payer {
    case .arrivals?: arrivals.rest(at: now())
    case .others?: others.rest(at: now())
    case nil: nil
    }
  }

  /// Does some work. Work that it causes immediately is part of it.
  func charge(_ payer: Payer?, _ body: () -> Void) {
    guard !isCharging else { return body() }
    isCharging = true
    defer { isCharging = false }
    guard let payer else { return body() }
    let start = now()
    body()
    switch payer {
    case .arrivals: arrivals.spend(from: start, to: now())
    case .others: others.spend(from: start, to: now())
    }
  }
}

/// Limits the time that the broker spends on a ``Payer`` to a quarter of one processor each.
///
/// A payer is charged for accepting and admitting its connections, for reading, parsing and
/// answering calls, for writing, and for closing. It is not charged for the exchange with the
/// helper that looks up senders, nor for encoding input, which is done once for all clients that
/// see the same.
///
/// The kernel schedules a process that is always busy late. One that rests is scheduled at once
/// when a key comes.
struct Allowance {
  /// The longest time they get without a rest.
  static let stretch = EventInterval.milliseconds(1)
  /// They get one of this many parts of the time.
  static let parts: Int64 = 4

  private enum State {
    /// They have used `spent` since `began`.
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
      // work that was started before the rest
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
