import CLinux
import Glibc
import GlissClient
import GlissDevices
import GlissEvents
import GlissGate

/// One client's connection. Calls are taken in order; data goes out as fast as the client reads.
final class Connection {
  /// Identifies the connection. The server never reuses a number.
  let number: UInt64
  let peer: Peer
  /// The client as it was identified for its current call. Before its first call: when it connected.
  var identity: ClientIdentity
  /// A call whose sender is identified, and which waits for its turn.
  var waitingCall: VarlinkCall?
  /// What a call began on it, if that lasts.
  var activity: Broker.Activity?
  /// The strokes that it hides from the desktop, if it does.
  var strokes: HiddenStrokes?
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
  var blockedSince: EventTime?
  var isQueued = false
  var isToRead = false
  var interest: InputLoop.Readiness?
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

  /// Answers the current call, before waiting events. After the last answer the connection follows
  /// no events any more. Answers to a oneway call are not sent, nor anything after the last answer.
  ///
  /// - Parameter isWhole: whether the client needs no other call to get the rest.
  func send(_ reply: VarlinkReply, isWhole: Bool = true) {
    if !reply.continues { unfollow() }
    send { reply.json.write(into: &$0) }
    guard !reply.continues else { return }
    conversation.answered()
    // the room for calls that stop something has to be free again for the next program
    if share == .stopping, isWhole { end() }
  }

  /// Sends one of several answers that is already encoded, without its NUL. Events are counted.
  func send(encoded message: [UInt8], isEvent: Bool = false) {
    send(isEvent: isEvent) { $0.bytes += message }
  }

