import CLinux
import Glibc
import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

/// Accepts connections, enforces their limits, and takes their calls. It writes only as
/// ``InputLoop/work``, a little at a time, so input is never delayed by more than that.
final class Server {
  /// Identifies a process and calls back once, immediately or later from the loop.
  typealias Identify = (Peer, @escaping (ClientIdentity) -> Void) -> Void

  /// Called when a pending identification of the process is no longer needed.
  var forget: (Peer) -> Void = { _ in }

  weak var delegate: (any ServerDelegate)?
  var deadlineDidMove: (() -> Void)?

  /// Users for whom some connections of the total are reserved.
  var isFavored: (UInt32) -> Bool = { $0 == 0 }

  /// All connections, in the order they came.
  private(set) var connections: [Connection] = []

  let now: () -> EventTime
  private let loop: InputLoop
  let limits: Limits
  private let identify: Identify
  private let service: VarlinkService
  /// Processes with arriving or sandboxed connections that are known to be in a sandbox, which
  /// they cannot leave.
  var sandboxes: Set<Int32> = []
  /// Until when sandboxed processes are kept out, by pid.
  var rests: [Int32: EventTime] = [:]
  private var lastNumber: UInt64 = 0
  private var soonest: EventTime?
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  private let acceptor: Acceptor

  private var queues = Queues()
  private let meter: Meter

  /// Tests set the clock by hand. `identify` reads what confines a process, elsewhere.
  init(
    _ loop: InputLoop, limits: Limits, now: @escaping () -> EventTime = { InputLoop.now },
    identify: @escaping Identify, service: VarlinkService = .broker
  ) throws(SystemError) {
    self.loop = loop
    self.limits = limits
    self.now = now
    self.identify = identify
    self.service = service
    meter = Meter(now: now)
    acceptor = Acceptor(loop, now: now)
    acceptor.take = { [unowned self] descriptor, user in
      let arrivalPayer = Payer(atSocketOf: user)
      meter.charge(arrivalPayer) { accept(descriptor, arrivalPayer) }
    }
    acceptor.rest = { [meter] in meter.rest(of: Payer(atSocketOf: $0)) }
    acceptor.deadlineDidMove = { [unowned self] in deadlineDidMove?() }
    acceptor.hasRoom = { [unowned self] in hasRoom(forArrivalsOf: $0) }
    loop.work = { [unowned self] in work() }
  }

  deinit {
    loop.work = nil
    close()
    chunk.deallocate()
  }

  /// Accepts connections, only of `user` if there is one, from a socket that already listens. The
  /// caller owns it, and closes it after ``close()`` or ``ignore(_:)``.
  func listen(on descriptor: Int32, user: UInt32? = nil) throws(SystemError) {
    try acceptor.listen(on: descriptor, user: user)
  }

  func ignore(_ descriptor: Int32) { acceptor.ignore(descriptor) }

  func close() {
    acceptor.close()
    for connection in connections {
      _ = connection.write(at: now())
      remove(connection)
    }
  }

  // MARK: Time

  /// When a client may have missed its time to send or read, which ``advance(to:)`` checks again.
  var deadline: EventTime? { EventTime.earlier(soonest, acceptor.deadline) }

  func advance(to time: EventTime) {
    acceptor.advance(to: time)
    guard let soonest, soonest <= time else { return }
    self.soonest = nil
    for connection in connections {
      guard let due = connection.deadline else { continue }
      if due <= time { expire(connection, at: time) } else { expect(due) }
    }
  }

  private func expect(_ due: EventTime?) {
    guard let due, due < soonest ?? EventTime(microseconds: .max) else { return }
    soonest = due
    deadlineDidMove?()
  }

  private func expire(_ connection: Connection, at time: EventTime) {
    switch connection.conversation.state {
    case .reading:
      let limit = "within \(limits.firstMessage.seconds.shortest) s"
      if connection.conversation.isInside {
        let error = VarlinkError.notACall("no NUL, which ends each message, came \(limit)")
        Socket.send(error.reply, to: connection.descriptor)
      }
      drop(connection, because: "sent no whole message \(limit)")
    case .ready, .answering, .sending:
      drop(connection, because: "read nothing for \(limits.stalled.seconds.shortest) s")
    case .arriving, .ending, .closed: remove(connection)
    }
  }

  // MARK: Paying

  /// The payer for work on the connection. Root and the programs of the user at the seat outside
  /// sandboxes have none: they go first and have no limit. Whether a program is outside a sandbox
  /// is known only once it is admitted.
  private func payer(for connection: Connection) -> Payer? {
    switch connection.share {
    case .arriving: connection.peer.uid == 0 ? nil : connection.arrivalPayer
    case .unconfined, .stopping: isFavored(connection.peer.uid) ? nil : .others
    case .sandboxed: .others
    }
  }

