import GlissGate
import Testing

@testable import GlissBroker

/// What confines a process, from what /proc says of it.
@Suite struct ProcessFactsTests {
  private static let wholeMap = "         0          0 4294967295\n"

  private static let first: ProcessFacts = {
    var facts = ProcessFacts(startTime: 1)
    facts.cgroup = "/init.scope"
    facts.userMap = wholeMap
    facts.pidDepth = 1
    facts.rootMount = 29
    return facts
  }()

  private static func process(
    _ cgroup: String?, _ change: (inout ProcessFacts) -> Void = { _ in }
  ) -> ProcessFacts {
    var facts = first
    facts.cgroup = cgroup
    change(&facts)
    return facts
  }

  /// The same in a sandbox that has Flatpak's file.
  private static func boxed(_ cgroup: String, says app: String?) -> ProcessFacts {
    process(cgroup) {
      $0.rootMount = 30
      $0.hasFlatpakInfo = true
      $0.flatpakApp = app
    }
  }

  private static let terminal =
    "/user.slice/user-1000.slice/user@1000.service/app.slice/app-term-1.scope"
  private static let flatpak =
    "/user.slice/user-1000.slice/user@1000.service/app.slice/app-flatpak-org.example.App-77.scope"

  @Test(
    arguments: [
      (process(terminal), .none), (process("/user.slice/user-1000.slice/session-2.scope"), .none),
      (process("/"), .none), (process("/init.scope"), .none),
      // a user's own services are the user's
      (process("/user.slice/user-1000.slice/user@1000.service/app.slice/a.service"), .none),
      (process("/system.slice/a.service"), .unit("a.service")),
      (process("/system.slice/system-a.slice/a@1.service/sub"), .unit("a@1.service")),
      (process("/own.slice/a.service"), .unit("a.service")),
      (process("/system.slice/a.scope/b.service"), .none),
      (process("/docker/b.service"), .none),
      // systemd hides folders from its services
      (process("/system.slice/a.service") { $0.rootMount = 30 }, .unit("a.service")),
      (process("/system.slice/a.service") { $0.userMap = "0 1000 1" }, .anonymous),
      (process("/system.slice/a.service") { $0.pidDepth = 2 }, .anonymous),
      // sandboxes
      (process(terminal) { $0.rootMount = 30 }, .anonymous),
      (process(terminal) { $0.pidDepth = 2 }, .anonymous),
      (process(terminal) { $0.userMap = "1000 1000 1" }, .anonymous),
      // what is not known
      (process(terminal) { $0.rootMount = nil }, .anonymous),
      (process(terminal) { $0.pidDepth = nil }, .anonymous),
      (process(terminal) { $0.userMap = nil }, .anonymous), (process(nil), .anonymous),
      // Flatpak: its group and its file, and only in a sandbox
      (process(flatpak), .none), (process(flatpak) { $0.hasFlatpakInfo = true }, .none),
      (process(flatpak) { $0.rootMount = 30 }, .anonymous),
      (boxed(flatpak, says: nil), .app("org.example.App")),
      (boxed(flatpak, says: "org.example.App"), .app("org.example.App")),
      (boxed(flatpak, says: "org.example.Other"), .anonymous),
      (boxed(terminal, says: "org.example.App"), .anonymous),
      (boxed(terminal, says: nil), .anonymous),
      (
        boxed("/app-flatpak-org.example.my\\x2dApp-7.scope", says: "org.example.my-App"),
        .app("org.example.my-App")
      ),
    ] as [(ProcessFacts, ClientIdentity.Confinement)])
  func confinement(of facts: ProcessFacts, is confinement: ClientIdentity.Confinement) {
    #expect(facts.confinement(beside: Self.first) == confinement)
    // without anything to compare with nobody is free
    #expect(facts.confinement(beside: nil) != .none)
  }

  @Test(
    arguments: [
      "app-flatpak-.scope", "app-flatpak-one-7.scope", "app-flatpak-a..b-7.scope",
      "app-flatpak-7.scope", "app-flatpak--7.scope",
      "app-flatpak-a\\x-7.scope",
      "app-flatpak-a\\xzz-7.scope", "app-flatpak-a\\xff-7.scope", "app-flatpak-a\\-7.scope",
    ])
  func aBrokenScopeIsNoApp(scope: String) {
    let facts = Self.boxed("/\(scope)", says: nil)
    #expect(facts.confinement(beside: Self.first) == .anonymous)
  }

