import CLinux
import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

/// Identifies clients without making the loop wait: a ``ProcessReader`` reads /proc, in a process or a thread of
/// its own, and only the client that is asked about waits for its answer.
///
/// One question is under way at a time, and users take turns. So what one user does delays another by one answer, a tenth
/// of a millisecond.
package final class PeerIdentifier: Timed {
  /// Where the service manager listens for the helper.
  static let path = "/run/gliss/programs"

  /// Called when ``deadline`` is earlier than it was.
  var deadlineDidMove: (() -> Void)?

  private struct Question {
    let peer: Peer
    let answer: (ClientIdentity) -> Void
  }

  private enum State {
    case idle
    /// An answer to that number is waited for, until `due` at the latest.
    case asking(Question, number: UInt32, due: EventTime)
  }

  private let loop: EventLoop
  private let now: () -> EventTime
  private let path: String?
  /// How long an answer may take: the helper's start is in it.
  private let patience: EventInterval
  private var state = State.idle
  private var waiting = FairQueue<Question>()
  private var lastNumber: UInt32 = 0
  private var descriptor: Int32 = -1

  /// - Parameters:
  ///   - path: where a helper listens; without one, or if none does, a thread of this process reads.
  package init(
    _ loop: EventLoop, path: String?, patience: EventInterval = .milliseconds(1000),
    now: @escaping () -> EventTime = { EventLoop.now }
  ) {
    self.loop = loop
    self.path = path
    self.patience = patience
    self.now = now
  }

  deinit { disconnect() }

  /// Calls `answer` from the loop, once, unless this ends before.
  func identify(_ peer: Peer, _ answer: @escaping (ClientIdentity) -> Void) {
    waiting.append(Question(peer: peer, answer: answer), uid: peer.uid, pid: peer.pid)
    ask()
  }

  /// Nobody waits for answers about `peer` any more: whoever comes and goes leaves nothing behind.
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
      let due = now() + patience
      state = .asking(next, number: lastNumber, due: due)
      deadlineDidMove?()
    }
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    // a helper that was restarted since is connected to anew
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
      // it has ended
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
    // one that hangs is left to its fate: the next question goes to another
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

  /// A thread that reads what this process may, and ends when its socket is closed.
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
