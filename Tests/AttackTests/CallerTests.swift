import Foundation
import TestSupport
import Testing

/// Who counts as the caller: the process that sends, as it is when its call is taken.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct CallerTests {
  /// Connects, and then does what the second argument says; the rest is the program that was granted something.
  private static let attacker = """
    import os, signal, socket, sys
    path, what, call, program = sys.argv[1:5]
    s = socket.socket(socket.AF_UNIX)
    s.connect(path)
    def listen():
        data = b""
        while True:
            piece = s.recv(65536)
            if not piece: break
            data += piece
            while b"\\0" in data:
                message, data = data.split(b"\\0", 1)
                print(message.decode(), flush=True)
        print("!closed", flush=True)
        os._exit(0)
    if what == "child-sends":
        # the parent becomes the program that was granted something, and its child calls
        if os.fork() == 0:
            sys.stdin.readline()
            s.sendall(call.encode() + b"\\0")
            listen()
    elif what == "child-sends-early":
        if os.fork() == 0:
            s.sendall(call.encode() + b"\\0")
            listen()
    elif what == "parent-sends":
        s.sendall(call.encode() + b"\\0")
        if os.fork() == 0: listen()
    print("connected", flush=True)
    os.set_inheritable(s.fileno(), True)
    os.execv(program, [program, "1000"])
    """

  private func attack(
    _ theatre: Theatre, _ what: String, _ call: String, _ program: String
  ) throws -> Player {
    try Player(
      ["/usr/bin/python3", "-c", Self.attacker, theatre.socket, what, call, program],
      uid: Theatre.user)
  }

  /// A program with a path of its own that does nothing for a long time.
  private func sleeper(_ theatre: Theatre) throws -> String {
    let path = theatre.folder.appending(path: "sleeper").path
    try copyProgram("/usr/bin/sleep", to: path)
    return path
  }

  private func grant(_ theatre: Theatre, _ scope: String, to program: String) throws {
    let root = try theatre.client(
      as: nil,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(Theatre.user),"client":"program:\#(program)","scope":\#(scope)}}}"#
    )
    defer { root.stop() }
    #expect(!(try root.hear("grant").contains("error")))
  }

  private func isRunning(_ program: String, _ pid: Int32) -> Bool {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(pid)/exe")
    return link == program
  }

  /// Connect, become the granted program, and let a child that kept the socket call. The broker stands still meanwhile, so
  /// that the order is certain.
  @Test(arguments: ["child-sends", "child-sends-early"])
  func aChildThatKeepsTheSocketIsNotTheProgramThatConnected(when: String) throws {
    let theatre = try Theatre()
    let program = try sleeper(theatre)
    try grant(theatre, Scopes.keys, to: program)
    theatre.stage.kill(SIGSTOP)
    let thief = try attack(theatre, when, Scopes.monitor(Scopes.keys), program)
    try thief.hear("connected")
    try wait(for: "the program") { self.isRunning(program, thief.pid) }
    theatre.stage.kill(SIGCONT)
    thief.say("go")
    let answer = try thief.hear("an answer") { $0.contains("verdict") || $0.contains("!closed") }
    #expect(answer == "!closed", "\(answer)")
    #expect(thief.said.contains { $0.contains("each process makes its own") }, "\(thief.said)")
    try theatre.act("key KEY_A")
    #expect(!thief.said.joined().contains("KEY_A"))
    #expect(try theatre.audit().contains("which did not connect"))
  }

  /// Call, and become a set-group-ID program that was granted something, which no program of its user may trace or
  /// preload into.
  @Test func aProgramWithAnotherGroupIsNotTheOneThatConnected() throws {
    let theatre = try Theatre()
    let program = try sleeper(theatre)
    try #require(chown(program, 0, 61_009) == 0 && chmod(program, 0o2755) == 0)
    try grant(theatre, Scopes.keys, to: program)
    theatre.stage.kill(SIGSTOP)
    let thief = try attack(theatre, "parent-sends", Scopes.monitor(Scopes.keys), program)
    try thief.hear("connected")
    try wait(for: "the program") { self.isRunning(program, thief.pid) }
    theatre.stage.kill(SIGCONT)
    let answer = try thief.hear("an answer") { _ in true }
    #expect(answer.contains("NotGranted"), "\(answer)")
    try theatre.act("key KEY_A")
    #expect(!thief.said.joined().contains("KEY_A"))
    thief.kill(SIGKILL)
  }

  private static let canMount: Bool = {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "gliss-\(UUID().uuidString)")
    mkdir(folder.path, 0o700)
    defer { rmdir(folder.path) }
    return mount("none", folder.path, "tmpfs", 0, nil) == 0
      && umount2(folder.path, Int32(MNT_DETACH)) == 0
  }()

  /// The kernel leaves out the folder of a mount that is gone from the paths of what still runs there.
  @Test(.enabled(if: canMount, "nothing can be mounted here"))
  func aProgramOfADetachedMountIsNotTheOneWhosePathItShows() throws {
    let theatre = try Theatre()
    let folder = theatre.folder.appending(path: "mount").path
    let run = try Player([
      "/bin/sh", "-c",
      """
      set -e; mkdir -p "$1"; mount -t tmpfs none "$1"; chmod 755 "$1"; mkdir -p "$1/usr/bin"
      cp "$(readlink -f /usr/bin/python3)" "$1/usr/bin/sleep"; echo mounted; cat
      """, "sh", folder,
    ])
    try run.hear("mounted")
    defer { umount2(folder, Int32(MNT_DETACH)) }
    for path in ["/usr/bin/sleep", folder + "/usr/bin/sleep"] {
      try grant(theatre, Scopes.keys, to: path)
    }
    let script = """
      import os, socket, sys
      print("started", flush=True)
      sockets = []
      for line in sys.stdin:
          s = socket.socket(socket.AF_UNIX)
          sockets.append(s)
          print(os.readlink("/proc/self/exe"), flush=True)
          s.connect(sys.argv[1])
          s.sendall(sys.argv[2].encode() + b"\\0")
          print(s.recv(65536).split(b"\\0")[0].decode(), flush=True)
      """
    let user = "\(Theatre.user)"
    let thief = try Player([
      "/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups", "/usr/bin/env",
      "PYTHONHOME=/usr", folder + "/usr/bin/sleep", "-c", script, theatre.socket,
      Scopes.monitor(Scopes.keys),
    ])
    try thief.hear("started")
    thief.say("")
    try thief.hear("verdict")
    #expect(umount2(folder, Int32(MNT_DETACH)) == 0)
    thief.say("")
    try thief.hear("the path") { $0 == "/usr/bin/sleep" }
    let answer = try thief.hear("an answer") { $0.hasPrefix("{") }
    #expect(answer.contains("NotGranted"), "\(answer)")
  }

  /// Root's connection, in the hands of what root has become, is not root's.
  @Test func rootThatHasBecomeSomebodyElseIsNotRoot() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    let script = """
      import os, socket, sys
      s = socket.socket(socket.AF_UNIX)
      s.connect(sys.argv[1])
      os.setgroups([]); os.setresgid(61002, 61002, 61002); os.setresuid(61002, 61002, 61002)
      for call in sys.argv[2:]:
          s.sendall(call.encode() + b"\\0")
          print(s.recv(65536).split(b"\\0")[0].decode(), flush=True)
      sys.stdin.read()
      """
    let calls = [
      #"{"method":"org.gliss.Grants.Revoke","parameters":{"query":{},"all":true}}"#,
      #"{"method":"org.gliss.Grants.Pause"}"#, #"{"method":"org.gliss.Grants.List"}"#,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":61002,"client":"program:/usr/bin/foo","scope":\#(Scopes.keys)}}}"#,
    ]
    let player = try Player(["/usr/bin/python3", "-c", script, theatre.socket] + calls)
    for call in calls {
      #expect(try player.hear("an answer") { _ in true }.contains("NotAllowed"), "\(call)")
    }
    try theatre.act("key KEY_A")
    try reader.hear("KEY_A")
  }

  /// What a process has opened ends with it, whoever else holds the socket.
  @Test func aStreamEndsWithItsProcess() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let script = theatre.folder.appending(path: "read-on")
    try "echo began; stdbuf -o0 tr '\\0' '\\n' <&3; echo over".write(
      to: script, atomically: true, encoding: .utf8)
    let granted = try theatre.client(Scopes.monitor(Scopes.keys))
    try granted.hear("verdict")
    granted.say("!child /bin/sh \(script.path)")
    try granted.hear("began")
    try theatre.act("key KEY_A")
    try granted.hear("KEY_A")
    granted.kill(SIGKILL)
    try granted.hear("over")
    try theatre.act("key KEY_B")
    #expect(!granted.said.joined().contains("KEY_B"))
  }

  /// A program that becomes another is the other one at its next call.
  @Test func theCallerIsIdentifiedForEachCall() throws {
    let theatre = try Theatre()
    let program = theatre.folder.appending(path: "turner").path
    try copyProgram("/usr/bin/python3", to: program)
    try grant(theatre, Scopes.gestures, to: program)
    let script = """
      import os, socket, sys
      path, call, program, script = sys.argv[1:5]
      if path:
          s = socket.socket(socket.AF_UNIX)
          s.connect(path)
      else:
          s = socket.socket(fileno=9)
      s.sendall(call.encode() + b"\\0")
      print(s.recv(65536).split(b"\\0")[0].decode(), flush=True)
      if path:
          os.dup2(s.fileno(), 9)
          os.environ["PYTHONHOME"] = "/usr"
          os.execv(program, [program, "-c", script, "", call, program, script])
      sys.stdin.read()
      """
    let call =
      #"{"method":"org.gliss.Broker.Preflight","parameters":{"scope":\#(Scopes.gestures)}}"#
    let player = try Player(
      ["/usr/bin/python3", "-c", script, theatre.socket, call, program, script], uid: Theatre.user)
    #expect(try player.hear("standing").contains("notDetermined"))
    #expect(try player.hear("standing").contains(#""standing":"granted""#))
  }

  // MARK: Apps

  static let hasBubblewrap = SandboxTests.hasBubblewrap

  /// The file that says what Flatpak's sandbox holds can be made by anybody: it counts for nothing.
  @Test(.enabled(if: hasBubblewrap, "bubblewrap is not installed"))
  func aMadeUpFlatpakFileNamesNobody() throws {
    let theatre = try Theatre()
    let file = theatre.folder.appending(path: "info")
    try "[Application]\nname=org.example.App\n".write(to: file, atomically: true, encoding: .utf8)
    let root = try theatre.client(
      as: nil,
      #"{"method":"org.gliss.Grants.Add","parameters":{"terms":{"uid":\#(Theatre.user),"client":"app:org.example.App","scope":\#(Scopes.gestures)}}}"#
    )
    try root.hear("grant")
    let inside = try theatre.client(
      wrapper: [SandboxTests.bubblewrap, "--unshare-user", "--unshare-pid", "--tmpfs", "/"]
        + ["/usr", "/lib", "/lib64", "/opt", "/proc", theatre.folder.path].flatMap {
          ["--ro-bind-try", $0, $0]
        } + ["--ro-bind", file.path, "/.flatpak-info"],
      Scopes.monitor(Scopes.gestures))
    let answer = try inside.hear("an answer") { _ in true }
    #expect(answer.contains("restricted"), "\(answer)")
    #expect(try !theatre.audit().contains("connect"))
  }
}
