import GlissDevices
import GlissEvents
import Synchronization
import TestSupport
import Testing

/// Between a thread that reads and a task that takes. The thread is the test's own: it offers when it is asked.
@Suite(.timeLimit(.minutes(5))) struct ElementReaderTests {
  private typealias Reader = ElementReader<Int, SystemError>

  /// A reader whose intake the test feeds, and how often it was stopped.
  private final class Rig: Sendable {
    let stops = Atomic<Int>(0)
    let begins = Atomic<Int>(0)
    let misses = Atomic<Int>(0)

    func reader(
      capacity: Int, _ body: @escaping @Sendable (Reader.Intake) -> Void = { _ in }
    ) -> Reader {
      Reader(
        capacity: capacity,
        begin: { intake in
          self.begins.add(1, ordering: .relaxed)
          body(intake)
        }, stop: { self.stops.add(1, ordering: .relaxed) })
    }
  }

  @Test func elementsBeyondTheLimitAreDroppedAndCounted() async throws {
    let rig = Rig()
    let reader = rig.reader(capacity: 3) { intake in
      for number in 1...10 where !intake.offerIfFree(number) {
        rig.misses.add(1, ordering: .relaxed)
      }
    }
    #expect(rig.begins.load(ordering: .relaxed) == 0)
    var taken: [Int] = []
    for _ in 0..<3 { taken.append(try #require(try await reader.next(isolation: nil))) }
    #expect(taken == [1, 2, 3] && rig.misses.load(ordering: .relaxed) == 7)
    reader.intake.offer(11)
    reader.intake.end(nil)
    #expect(try await reader.next(isolation: nil) == 11)
    #expect(try await reader.next(isolation: nil) == nil)
    #expect(rig.begins.load(ordering: .relaxed) == 1)
  }

  @Test func aThreadThatWaitsLosesNothing() async throws {
    let rig = Rig()
    let reader = rig.reader(capacity: 2) { intake in
      let code = BackgroundThread.start {
        for number in 1...1000 { intake.offer(number) }
        intake.end(nil)
      }
      #expect(code == 0)
    }
    var taken: [Int] = []
    while let number = try await reader.next(isolation: nil) { taken.append(number) }
    #expect(taken == Array(1...1000))
  }

  @Test func anErrorComesAfterAllElementsAndOnce() async throws {
    let rig = Rig()
    let reader = rig.reader(capacity: 2) { intake in
      intake.offer(1)
      intake.end(SystemError("the test", "it ends"))
    }
    #expect(try await reader.next(isolation: nil) == 1)
    await #expect(throws: SystemError.self) { try await reader.next(isolation: nil) }
    #expect(try await reader.next(isolation: nil) == nil)
  }

  @Test func aTaskThatIsCancelledStopsTheThread() async throws {
    let rig = Rig()
    let reader = rig.reader(capacity: 2) { intake in
      let code = BackgroundThread.start {
        var number = 0
        while !intake.isAbandoned {
          intake.offer(number)
          number += 1
        }
        intake.end(nil)
      }
      #expect(code == 0)
    }
    let intake = reader.intake
    let task = Task {
      var count = 0
      while try await reader.next(isolation: nil) != nil { count += 1 }
      return count
    }
    task.cancel()
    _ = try await task.value
    #expect(rig.stops.load(ordering: .relaxed) > 0 && intake.isAbandoned)
  }

  @Test func aReaderThatNobodyKeepsStopsTheThread() async throws {
    let rig = Rig()
    do {
      let reader = rig.reader(capacity: 2) { $0.offer(1) }
      #expect(try await reader.next(isolation: nil) == 1)
      #expect(rig.stops.load(ordering: .relaxed) == 0)
    }
    #expect(rig.stops.load(ordering: .relaxed) == 1)
  }

  /// A message of the broker has many events.
  @Test func aThreadThatWaitsForRoomEndsThoughItHasMoreToOffer() async throws {
    let rig = Rig()
    let last = Mutex(0)
    do {
      let reader = rig.reader(capacity: 1) { intake in
        let code = BackgroundThread.start {
          for number in 1...100 {
            intake.offer(number)
            last.withLock { $0 = number }
          }
        }
        #expect(code == 0)
      }
      #expect(try await reader.next(isolation: nil) == 1)
    }
    try wait(for: "the thread to end") { last.withLock { $0 } == 100 }
  }

  /// As a program meets it that names a device wrongly.
  @Test func aDeviceThatIsNotThereIsReportedAndEndsTheEvents() async throws {
    let refused = Mutex<[String]>([])
    let events = LiveDevices.events(of: .paths(["/dev/input/nonexistent"])) { device in
      refused.withLock { $0.append("\(device)") }
    }
    var count = 0
    for try await _ in events { count += 1 }
    #expect(count == 0)
    #expect(refused.withLock { $0.count == 1 && $0[0].contains("/dev/input/nonexistent") })
  }

  /// A program that waits for gestures would say nothing at all otherwise.
  @Test func aSeatWithoutDevicesIsReportedToATask() async throws {
    let (reports, reported) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      let events = LiveDevices.gestures(
        of: .seat("seat-of-nobody"), didFindNone: { reported.yield() })
      for try await gesture in events { Issue.record("\(gesture)") }
    }
    for await _ in reports { break }
    task.cancel()
    try await task.value
  }

  @Test func aLoopIsStoppedThroughItsHandleAlsoWhenItIsGone() throws {
    var loop: InputLoop? = try InputLoop()
    let handle = try #require(loop?.handle)
    let code = BackgroundThread.start { handle.stop() }
    try #require(code == 0)
    while loop?.isStopping == false { try loop?.wait(until: nil) }
    loop = nil
    handle.stop()
    handle.wake()
  }
}
