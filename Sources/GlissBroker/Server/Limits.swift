import GlissClient
package import GlissEvents
import GlissGate

/// How much of the broker's resources one user may take.
package struct Limits: Hashable, Sendable {
  /// Connections of a uid at a time.
  package var connections = 32
  /// Of a uid's sandboxed programs together, not counted against ``connections``.
  package var sandboxConnections = 8
  /// Beyond ``connections``, only for calls that stop something: Revoke, Lock, Pause and the like.
  package var stoppingConnections = 8
  /// Connections whose confinement is not known yet, of a uid and of one process.
  package var arrivingConnections = 128
  package var arrivingConnectionsOfProcess = 32
  /// How long a process is kept out after a connection from its sandbox was refused.
  package var restAfterRefusal = EventInterval.milliseconds(1000)
  /// Connections of all users at a time: sixteen users at their limit.
  package var allConnections = 512
  /// Reserved for root and the user at the seat: uids are cheap when users own ranges of them.
  package var keptConnections = 128
  package var messageBytes = MessageFramer.longestCall
  /// How deeply a message may be nested.
  package var depth = 16
  /// Values in a message: half a millisecond of parsing at worst.
  package var values = 1024
  /// Bytes of unread answers for a client. A single answer may be longer if none waits.
  package var answerBytes = 262_144
  /// Bytes of unread events for a client: a second or two of the most that a touchpad produces.
  package var eventBytes = 262_144
  /// Pending requests of the sandboxed programs of a uid.
  package var sandboxPendingRequests = 2
  /// Pending requests of all users, and those reserved for root and the user at the seat: uids are
  /// cheap when users own ranges of them.
  package var allPendingRequests = 256
  package var keptPendingRequests = 64
  /// The time between two questions to a user, whatever the answer was.
  package var restAfterQuestion = EventInterval.milliseconds(60_000)
  /// The time for a first message after connecting, and for each later one from its first byte.
  package var firstMessage = EventInterval.milliseconds(5000)
  /// How long a client may take no byte of the data waiting for it.
  package var stalled = EventInterval.milliseconds(30_000)
  /// How long a connection that is closing may take to read pending data.
  package var closing = EventInterval.milliseconds(1000)
  /// Hotkeys of a uid.
  package var hotkeys = 256
  /// How many of these a uid's sandboxed programs may have together.
  package var sandboxHotkeys = 64
  /// Hotkeys of all users, and how many of these are reserved for root and the user at the seat.
  package var allHotkeys = 2048
  package var keptHotkeys = 512
  /// The time between two holds by sandboxes, each of which releases the user's held hotkeys.
  package var restOfSandboxedSecrets = EventInterval.milliseconds(2000)
  /// Chords in one call.
  package var chords = 64
  /// How far the pointer may go in one call, in mm.
  package var motion = 1000.0

  package init() {}
}

enum Share: Hashable, CaseIterable {
  /// The program's confinement is not known yet.
  case arriving
  case unconfined
  /// A sandboxed program, or one that could not be identified.
  case sandboxed
  /// A connection beyond the user's limit. It may only stop something, and ends with the answer.
  case stopping
}

/// A limit that keeps a connection out.
struct Excess: Error, CustomStringConvertible {
  let limit: String
  let maximum: Int

  var description: String { "more than \(maximum) \(limit)" }

  var reply: VarlinkReply {
    .limitReached(
      limit, maximum: maximum, advice: "close connections that are not needed any more")
  }
}

// Which connections there may be.
extension Server {
  func count(of uid: UInt32, _ share: Share) -> Int {
    connections.count { $0.peer.uid == uid && $0.share == share }
  }

  private var sandboxExcess: Excess {
    Excess(limit: "connections of sandboxes", maximum: limits.sandboxConnections)
  }

  /// Whether the user may have one more connection that is not identified yet.
  func hasRoom(forArrivalsOf uid: UInt32) -> Bool {
    count(of: uid, .arriving) < limits.arrivingConnections
  }

  /// Keeps out a sandboxed process at its limit, so that it is not looked up again for a while.
  func rest(_ peer: Peer) {
    let time = now()
    if rests.count > 512 { rests = rests.filter { time < $0.value } }
    if rests.count <= 4096 { rests[peer.pid] = time + limits.restAfterRefusal }
  }