  /// All work for a connection goes through here.
  private func charge(_ connection: Connection, _ body: (Connection) -> Void) {
    meter.charge(payer(for: connection)) { body(connection) }
  }

  // MARK: Coming and going

  private func accept(_ descriptor: Int32, _ arrivalPayer: Payer?) {
    let peer: Peer
    do throws(SystemError) {
      peer = try Peer(of: descriptor)
    } catch {
      Socket.end(descriptor)
      // leave out the pid, so that equal lines of the audit are counted together
      delegate?.refused(nil, uid: .max, because: "a client that \(error.problem)")
      return
    }
    do throws(Excess) {
      try checkArrival(of: peer)
    } catch {
      // a new socket has room for it
      Socket.send(error.reply, to: descriptor)
      Socket.end(descriptor)
      delegate?.refused(nil, uid: peer.uid, because: error.description)
      return
    }
    _ = gliss_pass_credentials(descriptor)
    lastNumber += 1
    let connection = Connection(
      number: lastNumber, peer: peer, arrivalPayer: arrivalPayer, since: now(),
      descriptor: descriptor, limits: limits, server: self)
    connections.append(connection)
    do throws(SystemError) {
      // a process's connections end with it, even if another process holds the socket
      try loop.watch(peer.pidfd) { [unowned self, unowned connection] in remove(connection) }
    } catch {
      return drop(connection, because: error.description)
    }
    settle(connection)
    identify(peer) { [weak self, weak connection] identity in
      if let self, let connection { charge(connection) { self.admit($0, as: identity) } }
    }
  }

  private func admit(_ connection: Connection, as identity: ClientIdentity) {
    guard connection.conversation.state != .closed else { return }
    connection.identity = identity
    if identity.confinement.isFree { makeRoom(for: connection.peer.uid) }
    do throws(Excess) {
      connection.share = try share(of: connection.peer, identity)
    } catch {
      if !identity.confinement.isFree { rest(connection.peer) }
      Socket.send(error.reply, to: connection.descriptor)
      return drop(connection, because: error.description)
    }
    acceptor.resume()
    connection.conversation.admitted(at: now())
    settle(connection)
  }

  /// Ends an idle connection beyond the user's limit if there is no room for another. Otherwise
  /// silent programs could keep the user from stopping anything. It is the oldest, because a newer
  /// one may be about to send its call.
  private func makeRoom(for uid: UInt32) {
    guard count(of: uid, .unconfined) >= limits.connections,
      count(of: uid, .stopping) >= limits.stoppingConnections,
      let idle = connections.first(where: {
        $0.peer.uid == uid && $0.share == .stopping && $0.isIdle
      })
    else { return }
    let excess = Excess(limit: "connections", maximum: limits.connections)
    Socket.send(excess.reply, to: idle.descriptor)
    drop(idle, because: "was idle while another program needed its place")
  }

  private func drop(_ connection: Connection, because reason: String) {
    charge(connection) {
      delegate?.refused($0.identity, uid: $0.peer.uid, because: reason)
      remove($0)
    }
  }

  private func remove(_ connection: Connection) { charge(connection, end) }

  private func end(_ connection: Connection) {
    guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
    connections.remove(at: index)
    let pid = connection.peer.pid
    let isLast = !connections.contains {
      $0.peer.pid == pid && ($0.share == .arriving || $0.share == .sandboxed)
    }
    if isLast { sandboxes.remove(pid) }
    loop.unwatch(connection.peer.pidfd)
    loop.unwatch(connection.descriptor)
    Socket.end(connection.descriptor)
    connection.close()
    queues.remove(connection)
    forget(connection.peer)
    connection.peer.close()
    acceptor.resume()
    delegate?.connectionEnded(connection)
  }

  // MARK: Waiting

  private func watch(_ connection: Connection) {
    let interest: InputLoop.Readiness =
      if connection.isBlocked {
        .writable
      } else if case .reading = connection.conversation.state, !connection.isToRead {
        .readable
      } else {
        .closed
      }
    guard connection.interest != interest else { return }
    do {
      try loop.watch(connection.descriptor, for: interest) {
        [unowned self, unowned connection] in isReady(connection)
      }
      connection.interest = interest
    } catch {
      drop(connection, because: error.description)
    }
  }

  private func isReady(_ connection: Connection) {
    switch connection.interest {
    case .readable:
      guard payer(for: connection) != nil else { return charge(connection, read) }
      connection.isToRead = true
      queues.reading.append(connection, isFavored: false)
      watch(connection)
    case .writable:
      connection.blockedSince = nil
      schedule(connection)
    case .readableOrWritable, .closed, .urgent, nil: remove(connection)
    }
  }

