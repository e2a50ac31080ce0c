/// Messages that all who may see the same follow: kept once, however many they are, and for a bounded while.
final class Channel {
  private var followers: [Connection] = []
  private var ring: MessageRing
  private weak var server: Server?

  /// Whether the server knows that there is something to send.
  private var isScheduled = false
  /// Who is next in the round of followers.
  private var turn = 0
  /// The number that the next message had when the round began.
  private var goal: UInt64 = 0
  /// Somebody could take more when the round came by.
  private var isUnfinished = false
  /// Somebody cannot take more now.
  private var isHeldUp = false

  /// - Parameters:
  ///   - bytes: how many bytes of messages are kept for those who read more slowly than they come: a second or two of
  ///     the most that a touchpad gives.
  ///   - messages: how many messages are kept at most.
  init(bytes: Int = 262_144, messages: Int = 2048) {
    ring = MessageRing(bytes: bytes, messages: messages)
  }

  /// How many follow it.
  var followerCount: Int { followers.count }

  /// Hands `message`, a whole one without its NUL, to all who follow. Returns at once: it goes out when the loop turns.
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

  /// - Returns: the number of the first message that it will be sent.
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

  /// What a follower that has had all before `number` is to be sent.
  enum Due {
    case nothing
    /// So many were forgotten before it was sent them, and all others up to the newest are left out.
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

  /// Sends to followers in turn, with no more writes than `writes`, which it counts down.
  ///
  /// - Returns: whether there is more to send to somebody who can take it.
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

  /// - Returns: whether another round is worth it.
  private func beginRound() -> Bool {
    let isOver = !isUnfinished && goal == ring.next
    if isOver {
      isScheduled = false
      // all have everything: the next message comes first in memory again
      if !isHeldUp { ring.removeAll() }
    }
    goal = ring.next
    turn = 0
    isUnfinished = false
    isHeldUp = false
    return !isOver
  }
}
