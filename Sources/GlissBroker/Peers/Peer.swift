import CLinux
import Glibc
package import GlissDevices
package import GlissEvents
import GlissGate

/// The process at the other end of a socket. Until ``close()``, no other process can take its pid
/// unnoticed.
///
/// Everything here comes from the kernel in a few system calls that no user can slow down.
/// ``PeerIdentifier`` reads what /proc shows of the process.
///
/// Since Linux 6.5 the kernel returns a descriptor of the process that connected. Before, it
/// returns only the pid. A process could connect and then end before we accept the connection,
/// leaving its end of the socket to a second process and its pid to a third. The third process
/// would have to be of the same user and exist when we check. To get that pid, as many processes
/// must be started as there are pids, while the connection waits.
final class Peer {
  /// Its pid as seen here, and its effective user and group, when it connected.
  let pid: Int32
  let uid: UInt32
  let gid: UInt32
  /// When the connection was accepted, in kernel ticks since boot. The process did not start later.
  let accepted: UInt64
  /// A descriptor of the process, which becomes readable when it has ended.
  private(set) var pidfd: Int32

  /// Asks the kernel who has connected. Call this as soon as the connection was accepted.
  ///
  /// - Parameter byNumber: as before Linux 6.5; for tests.
  /// - Throws: if the process is uncertain: it has ended, or another may have its pid by now.
  init(of descriptor: Int32, byNumber: Bool = false) throws(SystemError) {
    accepted = Self.ticksSinceBoot
    var credentials = gliss_credentials()
    var size = socklen_t(MemoryLayout<gliss_credentials>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      throw SystemError("client", "has a process that the kernel does not name", code: errno)
    }
    // 0 for a process in a pid namespace that is not below ours
    guard credentials.pid > 0 else {
      throw SystemError("client", "has no process number that is valid here")
    }
    (pid, uid, gid) = (credentials.pid, credentials.uid, credentials.gid)
    pidfd = try Self.open(credentials.pid, of: descriptor, byNumber)
    // since 6.16 Linux returns a descriptor even for a process that has ended
    guard isAlive else { throw Self.hasEnded(pid) }
  }

  deinit { close() }

  /// Closes the descriptor. Nothing more can be asked about the process.
  func close() {
    if pidfd >= 0 { _ = Glibc.close(pidfd) }
    pidfd = -1
  }

  var isAlive: Bool {
    guard pidfd >= 0 else { return false }
    var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
  }

  private static func open(
    _ pid: Int32, of descriptor: Int32, _ byNumber: Bool
  ) throws(SystemError) -> Int32 {
    if !byNumber {
      var pidfd: Int32 = -1
      var size = socklen_t(MemoryLayout<Int32>.size)
      // 77 is SO_PEERPIDFD
      if getsockopt(descriptor, SOL_SOCKET, 77, &pidfd, &size) == 0 { return pidfd }
      guard errno == ENOPROTOOPT else { throw hasEnded(pid, errno) }
    }
    let pidfd = gliss_pidfd_open(pid)
    guard pidfd >= 0 else { throw hasEnded(pid, errno) }
    return pidfd
  }

  private static func hasEnded(_ pid: Int32, _ code: Int32 = 0) -> SystemError {
    SystemError("process \(pid)", "has ended since it connected", code: code)
  }

  /// The clock and unit in which the kernel records start times.
  private static var ticksSinceBoot: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let ticks = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
    let rest = UInt64(clamping: time.tv_nsec).multipliedReportingOverflow(by: ticks).partialValue
    return UInt64(clamping: time.tv_sec) &* ticks &+ rest / 1_000_000_000
  }
}

