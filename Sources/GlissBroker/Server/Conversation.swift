import GlissClient
import GlissEvents

/// The state of a connection. Calls are taken one at a time, each after the previous answer has
/// been sent.
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
  private let limits: Limits

  init(_ limits: Limits) {
    framer = MessageFramer(limit: limits.messageBytes)
    self.limits = limits
  }

  /// The deadline for whatever the other end has to do.
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
    /// A message now waits for its turn.
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

  /// Takes the next call when its turn has come.
  ///
  /// - Returns: `nil` if none waits.
  /// - Throws: if the message is not a valid call. Nothing after it can be trusted.
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

  /// All pending data has been sent.
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
