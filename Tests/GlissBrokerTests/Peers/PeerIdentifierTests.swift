import Foundation
import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissBroker

/// Identifies clients through a helper that this test plays, or a thread.
@Suite struct PeerIdentifierTests {
  /// A broker's side, whose clock is moved by hand, and a socket on which a helper may listen.
  private final class Rig {
    var now = EventTime(microseconds: 1_000_000)
    let loop: InputLoop
    let path = FileManager.default.temporaryDirectory.appending(path: "helper-\(UUID())").path
    private let listener: Int32
    private(set) var identifier: PeerIdentifier!
    private(set) var found: [(name: String, identity: ClientIdentity)] = []

    init() throws {
      loop = try InputLoop()
      listener = socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
      let address = try #require(SocketAddress(path))
      try #require(address.call(bind, listener) == 0 && listen(listener, 8) == 0)
      identifier = PeerIdentifier(
        loop, path: path, timeout: .milliseconds(1000), now: { [unowned self] in now })
    }

    deinit {
      close(listener)
      unlink(path)
    }

    func ask(_ name: String, _ peer: Peer) {
      identifier.identify(peer) { [unowned self] in found.append((name, $0)) }
    }

    /// The helper's end of the connection that was made last.
    func accepted() throws -> Int32 {
      let descriptor = accept(listener, nil, nil)
      try #require(descriptor >= 0)
      return descriptor
    }

    func question(_ descriptor: Int32) throws -> ProcessQuestion {
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = recv(descriptor, &bytes, bytes.count, 0)
      return try #require(ProcessQuestion(Array(bytes.prefix(max(0, count)))))
    }

    func answer(_ descriptor: Int32, _ number: UInt32, _ facts: ProcessFacts?) throws {
      let bytes = ProcessQuestion(number: number, pid: 1).bytes.prefix(4) + (facts?.bytes ?? [])
      _ = send(descriptor, Array(bytes), bytes.count, 0)
      while try loop.wait(until: .zero) > 0 {}
    }

    func pass(_ milliseconds: Double) {
      now = now + .milliseconds(milliseconds)
      identifier.advance(to: now)
    }
  }

  /// This process as a peer: one end of a pair of sockets has the credentials of its maker.
  private static func peer() throws -> Peer {
    var ends: [Int32] = [-1, -1]
    try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { for end in ends { close(end) } }
    return try Peer(of: ends[0])
  }

  private static func facts(of peer: Peer) -> ProcessFacts {
    var facts = ProcessFacts(startTime: 1)
    (facts.user, facts.group) = (peer.uid, peer.gid)
    (facts.userNamespace, facts.processNamespace, facts.mountNamespace) = (.same, .same, .same)
    (facts.root, facts.cgroup, facts.executable) = ("/", "/", "/usr/bin/foo")
    return facts
  }

  @Test func oneQuestionIsPendingAtATime() throws {
    let rig = try Rig()
    let peer = try Self.peer()
    rig.ask("first", peer)
    rig.ask("second", peer)
    let helper = try rig.accepted()
    defer { close(helper) }
    for name in ["first", "second"] {
      let question = try rig.question(helper)
      #expect(question.pid == getpid() && rig.identifier.deadline != nil)
      var byte: UInt8 = 0
      #expect(recv(helper, &byte, 1, Int32(MSG_DONTWAIT)) < 0)
      try rig.answer(helper, question.number, Self.facts(of: peer))
      #expect(rig.found.last?.name == name)
      #expect(rig.found.last?.identity.program == "/usr/bin/foo")
    }
    #expect(rig.found.count == 2 && rig.identifier.deadline == nil)
  }

  /// Facts that cannot be read give no right; root is root.
  @Test func aLateAnswerIsNotTakenForAnothers() throws {
    let rig = try Rig()
    let peer = try Self.peer()
    rig.ask("slow", peer)
    rig.ask("next", peer)
    let helper = try rig.accepted()
    let late = try rig.question(helper)
    rig.pass(999)
    #expect(rig.found.isEmpty)
    rig.pass(1)
    #expect(rig.found.map(\.name) == ["slow"])
    #expect(rig.found[0].identity.program == nil)
    #expect(rig.found[0].identity.confinement == (getuid() == 0 ? .none : .unknown))
    // another helper is asked, and the first one's answer is ignored
    let other = try rig.accepted()
    defer { close(other) }
    try rig.answer(helper, late.number, Self.facts(of: peer))
    close(helper)
    #expect(rig.found.count == 1)
    let question = try rig.question(other)
    #expect(question.number != late.number)
    try rig.answer(other, late.number, Self.facts(of: peer))
    #expect(rig.found.count == 1, "it was an answer to another question")
    try rig.answer(other, question.number, Self.facts(of: peer))
    #expect(rig.found.map(\.name) == ["slow", "next"])
  }

