public import GlissEvents

/// Somebody types a secret, and nobody is shown keys: one holder a user, and not for ever.
///
/// A user has 120 s. They are counted together over holds that follow each other within 10 s, as a prompt does that asks
/// again, and come back after 10 s without a hold.
public struct SecureInputMachine: Hashable, Sendable {
  public static let longest = EventInterval.milliseconds(120_000)
  public static let pause = EventInterval.milliseconds(10_000)

  public struct Holder: Hashable, Sendable {
    public var connection: UInt64
    /// What the user is told it is called.
    public var name: String
    /// When its time is up.
    public var until: EventTime
  }

  /// What became of a wish to hold.
  public enum Outcome: Hashable, Sendable {
    case held(until: EventTime)
    /// Another holds it.
    case taken(Holder)
    /// It was held too long just now.
    case resting(until: EventTime)
  }

  /// A hold that is over, not by its holder's wish.
  public struct End: Hashable, Sendable {
    public enum Reason: Hashable, Sendable { case timeIsUp, panic, inactive }
    public var connection: UInt64
    public var uid: UInt32
    public var reason: Reason
  }

  private enum State: Hashable, Sendable {
    case held(Holder)
    /// Nobody holds it; so much of the time is left until `until`, when all of it is there again.
    case resting(left: EventInterval, until: EventTime)
  }

  private var states: [UInt32: State] = [:]

  public init() {}

  /// Who holds it; `nil` where nobody does.
  public func holder(of uid: UInt32) -> Holder? {
    switch states[uid] {
    case .held(let holder)?: holder
    case .resting?, nil: nil
    }
  }

  /// When ``advance(to:)`` must be called if nothing comes first.
  public var deadline: EventTime? {
    states.values.reduce(nil) { earliest, state in
      switch state {
      case .held(let holder): EventTime.earlier(earliest, holder.until)
      case .resting(_, let until): EventTime.earlier(earliest, until)
      }
    }
  }

  public mutating func hold(
    _ connection: UInt64, of uid: UInt32, as name: String, at time: EventTime
  ) -> Outcome {
    var left = Self.longest
    switch states[uid] {
    case nil: break
    case .held(let holder)?: return .taken(holder)
    case .resting(let rest, let until)?:
      if time < until { left = rest }
      if left <= .zero { return .resting(until: until) }
    }
    let until = time + left
    states[uid] = .held(Holder(connection: connection, name: name, until: until))
    return .held(until: until)
  }

  /// Its holder lets go, or is gone.
  public mutating func release(_ connection: UInt64, of uid: UInt32, at time: EventTime) {
    guard let holder = holder(of: uid), holder.connection == connection else { return }
    rest(uid, left: holder.until - time, at: time)
  }

  /// Time passes.
  public mutating func advance(to time: EventTime) -> [End] {
    var ends: [End] = []
    for uid in states.keys.sorted() {
      switch states[uid] {
      case .held(let holder)? where holder.until <= time:
        ends.append(End(connection: holder.connection, uid: uid, reason: .timeIsUp))
        rest(uid, left: .zero, at: time)
      case .resting(_, let until)? where until <= time: states[uid] = nil
      case .held?, .resting?, nil: break
      }
    }
    return ends
  }

  /// The user has pressed the panic chord.
  public mutating func panic(of uid: UInt32, at time: EventTime) -> End? {
    guard let holder = holder(of: uid) else { return nil }
    rest(uid, left: .zero, at: time)
    return End(connection: holder.connection, uid: uid, reason: .panic)
  }

  /// Only who sits at the seat types secrets there.
  public mutating func seatChanged(to user: UInt32?, at time: EventTime) -> [End] {
    var ends: [End] = []
    for uid in states.keys.sorted() where uid != user {
      guard let holder = holder(of: uid) else { continue }
      rest(uid, left: holder.until - time, at: time)
      ends.append(End(connection: holder.connection, uid: uid, reason: .inactive))
    }
    return ends
  }

  private mutating func rest(_ uid: UInt32, left: EventInterval, at time: EventTime) {
    states[uid] = .resting(left: left, until: time + Self.pause)
  }
}
