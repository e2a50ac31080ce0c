import GlissDevices
import GlissEvents
import TestSupport
import Testing

@testable import GlissAgent

@Suite struct NotificationMachineTests {
  private typealias Machine = NotificationMachine<String>

  /// Actions as text: what is shown with whose place it takes, or why it is not.
  private func texts(_ actions: [Machine.Action]) -> [String] {
    actions.map {
      switch $0 {
      case .show(let content, let number): "\(content) for \(number)"
      case .giveUp(let content, let reason): "\(content): \(reason)"
      case .leaveOut(let content): "\(content) left out"
      }
    }
  }

  private func ask(_ machine: inout Machine, _ content: String, _ topic: String = "a") -> [String] {
    texts(machine.ask(content, of: topic).map { [$0] } ?? [])
  }

  private func shown(_ machine: inout Machine, _ number: UInt32, by server: String) -> [String] {
    texts(machine.answered(.shown(number: number, server: server), of: "a"))
  }

  @Test func eachTakesThePlaceOfTheOneBefore() {
    var machine = Machine()
    #expect(ask(&machine, "1") == ["1 for 0"])
    #expect(shown(&machine, 7, by: ":1.5") == [])
    #expect(ask(&machine, "2") == ["2 for 7"])
    #expect(shown(&machine, 7, by: ":1.5") == [])
    #expect(ask(&machine, "other", "b") == ["other for 0"])
  }

  @Test func laterNotificationsWaitForTheNumberAndOnlyTheLastIsShown() {
    var machine = Machine()
    #expect(ask(&machine, "1") == ["1 for 0"])
    #expect(ask(&machine, "2") == [])
    #expect(ask(&machine, "3") == [])
    #expect(shown(&machine, 7, by: ":1.5") == ["2 left out", "3 for 7"])
    #expect(ask(&machine, "4") == [])
    #expect(shown(&machine, 7, by: ":1.5") == ["4 for 7"])
    #expect(shown(&machine, 7, by: ":1.5") == [])
  }

  @Test func aFailureDoesNotLoseWaitingNotifications() {
    var machine = Machine()
    for content in ["1", "2", "3"] { _ = machine.ask(content, of: "a") }
    #expect(texts(machine.answered(.failed("why"), of: "a")) == ["2: why", "3 for 0"])
    #expect(texts(machine.answered(.failed("why"), of: "a")) == [])
    #expect(ask(&machine, "4") == ["4 for 0"])
  }

  @Test func numbersOfAServerThatIsGoneAreNotSent() {
    var machine = Machine()
    _ = machine.ask("1", of: "a")
    // the desktop starts it for us
    machine.serverChanged(to: ":1.5")
    #expect(shown(&machine, 7, by: ":1.5") == [])
    #expect(ask(&machine, "2") == ["2 for 7"])
    #expect(ask(&machine, "3") == [])
    machine.serverChanged(to: "")
    #expect(texts(machine.answered(.failed("gone"), of: "a")) == ["3 for 0"])
    machine.serverChanged(to: ":1.9")
    #expect(shown(&machine, 1, by: ":1.9") == [])
    #expect(ask(&machine, "4") == ["4 for 1"])
    // one that has lost its name still answers
    machine.serverChanged(to: ":1.10")
    #expect(shown(&machine, 1, by: ":1.9") == [])
    #expect(ask(&machine, "5") == ["5 for 0"])
  }

  @Test func whenTheBusIsGoneNothingIsKnown() {
    var machine = Machine()
    _ = machine.ask("1", of: "a")
    _ = shown(&machine, 7, by: ":1.5")
    machine.busClosed()
    #expect(ask(&machine, "2") == ["2 for 0"])
  }
}

/// A server of notifications as it says things on a bus of the test's own.
@Suite(
  .serialized, .enabled(if: FakeServices.isAvailable, "dbus-daemon or python3-dbus is missing"))
struct NotifierTests {
  private static let server = """
    class Server(dbus.service.Object):
        calls = []

        @dbus.service.method("org.freedesktop.Notifications", in_signature="susssasa{sv}i", out_signature="u")
        def Notify(self, name, replaces, icon, summary, body, actions, hints, expires):
            self.calls.append((int(replaces), str(summary)))
            return replaces or len(self.calls)

    server = Server(bus, "/org/freedesktop/Notifications")
    owned = dbus.service.BusName("org.freedesktop.Notifications", bus)
    """

  private final class Rig {
    let services: FakeServices
    let loop: InputLoop
    let said = SaidLines()
    let notifier: Notifier

    init() throws {
      services = try FakeServices()
      try services.serve(NotifierTests.server)
      loop = try InputLoop()
      notifier = Notifier(loop, said.log(), address: services.address)
    }

    func notify(_ topic: String, _ summaries: String...) {
      for summary in summaries { notifier.notify(topic, summary, nil, as: "test") }
    }

    /// Waits until the server was called so, which is written as Python has it.
    func expect(_ calls: String) throws {
      try wait(for: calls) {
        _ = try loop.wait(until: .zero)
        return (try? services.order("assert server.calls == \(calls)")) != nil
      }
    }
  }

  @Test func thoseThatFollowAtOnceTakeThePlaceOfTheFirst() throws {
    let rig = try Rig()
    rig.notify("a", "1", "2", "3")
    try rig.expect("[(0, '1'), (1, '3')]")
    #expect(rig.said.all.isEmpty)
  }

  @Test func aRestartedServerGetsNoNumbersOfTheOneBefore() throws {
    let rig = try Rig()
    rig.notify("a", "1", "2")
    try rig.expect("[(0, '1'), (1, '2')]")
    rig.services.endService()
    try rig.services.serve(Self.server)
    // the second is sent when the first was answered, and by then the change has been told
    rig.notify("b", "3", "4")
    try rig.expect("[(0, '3'), (1, '4')]")
    rig.notify("a", "5")
    try rig.expect("[(0, '3'), (1, '4'), (0, '5')]")
    #expect(rig.said.all.isEmpty)
  }

  @Test func withoutAServerAllAreInTheLog() throws {
    let rig = try Rig()
    rig.services.endService()
    rig.notify("a", "1", "2", "3")
    try wait(for: "the log") {
      _ = try rig.loop.wait(until: .zero)
      return rig.said.all.count == 3
    }
    #expect(rig.said.all.sorted().map { $0.prefix(8) } == ["test: 1 ", "test: 2 ", "test: 3 "])
  }
}
