import Foundation
import Gliss
import Synchronization
import Testing

/// Sources in loops and on actors, and ThreadsAndActors.md. Its examples are run with those of Examples/.
@Suite struct ThreadTests {
  private func embedded() throws -> (LiveDevices, EmbeddedDevices) {
    let devices = try LiveDevices(.seat("seat-of-nobody"))
    return (devices, try EmbeddedDevices(devices, into: Session()))
  }

  /// Whether the descriptor is readable, or soon is.
  private func isReadable(_ embedded: EmbeddedDevices, within milliseconds: Int32) -> Bool {
    var entry = pollfd(fd: embedded.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&entry, 1, milliseconds) == 1
  }

  private func settle(_ embedded: EmbeddedDevices) throws {
    for _ in 0..<100 where isReadable(embedded, within: 0) { _ = try embedded.step() }
  }

  @Test func anotherLoopIsWokenForDeadlinesAndTheEnd() throws {
    let (devices, embedded) = try embedded()
    var rings = 0
    devices.didRing = { rings += 1 }
    try settle(embedded)
    #expect(!isReadable(embedded, within: 0))
    devices.alarm = InputLoop.now + .milliseconds(20)
    // it is set from outside: the loop looks at it when it is woken
    devices.handle.wake()
    for _ in 0..<10 where rings == 0 {
      #expect(isReadable(embedded, within: 10_000))
      #expect(try embedded.step())
    }
    #expect(rings == 1)
    devices.handle.stop()
    #expect(isReadable(embedded, within: 0))
    #expect(try !embedded.step())
  }

  @Test func anotherLoopIsWokenWhenKeysMayNoLongerBeConsumed() throws {
    let (devices, embedded) = try embedded()
    try settle(embedded)
    #expect(!isReadable(embedded, within: 0))
    devices.mayConsume = false
    #expect(isReadable(embedded, within: 0))
    try settle(embedded)
    devices.mayConsume = false
    #expect(!isReadable(embedded, within: 0))
  }

  /// Counts on the actor what its handlers are told there.
  private actor Counter {
    private(set) var (handled, ended, turns) = (0, 0, 0)
    private let executor: LoopExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unownedExecutor }

    init() throws { executor = try LoopExecutor() }

    /// Reads devices that are all gone, or those of a seat that has none.
    func read(_ selection: DeviceSelection) async throws -> InputLoop.Handle {
      let devices = try LiveDevices(selection)
      devices.didFindNone = { self.handled += 1 }
      return try executor.read(devices, into: Session()) { error in
        self.assumeIsolated { $0.ended += error == nil ? 1 : 100 }
      }
    }

    /// Reads with a handler that owns `last`, which is released when the reading ends.
    func read(keeping last: sending LastWish) throws -> InputLoop.Handle {
      let session = Session()
      session.onGesture { _ in withExtendedLifetime(last) {} }
      return try executor.read(LiveDevices(.seat("seat-of-nobody")), into: session) { _ in
        self.assumeIsolated { $0.ended += 1 }
      }
    }

    /// Adds one job after another until the reading has ended, or `most` have run.
    func spin(atMost most: Int) {
      turns += 1
      if ended == 0, turns < most { Task { spin(atMost: most) } }
    }

    func waitUntil(ended count: Int) async { while ended < count { await Task.yield() } }
  }

  @Test func anotherThreadMayKeepTheHandleOfALoop() async throws {
    let (devices, embedded) = try embedded()
    let (loop, hotkeys) = (try InputLoop(), try RemoteHotkeys(path: "/no/such/broker"))
    let raw = try RawDevices()
    let handles = [
      loop.handle, devices.handle, embedded.handle, hotkeys.handle, raw.loop.handle,
    ]
    await Task.detached { for handle in handles { handle.stop() } }.value
    #expect(loop.isStopping && devices.loop.isStopping && raw.loop.isStopping)
    #expect(try !embedded.step())
    try hotkeys.run()
  }

  @Test func anActorReadsOnTheThreadOfItsExecutor() async throws {
    let counter = try Counter()
    _ = try await counter.read(.paths([]))
    await counter.waitUntil(ended: 1)
    let handle = try await counter.read(.seat("seat-of-nobody"))
    #expect(await counter.handled == 1)
    handle.stop()
    await counter.waitUntil(ended: 2)
    #expect(await counter.ended == 2)
  }

  /// Starts another reading when it is released.
  private final class LastWish {
    let act: () -> Void
    init(_ act: @escaping () -> Void) { self.act = act }
    deinit { act() }
  }

  @Test func aReadingMayStartWhileAnotherIsReleased() async throws {
    let counter = try Counter()
    let next = Mutex<InputLoop.Handle?>(nil)
    let handle = try await counter.read(
      keeping: LastWish {
        counter.assumeIsolated { counter in
          let handle = try? counter.read(keeping: LastWish {})
          next.withLock { $0 = handle }
        }
      })
    handle.stop()
    await counter.waitUntil(ended: 1)
    try #require(next.withLock { $0 }).stop()
    await counter.waitUntil(ended: 2)
  }

  @Test func jobsThatAddJobsDoNotKeepTheDevicesWaiting() async throws {
    let counter = try Counter()
    let handle = try await counter.read(.seat("seat-of-nobody"))
    handle.stop()
    await counter.spin(atMost: 100_000)
    await counter.waitUntil(ended: 1)
    #expect(await counter.turns < 100_000)
  }

  @Test func theThreadEndsWithItsActor() async throws {
    weak var gone: Counter?
    do {
      let counter = try Counter()
      _ = await counter.ended
      gone = counter
    }
    #expect(gone == nil)
  }

  @Test func thePagePrintsTheExamplesAsTheyAreCompiled() throws {
    let page = try String(
      contentsOf: ReadmeTests.root.appending(
        path: "Sources/Gliss/Gliss.docc/ThreadsAndActors.md"), encoding: .utf8)
    let printed = ReadmeTests.parts(of: page, from: "```swift", to: "```")
    let files = [
      "Loops/Executor.swift", "Loops/Thread.swift", "Loops/Queue.swift", "Loops/Broker.swift",
      "NIO/Sources/example-nio/main.swift",
    ]
    let compiled = try files.flatMap { file in
      let source = try String(
        contentsOf: ReadmeTests.root.appending(path: "Examples/\(file)"), encoding: .utf8)
      return ReadmeTests.parts(of: source, from: "// threads begins", to: "// threads ends")
    }
    #expect(compiled.count == files.count && printed == compiled)
  }
}
