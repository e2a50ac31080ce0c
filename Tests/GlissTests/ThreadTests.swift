import Foundation
import Gliss
import Testing

/// The examples of docs/threads.md are compiled and run here.
@Suite struct ThreadTests {
  // threads begins
  actor Zoom {
    private(set) var factor = 1.0

    func follow() async throws {
      for try await gesture in LiveDevices.gestures() where gesture.kind == .pinch {
        if gesture.phase == .ended { factor *= gesture.scale }
      }
    }
  }
  // threads ends

  // threads begins
  func readOnAThread(_ begun: @escaping @Sendable (EventLoop.Handle) -> Void) {
    Thread.detachNewThread {
      do {
        let devices = try LiveDevices()
        let session = Session()
        session.onGesture { gesture in print(gesture.kind.name) }
        begun(devices.handle)
        try devices.run(into: session)  // until the handle's stop()
      } catch {
        print(error)
      }
    }
  }
  // threads ends

  // threads begins
  func follow(_ embedded: EmbeddedDevices, on queue: DispatchQueue) -> any DispatchSourceRead {
    let source = DispatchSource.makeReadSource(fileDescriptor: embedded.descriptor, queue: queue)
    source.setEventHandler {
      let goesOn = (try? embedded.step()) ?? false
      if !goesOn { source.cancel() }
    }
    source.resume()
    return source
  }
  // threads ends

  @Test func anActorIsCancelled() async throws {
    let zoom = Zoom()
    let task = Task { try await zoom.follow() }
    task.cancel()
    try await task.value
    #expect(await zoom.factor == 1)
  }

  @Test func aThreadIsStoppedByItsHandle() async {
    let handle = await withCheckedContinuation { begun in
      readOnAThread { begun.resume(returning: $0) }
    }
    handle.stop()
  }

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
    devices.alarm = EventLoop.now + .milliseconds(20)
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

  @Test func aDispatchQueueStepsUntilItIsStopped() async throws {
    let queue = DispatchQueue(label: "input")
    let handle = await withCheckedContinuation { (ended: CheckedContinuation<Bool, Never>) in
      queue.async {
        guard let (devices, embedded) = try? self.embedded() else {
          return ended.resume(returning: false)
        }
        let source = self.follow(embedded, on: queue)
        source.setCancelHandler { ended.resume(returning: source.isCancelled) }
        devices.handle.stop()
      }
    }
    #expect(handle)
  }

  @Test func thePagePrintsTheExamplesAsTheyAreCompiled() throws {
    let page = try String(
      contentsOf: ReadmeTests.root.appending(path: "docs/threads.md"), encoding: .utf8)
    let source = try String(contentsOfFile: #filePath, encoding: .utf8)
    let compiled = ReadmeTests.parts(
      of: source, from: "  // threads begins", to: "  // threads ends")
    #expect(compiled.count == 3)
    let printed = ReadmeTests.parts(of: page, from: "```swift", to: "```")
    #expect(printed == compiled.map { $0.map { $0.dropFirst(2) } })
  }
}
