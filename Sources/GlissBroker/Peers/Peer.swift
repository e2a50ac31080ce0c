import CLinux
import Glibc
import GlissGate

/// How processes at the other end of a socket are told apart on this machine.
public enum PeerTelling: Hashable, Sendable, CaseIterable {
  /// The kernel hands out a descriptor of the process that connected (SO_PEERPIDFD, Linux 6.5).
  case byDescriptor
  /// The kernel gives the number that the process had when it connected; the process that has it when the connection is
  /// accepted, and did not start after that, counts as the same.
  case byNumber

  /// What this kernel can do.
  public static var here: PeerTelling {
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0 else { return .byNumber }
    defer { for end in ends { close(end) } }
    let pidfd = gliss_peer_pidfd(ends[0])
    guard pidfd >= 0 else { return .byNumber }
    close(pidfd)
    return .byDescriptor
  }
}

/// The process at the other end of a socket, until ``close()``: no other can take its number unnoticed.
///
/// Everything here comes from the kernel in a few system calls that no user can slow down. What /proc shows of the
/// process is read elsewhere (``PeerIdentifier``).
///
/// Before Linux 6.5 (``PeerTelling/byNumber``) a process could end between its connecting and our accepting the
/// connection, leave its end to another, and its number to a third. That one would have to be of the same user, and there
/// by the time we look; it takes as many processes as there are numbers, while the connection waits.
final class Peer {
  /// When it connected: its number here, its effective user and group.
  let pid: Int32
  let uid: UInt32
  let gid: UInt32
  /// When the connection was accepted, in the kernel's ticks since boot. The process did not start later.
  let accepted: UInt64
  /// A descriptor of the process; readable once it has ended.
  private(set) var pidfd: Int32

  /// Asks the kernel who has connected to `descriptor`; to be called as soon as the connection was accepted.
  ///
  /// - Parameter telling: for tests; else what the kernel can do.
  /// - Throws: if that is not certain: the process has ended, or its number may belong to another by now.
  init(of descriptor: Int32, telling: PeerTelling? = nil) throws(BrokerError) {
    accepted = Self.ticksSinceBoot
    var credentials = gliss_credentials()
    guard gliss_peer_credentials(descriptor, &credentials) == 0 else {
      throw BrokerError("client", "the kernel does not name its process", code: errno)
    }
    // 0 for one in a process namespace that is not below ours
    guard credentials.pid > 0 else {
      throw BrokerError("client", "has no process number that is valid here")
    }
    (pid, uid, gid) = (credentials.pid, credentials.uid, credentials.gid)
    pidfd = try Self.open(credentials.pid, of: descriptor, telling)
    // Linux from 6.16 on has a descriptor for it even then
    guard isAlive else { throw Self.hasEnded(pid) }
  }

  deinit { close() }

  /// Nothing more is asked about it.
  func close() {
    if pidfd >= 0 { _ = Glibc.close(pidfd) }
    pidfd = -1
  }

  /// Whether it is still the process that connected.
  var isAlive: Bool {
    guard pidfd >= 0 else { return false }
    var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
  }

  private static func open(
    _ pid: Int32, of descriptor: Int32, _ telling: PeerTelling?
  ) throws(BrokerError) -> Int32 {
    if telling != .byNumber {
      let pidfd = gliss_peer_pidfd(descriptor)
      if pidfd >= 0 { return pidfd }
      guard errno == ENOPROTOOPT, telling == nil else { throw hasEnded(pid, errno) }
    }
    let pidfd = gliss_pidfd_open(pid)
    guard pidfd >= 0 else { throw hasEnded(pid, errno) }
    return pidfd
  }

  private static func hasEnded(_ pid: Int32, _ code: Int32 = 0) -> BrokerError {
    BrokerError("process \(pid)", "has ended since it connected", code: code)
  }

  /// The clock that the kernel stamps new processes with, in the same unit.
  private static var ticksSinceBoot: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    let ticks = UInt64(clamping: sysconf(Int32(_SC_CLK_TCK)))
    let rest = UInt64(clamping: time.tv_nsec).multipliedReportingOverflow(by: ticks).partialValue
    return UInt64(clamping: time.tv_sec) &* ticks &+ rest / 1_000_000_000
  }
}

extension Peer {
  /// Works out the client's identity from what was read of the process under its number.
  ///
  /// What is not known gives no right, but to root. A process that has taken on another user or group since it connected
  /// counts as a sandbox: it is not the one that connected, and has no right that only one of both has.
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
    let isRoot = uid == 0 && facts.userNamespace != .other && facts.processNamespace != .other
    // root in a mount namespace of its own can do all that root can
    identity.confinement = isRoot ? .none : facts.confinement
    return identity
  }
}