  func checkArrival(of peer: Peer) throws(Excess) {
    if let until = rests[peer.pid], now() < until { throw sandboxExcess }
    let kept = isFavored(peer.uid) ? 0 : min(limits.keptConnections, limits.allConnections / 2)
    // root may have to revoke something, so other users' connections must not keep root out
    guard peer.uid == 0 || connections.count < limits.allConnections - kept else {
      throw Excess(limit: "connections of all users", maximum: limits.allConnections)
    }
    guard hasRoom(forArrivalsOf: peer.uid) else {
      throw Excess(limit: "connections", maximum: limits.arrivingConnections)
    }
    let arriving = connections.count { $0.peer.pid == peer.pid && $0.share == .arriving }
    guard arriving < limits.arrivingConnectionsOfProcess else {
      throw Excess(limit: "connections", maximum: limits.arrivingConnectionsOfProcess)
    }
    if sandboxes.contains(peer.pid),
      count(of: peer.uid, .sandboxed) + arriving >= limits.sandboxConnections
    {
      throw sandboxExcess
    }
  }

  /// The share that a connection counts against once its client has been identified.
  func share(of peer: Peer, _ identity: ClientIdentity) throws(Excess) -> Share {
    guard identity.confinement.isFree else {
      guard count(of: peer.uid, .sandboxed) < limits.sandboxConnections else {
        throw sandboxExcess
      }
      if identity.confinement.isSandbox { sandboxes.insert(peer.pid) }
      return .sandboxed
    }
    if count(of: peer.uid, .unconfined) < limits.connections { return .unconfined }
    guard count(of: peer.uid, .stopping) < limits.stoppingConnections else {
      throw Excess(limit: "connections", maximum: limits.connections)
    }
    return .stopping
  }
}

struct Queues {
  /// Connections that sent something and are not favored. Reading counts as work, too.
  var reading = Turns<Connection>()
  /// Connections that sent a call, or whose call can be answered now.
  var speaking = Turns<Connection>()
  var sending = Turns<Connection>()

  /// Whether nothing can be done now. Connections that are not favored count only if `mayServe`.
  func isIdle(others mayServe: Bool) -> Bool {
    reading.isEmpty(others: mayServe) && speaking.isEmpty(others: mayServe)
      && sending.isEmpty(others: mayServe)
  }

  /// Connections that come and go faster than their turns must leave nothing behind.
  mutating func remove(_ connection: Connection) {
    reading.remove(connection)
    speaking.remove(connection)
    sending.remove(connection)
  }
}

extension Turns<Connection> {
  mutating func append(_ connection: Connection, isFavored: Bool) {
    append(
      connection, uid: connection.peer.uid, pid: connection.peer.pid, isFavored: isFavored)
  }

  mutating func remove(_ connection: Connection) {
    removeAll(uid: connection.peer.uid, pid: connection.peer.pid) { $0 === connection }
  }
}

/// A fair queue. In every round each user with waiting elements gets one turn, and the processes of
/// a user take turns in the same way. Each process's elements keep their order.
struct FairQueue<Element> {
  /// Users in the order of their turns. None is without processes, and no process without elements.
  private var users: [(uid: UInt32, processes: [(pid: Int32, elements: [Element])])] = []

  var isEmpty: Bool { users.isEmpty }

  mutating func append(_ element: Element, uid: UInt32, pid: Int32) {
    guard let user = users.firstIndex(where: { $0.uid == uid }) else {
      users.append((uid: uid, processes: [(pid: pid, elements: [element])]))
      return
    }
    if let process = users[user].processes.firstIndex(where: { $0.pid == pid }) {
      users[user].processes[process].elements.append(element)
    } else {
      users[user].processes.append((pid: pid, elements: [element]))
    }
  }

  mutating func removeAll(uid: UInt32, pid: Int32, where isOver: (Element) -> Bool) {
    guard let user = users.firstIndex(where: { $0.uid == uid }),
      let process = users[user].processes.firstIndex(where: { $0.pid == pid })
    else { return }
    users[user].processes[process].elements.removeAll(where: isOver)
    users[user].processes.removeAll { $0.elements.isEmpty }
    if users[user].processes.isEmpty { users.remove(at: user) }
  }

