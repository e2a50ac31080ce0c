import CLinux
import Glibc
import GlissDevices
import GlissEvents
import GlissGate

/// Accepts connections on sockets, holds them to their limits, and takes calls from them.
///
/// It writes only as ``EventLoop/work``, a little at a time, so that input is never late by more than that.
final class Server {
  /// Finds a process's identity, and calls back with it once: immediately, or later from the loop.
  typealias Identify = (Peer, @escaping (ClientIdentity) -> Void) -> Void

  /// Called when nobody waits for answers about a process any more.
  var forget: (Peer) -> Void = { _ in }

  weak var delegate: (any ServerDelegate)?
  /// Called when ``deadline`` is earlier than it was.
  var deadlineDidMove: (() -> Void)?

  /// For whom the last connections of all are kept.
  var isFavored: (UInt32) -> Bool = { $0 == 0 }

  /// All connections, in the order they came.
  private(set) var connections: [Connection] = []

  let now: () -> EventTime
  private let loop: EventLoop
  private let limits: Limits
  private let identify: Identify
  private let service: VarlinkService
  private var shares: Shares
  private var lastNumber: UInt64 = 0
  private var soonest: EventTime?
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  private let acceptor: Acceptor

  /// Those who sent a call.
  private var speaking = Turns()
  /// Those who are to be sent something of their own.
  private var sending = Turns()
  private var channels = RunQueue<Channel>()
  private var allowance = Allowance()

  /// - Parameters:
  ///   - now: the clock, which tests move by hand.
  ///   - identify: reads what confines a process, elsewhere.
  ///   - service: what it says of itself.
  /// - Throws: if the loop cannot wait for anything.
  init(
    _ loop: EventLoop, limits: Limits, now: @escaping () -> EventTime = { EventLoop.now },
    identify: @escaping Identify, service: VarlinkService = .broker
  ) throws(DeviceError) {
    self.loop = loop
    self.limits = limits
    self.now = now
    self.identify = identify
    self.service = service
    shares = Shares(limits)
    acceptor = Acceptor(loop, now: now)
    acceptor.take = { [unowned self] in accept($0) }
    acceptor.rest = { [unowned self] in allowance.rest(at: self.now()) }
    acceptor.deadlineDidMove = { [unowned self] in deadlineDidMove?() }
    acceptor.hasRoom = { [unowned self] in shares.hasRoom(forArrivalsOf: $0) }
    loop.work = { [unowned self] in work() }
  }

  deinit {
    loop.work = nil
    close()
    chunk.deallocate()
  }

  /// Takes connections from a socket that listens already; it stays the caller's to close, after ``close()`` or
  /// ``ignore(_:)``.
  ///
  /// - Parameter user: the only user who may connect to it.
  func listen(on descriptor: Int32, user: UInt32? = nil) throws(DeviceError) {
    try acceptor.listen(on: descriptor, user: user)
  }

  /// Takes no more connections from that socket.
  func ignore(_ descriptor: Int32) { acceptor.ignore(descriptor) }

  /// Ends all of them at once, and listens no more.
  func close() {
    acceptor.close()
    for connection in connections {
      _ = connection.write(at: now())
      remove(connection)
    }
  }

  // MARK: Time

