import Foundation
import GlissDevices
import GlissEvents
import GlissGate
import TestSupport
import Testing

@testable import GlissBroker

/// Lockers that keep the screen marked as locked.
@Suite struct SeatLockTests {
  @Test func theScreenIsLockedUntilTheLastLockerEnds() {
    var seat = Seat()
    seat.observation = SeatState(activeUser: 1000, session: "1")
    seat.locks = [1: 1000, 2: 1000, 3: 1001]
    seat.unlock(1)
    #expect(seat.state.isLocked && !seat.state.wasUnlocked)
    seat.unlock(2)
    #expect(!seat.state.isLocked, "another user's locker locks it")
    seat.locks[4] = 1000
    #expect(seat.state.isLocked && seat.state.wasUnlocked)
  }
}

/// Sends what logind sends, on a bus of the test's own.
@Suite(
  .serialized, .enabled(if: FakeServices.isAvailable, "dbus-daemon or python3-dbus is missing"))
struct SeatWatchTests {
  private static let logind = """
    class Thing(dbus.service.Object):
        def __init__(self, path, interface, values):
            super().__init__(bus, path)
            self.path, self.interface, self.values = path, interface, values
            self.isMute = False

        @dbus.service.method(PROPERTIES, in_signature="s", out_signature="a{sv}",
                             async_callbacks=("done", "failed"))
        def GetAll(self, interface, done, failed):
            if self.isMute: return
            if interface != self.interface: failed(ValueError(interface))
            else: done(self.values)

        @dbus.service.signal(PROPERTIES, signature="sa{sv}as")
        def PropertiesChanged(self, interface, changed, invalidated): pass

        def set(self, **changes):
            self.values.update(changes)
            self.PropertiesChanged(self.interface, changes, [])

        def hide(self, **changes):
            self.values.update(changes)
            self.PropertiesChanged(self.interface, {}, list(changes))

    class Manager(Thing):
        @dbus.service.signal("org.freedesktop.login1.Manager", signature="b")
        def PrepareForSleep(self, start): pass

        @dbus.service.signal("org.freedesktop.login1.Manager", signature="so")
        def SessionRemoved(self, name, path): pass

    import dbus.lowlevel
    thief = dbus.bus.BusConnection(sys.argv[1])
    def forge(path, interface, member, signature, *values):
        # as anybody on the system's bus may: a signal to one, not to all
        for name in thief.list_names():
            if not name.startswith(":"): continue
            signal = dbus.lowlevel.SignalMessage(path, interface, member)
            signal.append(signature=signature, *values)
            signal.set_destination(name)
            thief.send_message(signal)
        # the bus has passed them on when it answers
        thief.list_names()

    ROOT = "/org/freedesktop/login1"
    def reference(name):
        path = ROOT + "/session/_3" + name if name else "/"
        return dbus.Struct((name, dbus.ObjectPath(path)), signature="so")
    def session(name, uid, active, locked):
        user = dbus.Struct((dbus.UInt32(uid), dbus.ObjectPath(ROOT + "/user/_1")), signature="uo")
        return Thing(ROOT + "/session/_3" + name, "org.freedesktop.login1.Session", {
            "Id": name, "User": user, "Active": active, "LockedHint": locked,
            "Timestamp": dbus.UInt64(7), "Seat": reference("")})

    manager = Manager(ROOT, "org.freedesktop.login1.Manager", {"PreparingForSleep": False})
    seat = Thing(ROOT + "/seat/seat0", "org.freedesktop.login1.Seat",
                 {"ActiveSession": reference("2"), "CanTTY": True})
    s2 = session("2", 1000, True, False)
    s3 = session("3", 1001, False, True)
    name = dbus.service.BusName("org.freedesktop.login1", bus)
    """

  /// A watch on a loop that the test turns.
  private final class Rig {
    let services: FakeServices
    let loop: InputLoop
    let watch: SeatWatch
    var heard: [SeatState] = []
    var ended: [String] = []
    var failures: [String] = []
    /// As the daemon's: set only when the watch announces it.
    private var alarm: EventTime?

    init(_ services: FakeServices) throws {
      self.services = services
      loop = try InputLoop()
      watch = SeatWatch(.logind(busAddress: services.address))
      watch.didChange = { [unowned self] in heard.append($0) }
      watch.sessionEnded = { [unowned self] in ended.append($0) }
      watch.didFail = { [unowned self] in failures.append($0 ?? "") }
      watch.didChangeDeadline = { [unowned self] in alarm = watch.deadline }
      try watch.start(on: loop)
    }

