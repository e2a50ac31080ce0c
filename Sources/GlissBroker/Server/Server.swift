import Glibc
import GlissDevices
import GlissEvents
import GlissGate

/// Accepts connections on sockets, holds them to their limits, and takes calls from them.
///
/// It writes only as ``EventLoop/work``, a little at a time, so that input is never late by more than that.
final class Server {
  /// Who has connected to a descriptor.
  typealias Identify = (Int32) throws(BrokerError) -> (ClientIdentity, Peer?)

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
  private var counts: [UInt32: Int] = [:]
  private var lastNumber: UInt64 = 0
  private var soonest: EventTime?
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
  private let acceptor: Acceptor

  /// Those who sent a call.
  private var speaking = RunQueue<Connection>()
  /// Those who are to be sent something of their own.
  private var sending = RunQueue<Connection>()
  private var channels = RunQueue<Channel>()

  /// - Parameters:
  ///   - now: the clock, which tests move by hand.
  ///   - identify: asks the kernel, but in tests.
  ///   - service: what it says of itself.
  /// - Throws: where the loop cannot wait for anything.
  init(
    _ loop: EventLoop, limits: Limits, now: @escaping () -> EventTime = { EventLoop.now },
    identify: @escaping Identify = { descriptor throws(BrokerError) in try ask(descriptor) },
    service: VarlinkService = .broker
  ) throws(DeviceError) {
    self.loop = loop
    self.limits = limits
    self.now = now
    self.identify = identify
    self.service = service
    acceptor = Acceptor(loop, now: now)
    acceptor.take = { [unowned self] in accept($0) }
    loop.work = { [unowned self] in work() }
  }

  deinit {
    loop.work = nil
    close()
    chunk.deallocate()
  }

  static func ask(
    _ descriptor: Int32, _ programs: ProgramTeller? = nil
  ) throws(BrokerError) -> (ClientIdentity, Peer?) {
    let peer = try Peer(of: descriptor, programs)
    return (peer.identity, peer)
  }

  /// Takes connections from a socket that listens already; it stays the caller's to close, after ``close()``.
  func listen(on descriptor: Int32) throws(DeviceError) { try acceptor.listen(on: descriptor) }

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
    guard let uid = Socket.user(of: descriptor) else {
      _ = Glibc.close(descriptor)
      delegate?.refused(nil, uid: .max, because: "the kernel does not say whose it is")
      return
    }
    if counts[uid, default: 0] >= limits.connections {
      return refuse(descriptor, uid, "connections", limits.connections)
    }
    let kept = isFavored(uid) ? 0 : min(limits.keptConnections, limits.allConnections / 2)
    if connections.count >= limits.allConnections - kept {
      return refuse(descriptor, uid, "allConnections", limits.allConnections)
    }
    do {
      let (identity, peer) = try identify(descriptor)
      lastNumber += 1
      let connection = Connection(
        number: lastNumber, identity: identity, since: now(), peer: peer, descriptor: descriptor,
        limits: limits,
        server: self)
      connections.append(connection)
      counts[identity.uid, default: 0] += 1
      settle(connection)
    } catch {
      _ = Glibc.close(descriptor)
      delegate?.refused(nil, uid: uid, because: error.description)
    }
  }

  /// Says so, which a socket has room for that is new, and closes.
  private func refuse(_ descriptor: Int32, _ uid: UInt32, _ limit: String, _ maximum: Int) {
    let reply = BrokerLimit.reached(
      limit, maximum, advice: "Close connections that are not needed any more.")
    _ = (reply.encoded + [0]).withUnsafeBytes { Socket.send($0, to: descriptor) }
    _ = Glibc.close(descriptor)
    delegate?.refused(nil, uid: uid, because: "more than \(maximum) \(limit)")
  }

  private func drop(_ connection: Connection, because reason: String) {
    delegate?.refused(connection.identity, uid: connection.identity.uid, because: reason)
    remove(connection)
  }

  private func remove(_ connection: Connection) {
    guard let index = connections.firstIndex(where: { $0 === connection }) else { return }
    connections.remove(at: index)
    let uid = connection.identity.uid
    let count = counts[uid, default: 1] - 1
    counts[uid] = count == 0 ? nil : count
    loop.unwatch(connection.descriptor)
    _ = Glibc.close(connection.descriptor)
    connection.close()
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
    switch Socket.receive(into: chunk, from: connection.descriptor) {
    case .bytes(let count):
      act(connection.received(chunk[..<count], at: now()), connection)
    case .nothing: break
    case .end: remove(connection)
    }
  }

  // MARK: Working

  /// There is something for `connection` to be sent, or to be closed for.
  func schedule(_ connection: Connection) {
    guard !connection.isQueued else { return }
    connection.isQueued = true
    sending.append(connection)
  }

  /// There is something for those who follow `channel`.
  func schedule(_ channel: Channel) { channels.append(channel) }

  /// So many writes are made before input is looked at again.
  private static let writes = 4

  /// Takes a call, and writes a little.
  ///
  /// - Returns: whether more is left.
  private func work() -> Bool {
    if let connection = speaking.popFirst() { take(from: connection) }
    var writes = Self.writes
    while writes > 0, !sending.isEmpty || !channels.isEmpty {
      if let connection = sending.popFirst() {
        connection.isQueued = false
        writes -= 1
        flush(connection)
      }
      // neither those who ask much nor those who follow much keep the others from their share
      if let channel = channels.popFirst() {
        var share = min(writes, 2)
        writes -= share
        if channel.deliver(&share, by: self) { channels.append(channel) }
        writes += share
      }
    }
    return !speaking.isEmpty || !sending.isEmpty || !channels.isEmpty
  }

  private func take(from connection: Connection) {
    do {
      guard let call = try connection.takeCall() else { return }
      if let reply = service.answer(call) {
        connection.send(reply)
      } else if let delegate {
        delegate.answer(call, from: connection)
      } else {
        connection.send(VarlinkService.methodNotImplemented(call))
      }
    } catch {
      connection.reject(error, at: now())
      delegate?.refused(
        connection.identity, uid: connection.identity.uid, because: error.description)
    }
    schedule(connection)
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
    case .queue: speaking.append(connection)
    case .close: return remove(connection)
    }
    watch(connection)
    expect(connection.deadline)
    if connection.canTake { schedule(connection) }
  }
}
