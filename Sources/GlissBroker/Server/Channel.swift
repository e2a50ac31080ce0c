/// Messages for all clients that may see the same. Each is stored once, however many follow, and
/// for a bounded time.
final class Channel {
  private var followers: [Connection] = []
  private var ring: MessageRing
  private weak var server: Server?

  /// Whether the server knows that there is something to send.
  private var isScheduled = false
  /// The next follower in this round.
  private var turn = 0
  /// The number of the next message when the round began.
  private var goal: UInt64 = 0
  /// Some follower could take more in this round.
  private var isUnfinished = false
  /// Some follower cannot take more now.
  private var isHeldUp = false

  /// - Parameters:
  ///   - bytes: the bytes of messages kept for followers that read more slowly than messages come:
  ///     a second or two of the most that a touchpad produces.
  ///   - messages: the most messages kept.
  init(bytes: Int = 262_144, messages: Int = 2048) {
    ring = MessageRing(bytes: bytes, messages: messages)
  }

  /// The number of followers.
  var followerCount: Int { followers.count }

  /// Queues `message`, complete but without its NUL, for all followers. Returns at once. The loop
  /// sends it on its next turn.
  func append(_ message: [UInt8]) {
    guard !followers.isEmpty else { return }
    ring.append(message)
    schedule()
  }

  private func schedule() {
    guard !isScheduled, let server else { return }
    isScheduled = true
    server.schedule(self)
  }

  // MARK: Followers

  /// - Returns: the number of the first message that the follower will get.
  func add(_ follower: Connection, of server: Server) -> UInt64 {
    self.server = server
    followers.append(follower)
    return ring.next
  }

  func remove(_ follower: Connection) {
    guard let index = followers.firstIndex(where: { $0 === follower }) else { return }
    followers.remove(at: index)
    if index < turn { turn -= 1 }
  }

  // MARK: Sending

  /// What to send next to a follower that already has all messages before `number`.
  enum Due {
    case nothing
    /// This many messages are left out: some were overwritten before they were sent, and the rest
    /// up to the newest are skipped.
    case loss(UInt64)
    case run(MessageRing.Run)
  }

  func due(from number: UInt64, limit: Int) -> Due {
    if number == ring.next { return .nothing }
    if number < ring.first { return .loss(ring.next - number) }
    return .run(ring.run(from: number, limit: limit))
  }

  func withBytes<Result>(
    of run: MessageRing.Run, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    ring.withBytes(of: run, body)
  }

  func split(_ run: MessageRing.Run, after count: Int) -> (next: UInt64, rest: Range<Int>) {
    ring.split(run, after: count)
  }

  /// Sends to followers in turn, with at most `writes` writes, and counts them down.
  ///
  /// - Returns: whether some follower can take more that is left to send.
  func deliver(_ writes: inout Int, by server: Server) -> Bool {
    while writes > 0 {
      if turn >= followers.count, !beginRound() { return false }
      guard turn < followers.count else { continue }
      let follower = followers[turn]
      turn += 1
      if follower.canTake {
        writes -= 1
        server.flush(follower)
      }
      if follower.isBlocked { isHeldUp = true } else if follower.isBehind { isUnfinished = true }
    }
    return true
  }

  /// - Returns: whether another round is useful.
  private func beginRound() -> Bool {
    let isOver = !isUnfinished && goal == ring.next
    if isOver {
      isScheduled = false
      // everyone is up to date: start again at the front of the memory
      if !isHeldUp { ring.removeAll() }
    }
    goal = ring.next
    turn = 0
    isUnfinished = false
    isHeldUp = false
    return !isOver
  }
}
