import CLinux
import Glibc
import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

/// One client's connection. Calls are taken in order; answers and events go out as fast as the
/// client reads.
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
  let since: EventTime
  let descriptor: Int32
  /// The payer until it is admitted.
  let arrivalPayer: Payer?
  private let limits: Limits
  private weak var server: Server?
  var conversation: Conversation
  private(set) var outbox: Outbox
  /// Since when it has not accepted any of the data waiting for it.
  private(set) var blockedSince: EventTime?
  var isQueued = false
  /// Whether it waits for its turn to be read.
  var isToRead = false
  /// What its descriptor is watched for.
  var interest: InputLoop.Readiness?
  /// Why it must be closed at once.
  private(set) var fault: String?
  /// Whether it is sent events as answers to its call.
  private var isFollowing = false

  init(
    number: UInt64, peer: Peer, arrivalPayer: Payer?, since: EventTime, descriptor: Int32,
    limits: Limits,
    server: Server
  ) {
    self.number = number
    self.peer = peer
    self.arrivalPayer = arrivalPayer
    identity = peer.identity(by: nil)
    self.since = since
    self.descriptor = descriptor
    self.limits = limits
    self.server = server
    conversation = Conversation(limits)
    outbox = Outbox(eventLimit: limits.eventBytes)
  }

  /// Answers the current call. If more answers follow, the call stays current. After the last
  /// answer the connection follows no events any more. The answer goes out before waiting events.
  ///
  /// Answers to a oneway call are not sent, nor anything after the last answer.
  func send(_ reply: VarlinkReply) {
    if !reply.continues { unfollow() }
    send { reply.json.write(into: &$0) }
    if !reply.continues { conversation.answered() }
  }

  /// Sends one of several answers that is already encoded, without its NUL.
  func send(encoded message: [UInt8]) { send { $0.bytes += message } }

  private func send(_ write: (inout TextBuffer) -> Void) {
    if conversation.takesAnswers {
      let waiting = outbox.answerBytes
      outbox.append(answer: write)
      if waiting > 0, outbox.answerBytes > limits.answerBytes {
        fault = "read too little of what it asked for"
      }
    }
    server?.schedule(self)
  }

  /// Lets ``send(event:)`` send events, after everything already sent.
  func follow() { isFollowing = conversation.takesAnswers }

  /// Ends ``follow()``. Of the events, only the rest of one that was sent in part still goes out.
  func unfollow() {
    isFollowing = false
    outbox.removeEvents()
  }

  /// Sends an encoded event, without its NUL. It is left out and counted if the client reads too
  /// slowly. The loop sends it on its next turn.
  func send(event message: [UInt8]) {
    guard isFollowing else { return }
    outbox.append(event: message)
    if !isBlocked { server?.schedule(self) }
  }

  /// Closes the connection once pending data is sent, or without it if that takes too long. Nothing
  /// more can be sent. The server's delegate is notified.
  func end() {
    guard let server else { return }
    unfollow()
    conversation.end(at: server.now())
    server.schedule(self)
  }
}

// The server's side of a connection.
extension Connection {
  /// The most bytes of one write. Input waits during a write.
  private static let slice = 16_384

  var isBlocked: Bool { blockedSince != nil }

  /// Whether there is something to write and room for it.
  var canTake: Bool { !isBlocked && !outbox.isEmpty }

  /// When it must be checked again if nothing happens.
  var deadline: EventTime? {
    EventTime.earlier(conversation.due, blockedSince.map { $0 + limits.stalled })
  }

  /// Notes that the descriptor may have room again.
  func unblock() { blockedSince = nil }

  /// Answers a message that is not a valid call, and ends the connection.
  func reject(_ error: VarlinkError, at time: EventTime) {
    outbox.append(answer: { error.reply.json.write(into: &$0) })
    conversation.end(at: time)
  }

  /// Does one write of the next data, and notes whether there was room.
  ///
  /// - Returns: `false` if the socket is unusable.
  func write(at time: EventTime) -> Bool {
    switch outbox.send(limit: Self.slice, { Socket.send($0, to: descriptor) }) {
    case .bytes: blockedSince = nil
    case .full: blockedSince = blockedSince ?? time
    case .failed: return false
    }
    return true
  }

  func close() {
    unfollow()
    outbox.removeAll()
    blockedSince = nil
    waitingCall = nil
    conversation.close()
  }
}

/// The socket calls of a connection. None of them blocks or raises SIGPIPE.
enum Socket {
  enum Sent: Hashable {
    /// This many bytes were taken.
    case bytes(Int)
    /// There is no room.
    case full
    /// The other end is gone, or the socket is unusable.
    case failed(Int32)
  }

  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Sent {
    while true {
      let count = Glibc.send(
        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      case let code: return .failed(code)
      }
    }
  }

  /// Sends a final message, if there is room for it.
  static func send(_ reply: VarlinkReply, to descriptor: Int32) {
    _ = (reply.json.encoded + [0]).withUnsafeBytes { send($0, to: descriptor) }
  }

  enum Received: Hashable {
    case bytes(Int)
    case nothing
    /// The other end sends no more, or the socket is unusable.
    case end
    /// The data came from the process with this pid, which is not the one that connected.
    case foreign(Int32)
  }

  /// - Parameter owner: the process that connected.
  ///
  /// Data sent just as the connection was accepted may arrive without a sender. It counts as the
  /// owner's. Nobody gains from that, because the owner could have sent it.
  static func receive(
    into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, of owner: Int32
  ) -> Received {
    var sender: Int32 = 0
    let count = gliss_receive(descriptor, bytes.baseAddress, bytes.count, &sender)
    if count > 0 { return sender == 0 || sender == owner ? .bytes(count) : .foreign(sender) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }
}
