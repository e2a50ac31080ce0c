import CLinux
import Glibc
import GlissGate

/// How processes at the other end of a socket are told apart on this machine.
public enum PeerTelling: Hashable, Sendable, CaseIterable {
  /// The kernel hands out a descriptor of the process that connected (SO_PEERPIDFD, Linux 6.5).
  case byDescriptor
  /// The kernel tells the number that the process had when it connected; who has it when the connection is taken, and
  /// did not start after that, counts as the same.
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

/// The process at the other end of a socket, for as long as this lives: no other can take its number unnoticed.
///
/// What confines it is told from what /proc shows of it to everybody: its control group, its user map, its mounts and its
/// process namespaces. Its program, and what Flatpak says of it, only those may read who might trace it: the same user,
/// root, and whoever has CAP_SYS_PTRACE. That is ``ProgramTeller``'s helper, and glissd itself is not (packaging/README.md).
/// Without it the program is `nil`, and nothing can be granted to it: what is not known never widens what it may.
///
/// Before Linux 6.5 (``PeerTelling/byNumber``) a process could end between its connecting and our taking the connection,
/// leave its end to another, and its number to a third. That one would have to be of the same user, and there by the time
/// we look; it takes as many processes as there are numbers, while the connection waits.
final class Peer {
  let identity: ClientIdentity
  private let pidfd: Int32

  /// Asks the kernel who has connected to `descriptor`; to be called as soon as the connection was taken.
  ///
  /// - Throws: where that cannot be told for sure: it has ended, or its pid may belong to another by now.
  convenience init(
    of descriptor: Int32, _ programs: ProgramTeller? = nil
  ) throws(BrokerError) {
    try self.init(of: descriptor, telling: nil, programs)
  }

  /// - Parameter telling: for tests; else what the kernel can do.
  init(
    of descriptor: Int32, telling: PeerTelling?, _ programs: ProgramTeller? = nil
  ) throws(BrokerError) {
    let accepted = Self.ticksSinceBoot
    var credentials = gliss_credentials()
    guard gliss_peer_credentials(descriptor, &credentials) == 0 else {
      throw BrokerError("client", "cannot be told who it is", code: errno)
    }
    // 0 for one in a process namespace that is none of ours
    guard credentials.pid > 0 else {
      throw BrokerError("client", "has no process number that is valid here")
    }
    pidfd = try Self.open(credentials.pid, of: descriptor, telling)
    do {
      identity = try Self.identify(credentials, pidfd, startedBy: accepted, programs)
    } catch {
      close(pidfd)
      throw error
    }
  }

  deinit { close(pidfd) }

  /// Whether it is still the process that connected.
  var isAlive: Bool { Self.isAlive(pidfd) }

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

  private static func identify(
    _ credentials: gliss_credentials, _ pidfd: Int32, startedBy accepted: UInt64,
    _ programs: ProgramTeller?
  ) throws(BrokerError) -> ClientIdentity {
    let pid = credentials.pid
    let first = ProcessFacts(of: 1)
    let facts = ProcessFacts(of: pid, beside: first, programs)
    // what was read under its number is its own only if it had that number all the time
    guard let facts, isAlive(pidfd) else { throw hasEnded(pid) }
    guard facts.startTime <= accepted else {
      throw BrokerError("process \(pid)", "started after somebody connected under its number")
    }
    guard facts.users.contains(credentials.uid) else {
      throw BrokerError("process \(pid)", "is another user's than the one who connected")
    }
    return ClientIdentity(
      uid: credentials.uid, pid: pid, startTime: facts.startTime,
      confinement: facts.confinement(beside: first), program: facts.program)
  }

  private static func hasEnded(_ pid: Int32, _ code: Int32 = 0) -> BrokerError {
    BrokerError("process \(pid)", "has ended since it connected", code: code)
  }

  /// Whether the process of that descriptor has not ended.
  static func isAlive(_ pidfd: Int32) -> Bool {
    var poll = pollfd(fd: pidfd, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) == 0
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
