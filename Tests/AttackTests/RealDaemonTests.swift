import Foundation
import Testing

/// The real `glissd` and the real `gliss`, where no device is: docs/broker.md, step by step, and how it ends.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Theatre.canChangeUsers, "only root can be somebody else"))
struct RealDaemonTests {
  private static let user = Theatre.user
  private static let watch = ["watch", "--broker"]

  @Test func fromTheFirstGrantToTheLast() throws {
    let house = try House()

    // nobody has granted anything
    let refused = try house.gliss("watch", "--broker", as: Self.user)
    #expect(refused.status == 1)
    #expect(refused.text.contains("sudo gliss grants answer 1 --allow"), "\(refused.text)")
    let stranger = try house.client(Scopes.monitor(Scopes.everything))
    let refusal = try stranger.hear("NotGranted")
    #expect(refusal.contains("sudo gliss grants grant \(house.heckler) --user \(Self.user) "))
    let waiting = try house.gliss("grants", as: Self.user)
    #expect(waiting.text.contains("gliss grants answer 1 --allow"))

    // granted, each in its way
    let other = try house.gliss("grants", "answer", "1", "--allow", as: Theatre.other)
    #expect(other.status == 1, "it is not theirs")
    #expect(try house.gliss("grants", "answer", "1", "--allow").status == 0)
    let granted = try house.gliss(
      "grants", "grant", house.heckler, "--user", "\(Self.user)", "--tier", "gesture",
      "--reason", "turns pages")
    #expect(granted.status == 0 && granted.text.contains("grant 2: "), "\(granted.text)")
    let watcher = try house.start(Self.watch, as: Self.user)
    try watcher.hear("the broker reports events now")
    let keys = try house.gliss("watch", "--broker", "--events", "key", as: Self.user)
    #expect(keys.status == 1 && keys.text.contains("nobody has granted this yet"), "\(keys.text)")
    let greedy = try house.start(Self.watch + ["--events", "all"], as: Self.user)
    try greedy.hear("gliss: granted: gestures")
    greedy.stop()
    let client = try house.client(Scopes.monitor(Scopes.everything))
    #expect(try client.hear("verdict").contains(#""standing":"granted""#))
    for uid in [Self.user, nil] {
      let status = try house.gliss("status", as: uid)
      #expect(status.status == 0)
      #expect(status.text.contains("session  active") && status.text.contains("heckler"))
      #expect(status.text.contains("\(watcher.pid)") && status.text.contains("gestures"))
    }
    let foreign = try house.gliss("status", as: Theatre.other)
    #expect(foreign.status == 0 && !foreign.text.contains("\(client.pid)"))

    // what the seat does
    #expect(try house.gliss("pause", as: Self.user).status == 0)
    try client.hear(#""paused""#)
    try watcher.hear("session: paused")
    #expect(try house.gliss("status", as: Self.user).text.contains("'gliss resume' ends it"))
    // any program of the user could say it: a person has to agree, and here nobody can be asked
    let resumed = try house.gliss("resume", as: Self.user)
    #expect(resumed.status == 1 && resumed.text.contains("sudo"), "\(resumed.text)")
    #expect(try house.gliss("resume").status == 0)
    try client.hear(#""active""#)
    try watcher.hear("session: active")
    let locked = try house.gliss(
      "lock", "--", "/bin/sh", "-c", "echo locker; exit 7", as: Self.user)
    #expect(locked.status == 7 && locked.text == "locker")
    try client.hear(#""locked""#)
    try client.hear(#""active""#)
    try watcher.hear("session: locked")
    #expect(try house.gliss("pause", as: Theatre.other).status == 1, "it is not their seat")

    // what is known of it
    let shown = try house.gliss("grants", "show", "2", as: Self.user)
    #expect(shown.text.contains("'turns pages'") && shown.text.contains(house.heckler))
    let exported = try house.gliss("grants", "export")
    #expect(exported.text.contains(house.heckler))
    // as a client asks that has had the first of more than fit an answer
    let rest = try house.client(
      as: Self.user, #"{"method":"org.gliss.Grants.List","parameters":{"after":1}}"#)
    let listed = try rest.hear("grants")
    #expect(listed.contains(#""id":2"#) && !listed.contains(#""id":1,"#), "\(listed)")
    let check = try house.gliss("grants", "check")
    #expect(check.status == 0 && check.text == "the store is sound")

    // revoked
    let revoked = try house.gliss("grants", "revoke", "--client", house.heckler)
    #expect(revoked.status == 0 && revoked.text.contains("revoked grant 2"))
    try client.hear("org.gliss.Broker.NotGranted")
    let one = try house.gliss("grants", "revoke", "1")
    #expect(one.status == 0)
    #expect(try watcher.end() == 1)
    try watcher.hear("gliss: the broker reports nothing more: the grant was revoked")
    #expect(try house.gliss("grants", "show", "2").status == 1)
    let left = try house.gliss("grants", "list", "--format", "json")
    #expect(left.text.contains("\"grants\":[]"), "\(left.text)")
    let log = try house.gliss("grants", "log")
    for word in ["refuse", "grant", "revoke", "61001", house.heckler, "unlocked", "started"] {
      #expect(log.text.contains(word), "\(log.text)")
    }
  }

  @Test func aKilledDaemonIsNoticedAndItsSuccessorGoesOn() throws {
    let house = try House()
    try house.grant("--tier", "gesture")
    let client = try house.client(Scopes.monitor(Scopes.gestures))
    try client.hear("verdict")
    let hotkey = try house.client(Scopes.hotkey("super+t"))
    try hotkey.hear("registered")
    house.daemon.kill(SIGKILL)
    try client.hear("!closed")
    try hotkey.hear("!closed")
    #expect(try house.daemon.end() == 128 + SIGKILL)
    let gone = try house.gliss("status")
    #expect(gone.status == 1 && gone.text.contains("no broker is running"))
    // what it has left is in nobody's way
    #expect(FileManager.default.fileExists(atPath: house.socket))
    try house.restart()
    let again = try house.client(Scopes.monitor(Scopes.gestures))
    #expect(try again.hear("verdict").contains(#""standing":"granted""#))
    let chord = try house.client(Scopes.hotkey("super+t"))
    try chord.hear("registered")
    house.daemon.kill(SIGTERM)
    #expect(try house.daemon.end() == 0)
    try again.hear("!closed")
    #expect(!FileManager.default.fileExists(atPath: house.socket))
  }

  @Test func aLockThatIsLostIsTakenAgain() throws {
    let house = try House()
    try house.grant("--tier", "gesture")
    let locker = try house.start(["lock", "--", "/bin/cat"], as: Self.user)
    while try !house.gliss("status").text.contains("locked") {}
    house.daemon.kill(SIGKILL)
    try locker.hear("THE LOCK WAS LOST")
    try house.restart()
    try locker.hear("the lock is held again")
    let client = try house.client(Scopes.monitor(Scopes.gestures))
    try client.hear("locked")
    locker.hangUp()
    #expect(try locker.end() == 0)
    try client.hear("active")
  }

  @Test func aStoreThatOthersCanWriteGrantsNothingUntilANewStart() throws {
    let house = try House()
    try house.grant("--tier", "gesture")
    let client = try house.client(Scopes.monitor(Scopes.gestures))
    try client.hear("verdict")
    let file = house.folder.appending(path: "store/grants.db").path
    chmod(file, 0o666)
    house.daemon.kill(SIGHUP)
    try client.hear("error")
    #expect(try house.gliss("grants", "check").status == 1)
    let status = try house.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
    let problems = try status.hear("problems").components(separatedBy: "other users can write it")
    #expect(problems.count == 2, "it is said once")
    chmod(file, 0o600)
    // what was in it meanwhile is not known: only a new start trusts it again
    house.daemon.kill(SIGHUP)
    #expect(try house.gliss("grants", "check").status == 1)
    house.daemon.kill(SIGTERM)
    #expect(try house.daemon.end() == 0)
    try house.restart()
    #expect(try house.gliss("grants", "check").status == 0)
    let again = try house.client(Scopes.monitor(Scopes.gestures))
    try again.hear("verdict")
  }

  /// While the kernel enlarges a process's table of descriptors, up to 10 ms, no key passes.
  @Test func connectionsNeverEnlargeItsTableOfDescriptors() throws {
    let house = try House()
    let status = try String(contentsOfFile: "/proc/\(house.daemon.pid)/status", encoding: .utf8)
    let size = try #require(status.firstMatch(of: /FDSize:\s*(\d+)/)).1
    #expect(try #require(Int(size)) >= 2048)
  }

  // MARK: Whose rights it has

  /// As its unit runs it: not root, without capabilities, and root's word still counts.
  @Test func asItsUnitRunsItItKnowsEverybodysPrograms() throws {
    let house = try House(.unit)
    try house.grant("--tier", "gesture")
    let client = try house.client(Scopes.monitor(Scopes.gestures))
    #expect(try client.hear("verdict").contains(#""standing":"granted""#))
    #expect(try house.gliss("grants", "revoke", "--client", house.heckler).status == 0)
    try client.hear("NotGranted")
  }

  /// It cannot see then what program a client is: root's grants are there and do not count.
  @Test func withoutItsHelperNobodyIsGrantedAnything() throws {
    let house = try House(.withoutHelper)
    try house.grant("--tier", "gesture")
    let reader = try house.client(Scopes.monitor(Scopes.gestures))
    #expect(try reader.hear("NotGranted").contains("restricted"))
    // which is not to be called a sandbox, and root learns why
    let list = try house.client(#"{"method":"org.gliss.Grants.List"}"#)
    #expect(try list.hear("NotAllowed").contains("could not be identified"))
    let status = try house.client(as: nil, #"{"method":"org.gliss.Broker.Status"}"#)
    #expect(try status.hear("problems").contains("no helper listens there"))
    // root is root all the same
    #expect(try house.gliss("grants", "revoke", "1").status == 0)
    let client = try house.client(Scopes.hotkey("super+t"))
    try client.hear("registered")
  }
}