  @Test(
    arguments: [
      ("/usr/bin/a", "/usr/bin/a"), ("/usr/bin/a (deleted)", nil), ("(unreachable)/a", nil),
      ("/usr/bin/a\n", nil), ("", nil), (nil, nil), ("/memfd:a (deleted)", nil),
    ] as [(String?, String?)])
  func aProgramIsItsPathWhileItIsThere(link: String?, program: String?) {
    var facts = Self.first
    facts.executable = link
    #expect(facts.program == program)
  }

  // MARK: The files

  @Test(
    arguments: [
      ("7 (a) S 1 1 1 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4321 99 1", 4321),
      ("7 (a) b) S) S 1 1 1 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 4321 99 1", 4321),
      ("7 (a) S 1", nil), ("", nil), (")", nil),
      ("7 (a) S 1 1 1 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 1 0 -1 99 1", nil),
    ] as [(String, UInt64?)])
  func startTime(stat: String, time: UInt64?) {
    #expect(ProcessFacts.startTime(in: Array(stat.utf8)) == time)
  }

  @Test(
    arguments: [
      ("0::/a/b\n", "/a/b"), ("9:name=systemd:/a\n8:pids:/b\n", "/a"), ("8:pids:/b\n", nil),
      ("0::/b\n1:name=systemd:/a:c\n", "/a:c"), ("1:name=systemd:/a\n0::/b\n", "/a"),
      // out of the group that we are in
      ("0::/../a\n", nil), ("0::\n", nil), ("", nil), ("::\n", nil), ("0::/a\u{0}\n", "/a\u{0}"),
    ] as [(String, String?)])
  func cgroup(file: String, group: String?) {
    #expect(ProcessFacts.cgroup(in: Array(file.utf8)) == group)
  }

  @Test(
    arguments: [
      ("Name:\ta\nNSpid:\t7\nNSpgid:\t7\n", 1), ("NSpid:\t7\t1\n", 2), ("NSpid:\n", nil), ("", nil),
      ("Name:\tNSpid: 1 2\n", nil),
    ] as [(String, Int?)])
  func pidDepth(status: String, depth: Int?) {
    #expect(ProcessFacts.pidDepth(in: Array(status.utf8)) == depth)
  }

  @Test func users() {
    let status = Array("Name:\tUid: 7\nUid:\t1000\t0\t0\t1000\nGid:\t1\t1\t1\t1\n".utf8)
    #expect(ProcessFacts.fields(of: "Uid:", in: status) == ["1000", "0", "0", "1000"])
    #expect(ProcessFacts.fields(of: "Uid", in: []) == [])
  }

  @Test(
    arguments: [
      ("22 27 0:21 / /proc rw - proc proc rw\n27 1 254:0 / / rw - ext4 /dev/x rw\n", 27),
      ("22 27 0:21 / /proc rw - proc proc rw\n", nil), ("", nil), ("x 1 1:1 / / rw\n", nil),
      ("27 1 254:0 / /\n", nil),
    ] as [(String, UInt64?)])
  func rootMount(mountinfo: String, number: UInt64?) {
    #expect(ProcessFacts.mount(at: "/", in: Array(mountinfo.utf8)) == number)
  }

  @Test(
    arguments: [
      ("[Application]\nname=org.example.App\n", "org.example.App"),
      (
        "[Instance]\nname=org.a.b\n[Application]\nruntime=x\nname=org.example.A-b_2\n",
        "org.example.A-b_2"
      ),
      ("[Runtime]\nname=org.example.App\n", nil), ("[Application]\n[X]\nname=a.b\n", nil),
      ("[Application]\nname=one\n", nil), ("[Application]\nname=a..b\n", nil),
      ("[Application]\nname=a.b/../c\n", nil), ("", nil),
    ] as [(String, String?)])
  func flatpakApp(file: String, app: String?) {
    #expect(ProcessFacts.flatpakApp(in: Array(file.utf8)) == app)
  }
}