  private func read(_ connection: Connection) {
    connection.isToRead = false
    switch Socket.receive(into: chunk, from: connection.descriptor, of: connection.peer.pid) {
    case .bytes(let count):
      act(connection.conversation.received(chunk[..<count], at: now()), connection)
    case .nothing: watch(connection)
    case .end: remove(connection)
    case .foreign(let pid):
      Socket.send(VarlinkError.foreign(pid).reply, to: connection.descriptor)
      drop(connection, because: "process \(pid), which did not connect, sent a call over it")
    }
  }

  // MARK: Working

  /// Queues `connection` to be sent something or to be closed.
  func schedule(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    queues.sending.append(connection, isFavored: payer(for: connection) == nil)
  }

  /// The number of writes before input is checked again.
  private static let writes = 4

  /// Reads, takes a call, and writes a little. Returns whether more is left.
  private func work() -> Bool {
    if queues.isIdle(others: true) { return false }
    let mayServe = meter.rest(of: .others) == nil
    if let connection = queues.reading.popFirst(others: mayServe) { charge(connection, read) }
    if let connection = queues.speaking.popFirst(others: mayServe) { charge(connection, take) }
    for _ in 0..<Self.writes {
      guard let connection = queues.sending.popFirst(others: mayServe) else { break }
      connection.isQueued = false
      charge(connection, write)
    }
    if !queues.isIdle(others: true) { expect(meter.rest(of: .others)) }
    return !queues.isIdle(others: mayServe)
  }

  private func take(from connection: Connection) {
    do {
      if let call = connection.waitingCall {
        connection.waitingCall = nil
        answer(call, from: connection)
      } else {
        guard let call = try connection.conversation.call() else { return }
        identify(call, from: connection)
      }
    } catch {
      connection.reject(error, at: now())
      delegate?.refused(
        connection.identity, uid: connection.peer.uid, because: error.description)
    }
    schedule(connection)
  }

  /// Answers `call` once its sender is identified. Every call is identified again, because the
  /// program, its user or its confinement may have changed since the last one.
  private func identify(_ call: VarlinkCall, from connection: Connection) {
    if let reply = service.answer(call) { return connection.send(reply) }
    identify(connection.peer) { [weak self, weak connection] identity in
      guard let self, let connection, connection.conversation.state != .closed else { return }
      connection.identity = identity
      connection.waitingCall = call
      guard payer(for: connection) != nil else { return charge(connection, take) }
      queues.speaking.append(connection, isFavored: false)
    }
  }

  private func answer(_ call: VarlinkCall, from connection: Connection) {
    guard connection.share != .stopping || delegate?.stops(call) ?? false else {
      let advice =
        "close connections that are not needed any more; until then you can only call Status, "
        + "AssertSecureInput and ReleaseHotkeys, and List, Answer, Revoke, Pause and Lock of "
        + "org.gliss.Grants"
      return connection.send(
        .limitReached("connections", maximum: limits.connections, advice: advice))
    }
    delegate?.answer(call, from: connection)
  }

  private func write(to connection: Connection) {
    if connection.conversation.state == .closed { return }
    if let fault = connection.fault { return drop(connection, because: fault) }
    if connection.canTake, !connection.write(at: now()) { return remove(connection) }
    settle(connection)
  }

  private func settle(_ connection: Connection) {
    act(connection.outbox.isEmpty ? connection.conversation.drained(at: now()) : .none, connection)
  }

  private func act(_ action: Conversation.Action, _ connection: Connection) {
    switch action {
    case .none: break
    case .queue:
      queues.speaking.append(connection, isFavored: payer(for: connection) == nil)
    case .close: return remove(connection)
    }
    watch(connection)
    expect(connection.deadline)
    if connection.canTake { schedule(connection) }
  }
}

protocol ServerDelegate: AnyObject {
  /// A client has sent a complete, well-formed call. Its next call comes only after this one got
  /// its last answer. This also applies to oneway calls, whose answer is not sent, so that a
  /// decision about one call cannot collide with the client's next.
  func answer(_ call: VarlinkCall, from connection: Connection)
  /// Whether there is always room for the call: it stops something, shows it, or answers a request.
  func stops(_ call: VarlinkCall) -> Bool
  /// The connection is gone. Nothing more can be sent.
  func connectionEnded(_ connection: Connection)
  /// A connection was refused or was ended for its behavior. For the audit.
  func refused(_ identity: ClientIdentity?, uid: UInt32, because reason: String)
}
