package import GlissEvents

/// Secure input: while someone types a secret, nobody is shown keys. It is on while any program
/// holds it, for a limited time.
///
/// Several programs may hold it for a user at once. A user's sandboxed programs share their own
/// time limit, so they can never make other programs wait. All other programs of a user together
/// have 120 s. The time runs while any of them holds. It continues across holds that follow each
/// other within 10 s, such as a prompt that asks again, and is restored after 10 s without a hold.
package struct SecureInputMachine: Hashable, Sendable {
  package static let longest = EventInterval.milliseconds(120_000)
  package static let pause = EventInterval.milliseconds(10_000)
  /// For sandboxed programs of a user, and for the others.
  package static let mostHolders = 8

  package struct Holder: Hashable, Sendable {
    package var connection: UInt64
    /// The name shown to the user.
    package var name: String
    package var isSandboxed: Bool
    package var until: EventTime
  }

  package enum Outcome: Hashable, Sendable {
    case held(until: EventTime)
    /// It was held too long just now.
    case resting(until: EventTime)
    case full
  }

  /// A hold that ended without its holder's request.
  package struct End: Hashable, Sendable {
    package enum Reason: Hashable, Sendable { case timeIsUp, panic, inactive }
    package var connection: UInt64
    package var uid: UInt32
    package var reason: Reason
  }

  /// Programs that share a time limit.
  private struct Party: Hashable, Comparable {
    var uid: UInt32
    var isSandboxed: Bool

    static func < (one: Party, other: Party) -> Bool {
      one.uid == other.uid ? !one.isSandboxed && other.isSandboxed : one.uid < other.uid
    }

    static func all(of uid: UInt32) -> [Party] {
      [Party(uid: uid, isSandboxed: false), Party(uid: uid, isSandboxed: true)]
    }
  }

  private enum State: Hashable {
    /// At least one program holds it. The time is up for all of them at once.
    case held([Holder], until: EventTime)
    /// Nobody holds it. `left` remains until `until`, when the full time is available again.
    case resting(left: EventInterval, until: EventTime)
  }

  private var states: [Party: State] = [:]

  package init() {}

  package func isHeld(of uid: UInt32) -> Bool { !holders(of: uid).isEmpty }

  /// The holders in the order they came, sandboxed programs last.
  package func holders(of uid: UInt32) -> [Holder] {
    Party.all(of: uid).flatMap { party -> [Holder] in
      if case .held(let holders, _)? = states[party] { holders } else { [] }
    }
  }

  package var deadline: EventTime? {
    states.values.reduce(nil) { earliest, state in
      switch state {
      case .held(_, let until), .resting(_, let until): EventTime.earlier(earliest, until)
      }
    }
  }

  /// A program starts to hold it. If it already does, its hold continues.
  package mutating func hold(
    _ connection: UInt64, of uid: UInt32, as name: String, isSandboxed: Bool, at time: EventTime
  ) -> Outcome {
    let party = Party(uid: uid, isSandboxed: isSandboxed)
    var holders: [Holder] = []
    var until = time + Self.longest
    switch states[party] {
    case nil: break
    case .held(let known, let end)?:
      if known.contains(where: { $0.connection == connection }) { return .held(until: end) }
      guard known.count < Self.mostHolders else { return .full }
      (holders, until) = (known, end)
    case .resting(let rest, let end)?:
      let left = time < end ? rest : Self.longest
      if left <= .zero { return .resting(until: end) }
      until = time + left
    }
    holders.append(
      Holder(connection: connection, name: name, isSandboxed: isSandboxed, until: until))
    states[party] = .held(holders, until: until)
    return .held(until: until)
  }

  /// A holder releases it or is gone. The others still hold it.
  package mutating func release(_ connection: UInt64, of uid: UInt32, at time: EventTime) {
    for party in Party.all(of: uid) {
      guard case .held(let members, let until)? = states[party] else { continue }
      let rest = members.filter { $0.connection != connection }
      if rest.isEmpty {
        self.rest(party, left: until - time, at: time)
      } else {
        states[party] = .held(rest, until: until)
      }
    }
  }

  package mutating func advance(to time: EventTime) -> [End] {
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

  package mutating func panic(of uid: UInt32, at time: EventTime) -> [End] {
    Party.all(of: uid).flatMap { end($0, left: .zero, because: .panic, at: time) }
  }

  /// Ends the holds of other users: only the user at the seat types secrets there.
  package mutating func seatChanged(to user: UInt32?, at time: EventTime) -> [End] {
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
