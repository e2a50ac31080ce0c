import CLinux
import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

/// Identifies clients without blocking the loop. A ``ProcessReader`` reads /proc in a separate
/// process or thread, and only the client in question waits for its answer.
///
/// One question is pending at a time, and users take turns. One user can thus delay another by one
/// answer, a tenth of a millisecond.
package final class PeerIdentifier: Timed {
  /// The helper's socket, on which the service manager listens.
  static let path = "/run/gliss/programs"

  /// Called when ``deadline`` has become earlier.
  var deadlineDidMove: (() -> Void)?

  private struct Question {
    let peer: Peer
    let answer: (ClientIdentity) -> Void
  }

  private enum State {
    case idle
    /// Waiting for the answer with that number, until `due` at the latest.
    case asking(Question, number: UInt32, due: EventTime)
  }

  private let loop: EventLoop
  private let now: () -> EventTime
  private let path: String?
  /// The timeout of an answer, including the helper's start.
  private let timeout: EventInterval
  private var state = State.idle
  private var waiting = FairQueue<Question>()
  private var lastNumber: UInt32 = 0
  private var descriptor: Int32 = -1

  /// - Parameters:
  ///   - path: the helper's socket; without one, or if no helper listens, a thread of this process
  ///     reads.
  package init(
    _ loop: EventLoop, path: String?, timeout: EventInterval = .milliseconds(1000),
    now: @escaping () -> EventTime = { EventLoop.now }
  ) {
    self.loop = loop
    self.path = path
    self.timeout = timeout
    self.now = now
  }

  deinit { disconnect() }

  /// Calls `answer` once from the loop, unless this object is deinitialized before.
  func identify(_ peer: Peer, _ answer: @escaping (ClientIdentity) -> Void) {
    waiting.append(Question(peer: peer, answer: answer), uid: peer.uid, pid: peer.pid)
    ask()
  }

  /// Drops the waiting questions about `peer`, so that clients that come and go leave nothing
  /// behind.
  func forget(_ peer: Peer) {
    waiting.removeAll(uid: peer.uid, pid: peer.pid) { $0.peer === peer }
  }

  // MARK: Asking

  private func ask() {
    while case .idle = state, let next = waiting.popFirst() {
      lastNumber &+= 1
      let bytes = ProcessQuestion(number: lastNumber, pid: next.peer.pid).bytes
      guard send(bytes) else {
        next.answer(next.peer.identity(by: nil))
        continue
      }
      let due = now() + timeout
      state = .asking(next, number: lastNumber, due: due)
      deadlineDidMove?()
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    // connect again if the helper was restarted
    for _ in 0..<2 where connect() {
      if Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count {
        return true
      }
      disconnect()
    }
    return false
  }

  private func receive() {
    let bytes = [UInt8](unsafeUninitializedCapacity: ProcessFacts.largest) { buffer, count in
      count = max(0, recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
    }
    guard bytes.count >= 4 else {
      // the reader has ended
      disconnect()
      return finish(nil)
    }
    guard case .asking(_, let number, _) = state, ProcessQuestion.number(bytes[..<4]) == number
    else { return }
    finish(ProcessFacts(bytes.dropFirst(4)))
  }

  private func finish(_ facts: ProcessFacts?) {
    guard case .asking(let question, _, _) = state else { return }
    state = .idle
    question.answer(question.peer.identity(by: facts))
    ask()
  }

  // MARK: Time

  package var deadline: EventTime? {
    switch state {
    case .idle: nil
    case .asking(_, _, let due): due
    }
  }

  package func advance(to time: EventTime) {
    guard let due = deadline, due <= time else { return }
    // abandon a reader that hangs: the next question goes to a new one
    disconnect()
    finish(nil)
  }

  // MARK: The reader

  private func connect() -> Bool {
    if descriptor >= 0 { return true }
    guard let made = helper() ?? thread() else { return false }
    do {
      try loop.watch(made) { [unowned self] in receive() }
    } catch {
      close(made)
      return false
    }
    descriptor = made
    return true
  }

  private func disconnect() {
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    close(descriptor)
    descriptor = -1
  }

  private static var type: Int32 { Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue) }

  private func helper() -> Int32? {
    guard let path, var address = sockaddr_un(path: path) else { return nil }
    let made = socket(AF_UNIX, Self.type | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard made >= 0 else { return nil }
    if address.call(Glibc.connect, made) == 0 { return made }
    close(made)
    return nil
  }

  /// A thread that reads with this process's rights, and ends when its socket is closed.
  private func thread() -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Self.type, 0, &ends) == 0 else { return nil }
    let end = ends[1]
    guard BackgroundThread.start({ ProcessReader.answer(on: end) }) == 0 else {
      for end in ends { close(end) }
      return nil
    }
    return ends[0]
  }
}
