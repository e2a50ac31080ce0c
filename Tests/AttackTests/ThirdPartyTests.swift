import Foundation
import TestSupport
import Testing

/// Python and its package varlink.
enum Python {
  static let root = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let packages = root.appending(path: ".build/python")
  static let canRun =
    Theatre.canChangeUsers
    && FileManager.default.fileExists(atPath: packages.appending(path: "varlink").path)
}

/// Which socket the programs of docs/clients.md connect to, whatever varlink does then.
@Suite struct ClientPageTests {
  private static let probe = """
    import socket, sys, types
    class Client:
        def new_with_address(address): sys.exit(print(address))
    class Socket:
        def __init__(self, *_): pass
        def connect(self, path): sys.exit(print("unix:" + path))
    sys.modules["varlink"] = types.SimpleNamespace(Client=Client, VarlinkError=OSError)
    socket.socket = Socket

    """

  @Test(arguments: 0..<2) func aProgramTriesItsUsersSocketFirst(_ index: Int) throws {
    let program = try #require(try ThirdPartyTests.programs().dropFirst(index).first)
    let folder = FileManager.default.temporaryDirectory.appending(path: "gliss-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "socket").path
    func address() throws -> String {
      try Player(
        [
          "/usr/bin/env", "GLISS_SOCKET=\(path)", "/usr/bin/python3", "-c", Self.probe + program,
        ]
      ).hear("unix:")
    }
    #expect(try address() == "unix:\(path)")
    let own = path + (getuid() == 0 ? ".root" : ".seat")
    #expect(FileManager.default.createFile(atPath: own, contents: nil))
    #expect(try address() == "unix:\(own)")
  }
}

/// The same broker, for a client of somebody else's: Python's package varlink, with the programs of docs/clients.md.
@Suite(
  .serialized,
  .enabled(if: Python.canRun, "python3 or its package varlink is missing: tools/test packages"))
struct ThirdPartyTests {
  /// The programs in the page, in their order.
  static func programs() throws -> [String] {
    let page = try String(
      contentsOf: Python.root.appending(path: "docs/clients.md"), encoding: .utf8)
    return page.components(separatedBy: "```python\n").dropFirst().map {
      $0.components(separatedBy: "```")[0]
    }
  }

  private func run(_ program: String, in theatre: Theatre) throws -> Player {
    try Player(
      [
        "/usr/bin/env", "PYTHONPATH=\(Python.packages.path)", "GLISS_SOCKET=\(theatre.socket)",
        "/usr/bin/python3", "-c", program + "\nprint('over', flush=True)",
      ], uid: Theatre.user)
  }

  private func python(_ theatre: Theatre) -> String {
    "program:" + URL(filePath: "/usr/bin/python3").resolvingSymlinksInPath().path
  }

  @Test func thePagesFirstProgramSeesGesturesAndNotKeysAndHearsOfItsEnd() throws {
    let theatre = try Theatre()
    let program = try #require(try Self.programs().first)
    let errors = program.replacingOccurrences(of: "sys.exit(f", with: "sys.exit(print(f")
      .replacingOccurrences(
        of: "{error.parameters()}\")", with: "{error.parameters()}\", flush=True))")
    let refused = try run(errors, in: theatre)
    #expect(try refused.hear("NotGranted").contains("gliss grants grant"))
    let client = python(theatre)
    let root = try theatre.client(
      as: nil,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(Theatre.user),"client":"\#(client)","scope":{"tier":"gesture"}}}}"#
    )
    try root.hear("grant")
    let granted = try run(errors, in: theatre)
    try theatre.act("lock")
    try theatre.act("unlock")
    // it has begun when it hears of the seat
    try wait(for: "the program to hear of the seat") {
      try theatre.act("lock")
      try theatre.act("unlock")
      return granted.said.contains { $0.hasPrefix("session") }
    }
    try theatre.act("key KEY_A")
    try theatre.act("stroke swipe-3")
    try granted.hear("swipe ended 3")
    try theatre.revokeAll()
    try granted.hear("NotGranted")
    #expect(!granted.said.joined().contains("KEY"))
  }

  @Test func thePagesSecondProgramHasAHotkey() throws {
    let theatre = try Theatre()
    let program = try #require(try Self.programs().last)
    let client = try run(program, in: theatre)
    try client.hear(#""registered":"super+shift+t""#)
    for name in ["KEY_LEFTMETA down", "KEY_LEFTSHIFT down", "KEY_T"] {
      try theatre.act("key \(name)")
    }
    try client.hear("pressed")
    try client.hear("released")
  }

  @Test func itReadsTheInterfacesAndTheirErrors() throws {
    let theatre = try Theatre()
    let client = try run(
      """
      import os
      import varlink
      address = "unix:" + os.environ["GLISS_SOCKET"]
      with varlink.Client.new_with_address(address) as client:
          print(sorted(client.get_interfaces()), flush=True)
          for name in ("org.gliss.Broker", "org.gliss.Grants"):
              print(len(client.get_interface(name).get_description()) > 500, flush=True)
          with client.open("org.gliss.Broker") as gliss:
              print(gliss.Preflight({"tier": "gesture"}, None)["verdict"]["standing"], flush=True)
              try:
                  gliss.Post(["alt+left"])
              except varlink.VarlinkError as error:
                  print(error.error(), flush=True)
              print(gliss.Status()["session"]["state"], flush=True)
      """, in: theatre)
    try client.hear("['org.gliss.Broker', 'org.gliss.Grants', 'org.varlink.service']")
    try client.hear("notDetermined")
    try client.hear("org.gliss.Broker.NotGranted")
    try client.hear("active")
  }
}
