import GlissEvents
import GlissGate

/// The limit that a connection counts against.
enum Share: Hashable, CaseIterable {
  /// The program's confinement is not known yet.
  case arriving
  /// A program outside a sandbox.
  case free
  /// A sandboxed program, or one that could not be identified.
  case boxed
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
    var boxed = 0
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
      BrokerLimit.reached(
        limit, maximum, advice: "Close connections that are not needed any more.")
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
      self[peer.uid, .boxed] + process.arriving >= limits.sandboxConnections
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
      guard self[peer.uid, .boxed] < limits.sandboxConnections else {
        throw Excess(limit: "sandboxConnections", maximum: limits.sandboxConnections)
      }
      share = .boxed
    } else if self[peer.uid, .free] < limits.connections {
      share = .free
    } else {
      guard self[peer.uid, .stopping] < limits.stoppingConnections else {
        throw Excess(limit: "connections", maximum: limits.connections)
      }
      share = .stopping
    }
    if share == .boxed {
      processes[peer.pid]?.boxed += 1
      if identity.confinement.isSandbox { processes[peer.pid]?.isSandboxed = true }
    }
    remove(peer, from: .arriving)
    counts[peer.uid, default: [:]][share, default: 0] += 1
    return share
  }

  mutating func remove(_ peer: Peer, from share: Share) {
    switch share {
    case .arriving: processes[peer.pid]?.arriving -= 1
    case .boxed: processes[peer.pid]?.boxed -= 1
    case .free, .stopping: break
    }
    if let process = processes[peer.pid], process.arriving + process.boxed == 0 {
      processes[peer.pid] = nil
    }
    let count = self[peer.uid, share] - 1
    counts[peer.uid]?[share] = count == 0 ? nil : count
    if counts[peer.uid]?.isEmpty == true { counts[peer.uid] = nil }
  }
}
