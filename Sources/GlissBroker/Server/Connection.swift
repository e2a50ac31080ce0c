import GlissDevices
import GlissEvents
import GlissGate

/// One client's connection: its calls come in order, its answers and what it follows go out as fast as it reads.
final class Connection {
  /// Which of the server's connections it is; no other ever is.
  let number: UInt64
  /// The process at the other end, as the kernel names it.
  let peer: Peer
  /// The identity of that process when the current call came; before the first call, when the connection was made.
  var identity: ClientIdentity
  /// A call that is taken and not yet answered.
  enum WaitingCall {
    /// It is being found out who has sent it.
    case unidentified(VarlinkCall)
    /// It waits for its turn.
    case identified(VarlinkCall)
  }
  var waitingCall: WaitingCall?
  /// What share of its user's connections it is counted in.
  var share = Share.arriving
  /// When it was accepted.
  let since: EventTime
  /// How many messages of a channel went out, and how many it was too slow for.
  private(set) var delivered: UInt64 = 0
  private(set) var lost: UInt64 = 0

  let descriptor: Int32
  /// Who pays for it until it is admitted.
  let door: Payer?
  private let limits: Limits
  private weak var server: Server?
  private(set) var conversation: Conversation
  private var outbox = Outbox()
  /// Since when it takes nothing of what waits for it.
  private(set) var blockedSince: EventTime?
  /// Waits in the server's queue already.
  var isQueued = false
  /// Waits for its turn to be read from.
  var isToRead = false
  /// What its descriptor is watched for.
  var interest: EventLoop.Readiness?
  /// Why it must be closed at once.
  private(set) var fault: String?

  private var channel: Channel?
  /// The number of the channel's message that is next.
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

  /// Answers the call at hand. Where more answers are to come it stays at hand; where not, nothing of the channel that
  /// it followed goes out any more. It goes before what its channel still has for it.
  ///
  /// What a oneway call is answered is not sent, nor what comes after the last answer.
  func send(_ reply: VarlinkReply) {
    if !reply.continues { unfollow() }
    send { reply.write(into: &$0) }
    if !reply.continues { conversation.answered() }
  }

  /// The same for one of several answers, which is encoded already; without its NUL.
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

  /// From now on the messages of `channel` go to it, behind what was sent already.
  ///
  /// - Parameter describeLoss: the message, without its NUL, that says that so many others were left out.
  func follow(
    _ channel: Channel, describingLoss describeLoss: @escaping (UInt64) -> [UInt8] = lossMessage
  ) {
    unfollow()
    guard let server, conversation.takesAnswers else { return }
    self.channel = channel
    self.describeLoss = describeLoss
    cursor = channel.add(self, of: server)
  }

  /// Nothing more of its channel goes out, except the rest of a message that is partly out.
  func unfollow() {
    channel?.remove(self)
    channel = nil
  }

  /// Sends what was sent already and then closes; closes at once where that does not go out soon. Nothing more can be
  /// sent, and its end is told to the server's delegate.
  func end() {
    guard let server else { return }
    unfollow()
    conversation.end(at: server.now())
    server.schedule(self)
  }

  /// In the words of the one event schema.
  static func lossMessage(_ count: UInt64) -> [UInt8] {
    VarlinkReply.result(
      ["events": [["kind": "lost", "count": .integer(Int64(clamping: count))]]], continues: true
    ).encoded
  }
}

// What the server does with it.
extension Connection {
  /// The most bytes of one write, but for a single longer message: what input waits for meanwhile.
  private static let slice = 16_384

  var isBlocked: Bool { blockedSince != nil }

  /// Whether its channel has something that it was not sent.
  var isBehind: Bool {
    guard let channel, fault == nil else { return false }
    if case .nothing = channel.due(from: cursor, limit: 0) { return false }
    return true
  }

  /// Whether there is something to write, and room for it.
  var canTake: Bool { !isBlocked && (!outbox.isEmpty || isBehind) }

  /// When it must be looked at again if nothing happens.
  var deadline: EventTime? {
    EventTime.earlier(conversation.due, blockedSince.map { $0 + limits.stalled })
  }

  /// Its descriptor may have room again.
  func unblock() { blockedSince = nil }

  /// It is known who has connected: what they send is read from now on.
  func admitted(at time: EventTime) { conversation.admitted(at: time) }

  func received(_ chunk: some Collection<UInt8>, at time: EventTime) -> Conversation.Action {
    conversation.received(chunk, at: time)
  }

  func takeCall() throws(VarlinkError) -> VarlinkCall? { try conversation.call() }

  /// It sent what is no call.
  func reject(_ error: VarlinkError, at time: EventTime) {
    outbox.append { error.reply.write(into: &$0) }
    conversation.end(at: time)
  }

  /// Writes once what is to go out next, and notes whether there was room.
  ///
  /// - Returns: `false` where the socket is of no use any more.
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

  /// What is partly out must be completed, and may be forgotten by the channel: its rest is kept here.
  private func wrote(_ count: Int, of run: MessageRing.Run, _ channel: Channel) {
    let (next, rest) = channel.split(run, after: count)
    delivered += next - cursor
    cursor = next
    guard !rest.isEmpty else { return }
    channel.withBytes(of: MessageRing.Run(numbers: run.numbers, bytes: rest)) {
      outbox.append(rest: $0)
    }
  }

  /// What comes now that it has been written to.
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
