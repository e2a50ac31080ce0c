import Foundation
import GlissBroker
import GlissConfiguration
import GlissDevices
import GlissEvents
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

  /// The rules may have been read again since the grant was used.
  @Test func aGrantThatIsRevokedIsAProblemOfTheRulesInForce() throws {
    let rule = "  - {gesture: tap, fingers: 3, do: {notify: a}}\n"
    let (scratch, loop) = (try Scratch(), try InputLoop())
    let socket = try OwnSocket(scratch.file("socket"))
    let feed = BrokerFeed(
      scratch.file("socket"), on: loop, SaidLines().log(),
      try needs("gestures:\n\(rule)\(rule)\(rule)"))
    let listening = socket.descriptor
    let monitor = Mutex<Int32>(-1)
    let broker = Thread {
      // the first connection was only to see that somebody listens
      close(accept(listening, nil, nil))
      let connection = accept(listening, nil, nil)
      let answer = Array(
        #"{"parameters":{"verdict":{"standing":"granted","granted":[]}},"continues":true}"#.utf8)
      _ = write(connection, answer + [0], answer.count + 1)
      monitor.withLock { $0 = connection }
    }
    broker.start()
    feed.advance(to: InputLoop.now)
    try wait(for: "the monitor") { monitor.withLock { $0 } >= 0 }
    defer { close(monitor.withLock { $0 }) }
    #expect(feed.problems == [])
    feed.follow(try needs("gestures:\n\(rule)"), because: .rules)
    let error = Array(
      #"{"error":"org.gliss.Broker.NotGranted","parameters":{"standing":"denied","advice":"b"}}"#
        .utf8)
    _ = write(monitor.withLock { $0 }, error + [0], error.count + 1)
    try wait(for: "the refusal") {
      try loop.wait(until: InputLoop.now)
      return !feed.problems.isEmpty
    }
    #expect(feed.problems.count == 1)
    #expect(feed.problems[0].hasPrefix("t.yaml:2: "), "\(feed.problems)")
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
