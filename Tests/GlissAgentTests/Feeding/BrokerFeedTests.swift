import Foundation
import GlissBroker
import GlissClient
import GlissConfiguration
import GlissDevices
import GlissEvents
import GlissGate
import Synchronization
import TestSupport
import Testing

@testable import GlissAgent

/// What the agent says to a broker, which the test plays itself.
@Suite struct BrokerFeedTests {
  private func read(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = Foundation.read(descriptor, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
  }

  @Test func aFingerThatPointsIsAskedForAndReportedOnce() throws {
    let scratch = try Scratch()
    let socket = try OwnSocket(scratch.file("socket"))
    let loop = try InputLoop()
    let feed = BrokerFeed(
      scratch.file("socket"), on: loop, SaidLines().log(),
      InputNeeds(Configuration(), namesKeyboards: false))
    var times: [EventTime] = []
    feed.didReceive = { if case .pointed(let time) = $0 { times.append(time) } }
    feed.advance(to: InputLoop.now)
    #expect(feed.isConnected)
    // the first connection was only to see that somebody listens
    close(accept(socket.descriptor, nil, nil))
    feed.watchPointing(true)
    let connection = accept(socket.descriptor, nil, nil)
    #expect(read(connection).contains("org.gliss.Broker.AwaitPointing"))
    let answer = Array("{\"parameters\":{\"time\":17}}\0".utf8)
    #expect(write(connection, answer, answer.count) == answer.count)
    try wait(for: "the answer") {
      try loop.wait(until: InputLoop.now)
      return !times.isEmpty
    }
    #expect(times == [EventTime(microseconds: 17)])
    // it is asked once, and the connection goes
    #expect(read(connection).isEmpty)
    close(connection)
  }

  private func needs(_ text: String) throws -> InputNeeds {
    let reading = Configuration.read([ConfigurationText(name: "t.yaml", bytes: Array(text.utf8))])
    let configuration = try #require(reading.configuration, "\(reading.mistakes)")
    return InputNeeds(configuration, namesKeyboards: false)
  }

  /// The broker's end of a connection.
  private final class FarEnd: Sendable {
    private let descriptor = Mutex<Int32>(-1)

    deinit { descriptor.withLock { _ = close($0) } }

    func take(_ accepted: Int32) { descriptor.withLock { $0 = accepted } }

    func say(_ message: String) {
      let bytes = Array(message.utf8) + [0]
      descriptor.withLock { _ = write($0, bytes, bytes.count) }
    }

    func hangUp() { descriptor.withLock { _ = shutdown($0, Int32(SHUT_RDWR)) } }
  }

  /// A broker that answers the first request of a feed, and then says that its grant was revoked.
  private final class Revoking {
    let loop: InputLoop
    let feed: BrokerFeed
    private let scratch: Scratch
    private let socket: OwnSocket
    private let end = FarEnd()

    init(_ needs: InputNeeds, answering answer: String) throws {
      (scratch, loop) = (try Scratch(), try InputLoop())
      socket = try OwnSocket(scratch.file("socket"))
      feed = BrokerFeed(scratch.file("socket"), on: loop, SaidLines().log(), needs)
      let listening = socket.descriptor
      let thread = Thread { [end] in
        // the first connection was only to see that somebody listens
        close(Self.nextConnection(to: listening))
        end.take(Self.nextConnection(to: listening))
        end.say(#"{"parameters":\#(answer),"continues":true}"#)
      }
      thread.start()
      feed.advance(to: InputLoop.now)
    }

    /// Waits, because an accept on this socket does not.
    static func nextConnection(to socket: Int32) -> Int32 {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      while poll(&entry, 1, -1) < 0 {}
      return accept(socket, nil, nil)
    }

    func revoke() throws {
      end.say(
        #"{"error":"org.gliss.Broker.NotGranted","parameters":{"standing":"denied","advice":"b"}}"#)
      try wait(for: "the refusal") {
        try loop.wait(until: InputLoop.now)
        return !feed.problems.isEmpty
      }
    }
  }

  /// A broker that answers one call over each connection.
  private final class Answering {
    let loop: InputLoop
    let feed: BrokerFeed
    /// One for each answer.
    let ends: [FarEnd]
    /// The calls that were answered.
    var calls: [String] { heard.all }
    private let heard = SaidLines()
    private let scratch: Scratch
    private let socket: OwnSocket

    init(_ needs: InputNeeds, with answers: [String]) throws {
      (scratch, loop) = (try Scratch(), try InputLoop())
      socket = try OwnSocket(scratch.file("socket"))
      feed = BrokerFeed(scratch.file("socket"), on: loop, SaidLines().log(), needs)
      let ends = answers.map { _ in FarEnd() }
      self.ends = ends
      let listening = socket.descriptor
      let thread = Thread { [heard] in
        // the first connection was only to see that somebody listens
        close(Revoking.nextConnection(to: listening))
        for (answer, end) in zip(answers, ends) {
          let connection = Revoking.nextConnection(to: listening)
          end.take(connection)
          var call = [UInt8](repeating: 0, count: 4096)
          let count = max(0, Foundation.read(connection, &call, call.count))
          end.say(answer)
          heard.log().report(.notice, String(decoding: call[..<count], as: UTF8.self))
        }
      }
      thread.start()
      feed.advance(to: InputLoop.now)
    }
  }

  @Test func modifiersThatAreNoLongerKnownAreNotHeld() throws {
    let granted =
      #"{"parameters":{"verdict":{"standing":"granted","granted":[]}},"continues":true}"#
    let broker = try Answering(
      try needs("gestures:\n  - {gesture: tap, fingers: 3, modifiers: ctrl, do: {notify: a}}\n"),
      with: [
        granted, granted, #"{"parameters":{"keys":["KEY_LEFTCTRL"],"modifiers":["ctrl"]}}"#,
        #"{"error":"org.gliss.Broker.NotGranted","parameters":{"standing":"denied","advice":"b"}}"#,
      ])
    var held: [Modifiers] = []
    var isInterrupted = false
    broker.feed.didReceive = { event in
      if case .gesture(_, _, let modifiers) = event { held.append(modifiers) }
      if case .interrupted = event { isInterrupted = true }
    }
    func say(_ event: String, over end: FarEnd, until isThere: () -> Bool) throws {
      end.say(#"{"parameters":{"events":[\#(event)]},"continues":true}"#)
      try wait(for: "the event") {
        try broker.loop.wait(until: InputLoop.now)
        return isThere()
      }
    }
    let tap =
      #"{"time":1,"device":"Pad","kind":"gesture","gesture":"tap","phase":"recognized","#
      + #""fingers":3,"count":1}"#
    try say(tap, over: broker.ends[0]) { held.count == 1 }
    try say(#"{"kind":"lost","count":3}"#, over: broker.ends[1]) { isInterrupted }
    try say(tap, over: broker.ends[0]) { held.count == 2 }
    #expect(held.map(\.isEmpty) == [false, true])
    #expect(broker.feed.isConnected)
  }

  @Test func strokesAreTakenAgainAfterTheBrokerHasEndedTheirConnection() throws {
    let answer = #"{"parameters":{}}"#
    let broker = try Answering(
      InputNeeds(Configuration(), namesKeyboards: false), with: [answer, answer])
    let counts = FingerCounts([3])
    broker.feed.take(counts, of: counts)
    broker.ends[0].hangUp()
    broker.feed.take(counts, of: counts)
    #expect(broker.feed.isConnected && broker.feed.problems == [])
  }

  /// The rules may have been read again since the grant was used.
  @Test func aGrantThatIsRevokedIsAProblemOfTheRulesInForce() throws {
    let rule = "  - {gesture: tap, fingers: 3, do: {notify: a}}\n"
    let broker = try Revoking(
      try needs("gestures:\n\(rule)\(rule)\(rule)"),
      answering: #"{"verdict":{"standing":"granted","granted":[]}}"#)
    #expect(broker.feed.problems == [])
    broker.feed.follow(try needs("gestures:\n\(rule)"), because: .rules)
    try broker.revoke()
    #expect(broker.feed.problems.count == 1)
    #expect(broker.feed.problems[0].hasPrefix("t.yaml:2: "), "\(broker.feed.problems)")
  }

  /// Those of a connection end together, and are one problem.
  @Test func hotkeysThatAreTakenAwayAreReportedOnce() throws {
    let hotkeys = ["super+f1", "super+f2", "super+f3"]
    let rules = hotkeys.map { "  - {hotkey: \($0), do: {notify: a}}\n" }.joined()
    let broker = try Revoking(
      try needs("hotkeys:\n\(rules)"), answering: #"{"registered":\#(hotkeys)}"#)
    #expect(broker.feed.problems == [] && broker.feed.hotkeys.count == 3)
    var changes = 0
    broker.feed.didChange = { changes += 1 }
    try broker.revoke()
    #expect(changes == 1 && broker.feed.problems.count == 1 && broker.feed.hotkeys.isEmpty)
  }

  /// A grant takes effect at once, but nobody reports that a device has come.
  @Test(arguments: [
    (
      #""error":"org.gliss.Broker.NotGranted","parameters":{"standing":"notDetermined","advice":"b"}"#,
      "; b"
    ),
    (
      #""error":"org.gliss.Broker.NoKeyboard","parameters":{"message":"no uinput","advice":"b"}"#,
      "; b; have the rules read again then: gliss reload"
    ),
  ])
  func aHotkeyThatIsNotConsumedSaysWhatToDo(_ refusal: String, _ advice: String) throws {
    let broker = try Answering(
      try needs("hotkeys:\n  - {hotkey: super+f1, consume: true, do: {notify: a}}\n"),
      with: ["{\(refusal)}", #"{"parameters":{"registered":["super+f1"]},"continues":true}"#])
    let problem = try #require(broker.feed.problems.first)
    #expect(problem.contains(": acts, but the rest of the desktop gets its keys"), "\(problem)")
    #expect(problem.hasSuffix(advice), "\(problem)")
  }

  @Test func onlyAProgramWhoseFileWasReplacedIsStartedAgain() {
    func advice(_ why: String) -> String {
      ClientError.notGranted(.restricted, advice: why).withRest
    }
    #expect(advice("the file was replaced: start it again").contains("systemctl --user restart"))
    #expect(advice("grants.db: is damaged").hasSuffix("is damaged"))
  }

  private static let refusal =
    #"{"error":"org.gliss.Broker.NotGranted","parameters":{"standing":"notDetermined","advice":"b"}}"#

  private func verdict(_ standing: String) -> String {
    #"{"parameters":{"verdict":{"standing":"\#(standing)","granted":[]}},"continues":true}"#
  }

  /// The rules of a part, how they are refused, what the feed asks for again, and its answer.
  @Test(arguments: [
    (
      "gestures: [{gesture: tap, fingers: 3, do: {notify: a}}]", refusal, "Monitor",
      #"{"verdict":{"standing":"granted","granted":[]}}"#
    ),
    (
      "gestures: [{gesture: tap, fingers: 3, do: {notify: a}}]",
      #"{"parameters":{"verdict":{"standing":"granted","granted":[],"advice":"b"}},"continues":true}"#,
      "Monitor", #"{"verdict":{"standing":"granted","granted":[]}}"#
    ),
    (
      "hotkeys: [{hotkey: h, do: {notify: a}}]",
      #"{"error":"org.gliss.Broker.HotkeyCouldType","parameters":{"hotkey":"h","advice":"b"}}"#,
      "RegisterHotkeys", #"{"registered":["h"]}"#
    ),
  ])
  func whatWasRefusedIsAskedForAgainOnceItIsGranted(
    _ rules: String, _ refusal: String, _ method: String, _ answer: String
  ) throws {
    let broker = try Answering(
      try needs(rules + "\n"),
      with: [
        refusal, verdict("notDetermined"),
        #"{"parameters":\#(answer),"continues":true}"#,
      ])
    func wait(until isSo: @escaping () -> Bool) throws {
      try TestSupport.wait(for: "the feed") {
        try broker.loop.wait(until: InputLoop.now)
        return isSo()
      }
    }
    #expect(broker.feed.problems.count == 1)
    try wait { broker.calls.count == 2 }
    #expect(broker.calls[1].contains("org.gliss.Broker.Preflight"))
    broker.ends[1].say(verdict("denied"))
    broker.ends[1].say(verdict("granted"))
    try wait { broker.feed.problems.isEmpty }
    #expect(broker.calls.count == 3 && broker.calls[2].contains(method), "\(broker.calls)")
  }

  /// The broker has no settings, so they must not be ignored silently.
  @Test func settingsAreReportedAsNotApplied() throws {
    func problems(_ text: String) throws -> [String] {
      BrokerFeed(
        "/no/such/socket", on: try InputLoop(), SaidLines().log(), try needs(text)
      ).problems
    }
    let rule = "gestures:\n  - {gesture: tap, fingers: 3, do: {notify: a}"
    #expect(try problems("\(rule)}").isEmpty)
    for text in [
      "settings: {tap.duration: 400}", "\(rule), settings: {tap.duration: 400}}",
      "devices: [{match: {kind: touchpad}, settings: {tap.duration: 400}}]",
    ] {
      #expect(try problems(text).contains { $0.hasPrefix("settings: not applied") }, "\(text)")
    }
  }
}
