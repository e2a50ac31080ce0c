import Glibc
import GlissDevices
import GlissEvents
import GlissGate
import Testing

@testable import GlissClient

/// What follows the events of the seat.
@Suite struct ClientMonitorTests {
  private let broker: FakeBroker

  init() throws { broker = try FakeBroker() }

  private func monitor() throws -> GlobalEventMonitor {
    broker.say(FakeBroker.verdict)
    return try GlobalEventMonitor(
      Scope(tier: .raw, events: [.gesture, .key], keys: .all), over: broker.connection)
  }

  private func say(_ events: String) {
    broker.say(#"{"parameters":{"events":[\#(events)]},"continues":true}"#)
  }

  private static let tap =
    #"{"time":1,"device":"Pad","kind":"gesture","gesture":"tap","phase":"recognized","#
    + #""fingers":2,"count":1}"#

  private func words(_ event: GlobalEvent) -> String {
    switch event {
    case .input(let event, let device): "\(device) \(event.mask.rawValue)"
    case .session(let state, _): state.rawValue
    case .lost(let count): "lost \(count)"
    }
  }

  @Test func aGrantMayBeNarrowerThanTheRequest() throws {
    let monitor = try monitor()
    #expect(
      monitor.permission.granted == [Scope(tier: .gesture, events: .gesture)])
    #expect(monitor.permission.scope.tier == .raw && monitor.permission.advice == "keys are not")
    #expect(try broker.heard().first?["more"] == true)
  }

  @Test func aRefusalSaysHowToAsk() throws {
    broker.say(
      #"{"error":"org.gliss.Broker.NotGranted","parameters":{"standing":"notDetermined","#
        + #""advice":"ask for it"}}"#)
    #expect(throws: ClientError.notGranted(.notDetermined, advice: "ask for it")) {
      try GlobalEventMonitor(Scope(tier: .gesture), over: broker.connection)
    }
  }

  /// The broker reports the seat's state right behind its answer.
  @Test func whatComesWithTheAnswerMakesTheDescriptorReadable() throws {
    broker.say(FakeBroker.verdict)
    say(Self.tap)
    let monitor = try GlobalEventMonitor(Scope(tier: .gesture), over: broker.connection)
    var (entry, taken) = (pollfd(fd: monitor.descriptor, events: Int16(POLLIN), revents: 0), 0)
    #expect(poll(&entry, 1, 0) == 1)
    try monitor.take { _ in taken += 1 }
    #expect(poll(&entry, 1, 0) == 0 && taken == 1)
  }

  @Test func aLoopTakesWhatHasCome() throws {
    let monitor = try monitor()
    var taken: [String] = []
    try monitor.take { taken.append(words($0)) }
    #expect(taken == [])
    for _ in 0..<2 {
      say(Self.tap)
      try monitor.take { taken.append(words($0)) }
    }
    #expect(taken == ["Pad 1", "Pad 1"])
  }

