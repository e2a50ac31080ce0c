import GlissEvents

/// Connections that wait for the server.
struct Queues {
  /// Connections that sent something and are not favored. Reading counts as work, too.
  var reading = FairQueue<Connection>()
  /// Connections that sent a call, or whose call can be answered now.
  var speaking = Turns<Connection>()
  /// Connections with data to be sent.
  var sending = Turns<Connection>()

  /// Whether nothing can be done now. Connections that are not favored count only if `mayServe`.
  func isIdle(others mayServe: Bool) -> Bool {
    (reading.isEmpty || !mayServe) && speaking.isEmpty(others: mayServe)
      && sending.isEmpty(others: mayServe)
  }

  /// Removes a connection that has ended, so that connections that come and go faster than their
  /// turns leave nothing behind.
  mutating func remove(_ connection: Connection) {
    let (uid, pid) = (connection.peer.uid, connection.peer.pid)
    reading.removeAll(uid: uid, pid: pid) { $0 === connection }
    speaking.removeAll(uid: uid, pid: pid) { $0 === connection }
    sending.removeAll(uid: uid, pid: pid) { $0 === connection }
  }
}

extension FairQueue<Connection> {
  mutating func append(_ connection: Connection) {
    append(connection, uid: connection.peer.uid, pid: connection.peer.pid)
  }
}

extension Turns<Connection> {
  mutating func append(_ connection: Connection, isFavored: Bool) {
    append(
      connection, uid: connection.peer.uid, pid: connection.peer.pid, isFavored: isFavored)
  }
}

/// A fair queue. In every round each user with waiting elements gets one turn, and the processes of
/// a user take turns in the same way. Each process's elements keep their order.
struct FairQueue<Element> {
  private struct Process {
    let pid: Int32
    var elements: [Element]
  }

  private struct User {
    let uid: UInt32
    var processes: [Process]
  }

  /// Users in the order of their turns. None is without processes, and no process without elements.
  private var users: [User] = []

  var isEmpty: Bool { users.isEmpty }

  mutating func append(_ element: Element, uid: UInt32, pid: Int32) {
    guard let user = users.firstIndex(where: { $0.uid == uid }) else {
      users.append(User(uid: uid, processes: [Process(pid: pid, elements: [element])]))
      return
    }
    if let process = users[user].processes.firstIndex(where: { $0.pid == pid }) {
      users[user].processes[process].elements.append(element)
    } else {
      users[user].processes.append(Process(pid: pid, elements: [element]))
    }
  }

  /// Removes the waiting elements of a process for which `isOver` is true.
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

  /// - Parameter others: whether the others may have a turn.
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

  /// Removes the waiting elements of a process for which `isOver` is true.
  mutating func removeAll(uid: UInt32, pid: Int32, where isOver: (Element) -> Bool) {
    favored.removeAll(uid: uid, pid: pid, where: isOver)
    others.removeAll(uid: uid, pid: pid, where: isOver)
  }

  /// - Parameter others: whether the others may have a turn.
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
/// A payer is charged for accepting and admitting its connections, for reading, parsing and
/// answering calls, for writing, and for closing. It is not charged for the exchange with the
/// helper that looks up senders, nor for encoding input, which is done once for all clients that
/// see the same.
///
/// The kernel makes a process that is always busy wait for its turn. A process that sleeps is
/// scheduled at once when a key comes.
struct Allowance {
  /// The longest time a payer gets without a rest.
  static let stretch = EventInterval.milliseconds(1)
  /// A payer gets one of this many parts of the time.
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

  /// Counts the time from `start` to `end` as spent on the payer.
  mutating func spend(from start: EventTime, to end: EventTime) {
    let cost = (end - start).microseconds
    switch state {
    case .resting(let until) where start < until:
      // this work had begun before the rest did
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
