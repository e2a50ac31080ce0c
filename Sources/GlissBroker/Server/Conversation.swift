import GlissEvents

/// Where a connection stands: its calls are taken one at a time, each once the one before was answered and the answer
/// has gone out.
struct Conversation {
  enum State: Hashable {
    /// It is not known yet who has connected: nothing is read.
    case arriving
    /// More is read. What has begun, or must begin, is to be whole when `due`.
    case reading(due: EventTime?)
    /// A whole message waits for its turn.
    case ready
    /// A call is being answered.
    case answering(isOneway: Bool)
    /// It was; what comes next is read when the answer has gone out.
    case sending
    /// What is left goes out, by `due` at the latest, and that is the end.
    case ending(due: EventTime)
    case closed
  }

  private(set) var state = State.arriving
  private var framer: MessageFramer
  private let limits: Limits

  init(_ limits: Limits) {
    framer = MessageFramer(limit: limits.messageBytes)
    self.limits = limits
  }

  /// When the other end must have done what is waited for.
  var due: EventTime? {
    switch state {
    case .reading(let due): due
    case .ending(let due): due
    case .arriving, .ready, .answering, .sending, .closed: nil
    }
  }

  /// Whether something may be answered, and is waited for.
  var takesAnswers: Bool { state == .answering(isOneway: false) }

  enum Action: Hashable {
    case none
    /// A message waits for its turn from now on.
    case queue
    case close
  }

  mutating func admitted(at time: EventTime) {
    if case .arriving = state { state = .reading(due: time + limits.firstMessage) }
  }

  /// Some bytes have come.
  mutating func received(_ chunk: some Collection<UInt8>, at time: EventTime) -> Action {
    guard case .reading(let due) = state else { return .none }
    framer.append(chunk)
    return look(at: time, due: due)
  }

  private mutating func look(at time: EventTime, due: EventTime?) -> Action {
    if framer.hasMessage || framer.isTooLong {
      state = .ready
      return .queue
    }
    state = .reading(due: framer.isInside ? due ?? time + limits.firstMessage : due)
    return .none
  }

  /// The turn has come: takes the next call.
  ///
  /// - Returns: `nil` where none waits.
  /// - Throws: where the message is no call; nothing after it can be trusted.
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

  /// All that was sent has gone out.
  mutating func drained(at time: EventTime) -> Action {
    switch state {
    case .sending: look(at: time, due: nil)
    case .ending: .close
    case .arriving, .reading, .ready, .answering, .closed: .none
    }
  }

  /// Nothing more is read.
  mutating func end(at time: EventTime) {
    switch state {
    case .arriving, .reading, .ready, .answering, .sending:
      state = .ending(due: time + limits.closing)
    case .ending, .closed: break
    }
  }

  mutating func close() { state = .closed }
}
