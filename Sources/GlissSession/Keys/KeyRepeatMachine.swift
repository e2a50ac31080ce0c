public import GlissEvents

/// Repeats the key that was pressed last.
///
/// Its release stops the repeats. So does the press of any other key, which then repeats instead if
/// it is a repeating key. A late call yields one repeat, not all that were missed: after a stall
/// nobody wants a burst of letters.
struct KeyRepeatMachine {
  struct Action: Equatable {
    var key: Key
    /// When the repeat was due.
    var time: EventTime
  }

  private enum State {
    /// No repeating key is held.
    case idle
    case held(Key, due: EventTime)
  }

  private let timing: KeyRepeat
  private var state = State.idle

  init(_ timing: KeyRepeat) { self.timing = timing }

  /// When ``advance(to:)`` must be called if nothing happens first.
  var deadline: EventTime? {
    switch state {
    case .held(_, let due): due
    case .idle: nil
    }
  }

  mutating func pressed(_ key: Key, repeats: Bool, at time: EventTime) {
    state = repeats ? .held(key, due: time + timing.delay) : .idle
  }

  mutating func released(_ key: Key) {
    switch state {
    case .held(key, _): state = .idle
    case .held, .idle: break
    }
  }

  /// Advances the clock. If several repeats are due, only the first one is reported.
  mutating func advance(to time: EventTime) -> Action? {
    switch state {
    case .held(let key, let due) where due <= time:
      let interval = timing.interval.microseconds
      let late = (time - due).microseconds % interval
      let next = time + EventInterval(microseconds: interval - late)
      // At the end of time there is no next repeat.
      state = next > time ? .held(key, due: next) : .idle
      return Action(key: key, time: due)
    case .held, .idle: return nil
    }
  }
}

/// How a held key repeats.
public struct KeyRepeat: Hashable, Sendable {
  /// From the press to the first repeat.
  public let delay: EventInterval
  /// From one repeat to the next.
  public let interval: EventInterval

  /// The valid delays: 50 ms to 10 s.
  public static let delays = EventInterval.milliseconds(50)...EventInterval.milliseconds(10_000)
  /// The valid intervals: 5 ms (200 a second) to 5 s.
  public static let intervals = EventInterval.milliseconds(5)...EventInterval.milliseconds(5000)

  /// 25 repeats a second after 600 ms: the default of wlroots' compositors and of KWin. X.Org has
  /// 660 ms and the same rate, GNOME 500 ms and 33 a second, the kernel 250 ms and 30.
  public static let standard = KeyRepeat(delay: .milliseconds(600), interval: .milliseconds(40))

  /// Values outside ``delays`` and ``intervals`` are clamped to them.
  public init(delay: EventInterval, interval: EventInterval) {
    self.delay = min(max(delay, Self.delays.lowerBound), Self.delays.upperBound)
    self.interval = min(max(interval, Self.intervals.lowerBound), Self.intervals.upperBound)
  }
}