  /// When ``advance(to:)`` must be called: somebody has not spoken, or read, in time. It may have done so by now.
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
      drop(connection, because: "sent no whole message within \(limits.firstMessage.seconds) s")
    case .ready, .answering, .sending:
      drop(connection, because: "read nothing for \(limits.stalled.seconds) s")
    case .ending, .closed: remove(connection)
    }
  }

  // MARK: Coming and going

  private func accept(_ descriptor: Int32) {
    let start = now()
    var isFavored = false
    defer { if !isFavored { allowance.spend(from: start, to: now()) } }
    let peer: Peer
    do throws(BrokerError) {
      peer = try Peer(of: descriptor)
    } catch {
      _ = Glibc.close(descriptor)
      // without its number: lines of the audit that are the same are counted
      delegate?.refused(nil, uid: .max, because: "a client that \(error.problem)")
      return
    }
    if let excess = shares.excess(of: peer, at: start) {
      return refuse(descriptor, peer.uid, excess)
    }
    isFavored = self.isFavored(peer.uid)
    let kept = isFavored ? 0 : min(limits.keptConnections, limits.allConnections / 2)
    // root may have to revoke something: other users' connections never keep it out
    guard peer.uid == 0 || connections.count < limits.allConnections - kept else {
      return refuse(
        descriptor, peer.uid,
        Shares.Excess(limit: "allConnections", maximum: limits.allConnections))
    }
    do throws(Shares.Excess) {
      try shares.arrive(peer)
    } catch {
      return refuse(descriptor, peer.uid, error)
    }
    _ = gliss_pass_credentials(descriptor)
    lastNumber += 1
    let connection = Connection(
      number: lastNumber, peer: peer, since: now(), descriptor: descriptor, limits: limits,
      server: self)
    connections.append(connection)
    do throws(DeviceError) {
      // what a process has opened ends with it, also if another holds the socket
      try loop.watch(peer.pidfd) { [unowned self, unowned connection] in remove(connection) }
    } catch {
      return drop(connection, because: error.description)
    }
    settle(connection)
    identify(peer) { [weak self, weak connection] identity in
      if let self, let connection { self.admit(connection, as: identity) }
    }
  }

  private func admit(_ connection: Connection, as identity: ClientIdentity) {
    guard connection.conversation.state != .closed else { return }
    connection.identity = identity
    do throws(Shares.Excess) {
      connection.share = try shares.admit(connection.peer, identity)
    } catch {
      if !identity.confinement.isFree { shares.rest(connection.peer, at: now()) }
      _ = send(error, to: connection.descriptor)
      return drop(connection, because: error.description)
    }
    acceptor.resume()
    if connection.waitingCall != nil { answerCall(of: connection) }
  }

  /// Says so, which a socket has room for that is new, and closes.
  private func refuse(_ descriptor: Int32, _ uid: UInt32, _ excess: Shares.Excess) {
    _ = send(excess, to: descriptor)
    _ = Glibc.close(descriptor)
    delegate?.refused(nil, uid: uid, because: excess.description)
  }

  private func send(_ excess: Shares.Excess, to descriptor: Int32) -> Socket.Sent {
    let reply = BrokerLimit.reached(
      excess.limit, excess.maximum, advice: "Close connections that are not needed any more.")
    return (reply.encoded + [0]).withUnsafeBytes { Socket.send($0, to: descriptor) }
  }

  private func drop(_ connection: Connection, because reason: String) {
    delegate?.refused(connection.identity, uid: connection.peer.uid, because: reason)
    remove(connection)
  }

  private func remove(_ connection: Connection) {
    guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
    connections.remove(at: index)
    shares.remove(connection.peer, from: connection.share)
    loop.unwatch(connection.peer.pidfd)
    loop.unwatch(connection.descriptor)
    _ = Glibc.close(connection.descriptor)
    connection.close()
    speaking.remove(connection)
    sending.remove(connection)
    forget(connection.peer)
    connection.peer.close()
    acceptor.resume()
    delegate?.connectionEnded(connection)
  }

  // MARK: Waiting

  /// Watches for what `connection` waits for now.
  private func watch(_ connection: Connection) {
    let interest: EventLoop.Readiness =
      if connection.isBlocked {
        .writable
      } else if case .reading = connection.conversation.state {
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
    case .readable: read(connection)
    case .writable:
      connection.unblock()
      schedule(connection)
    case .readableOrWritable, .closed, .urgent, nil: remove(connection)
    }
  }

  private func read(_ connection: Connection) {
    switch Socket.receive(
      into: chunk, from: connection.descriptor, of: connection.peer.pid)
    {
    case .bytes(let count):
      act(connection.received(chunk[..<count], at: now()), connection)
    case .nothing: break
    case .end: remove(connection)
    case .foreign(let pid):
      let reply = VarlinkError.foreign(pid).reply
      _ = (reply.encoded + [0]).withUnsafeBytes { Socket.send($0, to: connection.descriptor) }
      drop(connection, because: "process \(pid) sent a call over it, which has not connected")
    }
  }

  // MARK: Working

  /// There is something for `connection` to be sent, or to be closed for.
  func schedule(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    sending.append(connection, isFavored: isServedFirst(connection))
  }

  /// There is something for those who follow `channel`.
  func schedule(_ channel: Channel) { channels.append(channel) }

  /// So many writes are made before input is looked at again.
  private static let writes = 4

  /// Takes a call, and writes a little.
  ///
  /// - Returns: whether more is left.
  private func work() -> Bool {
    if speaking.isEmpty(others: true), sending.isEmpty(others: true), channels.isEmpty {
      return false
    }
    let mayServe = allowance.rest(at: now()) == nil
    if let connection = speaking.popFirst(others: mayServe) { serve(connection, take) }
    var writes = Self.writes
    while writes > 0, !sending.isEmpty(others: mayServe) || !channels.isEmpty {
      if let connection = sending.popFirst(others: mayServe) {
        connection.isQueued = false
        writes -= 1
        serve(connection, flush)
      }
      // neither those who ask much nor those who follow much keep the others from their share
      if let channel = channels.popFirst() {
        var share = min(writes, 2)
        writes -= share
        if channel.deliver(&share, by: self) { channels.append(channel) }
        writes += share
      }
    }
    let isLeft = !speaking.isEmpty(others: true) || !sending.isEmpty(others: true)
    if isLeft { expect(allowance.rest(at: now())) }
    return !channels.isEmpty || !speaking.isEmpty(others: mayServe)
      || !sending.isEmpty(others: mayServe)
  }

  /// Root, and the programs of the user at the seat outside sandboxes, wait for nobody else.
  private func isServedFirst(_ connection: Connection) -> Bool {
    isFavored(connection.peer.uid) && connection.share != .boxed
  }

  private func serve(_ connection: Connection, _ body: (Connection) -> Void) {
    guard !isServedFirst(connection) else { return body(connection) }
    let start = now()
    body(connection)
    allowance.spend(from: start, to: now())
  }

  private func take(from connection: Connection) {
    do {
      guard let call = try connection.takeCall() else { return }
      connection.waitingCall = call
      // before that it is not even known whether there is a place for it
      if connection.share != .arriving { answerCall(of: connection) }
    } catch {
      connection.reject(error, at: now())
      delegate?.refused(
        connection.identity, uid: connection.peer.uid, because: error.description)
    }
    schedule(connection)
  }

  /// Answers the current call once its sender is identified. Each call is identified anew: the program, its user or its
  /// confinement may have changed since the last one.
  private func answerCall(of connection: Connection) {
    if let call = connection.waitingCall, let reply = service.answer(call) {
      connection.waitingCall = nil
      connection.send(reply)
      return schedule(connection)
    }
    identify(connection.peer) { [weak self, weak connection] identity in
      guard let self, let connection, let call = connection.waitingCall else { return }
      connection.waitingCall = nil
      connection.identity = identity
      answer(call, from: connection)
      schedule(connection)
    }
  }

  private func answer(_ call: VarlinkCall, from connection: Connection) {
    guard connection.share != .stopping || delegate?.stops(call) ?? false else {
      connection.send(
        BrokerLimit.reached(
          "connections", limits.connections,
          advice:
            "Close connections that are not needed any more; this one may only stop something."
        ))
      return
    }
    if let delegate {
      delegate.answer(call, from: connection)
    } else {
      connection.send(VarlinkService.methodNotImplemented(call))
    }
  }

  /// Writes once to `connection`, and goes on with it.
  func flush(_ connection: Connection) {
    if connection.conversation.state == .closed { return }
    if let fault = connection.fault { return drop(connection, because: fault) }
    if connection.canTake, !connection.write(at: now()) { return remove(connection) }
    settle(connection)
  }

  private func settle(_ connection: Connection) {
    act(connection.settle(at: now()), connection)
  }

  private func act(_ action: Conversation.Action, _ connection: Connection) {
    switch action {
    case .none: break
    case .queue:
      speaking.append(connection, isFavored: isServedFirst(connection))
    case .close: return remove(connection)
    }
    watch(connection)
    expect(connection.deadline)
    if connection.canTake { schedule(connection) }
  }
}
