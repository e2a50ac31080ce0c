import Glibc
import GlissGate
import Testing

@testable import GlissBroker

/// What confines a process, from what /proc says of it.
@Suite struct ProcessFactsTests {
  private static func process(
    _ cgroup: String?, _ change: (inout ProcessFacts) -> Void = { _ in }
  ) -> ProcessFacts {
    var facts = ProcessFacts(startTime: 1)
    (facts.userNamespace, facts.processNamespace, facts.mountNamespace) = (.same, .same, .same)
    facts.root = "/"
    facts.cgroup = cgroup
    change(&facts)
    return facts
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
      (process("/system.slice/a.service") { $0.mountNamespace = .other }, .unit("a.service")),
      (process("/system.slice/a.service") { $0.mountNamespace = .unknown }, .unit("a.service")),
      (process("/system.slice/a.service") { $0.userNamespace = .other }, .anonymous),
      (process("/system.slice/a.service") { $0.processNamespace = .other }, .anonymous),
      (process("/system.slice/a.service") { $0.userNamespace = .unknown }, .unknown),
      // sandboxes
      (process(terminal) { $0.mountNamespace = .other }, .anonymous),
      (process(terminal) { $0.processNamespace = .other }, .anonymous),
      (process(terminal) { $0.userNamespace = .other }, .anonymous),
      (process(terminal) { $0.root = "/srv/jail" }, .anonymous),
      (process(nil) { $0.userNamespace = .other }, .anonymous),
      // unknown
      (process(terminal) { $0.mountNamespace = .unknown }, .unknown),
      (process(terminal) { $0.processNamespace = .unknown }, .unknown),
      (process(terminal) { $0.userNamespace = .unknown }, .unknown),
      (process(terminal) { $0.root = nil }, .unknown), (process(nil), .unknown),
      // Flatpak: its group, and only in a sandbox
      (process(flatpak), .none),
      (process(flatpak) { $0.userNamespace = .other }, .app("org.example.App")),
      (process(flatpak) { $0.mountNamespace = .other }, .app("org.example.App")),
      (
        process("/app-flatpak-org.example.my\\x2dApp-7.scope") { $0.userNamespace = .other },
        .app("org.example.my-App")
      ),
    ] as [(ProcessFacts, ClientIdentity.Confinement)])
  func confinement(of facts: ProcessFacts, is confinement: ClientIdentity.Confinement) {
    #expect(facts.confinement == confinement)
  }

  @Test(
    arguments: [
      "app-flatpak-.scope", "app-flatpak-one-7.scope", "app-flatpak-a..b-7.scope",
      "app-flatpak-7.scope", "app-flatpak--7.scope",
      "app-flatpak-a\\x-7.scope",
      "app-flatpak-a\\xzz-7.scope", "app-flatpak-a\\xff-7.scope", "app-flatpak-a\\-7.scope",
    ])
  func aMalformedScopeNamesNoApp(scope: String) {
    let facts = Self.process("/\(scope)") { $0.userNamespace = .other }
    #expect(facts.confinement == .anonymous)
  }

  @Test(
    arguments: [
      ("/usr/bin/a", "/usr/bin/a"), ("/usr/bin/a (deleted)", nil), ("(unreachable)/a", nil),
      ("/usr/bin/a\n", nil), ("", nil), (nil, nil), ("/memfd:a (deleted)", nil),
    ] as [(String?, String?)])
  func aProgramIsIdentifiedByItsPathWhileThatExists(link: String?, program: String?) {
    var facts = ProcessFacts(startTime: 1)
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
      // in another cgroup than ours
      ("0::/../a\n", nil), ("0::\n", nil), ("", nil), ("::\n", nil), ("0::/a\u{0}\n", "/a\u{0}"),
    ] as [(String, String?)])
  func cgroup(file: String, group: String?) {
    #expect(ProcessFacts.cgroup(in: Array(file.utf8)) == group)
  }

  @Test(
    arguments: [
      ("Name:\ta\nUid:\t1\t2\t3\t4\nGid:\t5\t6\t7\t8\n", 2, 6), ("Uid:\t1\t2\t3\n", nil, nil),
      ("Name:\tUid: 1 2 3 4\n", nil, nil), ("", nil, nil), ("Uid:\t1\t-2\t3\t4\n", nil, nil),
    ] as [(String, UInt32?, UInt32?)])
  func effectiveUserAndGroup(status: String, user: UInt32?, group: UInt32?) {
    #expect(ProcessFacts.effective("Uid:", in: Array(status.utf8)) == user)
    #expect(ProcessFacts.effective("Gid:", in: Array(status.utf8)) == group)
  }

  @Test(
    arguments: [
      ("1000", 1000), ("1000\n", 1000), ("0", 0), ("4294967295", nil), ("4294967296", nil),
      ("-1", nil), ("", nil), ("a", nil),
    ] as [(String, UInt32?)])
  func theUserWhoLoggedIn(file: String, user: UInt32?) {
    #expect(ProcessFiles.loginUser(in: Array(file.utf8)) == user)
  }

  @Test func thisProcessIsRead() throws {
    let facts = try #require(ProcessFacts(of: getpid()))
    #expect(facts.user == geteuid() && facts.group == getegid() && facts.root == "/")
    #expect(facts.confinement == .none && facts.program?.hasSuffix(".xctest") != nil)
    #expect(ProcessFacts(of: .max) == nil)
  }

  // MARK: As a message

  @Test func factsReadBackAsTheyWereWritten() {
    var facts = ProcessFacts(startTime: 77)
    #expect(ProcessFacts(facts.bytes) == facts)
    facts = Self.process("/a b/ü") {
      $0.mountNamespace = .other
      ($0.user, $0.group, $0.executable) = (.max, 0, "/x\n (deleted)")
    }
    #expect(ProcessFacts(facts.bytes) == facts)
  }

  @Test func anInvalidMessageHasNoFacts() {
    let bytes = Self.process("/a").bytes
    for count in bytes.indices { _ = ProcessFacts(bytes.prefix(count)) }
    for wrong in ["", "1", "x\0\0\0===\0\0\0", "1\0\0\0==\0\0\0", "1\0\0\0=!=?\0\0\0"] {
      #expect(ProcessFacts(Array(wrong.utf8)) == nil, "\(wrong)")
    }
    #expect(ProcessFacts([0x31, 0, 0, 0, 0x3d, 0x3d, 0x3d, 0, 0xff, 0, 0]) == nil)
  }
}