  @Test func itRunsUntilTheGrantIsTakenAway() throws {
    let monitor = try monitor()
    say(Self.tap + #",{"time":2,"kind":"session","state":"locked"}"#)
    say(#"{"kind":"lost","count":3},{"kind":"weather"}"#)
    broker.say(
      #"{"error":"org.gliss.Broker.NotGranted","parameters":{"standing":"denied","advice":"a"}}"#)
    var told: [String] = []
    #expect(throws: ClientError.notGranted(.denied, advice: "a")) {
      try monitor.run { told.append(words($0)) }
    }
    #expect(told == ["Pad 1", "locked", "lost 3"])
    let again = #expect(throws: ClientError.self) { try monitor.run { _ in } }
    #expect(again == Self.takenAlready)
  }

  private static let takenAlready = ClientError.refused(
    "the events of this monitor are taken already", advice: "make a second GlobalEventMonitor")

  @Test func stoppingIsNoError() throws {
    let monitor = try monitor()
    say(Self.tap + "," + Self.tap)
    say(Self.tap)
    var count = 0
    try monitor.run { _ in
      count += 1
      monitor.stop()
    }
    // also of what had come already, nothing more is told
    #expect(count == 1)
  }

  @Test func aLoopThatStopsItTakesNothingMore() throws {
    let monitor = try monitor()
    say(Self.tap + "," + Self.tap)
    var count = 0
    #expect(throws: ClientError.closed) {
      try monitor.take { _ in
        count += 1
        monitor.stop()
      }
    }
    #expect(count == 1)
  }

  @Test func aLossEndsTheGestureUnlessItIsTakenAsSent() throws {
    let monitor = try monitor()
    let began = Self.tap.replacing("tap", with: "drag").replacing("recognized", with: "began")
    let loss = #"{"kind":"lost","count":3}"#
    var told: [String] = []
    say(began + "," + loss)
    try monitor.take { told.append(words($0)) }
    #expect(told == ["Pad 1", "Pad 1", "lost 3"])
    told = []
    say(began + "," + loss)
    try monitor.takeAsSent { told.append(words($0)) }
    #expect(told == ["Pad 1", "lost 3"])
  }

  @Test func anEventThatIsNoneEndsIt() throws {
    let monitor = try monitor()
    say(#"{"kind":"key","time":0,"device":"a"}"#)
    let error = #expect(throws: ClientError.self) { try monitor.run { _ in } }
    #expect(error == .malformed("key: it is missing"))
  }

  @Test func eventsComeAsASequence() async throws {
    let monitor = try monitor()
    say(Self.tap)
    say(#"{"kind":"lost","count":3}"#)
    broker.hangUp()
    var told: [String] = []
    await #expect(throws: ClientError.disconnected) {
      for try await event in monitor.events { told.append(words(event)) }
    }
    #expect(told == ["Pad 1", "lost 3"])
  }

  /// More than are held at once, in order and all of them.
  @Test func thousandsOfEventsAreHeldBackAndNotLost() async throws {
    let monitor = try monitor()
    let count = 3 * GlobalEventMonitor.capacity
    let code = BackgroundThread.start { [broker] in
      for number in 0..<count {
        broker.say(
          #"{"parameters":{"events":[{"kind":"lost","count":\#(number)}]},"continues":true}"#)
      }
      broker.hangUp()
    }
    #expect(code == 0)
    var expected = 0
    do throws(ClientError) {
      for try await event in monitor.events {
        guard case .lost(Int64(expected)) = event else { break }
        expected += 1
      }
    } catch {
      #expect(error == .disconnected)
    }
    #expect(expected == count)
  }

  @Test func aSecondSequenceGetsAnErrorAndLeavesTheFirst() async throws {
    let monitor = try monitor()
    say(Self.tap)
    var first = monitor.events.makeAsyncIterator()
    #expect(try await first.next() != nil)
    await #expect(throws: Self.takenAlready) { for try await _ in monitor.events {} }
    say(Self.tap)
    #expect(try await first.next() != nil)
  }

  @Test func endingTheTaskEndsTheMonitor() async throws {
    let monitor = try monitor()
    say(Self.tap)
    let task = Task {
      var count = 0
      for try await _ in monitor.events {
        count += 1
        // nothing more comes: it waits from now on
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return count
    }
    #expect(try await task.value == 1)
    // its end of the socket is shut
    #expect(throws: ClientError.closed) { try monitor.run { _ in } }
  }

  /// Even if the thread that reads them has not begun yet.
  @Test func aTaskThatIsCancelledBeforeEndsTheMonitorAtOnce() async throws {
    let monitor = try monitor()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      for try await _ in monitor.events {}
    }
    try await task.value
    #expect(throws: ClientError.closed) { try monitor.run { _ in } }
  }

  @Test func aSequenceThatIsDroppedEndsTheMonitor() async throws {
    let monitor = try monitor()
    for _ in 0..<3 { say(Self.tap) }
    for try await _ in monitor.events { break }
    // whoever listens at the other end sees it
    #expect(broker.isLeft(within: 10_000))
  }
}
