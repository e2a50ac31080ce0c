import GlissEvents

/// Who may have only a part of the broker's time; nobody else has a limit.
enum Payer: Hashable, Sendable {
  /// Those who connect to a user's own socket, until it is known what confines them.
  case arrivals
  /// Other users than root and the one at the seat, sandboxes, and those who connect to everybody's socket.
  case others

  /// Who pays for a connection to the socket of that user, or to everybody's, until it is admitted.
  init?(atSocketOf user: UInt32?) {
    switch user {
    case nil: self = .others
    case 0?: return nil
    case _?: self = .arrivals
    }
  }
}

/// Charges work to whoever pays for it.
final class Meter {
  private let now: () -> EventTime
  private var arrivals = Allowance()
  private var others = Allowance()
  /// What is done now is charged to somebody, or to nobody.
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

  /// Does some work. What comes of it at once is part of it.
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

/// Limits the time that the broker spends on a ``Payer``: a quarter of one processor for each.
///
/// What their connections make the broker do is charged: accepting and admitting them, reading, parsing and answering
/// calls, writing, and letting them go. The exchange with the helper that looks senders up is not, nor is the encoding of
/// input, which is done once for all who see the same.
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
