import Glibc
public import GlissSession
import Synchronization

/// A thread with an event loop, as the executor of actors that read devices.
///
/// An actor that returns ``unownedExecutor`` runs on this thread. There it may own a session and
/// read devices into it: handlers are called on the actor, and use its state without `await`.
///
/// ```swift
/// actor Zoom {
///   private let executor: LoopExecutor
///   init() throws { executor = try LoopExecutor() }
///   nonisolated var unownedExecutor: UnownedSerialExecutor { executor.unownedExecutor }
/// }
/// ```
///
/// The thread ends when this is released, so the actor must keep it. A handler that uses the actor
/// keeps both alive until the reading has ended.
public final class LoopExecutor: Sendable {
  private let worker: LoopWorker

  /// Starts the thread.
  ///
  /// - Throws: If the process cannot open more descriptors or start another thread.
  public init() throws(SystemError) {
    worker = try LoopWorker()
    let code = BackgroundThread.start { [worker] in worker.run() }
    guard code == 0 else { throw SystemError("thread", failed: code) }
  }

  deinit { worker.handle.stop() }

  /// What an actor returns as its `unownedExecutor`.
  public var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }

  /// Reads `devices` into `session` on this thread, until the returned handle stops it or all
  /// devices that were named are gone. The caller must be isolated to an actor on this executor.
  ///
  /// - Parameter didEnd: called on the same actor when the reading has ended, with the error that
  ///   ended it, if there is one.
  /// - Returns: a handle that stops the reading from any thread.
  /// - Throws: If devices cannot be listed or udev cannot be listened to.
  @discardableResult
  public func read(
    _ devices: LiveDevices, into session: Session, isolation: isolated (any Actor) = #isolation,
    didEnd: @escaping (SystemError?) -> Void = { _ in }
  ) throws(SystemError) -> InputLoop.Handle {
    worker.checkIsolated()
    try worker.read(try EmbeddedDevices(devices, into: session), didEnd)
    return devices.handle
  }
}

/// The thread's side of a ``LoopExecutor``, which it does not keep alive.
///
/// Everything except the jobs is used on the thread alone, and so needs no lock.
private final class LoopWorker: SerialExecutor, @unchecked Sendable {
  private let loop: InputLoop
  private let jobs = Mutex<[UnownedJob]>([])
  let handle: InputLoop.Handle
  private let thread = Atomic<pthread_t>(0)
  /// What is being read, by its descriptor.
  private var readings: [Int32: EmbeddedDevices] = [:]

  init() throws(SystemError) {
    loop = try InputLoop()
    handle = loop.handle
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.append(job) }
    handle.wake()
  }

  /// Handlers are called outside of any job, but on the thread that runs all of them.
  func checkIsolated() {
    precondition(
      pthread_self() == thread.load(ordering: .relaxed), "this is not the executor's thread")
  }

  func run() {
    thread.store(pthread_self(), ordering: .relaxed)
    while !loop.isStopping {
      // one batch a turn: jobs that add jobs must not keep the devices waiting
      _ = runJobs()
      do throws(SystemError) {
        try loop.wait(until: nil)
      } catch {
        // an epoll descriptor of our own fails only if it was closed by mistake
        fatalError("\(error)")
      }
    }
    while runJobs() {}
    for descriptor in Array(readings.keys) { end(descriptor) }
  }

  /// Runs the jobs that are waiting now. Those that they add wake the loop. Returns whether there
  /// were any.
  private func runJobs() -> Bool {
    let ready = jobs.withLock { jobs in
      defer { jobs = [] }
      return jobs
    }
    for job in ready { job.runSynchronously(on: asUnownedSerialExecutor()) }
    return !ready.isEmpty
  }

  func read(
    _ devices: EmbeddedDevices, _ didEnd: @escaping (SystemError?) -> Void
  ) throws(SystemError) {
    let descriptor = devices.descriptor
    try loop.watch(descriptor) { [unowned self] in
      do throws(SystemError) {
        if try readings[descriptor]?.step() == true { return }
        end(descriptor)
        didEnd(nil)
      } catch {
        end(descriptor)
        didEnd(error)
      }
    }
    readings[descriptor] = devices
  }

  private func end(_ descriptor: Int32) {
    loop.unwatch(descriptor)
    // Its handlers are released with it, and what they own may start another reading when it ends.
    let ended = readings.removeValue(forKey: descriptor)
    withExtendedLifetime(ended) {}
  }
}
