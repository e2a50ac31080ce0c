import Foundation
import GlissEvents
import GlissGestures
import GlissSession
import Testing

@testable import GlissRecordings

/// Recordings that a task takes event by event.
@Suite struct RecordingEventTests {
  private static let demonstration = "\(folder)recordings/demo/demo.yml"

  private static var folder: String {
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
      .joined(separator: "/") + "/"
  }

  private func open() throws -> Recording { try Recording(path: Self.demonstration) }

  @Test func aTaskTakesTheGesturesThatASessionReports() async throws {
    let expected: [GestureEvent] = try open().gestures()
    try #require(expected.count > 100)
    var gestures: [GestureEvent] = []
    for try await gesture in try open().gestures() { gestures.append(gesture) }
    #expect(gestures == expected)
  }

  @Test func eventsOfOtherKindsComeInTheSameOrder() async throws {
    let session = Session()
    var expected: [InputEvent] = []
    session.addHandler { expected.append($0) }
    var recording = try open()
    try recording.run(into: session)
    var events: [InputEvent] = []
    for try await event in try open().events() { events.append(event) }
    #expect(events.map { "\($0)" } == expected.map { "\($0)" } && events.count > 100)
  }

  @Test func eachIteratorPlaysItAnew() async throws {
    let gestures = try open().events(matching: .gesture)
    var counts: [Int] = []
    for _ in 0..<2 {
      var count = 0
      for try await _ in gestures { count += 1 }
      counts.append(count)
    }
    #expect(counts[0] == counts[1] && counts[0] > 0)
  }

  @Test func onePlayedAlreadyIsNotPlayedSilently() async throws {
    var recording = try open()
    try recording.run(into: Session())
    do throws(RecordingError) {
      for try await _ in recording.events() {}
      Issue.record("it said nothing")
    } catch {
      #expect("\(error)".contains("played already"))
    }
  }

  @Test func itsWarningsAreReportedAtItsEnd() async throws {
    let text = try String(contentsOfFile: Self.demonstration, encoding: .utf8)
    var recording = try Recording(bytes: Array(text.utf8.dropLast(60)))
    #expect(recording.warnings.isEmpty)
    let (all, intake) = AsyncStream<[RecordingWarning]>.makeStream()
    recording.didWarn = { intake.yield($0) }
    for try await _ in recording.events() {}
    try recording.run(into: Session())
    intake.finish()
    var counts: [Int] = []
    for await warnings in all { counts.append(warnings.count) }
    #expect(counts == [1, 1])
    #expect(
      recording.warnings.first?.problem.hasPrefix("the last line is incomplete and ignored") == true
    )
  }

  @Test func theEventsBeforeAMistakeComeFirst() async throws {
    let lines = [
      "E: 0.000000 0001 001e 0001\t# KEY_A", "E: 0.000000 0000 0000 0000\t# SYN_REPORT",
      "E: 0.010000 0001 zzzz 0000", "",
    ]
    let bytes = Array((["N: Keys", "I: 0003 0001 0001 0001"] + lines).joined(separator: "\n").utf8)
    var events: [InputEvent] = []
    var failure: RecordingError?
    do throws(RecordingError) {
      for try await event in try Recording(bytes: bytes).events() { events.append(event) }
    } catch {
      failure = error
    }
    #expect(events.count == 3, "the device, the press, and its release at the end")
    #expect(failure?.line == 5)
  }

  @Test func aCancelledTaskTakesNoMore() async throws {
    var iterator = try open().events().makeAsyncIterator()
    #expect(try await iterator.next() != nil)
    withUnsafeCurrentTask { $0?.cancel() }
    #expect(try await iterator.next() == nil)
  }
}
