import GlissClient
package import GlissEvents
import GlissGate

/// How much of the broker's resources one user may take.
package struct Limits: Hashable, Sendable {
  /// Connections of a uid at a time.
  package var connections = 32
  /// Connections of all sandboxed programs of a uid at a time. They do not count against
  /// ``connections``.
  package var sandboxConnections = 8
  /// Connections of a uid beyond ``connections``, only for calls that stop something: Revoke, Lock,
  /// Pause and the like.
  package var stoppingConnections = 8
  /// Connections whose confinement is not known yet, of a uid and of one process.
  package var arrivingConnections = 128
  package var arrivingConnectionsOfProcess = 32
  /// How long a process is kept out after a connection from its sandbox was refused.
  package var restAfterRefusal = EventInterval.milliseconds(1000)
  /// Connections of all users at a time: sixteen users at their limit.
  package var allConnections = 512
  /// How many of these are reserved for root and the user at the seat: uids are cheap when users
  /// own ranges of them.
  package var keptConnections = 128
  /// The longest message to the broker, in bytes.
  package var messageBytes = MessageFramer.longestCall
  /// How deeply a message may be nested.
  package var depth = 16
  /// Values in a message: half a millisecond of parsing at worst.
  package var values = 1024
  /// Bytes of unread answers for a client. A single answer may be longer if none waits.
  package var answerBytes = 262_144
  /// Bytes of unread events for a client: a second or two of the most that a touchpad produces.
  package var eventBytes = 262_144
  /// Pending requests of the sandboxed programs of a uid.
  package var sandboxPendingRequests = 2
  /// Pending requests of all users, and how many of these are reserved for root and the user at the
  /// seat.
  package var allPendingRequests = 256
  package var keptPendingRequests = 64
  /// The time between two questions to a user, whatever the answer was.
  package var restAfterQuestion = EventInterval.milliseconds(60_000)
  /// The time from connecting to the first complete message, and from the start of any other
  /// message to its end.
  package var firstMessage = EventInterval.milliseconds(5000)
  /// How long a client may take no byte of the data waiting for it.
  package var stalled = EventInterval.milliseconds(30_000)
  /// How long a connection that is closing may take to read pending data.
  package var closing = EventInterval.milliseconds(1000)
  /// Hotkeys of a uid.
  package var hotkeys = 256
  /// How many of these all sandboxed programs of a uid may have together; the rest is for its other
  /// programs.
  package var sandboxHotkeys = 64
  /// Hotkeys of all users, and how many of these are reserved for root and the user at the seat.
  package var allHotkeys = 2048
  package var keptHotkeys = 512
  /// The time between two holds of secure input by sandboxes: each hold releases the user's held
  /// hotkeys.
  package var restOfSandboxedSecrets = EventInterval.milliseconds(2000)
  /// Chords in one call.
  package var chords = 64
  /// How far the pointer may go in one call, in mm.
  package var motion = 1000.0

  package init() {}
}

/// The limit that a connection counts against.
enum Share: Hashable, CaseIterable {
  /// The program's confinement is not known yet.
  case arriving
  /// A program outside a sandbox.
  case unconfined
  /// A sandboxed program, or one that could not be identified.
  case sandboxed
  /// A connection beyond the user's limit. It may only stop something.
  case stopping
}

/// How many connections each user has in each share.
struct Shares {
  private var counts: [UInt32: [Share: Int]] = [:]
  private var processes: [Int32: Process] = [:]
  /// Until when sandboxed processes are kept out, by pid.
  private var rests: [Int32: EventTime] = [:]
  private let limits: Limits

  /// The connections of a process.
  private struct Process {
    var arriving = 0
    var sandboxed = 0
    /// It is known to be in a sandbox, which it cannot leave.
    var isSandboxed = false
  }

  init(_ limits: Limits) { self.limits = limits }

  /// A connection beyond a limit.
  struct Excess: Error, CustomStringConvertible {
    let limit: String
    let maximum: Int

    var description: String { "more than \(maximum) \(limit)" }

    var reply: VarlinkReply {
      .limitReached(limit, maximum, advice: "Close connections that are not needed any more.")
    }
  }

  private subscript(uid: UInt32, share: Share) -> Int { counts[uid]?[share] ?? 0 }

  /// Whether another connection of the user may arrive before an earlier one has been handled.
  func hasRoom(forArrivalsOf uid: UInt32) -> Bool {
    self[uid, .arriving] < limits.arrivingConnections
  }

  /// Keeps out a sandboxed process that is at its limit, so that it is not looked up again for a
  /// while.
  mutating func rest(_ peer: Peer, at time: EventTime) {
    if rests.count > 512 { rests = rests.filter { time < $0.value } }
    if rests.count <= 4096 { rests[peer.pid] = time + limits.restAfterRefusal }
  }

  /// The limit that keeps the process out while it rests.
  func excess(of peer: Peer, at time: EventTime) -> Excess? {
    guard let until = rests[peer.pid], time < until else { return nil }
    return Excess(limit: "sandboxConnections", maximum: limits.sandboxConnections)
  }

  mutating func arrive(_ peer: Peer) throws(Excess) {
    guard hasRoom(forArrivalsOf: peer.uid) else {
      throw Excess(limit: "connections", maximum: limits.arrivingConnections)
    }
    let process = processes[peer.pid] ?? Process()
    guard process.arriving < limits.arrivingConnectionsOfProcess else {
      throw Excess(limit: "connections", maximum: limits.arrivingConnectionsOfProcess)
    }
    if process.isSandboxed,
      self[peer.uid, .sandboxed] + process.arriving >= limits.sandboxConnections
    {
      throw Excess(limit: "sandboxConnections", maximum: limits.sandboxConnections)
    }
    processes[peer.pid, default: process].arriving += 1
    counts[peer.uid, default: [:]][.arriving, default: 0] += 1
  }

  /// Counts a connection whose client has been identified.
  ///
  /// - Returns: the share that the connection counts against from now on.
  mutating func admit(_ peer: Peer, _ identity: ClientIdentity) throws(Excess) -> Share {
    let share: Share
    if !identity.confinement.isFree {
      guard self[peer.uid, .sandboxed] < limits.sandboxConnections else {
        throw Excess(limit: "sandboxConnections", maximum: limits.sandboxConnections)
      }
      share = .sandboxed
    } else if self[peer.uid, .unconfined] < limits.connections {
      share = .unconfined
    } else {
      guard self[peer.uid, .stopping] < limits.stoppingConnections else {
        throw Excess(limit: "connections", maximum: limits.connections)
      }
      share = .stopping
    }
    if share == .sandboxed {
      processes[peer.pid]?.sandboxed += 1
      if identity.confinement.isSandbox { processes[peer.pid]?.isSandboxed = true }
    }
    remove(peer, from: .arriving)
    counts[peer.uid, default: [:]][share, default: 0] += 1
    return share
  }

  mutating func remove(_ peer: Peer, from share: Share) {
    switch share {
    case .arriving: processes[peer.pid]?.arriving -= 1
    case .sandboxed: processes[peer.pid]?.sandboxed -= 1
    case .unconfined, .stopping: break
    }
    if let process = processes[peer.pid], process.arriving + process.sandboxed == 0 {
      processes[peer.pid] = nil
    }
    let count = self[peer.uid, share] - 1
    counts[peer.uid]?[share] = count == 0 ? nil : count
    if counts[peer.uid]?.isEmpty == true { counts[peer.uid] = nil }
  }
}
