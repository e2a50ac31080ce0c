import CLinux
import Foundation
import Testing

@testable import GlissBroker

/// `glissd` as a process, as a service manager starts it.
@Suite(.serialized) struct DaemonTests {
  /// `glissd` is beside the test program, whatever the build folder is.
  static let program: String? = {
    let bundle = CommandLine.arguments.first { $0.contains(".xctest") } ?? CommandLine.arguments[0]
    var folder = URL(filePath: bundle)
    for _ in 0..<5 {
      folder.deleteLastPathComponent()
      let candidate = folder.appending(path: "glissd").path
      if FileManager.default.isExecutableFile(atPath: candidate) { return candidate }
    }
    return nil
  }()

  /// A service manager of the test's own. It receives notifications as datagrams.
  private final class Rig {
    let folder: URL
    let process = Process()
    private let notices: Int32
    private let errors = Pipe()
    private(set) var told: [String] = []

    init(_ options: [String], environment: [String: String] = [:]) throws {
      folder = FileManager.default.temporaryDirectory.appending(path: "glissd-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      notices = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
      let path = folder.appending(path: "notify").path
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(notices, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      try #require(bound == 0)
      process.executableURL = URL(filePath: try #require(DaemonTests.program))
      process.arguments =
        ["--socket", socketPath, "--store", folder.appending(path: "store").path] + options
      process.environment = ProcessInfo.processInfo.environment
        .merging(["NOTIFY_SOCKET": path]) { $1 }.merging(environment) { $1 }
      process.standardError = errors
      try process.run()
    }

    deinit {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      close(notices)
      try? FileManager.default.removeItem(at: folder)
    }

    var socketPath: String { folder.appending(path: "s").path }

    /// Whether that notification comes in time.
    func tells(_ words: String) -> Bool {
      var wait = pollfd(fd: notices, events: Int16(POLLIN), revents: 0)
      while !told.contains(where: { $0.contains(words) }) {
        guard poll(&wait, 1, 20_000) > 0 else { return false }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = recv(notices, &buffer, buffer.count, 0)
        told.append(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self))
      }
      return true
    }

    func end(_ signal: Int32) -> Int32 {
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      return process.terminationStatus
    }

    func ask(_ method: String) throws -> String {
      let client = Process()
      let output = Pipe()
      client.executableURL = URL(filePath: "/usr/bin/python3")
      client.arguments = [
        "-c",
        """
        import socket, sys
        s = socket.socket(socket.AF_UNIX); s.settimeout(20); s.connect(sys.argv[1])
        s.sendall(b'{"method":"' + sys.argv[2].encode() + b'"}\\0')
        data = b""
        while not data.endswith(b"\\0"): data += s.recv(65536)
        print(data[:-1].decode())
        """, socketPath, method,
      ]
      client.standardOutput = output
      try client.run()
      let data = output.fileHandleForReading.readDataToEndOfFile()
      client.waitUntilExit()
      return String(decoding: data, as: UTF8.self)
    }
  }

  @Test(arguments: [SIGTERM, SIGINT])
  func itServesUntilASignalEndsIt(signal: Int32) throws {
    let rig = try Rig(["--user", "1000"])
    #expect(rig.tells("READY=1"))
    #expect(rig.tells("STATUS="))
    let status = try rig.ask("org.gliss.Broker.Status")
    #expect(status.contains("\"state\"") && status.contains("1000"))
    #expect(rig.end(signal) == 0)
    #expect(rig.tells("STOPPING=1"))
    #expect(!FileManager.default.fileExists(atPath: rig.socketPath))
  }

  @Test func theLoopFeedsTheWatchdog() throws {
    let rig = try Rig(["--user", "1000"], environment: ["WATCHDOG_USEC": "200000"])
    #expect(rig.tells("WATCHDOG=1"))
    #expect(rig.end(SIGTERM) == 0)
  }

  @Test func aHangupSignalChecksTheStore() throws {
    let rig = try Rig(["--user", "1000"])
    #expect(rig.tells("READY=1"))
    chmod(rig.folder.appending(path: "store/grants.db").path, 0o666)
    kill(rig.process.processIdentifier, SIGHUP)
    #expect(rig.tells("grants.db"))
    #expect(try rig.ask("org.gliss.Broker.Status").contains("grants.db"))
    #expect(rig.end(SIGTERM) == 0)
  }

  @Test func withoutABusItServesAndNobodyIsActive() throws {
    let rig = try Rig(["--bus", "unix:path=/nonexistent"])
    #expect(rig.tells("READY=1"))
    #expect(!(try rig.ask("org.gliss.Broker.Status").contains("\"state\":\"active\"")))
    #expect(rig.end(SIGTERM) == 0)
  }

  @Test func aSecondInstanceDoesNotDisturbTheFirst() throws {
    let rig = try Rig(["--user", "1000"])
    #expect(rig.tells("READY=1"))
    let second = Process()
    second.executableURL = URL(filePath: try #require(Self.program))
    second.arguments = ["--socket", rig.socketPath, "--store", rig.folder.path + "/other"]
    second.standardError = FileHandle.nullDevice
    try second.run()
    second.waitUntilExit()
    #expect(second.terminationStatus == 1 && second.terminationReason == .exit)
    #expect(try rig.ask("org.varlink.service.GetInfo").contains("glissd"))
  }

  @Test(
    arguments: [
      (["--frob"], 2), (["--user", "x"], 2), (["--help"], 0), (["--version"], 0),
      (["--store", "/etc/passwd", "--socket", "/tmp/gliss-\(getpid()).socket"], 1),
    ] as [([String], Int32)])
  func exitStatuses(words: [String], status: Int32) throws {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.program))
    process.arguments = words
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == status)
  }

  /// systemd passes a socket that already listens.
  @Test func aPassedSocketIsUsed() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [
      "-c",
      """
      import os, signal, socket, sys
      path = sys.argv[1] + "/s"
      s = socket.socket(socket.AF_UNIX); s.bind(path); s.listen(8)
      child = os.fork()
      if child == 0:
          os.dup2(s.fileno(), 3); os.set_inheritable(3, True)
          os.environ.update(LISTEN_FDS="1", LISTEN_PID=str(os.getpid()))
          os.execv(sys.argv[2], ["glissd", "--socket", sys.argv[1] + "/own",
                                 "--store", sys.argv[1] + "/store", "--user", "1000"])
      s.close()
      c = socket.socket(socket.AF_UNIX); c.settimeout(20); c.connect(path)
      c.sendall(b'{"method":"org.varlink.service.GetInfo"}\\0')
      print(c.recv(65536).decode(), os.path.exists(sys.argv[1] + "/own"))
      os.kill(child, signal.SIGTERM)
      print("left", os.waitpid(child, 0)[1], os.path.exists(path))
      """, folder.path, try #require(Self.program),
    ]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let words = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(words.contains("glissd") && words.contains("False\nleft 0 True"))
  }
}
