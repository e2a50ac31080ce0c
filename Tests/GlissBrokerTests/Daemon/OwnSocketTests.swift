import Foundation
import GlissDevices
import Testing

@testable import GlissBroker

@Suite struct OwnSocketTests {
  private static func withFolder(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "own-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.path)
  }

  private static func mode(_ path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode : nil
  }

  @Test func anyoneMayConnectAndTheFileIsRemoved() throws {
    try Self.withFolder { folder in
      // its folder is created if necessary
      let path = folder + "/new/s"
      var socket: OwnSocket? = try OwnSocket(path)
      #expect(Self.mode(path) == S_IFSOCK | 0o666)
      #expect(Self.mode(folder + "/new") == S_IFDIR | 0o755)
      #expect(socket != nil)
      socket = nil
      #expect(Self.mode(path) == nil)
    }
  }

  @Test func aStaleSocketIsReplacedAndALiveOneIsNot() throws {
    try Self.withFolder { folder in
      let path = folder + "/s"
      let first = try OwnSocket(path)
      let error = #expect(throws: SystemError.self) { try OwnSocket(path) }
      #expect(error?.problem == "another process listens there already")
      #expect(Self.mode(path) != nil, "the live one stays")
      // as a killed process leaves it
      let orphan = folder + "/t"
      #expect(link(path, orphan) == 0)
      let second = try? OwnSocket(orphan)
      #expect(second == nil, "it is the same socket by another name")
      withExtendedLifetime(first) {}
    }
    try Self.withFolder { folder in
      let path = folder + "/s"
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_un()
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
      let bound = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
        }
      }
      #expect(bound == 0)
      close(descriptor)
      let socket = try OwnSocket(path)
      #expect(Self.mode(path) == S_IFSOCK | 0o666)
      withExtendedLifetime(socket) {}
    }
  }

  @Test func anothersFileIsLeftAlone() throws {
    try Self.withFolder { folder in
      let path = folder + "/s"
      try Data("x".utf8).write(to: URL(filePath: path))
      #expect(throws: SystemError.self) { try OwnSocket(path) }
      #expect(Self.mode(path).map { $0 & S_IFMT } == S_IFREG)
      try FileManager.default.removeItem(atPath: path)
      // another file in the place of ours
      var socket: OwnSocket? = try OwnSocket(path)
      try FileManager.default.removeItem(atPath: path)
      try Data("x".utf8).write(to: URL(filePath: path))
      #expect(socket != nil)
      socket = nil
      #expect(Self.mode(path) != nil)
    }
  }

  @Test(arguments: ["/nonexistent/a/s", "/proc/gliss/s", "/" + String(repeating: "a", count: 107)])
  func anImpossiblePathIsReported(path: String) {
    #expect(throws: SystemError.self) { try OwnSocket(path) }
  }
}