  mutating func popFirst() -> Element? {
    guard !isEmpty else { return nil }
    var user = users.removeFirst()
    var process = user.processes.removeFirst()
    let element = process.elements.removeFirst()
    if !process.elements.isEmpty { user.processes.append(process) }
    if !user.processes.isEmpty { users.append(user) }
    return element
  }
}

/// Two fair queues: root and the user at the seat go first, the others follow while they may.
struct Turns<Element> {
  /// If others wait, one of them gets a turn after this many favored turns in a row. Their share of
  /// turns equals their share of the time (``Allowance/parts``).
  static var favoredInRow: Int64 { Allowance.parts - 1 }

  private var favored = FairQueue<Element>()
  private var others = FairQueue<Element>()
  /// How many favored turns the others have waited for.
  private var passed: Int64 = 0

  func isEmpty(others mayServe: Bool) -> Bool {
    favored.isEmpty && (others.isEmpty || !mayServe)
  }

  mutating func append(_ element: Element, uid: UInt32, pid: Int32, isFavored: Bool) {
    if isFavored {
      favored.append(element, uid: uid, pid: pid)
    } else {
      others.append(element, uid: uid, pid: pid)
    }
  }

  mutating func removeAll(uid: UInt32, pid: Int32, where isOver: (Element) -> Bool) {
    favored.removeAll(uid: uid, pid: pid, where: isOver)
    others.removeAll(uid: uid, pid: pid, where: isOver)
  }

  mutating func popFirst(others mayServe: Bool) -> Element? {
    if passed < Self.favoredInRow || !mayServe, let next = favored.popFirst() {
      passed = others.isEmpty ? 0 : passed + 1
      return next
    }
    guard mayServe else { return nil }
    passed = 0
    return others.popFirst() ?? favored.popFirst()
  }
}

/// A group of clients with a limited share of the broker's time. Other clients have no limit.
enum Payer: Hashable, Sendable {
  /// Clients on a user's own socket whose confinement is not known yet.
  case arrivals
  /// Users other than root and the one at the seat, sandboxes, and clients on the public socket.
  case others

  /// Until a connection to that user's socket, or to the public one, is admitted.
  init?(atSocketOf user: UInt32?) {
    if user == 0 { return nil }
    self = user == nil ? .others : .arrivals
  }
}

final class Meter {
  private let now: () -> EventTime
  private var allowances: [Payer: Allowance] = [:]
  /// Whether the current work is already being accounted for, whether or not it has a payer.
  private var isCharging = false

  init(now: @escaping () -> EventTime) { self.now = now }

  /// When the payer may be served again; `nil` if it may be now.
  func rest(of payer: Payer?) -> EventTime? {
    payer.flatMap { allowances[$0]?.rest(at: now()) }
  }

  /// Does some work. Work that it causes immediately is part of it.
  func charge(_ payer: Payer?, _ body: () -> Void) {
    guard !isCharging else { return body() }
    isCharging = true
    defer { isCharging = false }
    guard let payer else { return body() }
    let start = now()
    body()
    allowances[payer, default: Allowance()].spend(from: start, to: now())
  }
}

/// Limits the time that the broker spends on a ``Payer`` to a quarter of one processor each.
///
/// A payer is charged for accepting, admitting and closing its connections, for reading, parsing
/// and answering calls, and for writing; not for the exchange with the helper that looks up
/// senders, nor for encoding input, which is done once for all clients that see the same.
///
/// The kernel makes a process that is always busy wait for its turn. A process that sleeps is
/// scheduled at once when a key comes.
struct Allowance {
  /// The longest time a payer gets without a rest.
  static let stretch = EventInterval.milliseconds(1)
  /// A payer gets the time divided by this.
  static let parts: Int64 = 4

  private enum State {
    /// The payer has used `spent` since `began`.
    case open(began: EventTime, spent: EventInterval)
    case resting(until: EventTime)
  }

  private var state = State.open(began: EventTime(microseconds: 0), spent: .zero)

  /// When the payer may be served again; `nil` if it may be now.
  func rest(at time: EventTime) -> EventTime? {
    switch state {
    case .open: nil
    case .resting(let end): time < end ? end : nil
    }
  }

  mutating func spend(from start: EventTime, to end: EventTime) {
    let cost = (end - start).microseconds
    switch state {
    case .resting(let until) where start < until:
      // work that could not wait, such as closing a connection, lengthens the rest
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