  private func send(isEvent: Bool = false, _ write: (inout TextBuffer) -> Void) {
    if conversation.takesAnswers {
      let waiting = outbox.answerBytes
      outbox.append(isEvent: isEvent, answer: write)
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

  /// Sends an encoded event, without its NUL, on the loop's next turn. It is left out and counted
  /// if the client reads too slowly.
  func send(event message: [UInt8], isState: Bool = false) {
    guard isFollowing else { return }
    outbox.append(event: message, isState: isState)
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

  var deadline: EventTime? {
    EventTime.earlier(conversation.due, blockedSince.map { $0 + limits.stalled })
  }

  /// Whether it is admitted, and no call of its own waits or is being answered.
  var isIdle: Bool {
    if case .reading = conversation.state { !isToRead } else { false }
  }

  func reject(_ error: VarlinkError, at time: EventTime) {
    outbox.append(answer: { error.reply.json.write(into: &$0) })
    conversation.end(at: time)
  }

  /// Does one write, and notes whether there was room; `false` if the socket is unusable.
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
    case bytes(Int)
    case full
    /// The other end is gone, or the socket is unusable.
    case failed
  }

  static func send(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Sent {
    while true {
      let count = Glibc.send(
        descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .full
      case _: return .failed
      }
    }
  }

  /// Sends a final message, if there is room for it.
  static func send(_ reply: VarlinkReply, to descriptor: Int32) {
    _ = (reply.json.encoded + [0]).withUnsafeBytes { send($0, to: descriptor) }
  }

  /// Ends the connection, even if a process that is just being started still has a copy of the
  /// descriptor.
  static func end(_ descriptor: Int32) {
    shutdown(descriptor, Int32(SHUT_RDWR))
    close(descriptor)
  }

  enum Received: Hashable {
    case bytes(Int)
    case nothing
    /// The other end sends no more, or the socket is unusable.
    case end
    /// The data came from the process with this pid, which is not the one that connected.
    case foreign(Int32)
  }

  /// Data sent just as the connection was accepted may arrive without a sender. It counts as that
  /// of the owner, who connected. Nobody gains from that, because the owner could have sent it.
  static func receive(
    into bytes: UnsafeMutableRawBufferPointer, from descriptor: Int32, of owner: Int32
  ) -> Received {
    var sender: Int32 = 0
    let count = gliss_receive(descriptor, bytes.baseAddress, bytes.count, &sender)
    if count > 0 { return sender == 0 || sender == owner ? .bytes(count) : .foreign(sender) }
    return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .end
  }
}

/// Calls are taken one at a time, each after the previous answer has been sent.
struct Conversation {
  enum State: Hashable {
    /// The client is not identified yet. Nothing is read.
    case arriving
    /// More is being read. A message that has begun, or must begin, has to be complete at `due`.
    case reading(due: EventTime?)
    /// A complete message waits for its turn.
    case ready
    case answering(isOneway: Bool)
    /// The call was answered. Reading resumes when the answer has been sent.
    case sending
    /// The remaining data is sent, until `due` at the latest. Then the connection ends.
    case ending(due: EventTime)
    case closed
  }

  private(set) var state = State.arriving
  private var framer: MessageFramer
  /// Whether a part of a message has come.
  var isInside: Bool { framer.isInside }
  private let limits: Limits

  init(_ limits: Limits) {
    framer = MessageFramer(limit: limits.messageBytes)
    self.limits = limits
  }

  var due: EventTime? {
    switch state {
    case .reading(let due): due
    case .ending(let due): due
    case .arriving, .ready, .answering, .sending, .closed: nil
    }
  }

  var takesAnswers: Bool { state == .answering(isOneway: false) }

  enum Action: Hashable {
    case none
    case queue
    case close
  }

  mutating func admitted(at time: EventTime) {
    if case .arriving = state { state = .reading(due: time + limits.firstMessage) }
  }

  mutating func received(_ chunk: some Collection<UInt8>, at time: EventTime) -> Action {
    guard case .reading(let due) = state else { return .none }
    framer.append(chunk)
    return nextAction(at: time, due: due)
  }

  private mutating func nextAction(at time: EventTime, due: EventTime?) -> Action {
    if framer.hasMessage || framer.isTooLong {
      state = .ready
      return .queue
    }
    state = .reading(due: framer.isInside ? due ?? time + limits.firstMessage : due)
    return .none
  }

  /// Takes the next call when its turn has come; `nil` if none waits. If it throws, the message is
  /// not a valid call, and nothing after it can be trusted.
  mutating func call() throws(VarlinkError) -> VarlinkCall? {
    guard state == .ready, let message = try framer.next() else { return nil }
    let call = try VarlinkCall(
      parsing: message,
      limits: JSON.Limits(
        bytes: limits.messageBytes, depth: limits.depth, values: limits.values))
    state = .answering(isOneway: call.isOneway)
    return call
  }

  /// The last answer was given, or none is wanted.
  mutating func answered() {
    if case .answering = state { state = .sending }
  }

  mutating func drained(at time: EventTime) -> Action {
    switch state {
    case .sending: nextAction(at: time, due: nil)
    case .ending: .close
    case .arriving, .reading, .ready, .answering, .closed: .none
    }
  }

  mutating func end(at time: EventTime) {
    switch state {
    case .arriving, .reading, .ready, .answering, .sending:
      state = .ending(due: time + limits.closing)
    case .ending, .closed: break
    }
  }

  mutating func close() { state = .closed }
}

/// The data for one client that was not written to its socket yet. Answers go first. Events wait
/// in a queue of limited size. Events that do not fit are left out until the client has read the
/// queue. Then the client gets their number, and the newest session state that was among them. So a
/// client that reads too slowly loses events of its own only.
struct Outbox {
  private var answers = ByteQueue()
  /// Whole messages only. The rest of an event that was sent in part is moved to the answers.
  private var events = ByteQueue()
  private let eventLimit: Int
  /// How many events were left out since the queue became full.
  private var omitted: UInt64 = 0
  /// The newest of them that says how the user is served.
  private var omittedState: [UInt8]?
  private(set) var delivered: UInt64 = 0
  private(set) var lost: UInt64 = 0

  init(eventLimit: Int) { self.eventLimit = eventLimit }

  var isEmpty: Bool { answers.isEmpty && events.isEmpty }
  var answerBytes: Int { answers.count }
  var capacity: Int { answers.capacity + events.capacity }

  /// Adds an answer's message and the NUL that ends it. An answer that is an event counts as
  /// delivered at once, because answers are never left out.
  mutating func append(isEvent: Bool = false, answer write: (inout TextBuffer) -> Void) {
    answers.append(write)
    if isEvent { delivered += 1 }
  }

  /// Adds an event's message and the NUL that ends it, if there is room.
  mutating func append(event message: [UInt8], isState: Bool = false) {
    if omitted == 0, events.count + message.count < eventLimit {
      events.append { $0.bytes += message }
    } else {
      if isState { omittedState = message }
      lost += 1
      omitted += 1
      reportLoss()
    }
  }

  mutating func removeEvents() {
    events.removeAll()
    (omitted, omittedState) = (0, nil)
  }

  mutating func removeAll() {
    answers.removeAll()
    removeEvents()
  }

  /// Passes on the data to send next, at most `limit` bytes, and returns how many were sent.
  mutating func send(limit: Int, _ body: (UnsafeRawBufferPointer) -> Socket.Sent) -> Socket.Sent {
    guard answers.isEmpty else {
      let sent = answers.withBytes(limit: limit, body)
      if case .bytes(let count) = sent { answers.remove(count) }
      return sent
    }
    let sent = events.withBytes(limit: limit, body)
    if case .bytes(let count) = sent { removeEvents(count) }
    return sent
  }

  private mutating func removeEvents(_ count: Int) {
    var (messages, isInside) = (0, false)
    events.withBytes(limit: count) { sent in
      messages = sent.count { $0 == 0 }
      if let last = sent.last { isInside = last != 0 }
    }
    events.remove(count)
    delivered += UInt64(messages)
    if isInside {
      delivered += 1
      let rest = events.removeMessage()
      answers.append(bytes: rest)
    }
    reportLoss()
  }

  /// Reports omitted events once all events before them are gone.
  private mutating func reportLoss() {
    guard omitted > 0, events.isEmpty else { return }
    let event: JSON = ["kind": "lost", "count": .integer(Int64(clamping: omitted))]
    let reply = VarlinkReply.result(["events": [event]], continues: true)
    answers.append { reply.json.write(into: &$0) }
    if let omittedState { answers.append { $0.bytes += omittedState } }
    (omitted, omittedState) = (0, nil)
  }
}

/// Messages, each ended by a NUL, in order.
private struct ByteQueue {
  private var text = TextBuffer(capacity: 0)
  private var start = 0

  var count: Int { text.bytes.count - start }
  var isEmpty: Bool { count == 0 }
  var capacity: Int { text.bytes.capacity }

  mutating func append(_ write: (inout TextBuffer) -> Void) {
    write(&text)
    text.append(byte: 0)
  }

  /// Adds bytes that already end with a NUL.
  mutating func append(bytes: [UInt8]) { text.bytes += bytes }

  func withBytes<Result>(limit: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    text.bytes.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[start..<min($0.count, start + limit)]))
    }
  }

  mutating func remove(_ count: Int) {
    start += count
    if isEmpty {
      // gives back the memory of a long queue
      if capacity > 4096 { text = TextBuffer(capacity: 0) } else { text.removeAll() }
      start = 0
    } else if start > self.count {
      // on average, a byte is moved at most once
      text.bytes.removeFirst(start)
      start = 0
    }
  }

  mutating func removeAll() { remove(count) }

  /// Removes the bytes up to and including the next NUL.
  mutating func removeMessage() -> [UInt8] {
    let end = text.bytes[start...].firstIndex(of: 0).map { $0 + 1 } ?? text.bytes.count
    let message = Array(text.bytes[start..<end])
    remove(message.count)
    return message
  }
}
