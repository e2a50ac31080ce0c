import CLinux
import Foundation
import GlissDevices
import GlissEvents
import GlissGate
import TestSupport
import Testing

@testable import GlissBroker

/// Real processes at the other end of real sockets.
@Suite(.serialized) struct PeerTests {
  /// A socket that listens, in a folder of its own.
  private final class Listener {
    let folder: URL
    let path: String
    let descriptor: Int32

    init() throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "peer-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      path = folder.appending(path: "s").path
      descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0 && listen(descriptor, 8) == 0)
      chmod(folder.path, 0o755)
      chmod(path, 0o666)
    }

    deinit {
      close(descriptor)
      try? FileManager.default.removeItem(at: folder)
    }

    func accept() throws -> Int32 {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      try #require(poll(&waiting, 1, 60_000) == 1, "nobody has connected")
      let accepted = gliss_accept(descriptor)
      try #require(accepted >= 0)
      return accepted
    }
  }

  /// A Python process that connects, reports it and stays until its input ends.
  private static let client = """
    import os, socket, sys
    s = socket.socket(socket.AF_UNIX)
    s.connect(sys.argv[1])
    if len(sys.argv) > 2:
        if os.fork() > 0: os._exit(0)
        # Foundation waits for whoever holds its descriptor
        os.closerange(3, s.fileno()); os.closerange(s.fileno() + 1, 1 << 16)
    print("connected", flush=True)
    sys.stdin.read()
    """

  private static func start(
    _ listener: Listener, before: [String] = [], after: [String] = []
  ) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    let input = Pipe()
    let command = before + ["/usr/bin/python3", "-c", client, listener.path] + after
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.standardOutput = output
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    let line = output.fileHandleForReading.nextData
    try #require(!line.isEmpty, "the client has not connected")
    return (process, input)
  }

  @Test(arguments: [false, true])
  func theKernelIdentifiesTheClient(byNumber: Bool) throws {
    let listener = try Listener()
    let (process, input) = try Self.start(listener)
    let socket = try listener.accept()
    defer { close(socket) }
    let peer = try Peer(of: socket, byNumber: byNumber)
    let identity = try Self.identity(of: peer)
    #expect(identity.uid == getuid() && identity.pid == process.processIdentifier)
    #expect(identity.confinement == .none)
    #expect(identity.program.map { $0.hasPrefix("/usr/bin/python3") } == true)
    #expect(identity.startTime > 0 && peer.isAlive)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(!peer.isAlive)
    // root is root; nothing else is known of an ended process
    let after = try Self.identity(of: peer)
    #expect(after.program == nil && after.confinement == (getuid() == 0 ? .none : .unknown))
  }

  /// As a broker asks: a thread reads, and the loop turns meanwhile.
  private static func identity(of peer: Peer) throws -> ClientIdentity {
    let loop = try InputLoop()
    let identifier = PeerIdentifier(loop, path: nil, timeout: .milliseconds(30_000))
    var found: ClientIdentity?
    identifier.identify(peer) { found = $0 }
    while found == nil {
      try loop.wait(until: identifier.deadline)
      identifier.advance(to: InputLoop.now)
    }
    return try #require(found)
  }

  @Test(arguments: [false, true])
  func anEndedProcessIsRefused(byNumber: Bool) throws {
    let listener = try Listener()
    // the process that connects leaves its end of the connection to a child
    let (process, input) = try Self.start(listener, after: ["leave"])
    process.waitUntilExit()
    let socket = try listener.accept()
    defer { close(socket) }
    #expect(throws: SystemError.self) { try Peer(of: socket, byNumber: byNumber) }
    try input.fileHandleForWriting.close()
  }

  @Test func onlyASocketHasAPeer() throws {
    for descriptor in [-1, open("/dev/null", O_RDONLY | O_CLOEXEC)] {
      #expect(throws: SystemError.self) { try Peer(of: descriptor) }
      if descriptor >= 0 { close(descriptor) }
    }
  }

  @Test(.enabled(if: getuid() == 0, "needs root"))
  func anotherUserIsIdentified() throws {
    let listener = try Listener()
    let command = ["/usr/bin/setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups"]
    let (_, input) = try Self.start(listener, before: command)
    let socket = try listener.accept()
    defer { close(socket) }
    #expect(try Self.identity(of: Peer(of: socket)).uid == 65534)
    try input.fileHandleForWriting.close()
  }

  @Test(
    .enabled(if: getuid() == 0 || unshareWorks, "no namespaces here"),
    arguments: [
      ["--user"], ["--pid", "--fork"],
      // root would be root there
      ["--mount", "/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
    ])
  func aNamespaceIsAnAnonymousSandbox(kind: [String]) throws {
    let listener = try Listener()
    let (_, input) = try Self.start(listener, before: ["/usr/bin/unshare"] + kind)
    let socket = try listener.accept()
    defer { close(socket) }
    #expect(try Self.identity(of: Peer(of: socket)).confinement == .anonymous)
    try input.fileHandleForWriting.close()
  }

  private static let unshareWorks: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/unshare")
    process.arguments = ["--user", "true"]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()
}
