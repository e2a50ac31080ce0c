import Foundation
import GlissDevices
import GlissEvents
import GlissGate
import TestSupport
import Testing

@testable import GlissBroker

/// Answers as polkit does, on a bus of the test's own.
@Suite(
  .serialized, .enabled(if: FakeServices.isAvailable, "dbus-daemon or python3-dbus is missing"))
struct PolkitAuthorityTests {
  /// Questions wait for `answer`.
  private static let polkit = """
    AUTHORITY = "org.freedesktop.PolicyKit1.Authority"
    asked, cancelled, policy_asks = [], [], True
    class Authority(dbus.service.Object):
        @dbus.service.method(AUTHORITY, in_signature="(sa{sv})sa{ss}us", out_signature="(bba{ss})",
                             async_callbacks=("done", "failed"))
        def CheckAuthorization(self, subject, action, details, flags, cancellation, done, failed):
            if flags == 0:
                # whether somebody could be asked
                result = (False, policy_asks, dbus.Dictionary({}, signature="ss"))
                return done(dbus.Struct(result, signature="bba{ss}"))
            asked.append((subject, action, details, flags, cancellation, done, failed))

        @dbus.service.method(AUTHORITY, in_signature="s")
        def CancelCheckAuthorization(self, cancellation): cancelled.append(str(cancellation))

    def wait(condition):
        context = GLib.MainContext.default()
        for _ in range(2000):
            if condition(): return
            GLib.usleep(5000)
            context.iteration(False)
        raise AssertionError("never")
    def answer(authorized, challenge, **details):
        wait(lambda: asked)
        details = {name.replace("_", "."): value for name, value in details.items()}
        result = (authorized, challenge, dbus.Dictionary(details, signature="ss"))
        asked[-1][5](dbus.Struct(result, signature="bba{ss}"))
    authority = Authority(bus, "/org/freedesktop/PolicyKit1/Authority")
    name = dbus.service.BusName("org.freedesktop.PolicyKit1", bus)
    """

  private final class Rig {
    let services: FakeServices
    let loop: InputLoop
    let authority: PolkitAuthority
    var answers: [ConsentAnswer] = []
    /// Whether the asking process still runs.
    var isAlive = true

    init(_ timeout: EventInterval = .milliseconds(60_000), serves: Bool = true) throws {
      services = try FakeServices()
      if serves { try services.serve(polkit) }
      loop = try InputLoop()
      authority = PolkitAuthority(loop, address: services.address, timeout: timeout)
    }

    func ask(_ identity: ClientIdentity = me) -> UInt64 {
      authority.ask(
        "org.gliss.request", details: [("client", "a \"b\""), ("scope", "gesture")], for: identity,
        isAlive: { [unowned self] in isAlive }
      ) { [unowned self] in answers.append($0) }
    }

    func turn(until holds: () -> Bool) throws {
      let end = InputLoop.now + .milliseconds(20_000)
      while !holds(), InputLoop.now < end {
        try loop.wait(until: EventTime.earlier(authority.deadline, end))
        authority.advance(to: InputLoop.now)
      }
    }

    /// Sends pending questions to the service.
    func order(_ line: String) throws {
      try turn { authority.hasPutAll || !answers.isEmpty }
      let end = InputLoop.now + .milliseconds(50)
      while InputLoop.now < end { try loop.wait(until: end) }
      try services.order(line)
    }

    func answer() throws -> ConsentAnswer? {
      try turn { !answers.isEmpty }
      return answers.count == 1 ? answers.first : nil
    }
  }

  private static let me = identity(of: getpid())

  private static func identity(of pid: Int32) -> ClientIdentity {
    ClientIdentity(
      uid: getuid(), pid: pid, startTime: ProcessFacts(of: pid)?.startTime ?? 0, confinement: .none,
      program: nil)
  }

  @Test(
    arguments: [
      ("True, False", .agreed),
      ("True, False, polkit_retains_authorization_after_challenge='1'", .agreed),
      ("False, False", .refused), ("False, True", .nobodyToAsk),
      ("False, True, polkit_dismissed='true'", .refused),
    ] as [(String, ConsentAnswer)])
  func polkitsAnswerIsTranslated(words: String, answer: ConsentAnswer) throws {
    let rig = try Rig()
    _ = rig.ask()
    #expect(rig.answers.isEmpty)
    try rig.order("answer(\(words))")
    #expect(try rig.answer() == answer)
  }

