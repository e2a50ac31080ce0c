import CLinux
import Glibc
public import GlissEvents
import Synchronization

/// An event loop for one thread. It waits for descriptors, the next deadline, and a call to stop
/// from anywhere.
///
/// It has no timer: with nothing to wait for it never wakes up.
public final class InputLoop {
  /// The readiness to wait for. Errors and hang-ups are always reported. The values are epoll's.
  package enum Readiness: UInt32, Hashable, Sendable {
    /// There is something to read, or the other side has closed.
    case readable = 1
    case writable = 4
    case readableOrWritable = 5
    /// An exceptional condition, such as a changed file in /sys.
    case urgent = 2
    /// Hang-up or error only.
    case closed = 0
  }

  /// The clock of all live input: CLOCK_MONOTONIC.
  public static var now: EventTime {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
  }

  /// The most descriptors handled per wait. If more are ready, the others come first the next time.
  static let capacity = 32

  /// Does a small part of the remaining background work, and returns whether more is left. Each
  /// ``wait(until:)`` calls it once before it would sleep. While work is left the loop does not
  /// sleep, but still handles descriptors and deadlines in between.
  package var work: (() -> Bool)?

  /// Stops or wakes a loop from any thread and from a signal handler, also after the loop has gone.
  public struct Handle: Sendable {
    fileprivate let waker: Waker

    /// Makes ``InputLoop/wait(until:)`` return, now or when it is next called.
    public func stop() { waker.stop() }
    /// Makes ``InputLoop/wait(until:)`` return once.
    public func wake() { waker.wake() }
  }

  private let epoll: Int32
  private let waker: Waker
  private let ready: UnsafeMutablePointer<epoll_event>
  /// Those of ``ready`` that were not handled yet.
  private var pending = 0..<0
  private var handlers: [Int32: () -> Void] = [:]

  /// - Throws: If the process cannot open more descriptors.
  public init() throws(SystemError) {
    waker = try Waker()
    epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
    guard epoll >= 0 else { throw SystemError("epoll", failed: errno) }
    ready = .allocate(capacity: Self.capacity)
    try watch(waker.descriptor) { [waker] in waker.clear() }
  }

  deinit {
    ready.deallocate()
    close(epoll)
  }

  /// Becomes readable when a watched descriptor is ready, or this loop was stopped or woken: for a
  /// loop that contains this one.
  public var descriptor: Int32 { epoll }

  /// Calls `handler` from ``wait(until:)`` whenever `descriptor` has something to read, hangs up or
  /// fails. Replaces an earlier watch on the same descriptor.
  ///
  /// - Throws: If the descriptor cannot be waited for.
  public func watch(_ descriptor: Int32, _ handler: @escaping () -> Void) throws(SystemError) {
    try watch(descriptor, for: .readable, handler)
  }

  /// The same for another readiness.
  package func watch(
    _ descriptor: Int32, for readiness: Readiness, _ handler: @escaping () -> Void
  ) throws(SystemError) {
    var event = epoll_event()
    event.events = readiness.rawValue
    event.data.fd = descriptor
    let operation = handlers[descriptor] == nil ? EPOLL_CTL_ADD : EPOLL_CTL_MOD
    guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else {
      throw SystemError("descriptor \(descriptor)", failed: errno)
    }
    handlers[descriptor] = handler
  }

  /// Ends ``watch(_:_:)``. Call it before closing the descriptor, because its number may be
  /// reused.
  public func unwatch(_ descriptor: Int32) {
    guard handlers.removeValue(forKey: descriptor) != nil else { return }
    epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, nil)
    // a descriptor with the same number may be watched before its turn comes
    for index in pending where ready[index].data.fd == descriptor { ready[index].data.fd = -1 }
  }

  /// Whether ``stop()`` was called.
  public var isStopping: Bool { waker.isStopping }

  /// What another thread keeps to stop or wake this loop.
  public var handle: Handle { Handle(waker: waker) }

  /// Makes ``wait(until:)`` return, now or when it is next called.
  public func stop() { waker.stop() }

  /// Makes ``wait(until:)`` return once.
  public func wake() { waker.wake() }

  /// Clears ``stop()``, so that the loop can be used again.
  package func resume() { waker.resume() }

  /// Sleeps until a descriptor is ready, `deadline` has passed or a signal was caught, then calls
  /// the handlers of the ready descriptors. It does not sleep while background work is left.
  ///
  /// - Parameter deadline: Evaluated once, right before it sleeps.
  /// - Returns: The number of ready descriptors; 0 on timeout.
  /// - Throws: If the system call fails.
  @discardableResult
  public func wait(until deadline: @autoclosure () -> EventTime?) throws(SystemError) -> Int {
    let isBusy = work?() ?? false
    let due = deadline()
    let count = sleep(until: isBusy ? .zero : due)
    guard count >= 0 else {
      if errno == EINTR { return 0 }
      throw SystemError("epoll", failed: errno)
    }
    pending = 0..<Int(count)
    while let index = pending.first {
      pending = pending.dropFirst()
      // an earlier handler may have removed this one
      handlers[ready[index].data.fd]?()
    }
    return Int(count)
  }

  private func sleep(until deadline: EventTime?) -> Int32 {
    let capacity = Int32(Self.capacity)
    guard let deadline else { return epoll_pwait2(epoll, ready, capacity, nil, nil) }
    let left = max(0, (deadline - Self.now).microseconds)
    var time = timespec(
      tv_sec: time_t(left / 1_000_000), tv_nsec: Int(left % 1_000_000) * 1000)
    return epoll_pwait2(epoll, ready, capacity, &time, nil)
  }
}

