import GlissEvents

/// The data for one client that was not written to its socket yet: answers and events.
///
/// Answers go first. Events wait in a queue of limited size. When it is full, further events are
/// left out until the client has read the queue, and then it is sent their number. So a client that
/// reads too slowly loses events of its own only.
struct Outbox {
  private var answers = ByteQueue()
  /// Whole messages only. The rest of an event that was sent in part is moved to the answers.
  private var events = ByteQueue()
  private let eventLimit: Int
  /// How many events were left out since the queue became full.
  private var omitted: UInt64 = 0
  /// How many events were sent, and how many were left out.
  private(set) var delivered: UInt64 = 0
  private(set) var lost: UInt64 = 0

  /// - Parameter eventLimit: the most bytes of events that wait.
  init(eventLimit: Int) { self.eventLimit = eventLimit }

  var isEmpty: Bool { answers.isEmpty && events.isEmpty }
  var answerBytes: Int { answers.count }
  /// The memory that is reserved, in bytes.
  var capacity: Int { answers.capacity + events.capacity }

  /// Adds an answer and the NUL that ends it.
  mutating func append(answer write: (inout TextBuffer) -> Void) { answers.append(write) }

  /// Adds an event's message and the NUL that ends it, if there is room.
  mutating func append(event message: [UInt8]) {
    if omitted == 0, events.count + message.count < eventLimit {
      events.append { $0.bytes += message }
    } else {
      lost += 1
      omitted += 1
      reportLoss()
    }
  }

  /// Removes all events that were not sent, so that they never will be.
  mutating func removeEvents() {
    events.removeAll()
    omitted = 0
  }

  mutating func removeAll() {
    answers.removeAll()
    removeEvents()
  }

  /// Passes on the data to send next, at most `limit` bytes. The result is the number of bytes that
  /// were sent.
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
    omitted = 0
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