    /// Turns the loop until the condition holds, or fails after a long time.
    @discardableResult
    func turn(until holds: () -> Bool) throws -> Bool {
      let end = InputLoop.now + .milliseconds(20_000)
      while !holds() {
        guard InputLoop.now < end else { return false }
        try loop.wait(until: EventTime.earlier(alarm, end))
        guard let due = alarm, due <= InputLoop.now else { continue }
        watch.advance(to: InputLoop.now)
        alarm = watch.deadline
      }
      return true
    }

    /// Whether exactly these reports come in time.
    func sees(_ user: UInt32?, locked: Bool = false, asleep: Bool = false) throws -> Bool {
      try turn { [watch] in
        let now = watch.observation
        return now.activeUser == user && now.isLocked == locked && now.isAsleep == asleep
      }
    }
  }

  private static func rig() throws -> Rig {
    let services = try FakeServices()
    try services.serve(logind)
    let rig = try Rig(services)
    #expect(rig.watch.observation == SeatState(), "nobody, until logind has said who")
    #expect(try rig.sees(1000))
    #expect(rig.watch.observation.session == "2")
    return rig
  }

  @Test func lockingAndUnlocking() throws {
    let rig = try Self.rig()
    for _ in 0..<2 {
      try rig.services.order("s2.set(LockedHint=True)")
      #expect(try rig.sees(1000, locked: true))
      try rig.services.order("s2.set(LockedHint=False)")
      #expect(try rig.sees(1000))
    }
    // nothing else was reported, and nothing twice
    #expect(rig.heard.map(\.isLocked) == [false, true, false, true, false])
  }

  @Test func switching() throws {
    let rig = try Self.rig()
    try rig.services.order("s2.set(Active=False); s3.set(Active=True)")
    try rig.services.order("seat.set(ActiveSession=reference('3'))")
    #expect(try rig.sees(1001, locked: true))
    #expect(rig.watch.observation.session == "3")
    // a lock of the other session is not reported
    try rig.services.order("s2.set(LockedHint=True); s3.set(LockedHint=False)")
    #expect(try rig.sees(1001))
    try rig.services.order("seat.set(ActiveSession=reference(''))")
    #expect(try rig.sees(nil))
    // a session was never reported with the other's user
    #expect(rig.heard.allSatisfy { $0.activeUser != 1001 || $0.session == "3" })
    #expect(rig.heard.allSatisfy { $0.activeUser != 1000 || $0.session == "2" })
    try rig.services.order("seat.hide(ActiveSession=reference('2')); s2.set(Active=True)")
    #expect(try rig.sees(1000, locked: true))
  }

  @Test func signalsThatImitateLogindAreIgnored() throws {
    let rig = try Self.rig()
    try rig.services.order("s2.set(LockedHint=True)")
    #expect(try rig.sees(1000, locked: true))
    let before = rig.heard.count
    try rig.services.order(
      "forge(s2.path, PROPERTIES, 'PropertiesChanged', 'sa{sv}as', s2.interface, {'LockedHint': False}, [])"
    )
    try rig.services.order(
      "forge(ROOT, 'org.freedesktop.login1.Manager', 'PrepareForSleep', 'b', True)")
    try rig.services.order(
      "forge(ROOT, 'org.freedesktop.login1.Manager', 'SessionRemoved', 'so', '2', s2.path)")
    try rig.services.order(
      "forge('/org/freedesktop/DBus', 'org.freedesktop.DBus', 'NameOwnerChanged', 'sss', 'org.freedesktop.login1', name._bus.get_unique_name(), '')"
    )
    // it has arrived by now, because the bus keeps the order of one sender's messages
    try rig.services.order("s2.set(LockedHint=False)")
    #expect(try rig.sees(1000))
    #expect(rig.heard.dropFirst(before).map(\.isLocked) == [false])
    #expect(rig.ended.isEmpty)
    #expect(rig.failures.joined().isEmpty)
  }

  @Test func sleepingAndSessionsThatEnd() throws {
    let rig = try Self.rig()
    try rig.services.order("manager.PrepareForSleep(True)")
    #expect(try rig.sees(1000, asleep: true))
    try rig.services.order("manager.PrepareForSleep(False)")
    #expect(try rig.sees(1000))
    try rig.services.order("manager.SessionRemoved('3', ROOT + '/session/_33')")
    #expect(try rig.turn { rig.ended == ["3"] })
  }