  /// A client that comes and goes faster than it is looked up leaves nothing behind.
  @Test func noQuestionIsAskedAboutAClosedConnection() throws {
    let rig = try Rig()
    let (first, last) = (try Self.peer(), try Self.peer())
    rig.ask("first", first)
    for _ in 0..<100 {
      let passing = try Self.peer()
      rig.ask("passing", passing)
      rig.identifier.forget(passing)
    }
    rig.ask("last", last)
    let helper = try rig.accepted()
    defer { close(helper) }
    for peer in [first, last] {
      try rig.answer(helper, try rig.question(helper).number, Self.facts(of: peer))
    }
    #expect(rig.found.map(\.name) == ["first", "last"] && rig.identifier.deadline == nil)
  }

  @Test func aRestartedHelperIsConnectedAgain() throws {
    let rig = try Rig()
    let peer = try Self.peer()
    rig.ask("lost", peer)
    close(try rig.accepted())
    while try rig.loop.wait(until: .zero) > 0 {}
    #expect(rig.found.map(\.name) == ["lost"])
    rig.ask("next", peer)
    let helper = try rig.accepted()
    defer { close(helper) }
    try rig.answer(helper, try rig.question(helper).number, Self.facts(of: peer))
    #expect(rig.found.last?.identity.program == "/usr/bin/foo")
  }

  @Test func withoutAHelperAThreadReads() throws {
    let loop = try InputLoop()
    let identifier = PeerIdentifier(loop, path: "/nonexistent/programs")
    var found: [ClientIdentity] = []
    let peer = try Self.peer()
    for _ in 0..<3 { identifier.identify(peer) { found.append($0) } }
    while found.count < 3 { try loop.wait(until: nil) }
    #expect(found.allSatisfy { $0.program == ProcessFiles(getpid()).target(of: "exe") })
    #expect(found.allSatisfy { $0.confinement == .none })
  }

  /// Facts count only if they are about the process that connected, with its user and group of that time.
  @Test func factsOfAnotherProcessDoNotCount() throws {
    let peer = try Self.peer()
    let own = Self.facts(of: peer)
    #expect(peer.identity(by: own).program == "/usr/bin/foo")
    var replaced = own
    replaced.executable = "/usr/bin/foo (deleted)"
    #expect(peer.identity(by: replaced).isReplaced && !peer.identity(by: own).isReplaced)
    var later = own
    later.startTime = peer.accepted + 1
    // another process has its pid by now
    let nobody = peer.identity(by: later)
    #expect(nobody.program == nil && nobody.confinement == (peer.uid == 0 ? .none : .unknown))
    // a set-user-ID or set-group-ID program that was executed since, or root that has become somebody else
    let changes: [(inout ProcessFacts) -> Void] = [
      { $0.user = peer.uid + 1 }, { $0.group = peer.gid + 1 }, { $0.user = nil },
      { $0.group = nil },
    ]
    for change in changes {
      var facts = own
      change(&facts)
      let identity = peer.identity(by: facts)
      #expect(identity.program == nil && identity.confinement == .anonymous)
    }
    // root in a mount namespace of its own is root, and in another user namespace it is not
    var apart = own
    apart.mountNamespace = .other
    #expect(peer.identity(by: apart).confinement == (peer.uid == 0 ? .none : .anonymous))
    apart.userNamespace = .other
    #expect(peer.identity(by: apart).confinement == .anonymous)
  }

  @Test(arguments: [
    [], [1, 0, 0, 0], [UInt8](repeating: 0, count: 8), [1, 2, 3, 4, 5, 6, 7, 255],
  ])
  func anInvalidQuestionIsNotAnswered(bytes: [UInt8]) { #expect(ProcessQuestion(bytes) == nil) }

  @Test func aQuestionReadsBackAsItWasWritten() {
    let question = ProcessQuestion(number: 0xfeed_0123, pid: .max)
    #expect(ProcessQuestion(question.bytes) == question)
  }
}

/// Turns by user, and by process within them.
@Suite struct FairQueueTests {
  @Test func usersTakeTurnsAndSoDoTheirProcesses() {
    var queue = FairQueue<String>()
    #expect(queue.isEmpty && queue.popFirst() == nil)
    for index in 0..<3 { queue.append("a1.\(index)", uid: 1, pid: 1) }
    queue.append("a2", uid: 1, pid: 2)
    for index in 0..<2 { queue.append("b\(index)", uid: 2, pid: 3) }
    var order: [String] = []
    while let next = queue.popFirst() {
      order.append(next)
      if next == "b0" { queue.append("c", uid: 3, pid: 9) }
    }
    #expect(order == ["a1.0", "b0", "a2", "b1", "c", "a1.1", "a1.2"])
    #expect(queue.isEmpty)
  }

  /// However long one user's queue is, another user waits at most for one turn of each user.
  @Test func aLongQueueOfOneUserDelaysNoOther() {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(state: seed)
    var queue = FairQueue<UInt32>()
    for _ in 0..<10_000 {
      queue.append(1, uid: 1, pid: Int32(random.next() % 100))
    }
    for round in 0..<100 {
      let uid = UInt32(2 + random.next() % 5)
      queue.append(uid, uid: uid, pid: 7)
      let next = [queue.popFirst(), queue.popFirst()]
      #expect(next.contains(uid), "seed \(seed), round \(round)")
    }
  }

  private struct SplitMix {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      var z = (state ^ (state >> 30)) &* 0xbf58_476d_1ce4_e5b9
      z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
      return z ^ (z >> 31)
    }
  }
}