extension Peer {
  /// Unknown facts give no rights, except to root. A process that has changed its user or group
  /// since it connected counts as a sandbox: it is not the one that connected, and it gets no right
  /// that only one of the two has.
  func identity(by facts: ProcessFacts?) -> ClientIdentity {
    var identity = ClientIdentity(
      uid: uid, pid: pid, startTime: facts?.startTime ?? 0,
      confinement: uid == 0 ? .none : .unknown, program: nil)
    guard let facts, facts.startTime <= accepted, isAlive else { return identity }
    guard facts.user == uid, facts.group == gid else {
      identity.confinement = .anonymous
      return identity
    }
    identity.program = facts.program
    identity.isReplaced = facts.executable?.hasSuffix(" (deleted)") == true
    let isRoot = uid == 0 && facts.userNamespace != .other && facts.processNamespace != .other
    // root in its own mount namespace can do everything root can
    identity.confinement = isRoot ? .none : facts.confinement
    return identity
  }
}

/// Identifies clients without blocking the loop. A ``ProcessReader`` reads /proc in a separate
/// process or thread, and only the client in question waits. One question is pending at a time,
/// and users take turns: one delays another by one answer, a tenth of a millisecond.
package final class PeerIdentifier: Timed {
  static let path = "/run/gliss/programs"

  var deadlineDidMove: (() -> Void)?
  /// Called once if a client stays unknown because no helper listens, and if one listens again.
  var didMissHelper: ((Bool) -> Void)?

  private typealias Question = (peer: Peer, answer: (ClientIdentity) -> Void)

  private let loop: InputLoop
  private let now: () -> EventTime
  private let path: String?
  /// The timeout of an answer, including the helper's start.
  private let timeout: EventInterval
  /// The question whose answer is awaited until ``deadline``; the answer has ``lastNumber``.
  private var asked: Question?
  package private(set) var deadline: EventTime?
  private var waiting = FairQueue<Question>()
  private var lastNumber: UInt32 = 0
  private var descriptor: Int32 = -1
  /// Whether a thread reads because no helper listens.
  private var replacesHelper = false
  private var missesHelper = false {
    didSet { if missesHelper != oldValue { didMissHelper?(missesHelper) } }
  }

  /// `path` is the helper's socket; if no helper listens there, a thread of this process reads.
  package init(
    _ loop: InputLoop, path: String?, timeout: EventInterval = .milliseconds(1000),
    now: @escaping () -> EventTime = { InputLoop.now }
  ) {
    self.loop = loop
    self.path = path
    self.timeout = timeout
    self.now = now
  }

  deinit { disconnect() }

  /// Calls `answer` once: from the loop, or at once if no reader can be started. Not after
  /// ``forget(_:)``, or once this object is gone.
  func identify(_ peer: Peer, _ answer: @escaping (ClientIdentity) -> Void) {
    waiting.append((peer: peer, answer: answer), uid: peer.uid, pid: peer.pid)
    ask()
  }

  /// Drops waiting questions, so that clients that come and go leave nothing behind.
  func forget(_ peer: Peer) {
    waiting.removeAll(uid: peer.uid, pid: peer.pid) { $0.peer === peer }
  }

  // MARK: Asking

  private func ask() {
    while asked == nil, let next = waiting.popFirst() {
      lastNumber &+= 1
      let bytes = ProcessQuestion(number: lastNumber, pid: next.peer.pid).bytes
      guard send(bytes) else {
        next.answer(next.peer.identity(by: nil))
        continue
      }
      asked = next
      deadline = now() + timeout
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
    guard asked != nil, ProcessQuestion.number(bytes[..<4]) == lastNumber else { return }
    finish(ProcessFacts(bytes.dropFirst(4)))
  }

  private func finish(_ facts: ProcessFacts?) {
    guard let question = asked else { return }
    asked = nil
    deadline = nil
    if replacesHelper, facts?.userNamespace == .unknown, question.peer.isAlive {
      missesHelper = true
    }
    question.answer(question.peer.identity(by: facts))
    ask()
  }

  // MARK: Time

  package func advance(to time: EventTime) {
    guard let due = deadline, due <= time else { return }
    // abandon a reader that hangs: the next question goes to a new one
    disconnect()
    finish(nil)
  }

  // MARK: The reader

  private func connect() -> Bool {
    if descriptor >= 0 { return true }
    let helper = helper()
    replacesHelper = path != nil && helper == nil
    if helper != nil { missesHelper = false }
    guard let made = helper ?? thread() else { return false }
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
    guard let path, let address = SocketAddress(path) else { return nil }
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