  @Test func aRestartOfLogindIsNoticed() throws {
    let rig = try Self.rig()
    rig.services.endService()
    #expect(try rig.sees(nil))
    #expect(rig.failures.last?.contains("logind is gone") == true)
    try rig.services.serve(Self.logind)
    #expect(try rig.sees(1000))
    #expect(rig.failures.last?.isEmpty == true)
  }

  @Test func aRestartOfTheBusIsNoticed() throws {
    let rig = try Self.rig()
    rig.services.endBus()
    #expect(try rig.sees(nil))
    #expect(rig.failures.last?.contains("bus is gone") == true)
    rig.services.endService()
    try rig.services.startBus()
    try rig.services.serve(Self.logind)
    #expect(try rig.sees(1000))
  }

  @Test func ifLogindDoesNotAnswerNobodyIsActive() throws {
    let services = try FakeServices()
    try services.serve(Self.logind + "\nseat.isMute = True")
    let rig = try Rig(services)
    #expect(try rig.turn { !rig.failures.isEmpty })
    #expect(rig.watch.observation.activeUser == nil)
    try services.order("seat.isMute = False")
    #expect(try rig.sees(1000))
  }

  @Test func aSessionThatIsNotFoundIsLookedUpAgain() throws {
    let services = try FakeServices()
    try services.serve(Self.logind + "\ns2.interface = 'nothing'")
    let rig = try Rig(services)
    #expect(try rig.turn { rig.watch.deadline != nil })
    #expect(rig.watch.observation.activeUser == nil)
    try services.order("s2.interface = 'org.freedesktop.login1.Session'")
    #expect(try rig.sees(1000))
  }

  @Test func withoutABusNobodyIsActive() throws {
    let watch = SeatWatch(.logind(busAddress: "unix:path=/nonexistent"))
    var reasons: [String?] = []
    watch.didFail = { reasons.append($0) }
    let loop = try InputLoop()
    try watch.start(on: loop)
    while reasons.isEmpty {
      try loop.wait(until: watch.deadline)
      watch.advance(to: InputLoop.now)
    }
    #expect(watch.observation == SeatState() && watch.deadline != nil)
  }
}

/// The rules of machines without logind.
@Suite struct SeatRuleTests {
  @Test func theNamedUserIsActive() throws {
    let watch = SeatWatch(.user(1000))
    var heard: [SeatState] = []
    watch.didChange = { heard.append($0) }
    try watch.start(on: try InputLoop())
    #expect(heard.map(\.activeUser) == [1000])
  }

  @Test func withoutARuleNobodyIsActive() throws {
    let watch = SeatWatch()
    try watch.start(on: try InputLoop())
    #expect(watch.observation == SeatState() && watch.deadline == nil)
  }

  @Test(.enabled(if: getuid() == 0, "needs root"))
  func theOwnerOfTheActiveTerminalIsActive() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let show = { (name: String) in
      try Data((name + "\n").utf8).write(to: folder.appending(path: "active"))
    }
    for (name, uid) in [("tty1", 0), ("tty2", 1000), ("tty3", 1001)] as [(String, uid_t)] {
      let path = folder.appending(path: name).path
      try Data().write(to: URL(filePath: path))
      chown(path, uid, 0)
    }
    try show("tty2")
    let watch = SeatWatch(.virtualTerminal(states: folder.path, devices: folder.path))
    var ended: [String] = []
    watch.sessionEnded = { ended.append($0) }
    let loop = try InputLoop()
    try watch.start(on: loop)
    func sees(_ user: UInt32?) throws -> Bool {
      let end = InputLoop.now + .milliseconds(10_000)
      while watch.observation.activeUser != user, InputLoop.now < end { try loop.wait(until: end) }
      return watch.observation.activeUser == user
    }
    #expect(try sees(1000))
    try show("tty3")
    #expect(try sees(1001))
    // nobody has logged in there; then somebody does
    try show("tty1")
    #expect(try sees(nil))
    chown(folder.appending(path: "tty1").path, 1002, 0)
    #expect(try sees(1002))
    try show("../tty2")
    #expect(try sees(nil))
    #expect(ended == ["tty2 of 1000", "tty3 of 1001", "tty1 of 1002"])
  }

  @Test func withoutTerminalsNobodyIsActive() throws {
    let watch = SeatWatch(.virtualTerminal(states: "/nonexistent", devices: "/nonexistent"))
    try watch.start(on: try InputLoop())
    #expect(watch.observation == SeatState())
  }
}