  @Test func polkitGetsTheProcessAndTheDetails() throws {
    let rig = try Rig()
    _ = rig.ask()
    let me = Self.me
    try rig.order(
      "wait(lambda: asked); subject, action, details, flags, cancellation = asked[0][:5]")
    try rig.order(
      "assert subject[0] == 'unix-process' and subject[1]['pid'] == \(me.pid), subject")
    try rig.order(
      "assert subject[1]['start-time'] == \(me.startTime) and subject[1]['uid'] == \(me.uid), subject"
    )
    try rig.order("assert action == 'org.gliss.request' and flags == 1 and cancellation")
    try rig.order("assert details == {'client': 'a \"b\"', 'scope': 'gesture'}, details")
  }

  @Test func anErrorMeansThatNobodyCanBeAsked() throws {
    let rig = try Rig()
    _ = rig.ask()
    try rig.order("wait(lambda: asked); asked[0][6](ValueError('no'))")
    #expect(try rig.answer() == .nobodyToAsk)
  }

  /// A policy under which nobody is asked, as for a user who came over ssh, does not count as a refusal.
  @Test func ifNobodyMayBeAskedNobodyHasRefused() throws {
    let rig = try Rig()
    try rig.services.order("globals()['policy_asks'] = False")
    _ = rig.ask()
    #expect(try rig.answer() == .nobodyToAsk)
    try rig.order("assert not asked")
  }

  @Test func anAnswerForAnEndedProcessIsARefusal() throws {
    let rig = try Rig()
    _ = rig.ask()
    try rig.order("wait(lambda: asked)")
    rig.isAlive = false
    try rig.order("answer(True, False)")
    #expect(try rig.answer() == .refused)
    // if the process has ended before, polkit is not asked
    _ = rig.ask()
    #expect(rig.answers.count == 1, "whoever asks is not called back while asking")
    try rig.turn { rig.answers.count == 2 }
    #expect(rig.answers.last == .refused)
    try rig.order("assert len(asked) == 1")
  }

  /// polkit would look up the start time itself, and might find another process's.
  @Test func withoutAStartTimePolkitIsNotAsked() throws {
    let rig = try Rig()
    var other = Self.me
    other.startTime = 0
    _ = rig.ask(other)
    #expect(try rig.answer() == .nobodyToAsk)
  }

  @Test func aWithdrawnQuestionIsNotAnswered() throws {
    let rig = try Rig()
    let question = rig.ask()
    let kept = rig.ask()
    #expect(question != kept)
    try rig.order("wait(lambda: len(asked) == 2)")
    rig.authority.withdraw(question)
    rig.authority.withdraw(question)
    try rig.order("wait(lambda: cancelled); assert cancelled == [str(asked[0][4])], cancelled")
    try rig.order(
      "asked[0][5](dbus.Struct((True, False, dbus.Dictionary({}, signature='ss')), signature='bba{ss}'))"
    )
    try rig.order("answer(False, False)")
    #expect(try rig.answer() == .refused)
  }

  @Test func ifNoAnswerComesNobodyCanBeAsked() throws {
    let rig = try Rig(.milliseconds(200))
    _ = rig.ask()
    #expect(try rig.answer() == .nobodyToAsk)
    try rig.order("wait(lambda: cancelled)")
  }

  @Test func withoutPolkitOrBusNobodyCanBeAsked() throws {
    let rig = try Rig(serves: false)
    _ = rig.ask()
    #expect(try rig.answer() == .nobodyToAsk)
    let loop = try InputLoop()
    let nowhere = PolkitAuthority(loop, address: "unix:path=/nonexistent")
    var answers: [ConsentAnswer] = []
    _ = nowhere.ask("org.gliss.request", details: [], for: Self.me, isAlive: { true }) {
      answers.append($0)
    }
    while answers.isEmpty {
      try loop.wait(until: nowhere.deadline)
      nowhere.advance(to: InputLoop.now)
    }
    #expect(answers == [.nobodyToAsk])
  }

  @Test func aLostBusIsFoundAgain() throws {
    let rig = try Rig()
    _ = rig.ask()
    try rig.order("wait(lambda: asked)")
    rig.services.endBus()
    #expect(try rig.answer() == .nobodyToAsk)
    rig.services.endService()
    try rig.services.startBus()
    try rig.services.serve(Self.polkit)
    _ = rig.ask()
    try rig.order("answer(True, False)")
    try rig.turn { rig.answers.count == 2 }
    #expect(rig.answers.last == .agreed)
  }

  @Test func textWithANulIsNotSent() throws {
    let rig = try Rig()
    _ = rig.authority.ask(
      "org.gliss.request", details: [("a", "b\u{0}c")], for: Self.me, isAlive: { true }
    ) { rig.answers.append($0) }
    #expect(try rig.answer() == .nobodyToAsk)
  }
}
