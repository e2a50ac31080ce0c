import Foundation
import Testing

/// Clients that are less than their user, and what nothing here stops.
@Suite(.serialized, .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct SandboxTests {
  static let bubblewrap = "/usr/bin/bwrap"
  static let hasBubblewrap = FileManager.default.isExecutableFile(atPath: bubblewrap)

  static func sandbox(_ theatre: Theatre) -> [String] {
    [bubblewrap, "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-user", "--unshare-pid"]
  }

  @Test(.enabled(if: hasBubblewrap, "bubblewrap is not installed"))
  func aSandboxedProgramHasNotTheRightsOfTheSameProgramOutside() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.everything)
    let outside = try theatre.client(Scopes.monitor(Scopes.gestures))
    try outside.hear("granted")
    let inside = try theatre.client(
      wrapper: Self.sandbox(theatre), Scopes.monitor(Scopes.gestures))
    let answer = try inside.hear("an answer") { _ in true }
    #expect(answer.contains("NotGranted"))
    #expect(answer.contains("restricted"))
    for call in [
      #"{"method":"org.gliss.Grants.List"}"#, #"{"method":"org.gliss.Grants.Log"}"#,
      #"{"method":"org.gliss.Grants.Pause"}"#,
      #"{"method":"org.gliss.Grants.Lock","more":true}"#,
    ] {
      let client = try theatre.client(wrapper: Self.sandbox(theatre), call)
      #expect(try client.hear("an answer") { _ in true }.contains("NotAllowed"), "\(call)")
    }
    // its own chords it may have, and modes of its own
    let hotkey = try theatre.client(
      wrapper: Self.sandbox(theatre), Scopes.hotkeys(["super+t"], mode: "x"))
    try hotkey.hear("registered")
    hotkey.say(Scopes.enter("x"))
    #expect(try hotkey.hear("!answer").contains(#""leavesWithEscape":false"#))
  }

  @Test(.enabled(if: hasBubblewrap, "bubblewrap is not installed"))
  func sandboxesLeaveTheirUserRoomForHotkeys() throws {
    let theatre = try Theatre()
    var sandboxed: [Player] = []
    // sixteen each, in as many sandboxes as are let in
    for first in stride(from: 0, to: 96, by: 16) {
      let wishes = (first..<first + 16).map { "ctrl+alt+code:\($0 < 64 ? 60 + $0 : 400 + $0)" }
      let player = try theatre.client(wrapper: Self.sandbox(theatre), Scopes.hotkeys(wishes))
      let answer = try player.hear("an answer") { _ in true }
      sandboxed.append(player)
      guard !answer.contains("registered") else { continue }
      #expect(answer.contains("LimitReached") && answer.contains("sandboxed"), "\(answer)")
      #expect(answer.contains(#""maximum":64"#))
      break
    }
    #expect(sandboxed.count == 5)
    let outside = try theatre.client(Scopes.hotkeys((0..<100).map { "super+code:\(60 + $0)" }))
    try outside.hear("registered")
  }

  /// Another user's mounts are in the list of mounts of every process: nobody becomes somebody else by that. On a
  /// machine of its own, for they are real.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["GLISS_LIVE"] != nil, "for tools/vm"))
  func theMountsOfOthersLockNobodyOut() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    // each space is four bytes in that list
    let part = String(repeating: " ", count: 240)
    let mounts = theatre.folder.appending(path: "mounts")
    let script = """
      import ctypes, os, sys
      libc, places = ctypes.CDLL(None), []
      for n in range(300):
          place = sys.argv[1] + "".join(f"/{n}-{m}" + sys.argv[2] for m in range(15))
          os.makedirs(place)
          places.append(place.encode())
          assert libc.mount(b"none", places[-1], b"tmpfs", 0, None) == 0
      print(len(open("/proc/self/mountinfo", "rb").read()), flush=True)
      sys.stdin.read()
      for place in places: libc.umount2(place, 2)
      """
    let mounter = try Player(["/usr/bin/python3", "-c", script, mounts.path, part])
    let size = try #require(Int(try mounter.hear("the size") { _ in true }))
    #expect(size > 4 << 20, "\(size)")
    let reader = try theatre.client(Scopes.monitor(Scopes.keys))
    try reader.hear("verdict")
    try theatre.act("key KEY_A")
    try reader.hear("KEY_A")
    try theatre.revokeAll()
    try reader.hear("NotGranted")
    mounter.hangUp()
    #expect(try mounter.end() == 0)
  }

  // MARK: Not stopped

  @Test func aProgramOfTheSameUserCanRunAGrantedOneAndReadWithIt() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    // a shell that was granted nothing runs the heckler, which was
    let thief = try Player(
      ["/bin/sh", "-c", "exec \"$0\" \"$@\"", theatre.folder.appending(path: "heckler").path]
        + [theatre.socket, Scopes.monitor(Scopes.keys)], uid: Theatre.user)
    try thief.hear("verdict")
    try theatre.act("key KEY_A")
    try thief.hear("KEY_A")
  }

  @Test func aChildThatInheritsTheConnectionReadsOn() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let script = theatre.folder.appending(path: "read-on")
    try "echo began; head -c 120 <&3; echo".write(to: script, atomically: true, encoding: .utf8)
    let granted = try theatre.client(Scopes.monitor(Scopes.keys))
    try granted.hear("verdict")
    granted.say("!child /bin/sh \(script.path)")
    // the shell was granted nothing, and could not be
    try granted.hear("began")
    try theatre.act("key KEY_A")
    try granted.hear("KEY_A")
    try granted.hear("!child 0")
  }

  @Test func aLibraryThatIsPreloadedSeesWhatTheProgramSees() throws {
    let theatre = try Theatre()
    try theatre.grant(Scopes.keys)
    let library = "/usr/lib/x86_64-linux-gnu/libevdev.so.2"
    try #require(FileManager.default.fileExists(atPath: library))
    let preloaded = try theatre.client(
      wrapper: ["/usr/bin/env", "LD_PRELOAD=\(library)"], Scopes.monitor(Scopes.keys))
    try preloaded.hear("verdict")
    // through env and setpriv it is still the process that was begun
    let maps = try #require(FileHandle(forReadingAtPath: "/proc/\(preloaded.pid)/maps"))
    let text = String(decoding: try maps.readToEnd() ?? Data(), as: UTF8.self)
    #expect(text.contains("libevdev"))
    try theatre.act("key KEY_A")
    try preloaded.hear("KEY_A")
  }
}
