import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

/// One client's connection. Its calls are taken in order. Answers and followed messages go out as
/// fast as it reads.
final class Connection {
  /// Identifies the connection. The server never reuses a number.
  let number: UInt64
  /// The process at the other end, according to the kernel.
  let peer: Peer
  /// The identity of that process when the current call came or, before the first call, when it
  /// connected.
  var identity: ClientIdentity
  /// A call that was received but not answered yet.
  enum WaitingCall {
    /// Its sender is being identified.
    case unidentified(VarlinkCall)
    /// It waits for its turn.
    case identified(VarlinkCall)
  }
  var waitingCall: WaitingCall?
  /// Which of its user's limits the connection counts against.
  var share = Share.arriving
  /// When it was accepted.
  let since: EventTime
  /// How many channel messages were sent, and how many were left out because the client was too
  /// slow.
  private(set) var delivered: UInt64 = 0
  private(set) var lost: UInt64 = 0

  let descriptor: Int32
  /// The payer until it is admitted.
  let door: Payer?
  private let limits: Limits
  private weak var server: Server?
  private(set) var conversation: Conversation
  private var outbox = Outbox()
  /// Since when it has taken none of the data waiting for it.
  private(set) var blockedSince: EventTime?
  /// It is already in the server's queue.
  var isQueued = false
  /// It waits for its turn to be read.
  var isToRead = false
  /// What its descriptor is watched for.
  var interest: EventLoop.Readiness?
  /// Why it must be closed at once.
  private(set) var fault: String?

  private var channel: Channel?
  /// The number of the next channel message.
  private var cursor: UInt64 = 0
  private var describeLoss: (UInt64) -> [UInt8] = lossMessage

  init(
    number: UInt64, peer: Peer, door: Payer?, since: EventTime, descriptor: Int32, limits: Limits,
    server: Server
  ) {
    self.number = number
    self.peer = peer
    self.door = door
    identity = peer.identity(by: nil)
    self.since = since
    self.descriptor = descriptor
    self.limits = limits
    self.server = server
    conversation = Conversation(limits)
  }

  /// Answers the current call. If more answers follow, the call stays current. After the last
  /// answer the connection no longer follows its channel. The answer goes out before messages still
  /// waiting in the channel.
  ///
  /// Answers to a oneway call are not sent, nor anything after the last answer.
  func send(_ reply: VarlinkReply) {
    if !reply.continues { unfollow() }
    send { reply.write(into: &$0) }
    if !reply.continues { conversation.answered() }
  }

  /// Sends one of several answers that is already encoded, without its NUL.
  func send(encoded message: [UInt8]) { send { $0.bytes += message } }

  private func send(_ write: (inout TextBuffer) -> Void) {
    if conversation.takesAnswers {
      let waiting = outbox.count
      outbox.append(write)
      if waiting > 0, outbox.count > limits.waitingBytes {
        fault = "read too little of what it asked for"
      }
    }
    server?.schedule(self)
  }

  /// Makes the connection follow `channel`. Its messages go out after everything already sent.
  ///
  /// - Parameter describeLoss: encodes the message, without its NUL, that reports how many messages
  ///   were left out.
  func follow(
    _ channel: Channel, describingLoss describeLoss: @escaping (UInt64) -> [UInt8] = lossMessage
  ) {
    unfollow()
    guard let server, conversation.takesAnswers else { return }
    self.channel = channel
    self.describeLoss = describeLoss
    cursor = channel.add(self, of: server)
  }

  /// Stops following the channel. Only the rest of a partly sent message still goes out.
  func unfollow() {
    channel?.remove(self)
    channel = nil
  }

  /// Closes the connection once pending data is sent, or without it if that takes too long. Nothing
  /// more can be sent. The server's delegate is notified.
  func end() {
    guard let server else { return }
    unfollow()
    conversation.end(at: server.now())
    server.schedule(self)
  }

  /// A loss event in the common event schema.
  static func lossMessage(_ count: UInt64) -> [UInt8] {
    VarlinkReply.result(
      ["events": [["kind": "lost", "count": .integer(Int64(clamping: count))]]], continues: true
    ).encoded
  }
}

// The server's side of a connection.
extension Connection {
  /// The most bytes of one write, except for a single longer message. Input waits during a write.
  private static let slice = 16_384

  var isBlocked: Bool { blockedSince != nil }

  /// Whether its channel has messages that were not sent to it yet.
  var isBehind: Bool {
    guard let channel, fault == nil else { return false }
    if case .nothing = channel.due(from: cursor, limit: 0) { return false }
    return true
  }

  /// Whether there is something to write and room for it.
  var canTake: Bool { !isBlocked && (!outbox.isEmpty || isBehind) }

  /// When it must be checked again if nothing happens.
  var deadline: EventTime? {
    EventTime.earlier(conversation.due, blockedSince.map { $0 + limits.stalled })
  }

  /// The descriptor may have room again.
  func unblock() { blockedSince = nil }

  /// The client is identified, so reading starts.
  func admitted(at time: EventTime) { conversation.admitted(at: time) }

  func received(_ chunk: some Collection<UInt8>, at time: EventTime) -> Conversation.Action {
    conversation.received(chunk, at: time)
  }

  func takeCall() throws(VarlinkError) -> VarlinkCall? { try conversation.call() }

  /// Answers a message that is not a valid call, and ends the connection.
  func reject(_ error: VarlinkError, at time: EventTime) {
    outbox.append { error.reply.write(into: &$0) }
    conversation.end(at: time)
  }

  /// Does one write of the next data, and notes whether there was room.
  ///
  /// - Returns: `false` if the socket is unusable.
  func write(at time: EventTime) -> Bool {
    switch outbox.isEmpty ? writeMessages() : writeOutbox() {
    case .bytes: blockedSince = nil
    case .full: blockedSince = blockedSince ?? time
    case .failed: return false
    }
    return true
  }

  private func writeOutbox() -> Socket.Sent {
    let sent = outbox.withBytes(limit: Self.slice) { Socket.send($0, to: descriptor) }
    if case .bytes(let count) = sent { outbox.remove(count) }
    return sent
  }

  private func writeMessages() -> Socket.Sent {
    guard let channel else { return .bytes(0) }
    switch channel.due(from: cursor, limit: Self.slice) {
    case .nothing: return .bytes(0)
    case .loss(let count):
      lost += count
      cursor += count
      let message = describeLoss(count)
      outbox.append { $0.bytes += message }
      return writeOutbox()
    case .run(let run):
      let sent = channel.withBytes(of: run) { Socket.send($0, to: descriptor) }
      if case .bytes(let count) = sent { wrote(count, of: run, channel) }
      return sent
    }
  }

  /// A partly sent message must be completed, but the channel may drop it. Its rest is kept here.
  private func wrote(_ count: Int, of run: MessageRing.Run, _ channel: Channel) {
    let (next, rest) = channel.split(run, after: count)
    delivered += next - cursor
    cursor = next
    guard !rest.isEmpty else { return }
    channel.withBytes(of: MessageRing.Run(numbers: run.numbers, bytes: rest)) {
      outbox.append(rest: $0)
    }
  }

  /// The next action after a write.
  func settle(at time: EventTime) -> Conversation.Action {
    outbox.isEmpty ? conversation.drained(at: time) : .none
  }

  func close() {
    unfollow()
    outbox.removeAll()
    blockedSince = nil
    waitingCall = nil
    conversation.close()
  }
}