/// Wakes or stops a thread that polls its descriptor, from any thread and from a signal handler.
final class Waker: Sendable {
  let descriptor: Int32
  private let stopping = Atomic<Bool>(false)

  init() throws(SystemError) {
    descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("eventfd", failed: errno) }
  }

  deinit { close(descriptor) }

  var isStopping: Bool { stopping.load(ordering: .acquiring) }

  func stop() {
    stopping.store(true, ordering: .releasing)
    wake()
  }

  func resume() { stopping.store(false, ordering: .releasing) }

  func wake() {
    // the interrupted code may be about to read errno
    let code = errno
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
    errno = code
  }

  /// Makes the descriptor unreadable again.
  func clear() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }
}

/// A timer on a loop, for deadlines other than the devices'.
package final class LoopTimer {
  private let loop: InputLoop
  private let descriptor: Int32

  /// When it fires; `nil` if it is off. A handler may set it again.
  package var due: EventTime? {
    didSet { if due != oldValue { arm() } }
  }

  package init(on loop: InputLoop, _ handler: @escaping () -> Void) throws(SystemError) {
    self.loop = loop
    descriptor = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("timerfd", failed: errno) }
    // if this fails, deinit closes it
    try loop.watch(descriptor) { [weak self] in self?.ring(handler) }
  }

  deinit {
    loop.unwatch(descriptor)
    Glibc.close(descriptor)
  }

  private func ring(_ handler: () -> Void) {
    var count: UInt64 = 0
    guard read(descriptor, &count, 8) == 8 else { return }
    due = nil
    handler()
  }

  private func arm() {
    var time = itimerspec()
    if let due {
      // 0 would turn the timer off
      let microseconds = max(1, due.microseconds)
      time.it_value = timespec(
        tv_sec: time_t(microseconds / 1_000_000), tv_nsec: Int(microseconds % 1_000_000) * 1000)
    }
    timerfd_settime(descriptor, Int32(TFD_TIMER_ABSTIME), &time, nil)
  }
}

/// A separate thread for blocking work.
package enum BackgroundThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `body` on a new thread with all signals blocked. Returns 0, or the error number if the
  /// thread cannot be started.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    let box = Unmanaged.passRetained(Body(body))
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, box.toOpaque())
    pthread_sigmask(SIG_SETMASK, &before, nil)
    guard code == 0 else {
      box.release()
      return code
    }
    pthread_detach(thread)
    return 0
  }
}

/// Signals that are read like other input, so that none ends the process in the middle of a write.
package struct SignalQueue {
  /// Readable when a signal has come.
  package let descriptor: Int32

  /// Takes the signals `numbers` from now on, and those of `others` that the parent process did not
  /// ignore, as nohup ignores SIGHUP. Threads started later block them too.
  package init(_ numbers: [Int32], unlessIgnored others: [Int32] = []) throws(SystemError) {
    // a blocked signal would be read even if it is ignored
    var set = Self.set(of: numbers + others.filter { !Self.isIgnored($0) })
    descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    guard descriptor >= 0 else { throw SystemError("signals", failed: errno) }
    sigprocmask(SIG_BLOCK, &set, nil)
  }

  /// `isFromKernel`: the kernel sent it, for example because of a key typed on the terminal.
  package func next() -> (number: Int32, isFromKernel: Bool)? {
    var info = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(descriptor, &info, size) == size else { return nil }
    return (Int32(bitPattern: info.ssi_signo), info.ssi_code > 0)
  }

  /// Unblocks a signal. A parent thread that blocks signals passes its mask on, but the mask is not
  /// meant for this process. May be called in a signal handler.
  package static func unblock(_ number: Int32) {
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, number)
    sigprocmask(SIG_UNBLOCK, &set, nil)
  }

  package static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(number, nil, &action) == 0 else { return false }
    // functions cannot be compared, and SIG_IGN is the address 1
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func set(of numbers: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in numbers { sigaddset(&set, number) }
    return set
  }
}

/// Whether a service such as the broker is there, and when to try it again: the wait doubles with
/// each miss, up to a limit.
package struct Backoff {
  /// A service that restarts is back within a second.
  private static let shortest = EventInterval.milliseconds(100)

  private let first: EventInterval
  private let longest: EventInterval
  /// When to try it; `nil` while it is there.
  package private(set) var deadline: EventTime?
  private var misses = 0

  /// It has not been tried yet. `first` is the wait after the first miss.
  package init(
    at time: EventTime, first: EventInterval = .milliseconds(100), longest: EventInterval
  ) {
    self.first = first
    self.longest = longest
    deadline = time
  }

  package var isThere: Bool { deadline == nil }

  /// It is there. Returns whether it was gone before.
  package mutating func found() -> Bool {
    defer { (deadline, misses) = (nil, 0) }
    return deadline != nil
  }

  /// It has gone, or is still not there. Returns how many misses came before this one.
  package mutating func missed(at time: EventTime) -> Int {
    defer { misses += 1 }
    let doubled = EventInterval.milliseconds(
      Self.shortest.milliseconds * Double(1 << min(misses, 10)))
    deadline = time + (misses == 0 ? first : min(longest, doubled))
    return misses
  }
}
