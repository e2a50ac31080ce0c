public import GlissEvents

/// Somebody types a secret, and nobody is shown keys: while anybody holds it, and not for ever.
///
/// Several may hold it for a user at a time. Sandboxed programs share a time of their own, so that whatever they do no other
/// program waits for them. All others of a user have 120 s together. The time runs while any of them holds, over holds that
/// follow each other within 10 s, as a prompt does that asks again, and it comes back after 10 s without a hold.
public struct SecureInputMachine: Hashable, Sendable {
  public static let longest = EventInterval.milliseconds(120_000)
  public static let pause = EventInterval.milliseconds(10_000)
  /// So many sandboxed programs of a user may hold it at a time, and so many others.
  public static let mostHolders = 8

  public struct Holder: Hashable, Sendable {
    public var connection: UInt64
    /// What the user is told it is called.
    public var name: String
    public var isSandboxed: Bool
    /// When its time is up.
    public var until: EventTime
  }

  /// What became of a wish to hold.
  public enum Outcome: Hashable, Sendable {
    case held(until: EventTime)
    /// It was held too long just now.
    case resting(until: EventTime)
    /// As many hold it as may.
    case full
  }

  /// A hold that is over, not by its holder's wish.
  public struct End: Hashable, Sendable {
    public enum Reason: Hashable, Sendable { case timeIsUp, panic, inactive }
    public var connection: UInt64
    public var uid: UInt32
    public var reason: Reason
  }

  /// Those who share a time.
  private struct Party: Hashable, Comparable {
    var uid: UInt32
    var isSandboxed: Bool

    static func < (one: Party, other: Party) -> Bool {
      one.uid == other.uid ? !one.isSandboxed && other.isSandboxed : one.uid < other.uid
    }
  }

  private struct Member: Hashable {
    var connection: UInt64
    var name: String
  }

  private enum State: Hashable {
    /// At least one holds it; the time is up for all of them at once.
    case held([Member], until: EventTime)
    /// Nobody does; so much of the time is left until `until`, when all of it is there again.
    case resting(left: EventInterval, until: EventTime)
  }

  private var states: [Party: State] = [:]

  public init() {}

  /// Whether anybody holds it for the user.
  public func isHeld(of uid: UInt32) -> Bool {
    [false, true].contains { isSandboxed in
      switch states[Party(uid: uid, isSandboxed: isSandboxed)] {
      case .held?: true
      case .resting?, nil: false
      }
    }
  }

  /// Who holds it, in the order they came; sandboxed programs last.
  public func holders(of uid: UInt32) -> [Holder] {
    [false, true].flatMap { isSandboxed -> [Holder] in
      guard case .held(let members, let until)? = states[Party(uid: uid, isSandboxed: isSandboxed)]
      else { return [] }
      return members.map {
        Holder(connection: $0.connection, name: $0.name, isSandboxed: isSandboxed, until: until)
      }
    }
  }

  /// When ``advance(to:)`` must be called if nothing comes first.
  public var deadline: EventTime? {
    states.values.reduce(nil) { earliest, state in
      switch state {
      case .held(_, let until), .resting(_, let until): EventTime.earlier(earliest, until)
      }
    }
  }

  /// A program begins to hold it; one that does so already goes on.
  public mutating func hold(
    _ connection: UInt64, of uid: UInt32, as name: String, isSandboxed: Bool, at time: EventTime
  ) -> Outcome {
    let party = Party(uid: uid, isSandboxed: isSandboxed)
    var left = Self.longest
    switch states[party] {
    case nil: break
    case .held(var members, let until)?:
      if members.contains(where: { $0.connection == connection }) { return .held(until: until) }
      guard members.count < Self.mostHolders else { return .full }
      members.append(Member(connection: connection, name: name))
      states[party] = .held(members, until: until)
      return .held(until: until)
    case .resting(let rest, let until)?:
      if time < until { left = rest }
      if left <= .zero { return .resting(until: until) }
    }
    let until = time + left
    states[party] = .held([Member(connection: connection, name: name)], until: until)
    return .held(until: until)
  }

  /// A holder lets go, or is gone. The others hold it still.
  public mutating func release(_ connection: UInt64, of uid: UInt32, at time: EventTime) {
    for isSandboxed in [false, true] {
      let party = Party(uid: uid, isSandboxed: isSandboxed)
      guard case .held(let members, let until)? = states[party] else { continue }
      let rest = members.filter { $0.connection != connection }
      if rest.isEmpty {
        self.rest(party, left: until - time, at: time)
      } else {
        states[party] = .held(rest, until: until)
      }
    }
  }

  /// Time passes.
  public mutating func advance(to time: EventTime) -> [End] {
    var ends: [End] = []
    for party in states.keys.sorted() {
      switch states[party] {
      case .held(_, let until)? where until <= time:
        ends += end(party, left: .zero, because: .timeIsUp, at: time)
      case .resting(_, let until)? where until <= time: states[party] = nil
      case .held?, .resting?, nil: break
      }
    }
    return ends
  }

  /// The user has pressed the panic chord: all of it ends.
  public mutating func panic(of uid: UInt32, at time: EventTime) -> [End] {
    [false, true].flatMap { isSandboxed in
      end(Party(uid: uid, isSandboxed: isSandboxed), left: .zero, because: .panic, at: time)
    }
  }

  /// Only who sits at the seat types secrets there.
  public mutating func seatChanged(to user: UInt32?, at time: EventTime) -> [End] {
    var ends: [End] = []
    for party in states.keys.sorted() where party.uid != user {
      guard case .held(_, let until)? = states[party] else { continue }
      ends += end(party, left: until - time, because: .inactive, at: time)
    }
    return ends
  }

  private mutating func end(
    _ party: Party, left: EventInterval, because reason: End.Reason, at time: EventTime
  ) -> [End] {
    guard case .held(let members, _)? = states[party] else { return [] }
    rest(party, left: left, at: time)
    return members.map { End(connection: $0.connection, uid: party.uid, reason: reason) }
  }

  private mutating func rest(_ party: Party, left: EventInterval, at time: EventTime) {
    states[party] = .resting(left: left, until: time + Self.pause)
  }
}
